import { Scale } from 'lucide-react'
import type { BookFigures, Books, BooksBy } from '../../../contract/books.ts'
import { dayAfter } from '../../../contract/india.ts'
import { booksOf } from '../../../contract/panel-pages.ts'
import { AllowedLink } from '../../platform/admin/allowed-link.tsx'
import { files } from '../../platform/admin/download.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import type { Period } from '../../platform/admin/periods.ts'
import { calls } from '../../platform/admin/roles.ts'
import { t } from '../../platform/i18n.ts'
import { counted, formatRupees, sumRupees } from '../../platform/money.ts'
import { Link, navigate } from '../../platform/navigation/router.tsx'
import { useHydrated } from '../../platform/use-hydrated.ts'
import { ChartSkeleton } from '../../reports/admin/chart-skeleton.tsx'
import type { ChartWords } from '../../reports/admin/chart-words.ts'
import { useExport } from '../../ui/admin/lists/export-action.tsx'
import { DataTable } from '../../ui/admin/lists/data-table.tsx'
import { ListPage } from '../../ui/admin/lists/list-page.tsx'
import { PeriodFilter } from '../../ui/admin/lists/period-filter.tsx'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { StatCard } from '../../ui/stat-card.tsx'
import { keepPreviousData } from '@tanstack/react-query'
import { FigureLink, unknownSales, type ViewProps } from './book-parts.tsx'
import { columnsOf, faceOf, type Days } from './profit-rows.tsx'

const PATH = '/admin/books'
const LABEL = 'block text-xs font-normal text-fg-3'

const SalesChart = lazyPart(() => import('../../reports/admin/sales-chart.tsx').then((file) => file.SalesChart), {
  waiting: <ChartSkeleton />,
  missing: 'line',
})

/** Three figures, a chart of the days, and a table by day, product or supplier. */
export function ProfitView({ asked, views }: ViewProps) {
  const { by, from, to } = asked
  const period = { from, to }
  const options = { placeholderData: keepPreviousData }
  const books = usePanel(booksOf({ ...period, by }), options)
  const days = usePanel(booksOf({ ...period, by: 'day' }), options)
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
      views={views}
      more={[saving]}
      above={
        <>
          <Figures total={books.data?.total} period={period} hasFailed={Boolean(books.error)} />
          {days.data?.rows.length !== 0 && !days.error && <Chart days={days.data} period={period} />}
          <Replaced by={books.data?.replacedBy} period={period} className="text-sm text-fg-2 max-wide:hidden" />
        </>
      }
      summary={
        books.data && (
          <>
            <p className="flex flex-wrap gap-x-5 text-lg leading-6 font-semibold text-fg">
              <span>
                <span className={LABEL}>{t('Revenue')}</span> {formatRupees(books.data.total.revenue)}
              </span>
              <span>
                <span className={LABEL}>{t('Profit')}</span> {formatRupees(books.data.total.profit)}
              </span>
            </p>
            {books.data.total.unknownCostSales !== 0 && (
              <p className="mt-1.5 text-warn wrap-anywhere">{unknownSales(books.data.total.unknownCostSales)}</p>
            )}
            <Replaced by={books.data.replacedBy} period={period} />
          </>
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
          <PeriodFilter from={from} to={to} isBounded onChange={narrow} />
        </>
      }
    >
      <DataTable
        label={t('Books')}
        columns={columnsOf(by, period)}
        face={(row) => faceOf({ row, by, period })}
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

interface ReplacedProps {
  by: Books['replacedBy'] | undefined
  period: Days
  className?: string
}

/** Who gave new keys, each with what was paid for the bad ones. */
function Replaced({ by = [], period, className = '' }: ReplacedProps) {
  if (by.length === 0) return null
  const each = ({ username, keys, worth }: Books['replacedBy'][number]) =>
    t('{name}: {count, plural, one {# key} other {{text} keys}} of {amount}', {
      name: username,
      ...counted(keys),
      amount: formatRupees(worth),
    })
  return (
    <p className={cx('mt-1.5 wrap-anywhere', className)}>
      <FigureLink place={{ call: calls.claims.list, to: '/admin/claims', search: { status: 'replaced', ...period } }}>
        {t('Replaced by {names}', { names: by.map(each).join(' · ') })}
      </FigureLink>
    </p>
  )
}

function Chart({ days, period }: { days: Books | undefined; period: Days }) {
  const isAlive = useHydrated()
  return (
    <div className="mt-4 rounded-card border border-line bg-surface p-4">
      {isAlive && days ? <SalesChart days={chartDays(days, period)} words={chartWords()} /> : <ChartSkeleton />}
    </div>
  )
}

interface FiguresProps {
  total: BookFigures | undefined
  period: Days
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
            t('After refunds ({bonus} paid with bonus)', {
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
              ? t('Cost unknown for {count, plural, one {# key} other {{text} keys}}', counted(total.unknownCostKeys))
              : t('{amount} of it for replaced keys', { amount: formatRupees(total.warranty) }))
          }
        />
      </Link>
      <Link to={PATH} search={{ by: 'day', ...period }} className={cx(tile, 'max-wide:col-span-2')}>
        <StatCard
          label={t('Profit on real money')}
          value={money(total?.profit)}
          tone={total && total.profit < 0 ? 'bad' : 'neutral'}
          toned={total !== undefined && total.profit < 0}
          note={
            total &&
            (total.unknownCostSales !== 0
              ? unknownSales(total.unknownCostSales)
              : total.lost > 0
                ? t('{amount} lost', { amount: formatRupees(total.lost) })
                : t('Without bonus and rewards that buyers spent'))
          }
        />
      </Link>
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
function chartDays({ rows }: Books, { from, to }: Days) {
  const byDay = new Map(rows.map((row) => [row.id, row]))
  const days = []
  for (let day = to; day >= from && days.length < CHART_DAYS_MAX; day = dayAfter(day, -1)) {
    const row = byDay.get(day)
    const topUps = row ? sumRupees([row.cost, row.warranty]) : 0
    days.push({ day, sales: row?.revenue ?? 0, topUps, orders: row?.keys ?? 0 })
  }
  return days.toReversed()
}
