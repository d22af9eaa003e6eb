import { FileCheck, HandCoins, Landmark, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BankCredit } from '../../../../contract/bank-shapes.ts'
import { middayOf } from '../../../../contract/india.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { formatDate, formatDateTime } from '../../../platform/dates.ts'
import { t } from '../../../platform/i18n.ts'
import { formatRupees } from '../../../platform/money.ts'
import type { Action } from '../../../ui/admin/lists/action-menu.tsx'
import type { Column } from '../../../ui/admin/lists/data-table.tsx'
import { Chip } from '../../../ui/chip.tsx'
import { Money } from '../../../ui/money.tsx'
import { payerOf } from './payer-of.ts'

interface Runs extends Record<'credit' | 'setAside' | 'takeUp', () => void> {
  takeBack: (topUp: NonNullable<BankCredit['topUp']>) => void
}

export function actionsFor(credit: BankCredit, run: Runs): Action[] {
  const { state, kind, topUp } = credit
  const words = { amount: formatRupees(credit.amount), name: payerOf(credit) }
  const landmark = <Landmark size={17} aria-hidden />
  const crediting: Action = {
    label: t('Credit to user…'),
    name: t('Credit to user… {amount} from {name}', words),
    icon: <HandCoins size={17} aria-hidden />,
    denied: denied(calls.bank.creditTo),
    run: run.credit,
  }
  const aside = { icon: landmark, denied: denied(calls.bank.setAside) }
  switch (state) {
    case 'unclaimed':
      return [
        ...(kind === 'payment' ? [crediting] : []),
        { ...aside, label: t('Ignore'), name: t('Ignore {amount} from {name}', words), run: run.setAside },
      ]
    case 'set-aside':
      return [
        {
          ...aside,
          label: t('Stop ignoring'),
          name: t('Stop ignoring {amount} from {name}', words),
          run: run.takeUp,
        },
      ]
    case 'matched':
    case 'differs':
    default:
      return topUp
        ? [
            {
              label: t('Take back…'),
              name: t('Take back… {amount} from {name}', { amount: words.amount, name: topUp.username }),
              icon: <Undo2 size={17} aria-hidden />,
              denied: denied(calls.bank.takeBack),
              run: () => run.takeBack(topUp),
            },
            {
              label: t('Paper for the bank'),
              name: t('Paper for the bank about {amount} from {name}', { amount: words.amount, name: topUp.username }),
              icon: <FileCheck size={17} aria-hidden />,
              denied: denied(calls.proofs.read),
              link: { to: '/admin/proof', search: { id: topUp._id } },
            },
          ]
        : []
  }
}

export function columns(boxOf: (credit: BankCredit) => ReactNode): Column<BankCredit>[] {
  return [
    {
      title: t('Payer'),
      cell: (credit) => (
        <div className="flex min-w-0 items-center gap-2">
          {boxOf(credit)}
          <div className="min-w-0">
            <p className="font-medium wrap-anywhere">{payerOf(credit)}</p>
            {credit.payer.vpa && <p className="text-xs wrap-anywhere text-fg-3">{credit.payer.vpa}</p>}
          </div>
        </div>
      ),
    },
    {
      title: t('Amount'),
      align: 'right',
      card: 'figure',
      cell: ({ amount }) => <Money rupees={amount} className="font-semibold" />,
    },
    { title: t('UTR'), card: 'children', cell: (credit) => <References credit={credit} /> },
    { title: t('When'), card: 'caption', cell: whenOf },
    { title: t('State'), card: 'state', cell: (credit) => <State credit={credit} /> },
  ]
}

const whenOf = ({ at, day, account }: BankCredit): string =>
  `${at ? formatDateTime(at) : formatDate(middayOf(day))} · ${account.label}`

function References({ credit: { refs, note } }: { credit: BankCredit }) {
  return (
    <div className="min-w-0">
      <code translate="no" className="font-mono wrap-anywhere">
        {refs.length > 0 ? refs.join(' ') : t('No reference')}
      </code>
      {note && <p className="text-xs wrap-anywhere text-fg-3">{note}</p>}
    </div>
  )
}

function State({ credit: { state, kind, topUp, rivals } }: { credit: BankCredit }) {
  if (state === 'differs') return <Chip tone="bad">{t('Sources disagree')}</Chip>
  if (state === 'matched') return <Chip tone="ok">{t('Paid for {name}', { name: topUp?.username ?? '' })}</Chip>
  if (state === 'set-aside') return <Chip>{t('Ignored')}</Chip>
  if (kind === 'reversal') return <Chip tone="outline">{t('Reversal')}</Chip>
  if (kind === 'own') return <Chip tone="outline">{t('Own money')}</Chip>
  if (rivals.length > 0) return <Chip tone="warn">{t('Submitted by {names}', { names: rivals.join(', ') })}</Chip>
  return <Chip tone="info">{t('No request')}</Chip>
}
