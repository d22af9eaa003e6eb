import { ShoppingCart, Trash2 } from 'lucide-react'
import type { SupplySource } from '../../../contract/supply.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { durationText, t, variantText } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import type { Action } from '../../ui/admin/lists/action-menu.tsx'
import type { Column } from '../../ui/admin/lists/data-table.tsx'
import type { RecordFace } from '../../ui/admin/lists/record-card.tsx'
import { editing } from '../../ui/admin/lists/usual-actions.tsx'
import { Chip } from '../../ui/chip.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { openDialog } from '../../ui/overlays/open-dialog.ts'
import { SourceRemoval } from './supplier-removal.tsx'

const OrderNowDialog = lazyPart(() => import('./order-now-dialog.tsx').then((file) => file.OrderNowDialog))

type Row = SupplySource & { _id: string }
type NameOf = (linkId: string) => string

function restsText({ rests, theirPrice, sku }: SupplySource): string | undefined {
  if (rests === 'renamed') return t('This duration was renamed or removed. Choose it again.')
  if (rests === 'unlisted') return t('Your product is not listed.')
  if (rests === 'price') return t('They refuse the price that they list. Save it again to go on.')
  if (rests === 'limit') return t('They sell no more of it to you. Save it again to go on.')
  if (rests === 'refused') return t('They refused ten orders within an hour. It goes on automatically.')
  if (rests === 'dear') return t('They ask more than your limit.')
  if (rests === 'request') return t('They refused the request. Check it and the name, and save the product again.')
  if (rests === 'none') return t('They had none. We ask again after 15 minutes.')
  return theirPrice === undefined && sku === undefined ? t('They don’t sell it to you now.') : undefined
}

function Rests({ source }: { source: SupplySource }) {
  const text = restsText(source)
  return text === undefined ? null : <p className="text-sm wrap-break-word text-warn">{text}</p>
}

const shelfText = ({ available, keep }: SupplySource) => t('{available} in stock, keep {keep}', { available, keep })
const wayText = ({ underWay }: SupplySource) => underWay > 0 && t('{count} on the way', { count: underWay })
const limitText = ({ max }: SupplySource) => t('at most {max}', { max: formatRupees(max) })

const theirText = ({ theirPrice, theirStock }: SupplySource) =>
  theirPrice !== undefined && t('{price}, {count} left there', { price: formatRupees(theirPrice), count: theirStock })

const theirNameText = ({ sku, theirName, theirDuration }: SupplySource) => sku ?? `${theirName}, ${theirDuration}`

export function sourceColumns(nameOf: NameOf): Column<Row>[] {
  return [
    {
      title: t('Product'),
      className: 'min-w-48',
      cell: (source) => (
        <>
          <span className="font-medium wrap-break-word">{source.productName}</span>
          <span className="block text-sm text-fg-2">{durationText(source.duration)}</span>
          <Rests source={source} />
        </>
      ),
    },
    {
      title: t('From'),
      cell: ({ linkId }) => nameOf(linkId),
      small: theirNameText,
    },
    {
      title: t('Price there'),
      cell: (source) => <span className="tabular">{theirText(source)}</span>,
      small: limitText,
    },
    {
      title: t('Stock'),
      cell: (source) => (
        <>
          <span className="tabular">{shelfText(source)}</span>
          {source.underWay > 0 && (
            <div className="mt-1">
              <Chip tone="info">{wayText(source)}</Chip>
            </div>
          )}
        </>
      ),
    },
  ]
}

export function sourceFace(source: Row, nameOf: NameOf): RecordFace {
  const { productName, duration, linkId } = source
  return {
    name: variantText(productName, duration),
    caption: `${nameOf(linkId)}: ${theirNameText(source)}`,
    state: source.underWay > 0 && <Chip tone="info">{wayText(source)}</Chip>,
    facts: [shelfText(source), theirText(source), limitText(source)],
    children: <Rests source={source} />,
  }
}

export function sourceActions(source: Row, edit: () => void): Action[] {
  const name = variantText(source.productName, source.duration)
  return [
    {
      label: t('Order now'),
      name: t('Order {name} now', { name }),
      icon: <ShoppingCart size={17} aria-hidden />,
      denied: denied(calls.supply.order),
      run: () => openDialog(OrderNowDialog, { source }),
    },
    editing({ name: t('Edit {name}', { name }), denied: denied(calls.supply.saveSource), run: edit }),
    {
      label: t('Stop buying'),
      name: t('Stop buying {name}', { name }),
      icon: <Trash2 size={17} aria-hidden />,
      danger: true,
      denied: denied(calls.supply.removeSource),
      run: () => openDialog(SourceRemoval, { source }),
    },
  ]
}
