import type { KeyBatch } from '../../../../contract/keys.ts'
import { looksBad } from '../../../claims/admin/looks-bad.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { t } from '../../../platform/i18n.ts'
import { formatCount } from '../../../platform/money.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Time } from '../../../ui/time.tsx'

/** True while there is something to recall. */
export const canRecall = ({ undoneAt, recalledAt, sold, left }: KeyBatch): boolean =>
  undoneAt === null && recalledAt === null && sold + left > 0

interface BatchNoticeProps {
  batch: KeyBatch | undefined
  onRecall: (batch: KeyBatch) => void
  onLeave: () => void
}

/** Over the keys of one batch: which batch that is, what has become of it, its recall, and the way to all keys. */
export function BatchNotice({ batch, onRecall, onLeave }: BatchNoticeProps) {
  return (
    <div
      className={
        'flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-control bg-brand-bg px-3.5 ' +
        'py-2 text-sm'
      }
    >
      {batch ? (
        <p className="min-w-0">
          <span className="font-semibold wrap-break-word">
            {batch.supplier ? t('Batch from {supplier}', { supplier: batch.supplier }) : t('Showing one batch')}
          </span>{' '}
          <span className="text-fg-2">
            <Time value={batch.createdAt} />
          </span>
          <span className="tabular block text-fg-2">
            {t('{added} added · {sold} sold · {left} left', {
              added: formatCount(batch.added),
              sold: formatCount(batch.sold),
              left: formatCount(batch.left),
            })}
          </span>
          <BatchClaims batch={batch} />
        </p>
      ) : (
        <p className="font-semibold">{t('Showing one batch')}</p>
      )}
      <div className="flex flex-wrap gap-2">
        {batch && canRecall(batch) && (
          <Button
            size="sm"
            variant={looksBad(batch) ? 'danger' : 'ghost'}
            denied={denied(calls.claims.recall)}
            onClick={() => onRecall(batch)}
          >
            {t('Recall')}
          </Button>
        )}
        <Button size="sm" variant="secondary" onClick={onLeave}>
          {t('Show all keys')}
        </Button>
      </div>
    </div>
  )
}

/** How many of its sold keys buyers have reported. */
export function BatchClaims({ batch: { claims, sold } }: { batch: KeyBatch }) {
  if (claims === 0) return null
  return (
    <span className="tabular block text-xs text-warn">
      {t('{claims} of {sold} reported ({share}%)', {
        claims: formatCount(claims),
        sold: formatCount(sold),
        share: sold === 0 ? 0 : Math.round((claims / sold) * 100),
      })}
    </span>
  )
}
