import { ClipboardCheck } from 'lucide-react'
import type { SupplyOrder } from '../../../contract/supply.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { t, variantText } from '../../platform/i18n.ts'
import { formatRupees, timesRupees } from '../../platform/money.ts'
import type { Action } from '../../ui/admin/lists/action-menu.tsx'
import type { Column } from '../../ui/admin/lists/data-table.tsx'
import type { RecordFace } from '../../ui/admin/lists/record-card.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Money } from '../../ui/money.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { openDialog } from '../../ui/overlays/open-dialog.ts'
import { Time } from '../../ui/time.tsx'
import { faultText, isFault } from './supplier-columns.tsx'

const SettleDialog = lazyPart(() => import('./settle-dialog.tsx').then((file) => file.SettleDialog))

function whyText({ why, came, quantity, state }: SupplyOrder): string | undefined {
  if (state === 'came' && came !== undefined && came < quantity)
    return t('{count} of its keys you had already', { count: quantity - came })
  if (why === undefined) return undefined
  if (isFault(why)) return faultText(why)
  return {
    stock: () => t('They had too few.'),
    price: () => t('Their price had changed.'),
    gone: () => t('They don’t sell it any more.'),
    balance: () => t('Your balance there was too low.'),
    limit: () => t('They sell no more of it to you.'),
    request: () => t('They refused the request.'),
    unneeded: () => t('It was not needed any more.'),
    'by-hand': () => t('Settled by hand'),
  }[why]()
}

function StateChip({ order: { state, byHand } }: { order: SupplyOrder }) {
  if (byHand) return <Chip tone="warn">{t('Not answered')}</Chip>
  if (state === 'came') return <Chip tone="ok">{t('Came')}</Chip>
  if (state === 'waiting') return <Chip tone="info">{t('Waiting')}</Chip>
  if (state === 'asked') return <Chip tone="info">{t('On the way')}</Chip>
  return <Chip>{t('Not bought')}</Chip>
}

const keysText = (count: number) => t('{count, plural, one {# key} other {# keys}}', { count })

function Total({ order: { unitPrice, quantity } }: { order: SupplyOrder }) {
  return unitPrice === undefined ? null : <Money rupees={timesRupees(unitPrice, quantity)} />
}

export function orderColumns(): Column<SupplyOrder>[] {
  return [
    {
      title: t('Order'),
      cell: ({ number }) => <span className="font-medium whitespace-nowrap">{number}</span>,
      small: ({ linkName }) => linkName,
    },
    {
      title: t('Product'),
      className: 'min-w-48',
      cell: ({ productName, duration }) => variantText(productName, duration),
      small: ({ quantity }) => keysText(quantity),
    },
    { title: t('Status'), card: 'state', cell: (order) => <StateChip order={order} />, small: whyText },
    { title: t('Cost'), align: 'right', card: 'figure', cell: (order) => <Total order={order} /> },
    { title: t('Ordered'), cell: ({ createdAt }) => <Time value={createdAt} /> },
  ]
}

export function orderFace(order: SupplyOrder): RecordFace {
  const { number, linkName, productName, duration, quantity, unitPrice, createdAt } = order
  return {
    name: `${number} · ${variantText(productName, duration)}`,
    caption: linkName,
    facts: [
      keysText(quantity),
      unitPrice !== undefined && t('{cost} per key', { cost: formatRupees(unitPrice) }),
      <Time key="at" value={createdAt} />,
      whyText(order),
    ],
  }
}

/** Only a person knows what became of an order that nobody answers for. */
export function orderActions(order: SupplyOrder): Action[] {
  if (order.state !== 'asked') return []
  return [
    {
      label: t('Did they deliver?'),
      name: t('Did they deliver {number}?', { number: order.number }),
      icon: <ClipboardCheck size={17} aria-hidden />,
      denied: denied(calls.supply.settle),
      run: () => openDialog(SettleDialog, { order }),
    },
  ]
}
