import { ArrowRight } from 'lucide-react'
import { deviceWords } from '../../platform/device-words.ts'
import { t } from '../../platform/i18n.ts'
import type { Column } from '../../ui/admin/lists/data-table.tsx'
import type { RecordFace } from '../../ui/admin/lists/record-card.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { cx } from '../../ui/cx.ts'
import { Time } from '../../ui/time.tsx'
import { useShowAll } from '../../ui/use-show-all.ts'
import type { Entry } from './audit-queries.ts'
import { AuditSubject } from './audit-subject.tsx'
import { actionText, changesOf, type Change, type Names } from './audit-words.ts'

export const faceOf = ({ action, subject }: Entry, names: Names): RecordFace => ({
  name: actionText(action),
  caption: <AuditSubject subject={subject} names={names} />,
})

export function columns(names: Names): Column<Entry>[] {
  return [
    {
      title: t('Action'),
      cell: ({ action, subject }) => (
        <>
          <span title={action}>
            <Chip tone="outline">{actionText(action)}</Chip>
          </span>
          <AuditSubject subject={subject} names={names} />
        </>
      ),
    },
    { title: t('Changes'), card: 'children', cell: (entry) => changesIn(entry, names) },
    {
      title: t('Admin'),
      className: 'wide:min-w-28',
      fact: ({ admin }) => admin,
      cell: ({ admin }) => <span className="font-medium wrap-anywhere">{admin}</span>,
    },
    {
      title: t('Date and time'),
      card: 'figure',
      fact: ({ from }) => from !== '' && originText(from),
      cell: ({ at, from }, onCard) => (
        <>
          <Time value={at} className={cx('whitespace-nowrap text-fg-2', onCard && 'text-xs font-normal')} />
          {!onCard && from !== '' && (
            <p className="max-w-56 text-xs wrap-anywhere text-fg-3" title={from}>
              {originText(from)}
            </p>
          )}
        </>
      ),
    },
  ]
}

const CHANGES_SHOWN = 4

function changesIn({ before, after }: Entry, names: Names) {
  const changes = changesOf(before, after, names)
  return changes.length === 0 ? null : <Changes changes={changes} />
}

function Changes({ changes }: { changes: readonly Change[] }) {
  const { isWhole, showAll, propsOf } = useShowAll()
  const shown = isWhole ? changes : changes.slice(0, CHANGES_SHOWN)
  return (
    <>
      <ul className="grid gap-0.5 text-xs">
        {shown.map(({ field, before, after }, at) => (
          <li
            key={field}
            {...propsOf(at, CHANGES_SHOWN)}
            className="flex flex-wrap items-center gap-x-1.5 wrap-anywhere"
          >
            <span className="text-fg-3">{field}</span>
            {before !== undefined && <span className="line-clamp-3 text-fg-2">{before}</span>}
            {before !== undefined && after === undefined && <span className="text-bad">{t('removed')}</span>}
            {after !== undefined && (
              <>
                {before !== undefined && <ArrowRight size={12} aria-label={t('changed to')} className="text-fg-3" />}
                <span className="line-clamp-3">{after}</span>
              </>
            )}
          </li>
        ))}
      </ul>
      {changes.length > CHANGES_SHOWN && !isWhole && (
        <Button variant="ghost" size="sm" className="-mx-3.5" onClick={showAll}>
          {t('{count} more', { count: changes.length - CHANGES_SHOWN })}
        </Button>
      )}
    </>
  )
}

/** "203.0.113.7, Mozilla/5.0 …" → "203.0.113.7 · Chrome on Android". Other programs keep their name. */
function originText(from: string): string {
  const [address = '', ...rest] = from.split(', ')
  const userAgent = rest.join(', ')
  if (userAgent === '') return address
  return `${address} · ${userAgent.startsWith('Mozilla/') ? deviceWords(userAgent) : userAgent}`
}
