import { CircleCheck, TriangleAlert } from 'lucide-react'
import { t } from '../../../platform/i18n.ts'
import { counted, formatCount } from '../../../platform/money.ts'
import { ShareBar } from '../../../ui/admin/share-bar.tsx'
import type { ImportProgress } from '../key-import.ts'

export function Progress({ progress, total }: { progress: ImportProgress; total: number }) {
  return (
    <div className="grid gap-1.5">
      <ShareBar share={total === 0 ? 0 : progress.done / total} />
      <output className="tabular text-sm text-fg-2">
        {t('Processed {done} of {total}. Added {added}.', {
          done: formatCount(progress.done),
          total: formatCount(total),
          added: formatCount(progress.added),
        })}
      </output>
    </div>
  )
}

/** @param duplicates lines that the check left out, and keys that the store refused */
export function Result({ added, duplicates }: { added: number; duplicates: number }) {
  return (
    <div role="status" className="grid gap-3 pb-1">
      {added > 0 && (
        <p className="flex items-center gap-2.5">
          <CircleCheck size={22} aria-hidden className="shrink-0 text-ok" />
          <span className="text-lg font-semibold">
            {t('{count, plural, one {# key added} other {{text} keys added}}', counted(added))}
          </span>
        </p>
      )}
      <DuplicatesLeftOut count={duplicates} />
    </div>
  )
}

export function DuplicatesLeftOut({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <div className="flex items-start gap-2.5 rounded-control bg-warn/10 px-3 py-2.5 text-sm">
      <TriangleAlert size={17} aria-hidden className="mt-0.5 shrink-0 text-warn" />
      <div>
        <p className="font-medium">{t('Some or all keys were duplicates and were not added')}</p>
        <p className="text-fg-2">
          {t('{count, plural, one {# duplicate} other {{text} duplicates}} left out.', counted(count))}
        </p>
      </div>
    </div>
  )
}
