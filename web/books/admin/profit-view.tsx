import { Scale } from 'lucide-react'
import type { BookFigures, BookRow, Books, BooksBy } from '../../../contract/books.ts'
import { dayAfter, middayOf } from '../../../contract/india.ts'
import { booksOf } from '../../../contract/panel-pages.ts'
import { AllowedLink } from '../../platform/admin/allowed-link.tsx'
import { files } from '../../platform/admin/download.ts'
import { panelQuery } from '../../platform/admin/panel-query.ts'
import type { Period } from '../../platform/admin/periods.ts'
import { calls } from '../../platform/admin/roles.ts'
import { formatDate } from '../../platform/dates.ts'
import { t } from '../../platform/i18n.ts'
import { formatCount, formatRupees, sumRupees } from '../../platform/money.ts'
import { Link, useNavigate } from '../../platform/navigation/router.tsx'
import { useHydrated } from '../../platform/use-hydrated.ts'
import type { ChartWords } from '../../reports/admin/chart-words.ts'
import { useExport } from '../../ui/admin/lists/export-action.tsx'
import { DataTable, type Column } from '../../ui/admin/lists/data-table.tsx'
import { ListPage } from '../../ui/admin/lists/list-page.tsx'
import { PeriodFilter } from '../../ui/admin/lists/period-filter.tsx'
import type { RecordFace } from '../../ui/admin/lists/record-card.tsx'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { StatCard } from '../../ui/stat-card.tsx'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Profit, UnknownCost, type ViewProps } from './book-parts.tsx'

const PATH = '/admin/books'
const LINK = 'rounded-chip hover:underline'

const SalesChart = lazyPart(() => import('../../reports/admin/sales-chart.tsx').then((file) => file.SalesChart), {
  missing: 'line',
})

/** Three figures, a chart of the days, and a table by day, product or supplier. */
export function ProfitView({ asked, views }: ViewProps) {
  const { by, from, to } = asked
  const navigate = useNavigate()
  const period = { from, to }
  const options = { placeholderData: keepPreviousData }
  const books = useQuery({ ...panelQuery(booksOf({ ...period, by })), ...options })
  const days = useQuery({ ...panelQuery(booksOf({ ...period, by: 'day' })), ...options })
  const isAlive = useHydrated()
  const narrow = (part: Period & { by?: BooksBy }, replace = false) =>
    void navigate<typeof PATH>({ search: (present) => ({ ...present, ...part }), replace })
  const saving = useExport({
    name: `books-${from}-${to}.csv`,
    disabled: !books.data,
    fetch: (signal) => files.books.exportBooks({ ...period, by }, signal),
  })
  return (
    <ListPage
      title={t('Books')}
      heading={t('Books')}
      views={views}
      more={[saving]}
      above={
        <>
          <Figures total={books.data?.total} period={period} hasFailed={Boolean(books.error)} />
          {isAlive && days.data && days.data.rows.length > 0 && (
            <div className="mt-4 rounded-card border border-line bg-surface p-4">
              <SalesChart days={chartDays(days.data, period)} words={chartWords()} />
            </div>
          )}
        </>
      }
      summary={
        books.data && (
          <p className="wrap-anywhere">
            {t('Revenue {revenue} · profit {profit}', {
              revenue: formatRupees(books.data.total.revenue),
              profit: formatRupees(books.data.total.profit),
            })}
          </p>
        )
      }
      activeFilters={by === 'product' ? 0 : 1}
      filters={
        <>
          <Segmented
            label={t('Sum up by')}
            value={by}
            onChange={(next) => narrow({ by: next })}
            options={[
              { value: 'day', label: t('Day') },
              { value: 'product', label: t('Product') },
              { value: 'supplier', label: t('Supplier') },
            ]}
          />
          <PeriodFilter from={from} to={to} onChange={narrow} />
        </>
      }
    >
      <DataTable
        label={t('Books')}
        columns={columnsOf(by, period)}
        face={(row) => faceOf(row, by, period)}
        rows={books.data?.rows}
        rowKey={(row) => row.id}
        error={books.error}
        onRetry={books.refetch}
        stale={books.isPlaceholderData}
        empty={
          <EmptyState
            icon={<Scale size={22} />}
            title={t('No sales in this period')}
            text={t('Choose another period, or wait for the first sale.')}
          />
        }
      />
    </ListPage>
  )
}

interface FiguresProps {
  total: BookFigures | undefined
  period: Required<{ from: string; to: string }>
  hasFailed: boolean
}

function Figures({ total, period, hasFailed }: FiguresProps) {
  const none = hasFailed ? '–' : undefined
  const money = (amount: number | undefined) => (amount === undefined ? none : formatRupees(amount))
  const tile = 'block rounded-card *:h-full'
  return (
    <div className="grid grid-cols-2 gap-3 sm:gap-4 wide:grid-cols-3 large-text:*:col-span-2">
      <AllowedLink
        call={calls.orders.purchases}
        to="/admin/purchases"
        search={period}
        className={tile}
        linkClassName="group"
      >
        <StatCard
          label={t('Revenue')}
          value={money(total?.revenue)}
          note={
            total &&
            t('{sold} sold, {bonus} of it with bonus', {
              sold: formatRupees(total.sold),
              bonus: formatRupees(total.bonus),
            })
          }
        />
      </AllowedLink>
      <Link to={PATH} search={{ view: 'batches' }} className={tile}>
        <StatCard
          label={t('Cost')}
          value={total ? formatRupees(sumRupees([total.cost, total.warranty])) : none}
          tone={total && total.unknownCostKeys > 0 ? 'warn' : 'neutral'}
          note={
            total &&
            (total.unknownCostKeys > 0
              ? t('Cost unknown for {count, plural, one {# key} other {{text} keys}}', {
                  count: total.unknownCostKeys,
                  text: formatCount(total.unknownCostKeys),
                })
              : t('{amount} of it for replaced keys', { amount: formatRupees(total.warranty) }))
          }
        />
      </Link>
      <div className="*:h-full max-wide:col-span-2">
        <StatCard
          label={t('Profit on real money')}
          value={money(total?.profit)}
          tone={total && total.profit < 0 ? 'bad' : 'neutral'}
          toned={total !== undefined && total.profit < 0}
          note={total && t('Without bonus and rewards that buyers spent')}
        />
      </div>
    </div>
  )
}

const chartWords = (): ChartWords => ({
  bars: t('Revenue'),
  line: t('Cost'),
  count: t('Keys'),
  table: t('Revenue and cost by day'),
  counted: (count) => t('{count, plural, one {# key} other {# keys}}', { count }),
  said: ({ count, sales, topUps }) =>
    t('{count} days: revenue {revenue}, cost {cost}. Daily figures are in the table below.', {
      count,
      revenue: sales,
      cost: topUps,
    }),
})

/** A longer period shows its newest days. */
const CHART_DAYS_MAX = 366

/** Each day of the period, in order. */
function chartDays({ rows }: Books, { from, to }: { from: string; to: string }) {
  const byDay = new Map(rows.map((row) => [row.id, row]))
  const days = []
  for (let day = to; day >= from && days.length < CHART_DAYS_MAX; day = dayAfter(day, -1)) {
    const row = byDay.get(day)
    const topUps = row ? sumRupees([row.cost, row.warranty]) : 0
    days.push({ day, sales: row?.revenue ?? 0, topUps, orders: row?.keys ?? 0 })
  }
  return days.toReversed()
}

type Range = { from: string; to: string }

/** Where the figures of a row come from. */
function placeOf(row: BookRow, by: BooksBy, period: Range) {
  if (by === 'day') return { from: row.id, to: row.id }
  return by === 'product' ? { ...period, product: row.id } : period
}

const nameOf = (row: BookRow, by: BooksBy): string =>
  by === 'day' ? formatDate(middayOf(row.id)) : row.name || t('No supplier')

function Name({ row, by }: { row: BookRow; by: BooksBy }) {
  const search =
    by === 'day'
      ? { by: 'product', from: row.id, to: row.id }
      : { view: 'batches', ...(row.name && { search: row.name }) }
  return (
    <Link<typeof PATH> to={PATH} search={search} className={`font-medium wrap-anywhere ${LINK}`}>
      {nameOf(row, by)}
    </Link>
  )
}

/** A supplier's keys are sold in purchases of all suppliers, so its figures lead to its batches. */
function Sold({ row, by, period }: { row: BookRow; by: BooksBy; period: Range }) {
  const text = formatRupees(row.sold)
  if (by === 'supplier') return <Batches row={row}>{text}</Batches>
  return (
    <AllowedLink
      call={calls.orders.purchases}
      to="/admin/purchases"
      search={placeOf(row, by, period)}
      className="tabular whitespace-nowrap"
      linkClassName={LINK}
    >
      {text}
    </AllowedLink>
  )
}

function Claims({ row, by, period, status, children }: ClaimsProps) {
  if (by === 'supplier') return <Batches row={row}>{children}</Batches>
  return (
    <AllowedLink
      call={calls.claims.list}
      to="/admin/claims"
      search={{ status, ...placeOf(row, by, period) }}
      className="tabular whitespace-nowrap"
      linkClassName={LINK}
    >
      {children}
    </AllowedLink>
  )
}

interface ClaimsProps {
  row: BookRow
  by: BooksBy
  period: Range
  status: 'refunded' | 'replaced'
  children: string
}

function Batches({ row, children }: { row: BookRow; children: string }) {
  return (
    <Link<typeof PATH>
      to={PATH}
      search={{ view: 'batches', ...(row.name && { search: row.name }) }}
      className={`tabular whitespace-nowrap ${LINK}`}
    >
      {children}
    </Link>
  )
}

function Cost({ row, by, period }: { row: BookRow; by: BooksBy; period: Range }) {
  return (
    <>
      {by === 'day' ? (
        <Link<typeof PATH>
          to={PATH}
          search={{ by: 'product', ...placeOf(row, by, period) }}
          className={`tabular whitespace-nowrap ${LINK}`}
        >
          {formatRupees(row.cost)}
        </Link>
      ) : (
        <Batches row={row}>{formatRupees(row.cost)}</Batches>
      )}
      <UnknownCost keys={row.unknownCostKeys} />
    </>
  )
}

function faceOf(row: BookRow, by: BooksBy, period: Range): RecordFace {
  const parts = { row, by, period }
  const fact = (label: string, figure: React.ReactNode) => (
    <div key={label} className="flex items-baseline justify-between gap-3">
      <span className="text-fg-3">{label}</span>
      <span className="text-right">{figure}</span>
    </div>
  )
  return {
    name: nameOf(row, by),
    title: <Name row={row} by={by} />,
    caption: t('{count, plural, one {# key} other {{text} keys}}', { count: row.keys, text: formatCount(row.keys) }),
    figure: <Profit rupees={row.profit} />,
    children: (
      <div className="grid gap-0.5 text-sm">
        {fact(t('Sold'), <Sold {...parts} />)}
        {row.refunded > 0 &&
          fact(
            t('Refunded'),
            <Claims {...parts} status="refunded">
              {formatRupees(row.refunded)}
            </Claims>,
          )}
        {row.bonus !== 0 && fact(t('Paid with bonus'), formatRupees(row.bonus))}
        {fact(t('Cost'), <Cost {...parts} />)}
        {row.warrantyKeys > 0 &&
          fact(
            t('Warranty'),
            <Claims {...parts} status="replaced">
              {formatRupees(row.warranty)}
            </Claims>,
          )}
      </div>
    ),
  }
}

function columnsOf(by: BooksBy, period: Range): Column<BookRow>[] {
  const heads: Record<BooksBy, string> = { day: t('Day'), product: t('Product'), supplier: t('Supplier') }
  const right = { align: 'right', className: 'px-2.5!' } as const
  return [
    { key: 'name', title: heads[by], cell: (row) => <Name row={row} by={by} /> },
    {
      key: 'keys',
      title: t('Keys'),
      ...right,
      cell: ({ keys }) => <span className="tabular">{formatCount(keys)}</span>,
    },
    { key: 'sold', title: t('Sold'), ...right, cell: (row) => <Sold row={row} by={by} period={period} /> },
    {
      key: 'refunded',
      title: t('Refunded'),
      ...right,
      cell: (row) =>
        row.refunded > 0 && (
          <Claims row={row} by={by} period={period} status="refunded">
            {formatRupees(row.refunded)}
          </Claims>
        ),
    },
    {
      key: 'bonus',
      title: t('Paid with bonus'),
      ...right,
      cell: ({ bonus }) => bonus !== 0 && <span className="tabular whitespace-nowrap">{formatRupees(bonus)}</span>,
    },
    { key: 'cost', title: t('Cost'), ...right, cell: (row) => <Cost row={row} by={by} period={period} /> },
    {
      key: 'warranty',
      title: t('Warranty'),
      ...right,
      cell: (row) =>
        row.warrantyKeys > 0 && (
          <Claims row={row} by={by} period={period} status="replaced">
            {formatRupees(row.warranty)}
          </Claims>
        ),
    },
    { key: 'profit', title: t('Profit'), align: 'right', cell: ({ profit }) => <Profit rupees={profit} /> },
  ]
}
