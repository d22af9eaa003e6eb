import { keepPreviousData } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { List } from 'lucide-react'
import type { BookMovement, BookRowsOf } from '../../../contract/books.ts'
import { BOOK_BATCHES_PAGE_SIZE } from '../../../contract/limits.ts'
import { bookRowsOn } from '../../../contract/panel-pages.ts'
import { MINUTE_MS } from '../../../contract/time.ts'
import { useListSearch } from '../../platform/admin/list-search.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import type { Period } from '../../platform/admin/periods.ts'
import { calls } from '../../platform/admin/roles.ts'
import { useNow } from '../../platform/clock.ts'
import { t, variantText } from '../../platform/i18n.ts'
import { navigate, useSearch } from '../../platform/navigation/router.tsx'
import { BuyerLink } from '../../ui/admin/buyer-link.tsx'
import type { Column } from '../../ui/admin/lists/data-table.tsx'
import { PeriodFilter } from '../../ui/admin/lists/period-filter.tsx'
import type { RecordFace } from '../../ui/admin/lists/record-card.tsx'
import { RecordList } from '../../ui/admin/lists/record-list.tsx'
import { Money } from '../../ui/money.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Time } from '../../ui/time.tsx'
import { FigureLink, LINES, type ViewProps } from './book-parts.tsx'
import { expiryText, SOURCES } from './liability-view.tsx'

const PATH = '/admin/books'

const TITLES: Record<BookRowsOf, () => string> = {
  ...LINES,
  bonus: () => t('Paid with bonus'),
  unspent: () => t('Unspent credit'),
}

/** What a figure of the books is made of, where no other list has it. */
export function RowsView({ asked: { of, from, to, source, expires }, views }: ViewProps) {
  const list = useListSearch(PATH)
  const address = useSearch(PATH)
  const query = usePanel(bookRowsOn(address, useNow(MINUTE_MS)), { placeholderData: keepPreviousData })
  const { data } = query
  // Unspent credit is of all days, unless its age is asked for
  const isWhole = of === 'unspent' && address.from === undefined && address.to === undefined
  const narrow = (part: Period, replace = false) =>
    void navigate<typeof PATH>({ search: (present) => ({ ...present, page: undefined, ...part }), replace })
  const title = [
    TITLES[of](),
    of === 'unspent' && source && SOURCES[source](),
    of === 'unspent' && expires && t('Expires: {month}', { month: expiryText(expires) }),
  ]
    .filter(Boolean)
    .join(' · ')
  return (
    <RecordList
      title={t('Books')}
      label={TITLES[of]()}
      views={views}
      notice={
        <p className="text-sm text-fg-2">
          {title} {data && <Money rupees={data.amount} className="text-lg font-semibold text-fg" />}
        </p>
      }
      activeFilters={0}
      {...(!isWhole && {
        filters: <PeriodFilter from={of === 'unspent' ? address.from : from} to={to} isBounded onChange={narrow} />,
      })}
      list={list}
      query={query}
      rows={data?.rows}
      paging={{ pageSize: BOOK_BATCHES_PAGE_SIZE, total: data?.total ?? 0 }}
      columns={columns(of)}
      face={faceOf}
      empty={
        <EmptyState icon={<List size={22} />} title={t('Nothing in this period')} text={t('Choose another period.')} />
      }
    />
  )
}

function whatOf({ order, topUpId }: BookMovement): ReactNode {
  if (topUpId !== null)
    return (
      <FigureLink place={{ call: calls.payments.list, to: '/admin/payment-manager', search: { request: topUpId } }}>
        {t('Top-up request')}
      </FigureLink>
    )
  if (order === null) return ''
  const product = variantText(order.productName, order.duration)
  return order.isRefund ? t('Refund: {product}', { product }) : product
}

const faceOf = (row: BookMovement): RecordFace => ({
  name: row.buyer.username,
  caption: <Time value={row.at} />,
  facts: [whatOf(row)],
})

const columns = (of: BookRowsOf): Column<BookMovement>[] => [
  { title: t('Buyer'), card: 'title', cell: ({ buyer }) => <BuyerLink {...buyer} /> },
  ...(of === 'bonus' || of === 'top-ups' || of === 'taken-back'
    ? [
        {
          title: of === 'bonus' ? t('Purchase') : t('Type'),
          cell: (row: BookMovement) => <span className="wrap-anywhere">{whatOf(row)}</span>,
        },
      ]
    : []),
  { title: t('Amount'), align: 'right', card: 'figure', cell: ({ amount }) => <Money rupees={amount} /> },
  {
    title: t('Date'),
    align: 'right',
    cell: ({ at }) => <Time value={at} className="whitespace-nowrap text-fg-2" />,
  },
]
