import { Pause, Percent, Play } from 'lucide-react'
import type { Inviter, NotCounted } from '../../../../contract/invites.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { t } from '../../../platform/i18n.ts'
import { formatCount, formatRupees } from '../../../platform/money.ts'
import { BuyerLink } from '../../../ui/admin/buyer-link.tsx'
import type { Action } from '../../../ui/admin/lists/action-menu.tsx'
import type { Column } from '../../../ui/admin/lists/data-table.tsx'
import type { RecordFace } from '../../../ui/admin/lists/record-card.tsx'
import { Chip } from '../../../ui/chip.tsx'
import { Money } from '../../../ui/money.tsx'

export type InviterRow = Inviter & { _id: string }

const WHY: Record<NotCounted, () => string> = {
  payer: () => t('payment account of another user'),
  phone: () => t('phone of another user'),
  device: () => t('browser of another user'),
  name: () => t('payer of the same name'),
  'no-payer': () => t('statement without a payer'),
  account: () => t('account that may not act'),
  late: () => t('not in a statement in time'),
}
const REASONS = Object.keys(WHY) as NotCounted[]

/** "2 not counted: 1 phone of another user, …" */
function notCountedText({ notCounted }: Inviter): string | undefined {
  const found = REASONS.filter((reason) => notCounted[reason] > 0)
  if (found.length === 0) return undefined
  return t('Not counted: {reasons}', {
    reasons: found.map((reason) => `${formatCount(notCounted[reason])} ${WHY[reason]()}`).join(', '),
  })
}

const joinedText = ({ joined, counted }: Inviter) =>
  t('{count, plural, one {# joined} other {# joined}} · {counted} counted', {
    count: joined,
    counted: formatCount(counted),
  })

const lostText = ({ lost }: Inviter) => t('{amount} lost', { amount: formatRupees(lost) })

function termsText({ reward, monthMax }: Inviter): string | undefined {
  const parts = [
    ...(reward !== undefined ? [t('{amount} a friend', { amount: formatRupees(reward) })] : []),
    ...(monthMax !== undefined ? [t('at most {amount} a month', { amount: formatRupees(monthMax) })] : []),
  ]
  return parts.length > 0 ? parts.join(', ') : undefined
}

const PausedChip = ({ row }: { row: Inviter }) => (row.paused ? <Chip tone="warn">{t('Paused')}</Chip> : null)

export const inviterColumns = (): Column<InviterRow>[] => [
  {
    title: t('Buyer'),
    className: 'min-w-40',
    cell: (row) => (
      <div className="flex flex-wrap items-center gap-2">
        <BuyerLink username={row.username} />
        <PausedChip row={row} />
      </div>
    ),
  },
  {
    title: t('Friends'),
    cell: (row) => (
      <>
        <span className="tabular">{joinedText(row)}</span>
        <span className="block max-w-96 text-xs text-fg-3">{notCountedText(row)}</span>
      </>
    ),
  },
  { title: t('Own rate'), cell: (row) => <span className="text-fg-2">{termsText(row) ?? t('None')}</span> },
  {
    title: t('Earned in 90 days'),
    align: 'right',
    card: 'figure',
    cell: ({ earned }) => <Money rupees={earned} />,
    small: (row) => row.lost > 0 && <span className="text-bad">{lostText(row)}</span>,
  },
]

export const inviterFace = (row: InviterRow): RecordFace => ({
  name: row.username,
  title: <BuyerLink username={row.username} />,
  figureName: t('Earned in 90 days'),
  state: row.paused && <PausedChip row={row} />,
  facts: [
    joinedText(row),
    notCountedText(row),
    termsText(row),
    row.lost > 0 && (
      <span key="lost" className="text-bad">
        {lostText(row)}
      </span>
    ),
  ],
})

interface Run {
  rate: () => void
  pause: () => void
  isPausing: boolean
}

export function inviterActions({ username: name, paused }: InviterRow, { rate, pause, isPausing }: Run): Action[] {
  const not = denied(calls.referrals.setInviteTerms)
  return [
    {
      label: t('Own rate'),
      name: t('Own rate of {name}', { name }),
      icon: <Percent size={17} aria-hidden />,
      denied: not,
      run: rate,
    },
    {
      label: paused ? t('Resume') : t('Pause'),
      name: paused ? t('Resume {name}', { name }) : t('Pause {name}', { name }),
      icon: paused ? <Play size={17} aria-hidden /> : <Pause size={17} aria-hidden />,
      denied: not,
      pending: isPausing,
      run: pause,
    },
  ]
}
