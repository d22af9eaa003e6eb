import { CircleOff } from 'lucide-react'
import type { CodeBatch } from '../../../contract/codes.ts'
import { dayOf, middayOf } from '../../../contract/india.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { t, unbroken } from '../../platform/i18n.ts'
import { formatCount } from '../../platform/money.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { DeleteDialog } from '../../ui/admin/forms/delete-dialog.tsx'
import type { Action } from '../../ui/admin/lists/action-menu.tsx'
import type { Column } from '../../ui/admin/lists/data-table.tsx'
import type { RecordFace } from '../../ui/admin/lists/record-card.tsx'
import { ShareBar } from '../../ui/admin/share-bar.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Money } from '../../ui/money.tsx'
import { openDialog, type DialogProps } from '../../ui/overlays/open-dialog.ts'
import { textWith } from '../../ui/text-with.tsx'
import { Time } from '../../ui/time.tsx'

const isOver = ({ codeUntil }: CodeBatch, now: number) => codeUntil < dayOf(now)

function StateChip({ batch, now }: { batch: CodeBatch; now: number }) {
  if (batch.endedAt) return <Chip tone="bad">{t('Ended')}</Chip>
  if (batch.used === batch.count) return <Chip>{t('All used')}</Chip>
  return isOver(batch, now) ? <Chip>{t('Expired')}</Chip> : <Chip tone="ok">{t('Active')}</Chip>
}

const usedText = ({ used, count }: CodeBatch) =>
  t('{used} of {codes} used', { used: formatCount(used), codes: formatCount(count) })

const kindText = ({ sold }: CodeBatch) => (sold ? t('Sold for money') : t('Gift, one per account'))

const lastsText = ({ creditDays }: CodeBatch) =>
  unbroken(t('Credit lasts {count, plural, one {# day} other {# days}}', { count: creditDays }))

const UsedBar = ({ batch: { used, count } }: { batch: CodeBatch }) => <ShareBar share={used / count} />

const Until = ({ batch }: { batch: CodeBatch }) => <Time value={middayOf(batch.codeUntil)} format="date" />

export function columnsOf(now: number): Column<CodeBatch>[] {
  return [
    {
      title: t('Name'),
      className: 'min-w-48',
      cell: ({ name }) => <span className="font-medium wrap-anywhere">{name}</span>,
      small: kindText,
    },
    { title: t('Each'), align: 'right', card: 'figure', cell: ({ amount }) => <Money rupees={amount} /> },
    {
      title: t('Usage'),
      className: 'w-48',
      fact: usedText,
      cell: (batch) => (
        <div className="grid w-40 gap-1.5">
          <span className="tabular text-xs whitespace-nowrap">{usedText(batch)}</span>
          <UsedBar batch={batch} />
        </div>
      ),
    },
    {
      title: t('Valid till'),
      fact: (batch) => <span>{textWith('Valid till {date}', { date: <Until batch={batch} /> })}</span>,
      cell: (batch) => <Until batch={batch} />,
      small: lastsText,
    },
    {
      title: t('Created'),
      fact: ({ createdAt }) => <Time value={createdAt} format="date" />,
      cell: ({ createdAt }) => <Time value={createdAt} format="date" className="whitespace-nowrap" />,
      small: ({ createdBy: { username } }) => t('by {username}', { username }),
    },
    { title: t('Status'), card: 'state', cell: (batch) => <StateChip batch={batch} now={now} /> },
  ]
}

export const faceOf = (batch: CodeBatch): RecordFace => ({
  name: batch.name,
  caption: kindText(batch),
  figureName: t('Each'),
  children: <UsedBar batch={batch} />,
})

export function actionsOf(batch: CodeBatch, now: number): Action[] {
  if (batch.endedAt || batch.used === batch.count || isOver(batch, now)) return []
  return [
    {
      label: t('End codes'),
      name: t('End {name}', { name: batch.name }),
      icon: <CircleOff size={17} aria-hidden />,
      danger: true,
      denied: denied(calls.wallet.endCodes),
      run: () => openDialog(EndCodes, { batch }),
    },
  ]
}

function EndCodes({ batch: { _id: id, name, used, count }, ...dialog }: DialogProps & { batch: CodeBatch }) {
  const end = useCall('wallet.endCodes')
  return (
    <DeleteDialog
      {...dialog}
      title={t('End {name}?', { name })}
      confirmLabel={t('End codes')}
      action={async () => {
        await end.mutateAsync({ id })
        toast(t('{name} ended', { name }))
      }}
    >
      <p>
        {t(
          '{count, plural, one {# unused code becomes} other {# unused codes become}} worthless, and this can’t be ' +
            'undone. What was redeemed stays in the wallets.',
          { count: count - used },
        )}
      </p>
    </DeleteDialog>
  )
}
