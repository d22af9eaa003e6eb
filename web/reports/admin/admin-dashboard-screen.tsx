import { useState, type ReactNode } from 'react'
import { OVERVIEW_DAYS } from '../../../contract/limits.ts'
import type { Overview } from '../../../contract/reports.ts'
import { agoText } from '../../platform/ago.ts'
import { useNow } from '../../platform/clock.ts'
import { t } from '../../platform/i18n.ts'
import { formatCount, formatRupees } from '../../platform/money.ts'
import { AllowedLink } from '../../platform/admin/allowed-link.tsx'
import { calls } from '../../platform/admin/roles.ts'
import { Link } from '../../platform/router.tsx'
import { useHydrated } from '../../platform/use-hydrated.ts'
import { Panel } from '../../ui/panel.tsx'
import { Chip } from '../../ui/chip.tsx'
import { cx } from '../../ui/cx.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Page } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { ShareBar } from '../../ui/admin/share-bar.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { StatCard } from '../../ui/stat-card.tsx'
import { FirstSteps } from './first-steps.tsx'
import { useOverview, useStats } from './report-queries.ts'
import { SettingsCards } from './settings-cards.tsx'

const SalesChart = lazyPart(() => import('./sales-chart.tsx').then((file) => file.SalesChart), {
  waiting: <ChartSkeleton />,
  missing: 'line',
})

const MINUTE_MS = 60_000
/** A request that has waited longer than this is said in amber. */
const LONG_WAIT_MS = 60 * MINUTE_MS
const RUNNING_OUT_SHOWN = 6

type Range = '7' | '30' | '90'

/** What an owner looks at first, and the settings of the store. */
export function AdminDashboardScreen() {
  const [range, setRange] = useState<Range>(`${OVERVIEW_DAYS}`)
  const overview = useOverview(Number(range))
  const { data } = overview
  return (
    <Page title={t('Admin dashboard')} hideTitle>
      <div className="grid grid-cols-1 gap-4 sm:gap-6">
        {overview.error && !data ? (
          <ErrorState error={overview.error} onRetry={overview.refetch} retrying={overview.isFetching} />
        ) : (
          <>
            {data?.firstSteps && <FirstSteps steps={data.firstSteps} />}
            <Today overview={data} />
            <Panel
              title={t('Sales and top-ups')}
              actions={
                <Segmented
                  label={t('Days')}
                  value={range}
                  onChange={setRange}
                  options={[
                    { value: '7', label: t('7 days') },
                    { value: '30', label: t('30 days') },
                    { value: '90', label: t('90 days') },
                  ]}
                />
              }
            >
              <div className={cx('transition-opacity', overview.isPlaceholderData && 'opacity-60')}>
                <Chart days={data?.days} />
              </div>
            </Panel>
            <div className="grid gap-4 sm:gap-6 wide:grid-cols-2">
              <BestSellers sellers={data?.bestSellers} days={range} />
              <RunningOut rows={data?.runningOut} hasProducts={data?.firstSteps?.product !== false} />
            </div>
          </>
        )}
        <Counters />
        <SettingsCards />
      </div>
    </Page>
  )
}

function Chart({ days }: { days: Overview['days'] | undefined }) {
  const isAlive = useHydrated()
  return days && isAlive ? <SalesChart days={days} /> : <ChartSkeleton />
}

/** In the size of the chart, its legend and its summary line. */
function ChartSkeleton() {
  return (
    <Loading>
      <Skeleton className="h-64" />
      <Skeleton className="mt-3 h-5 w-56 max-w-full" />
      <div className="mt-1 -mb-2 h-11" />
    </Loading>
  )
}

const tile = 'block rounded-card *:h-full'
const lifted = 'group transition-[translate] duration-200 hover:-translate-y-0.5 *:group-hover:border-line-2'

function Today({ overview }: { overview: Overview | undefined }) {
  const now = useNow(MINUTE_MS)
  const { pending, today, yesterday } = overview ?? {}
  const day = overview?.days.at(-1)?.day
  const oldest = pending?.oldestAt
  return (
    <section aria-label={t('Today')} className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-3 2xl:grid-cols-6">
      <AllowedLink call={calls.payments.list} to="/admin/payment-manager" className={tile} linkClassName={lifted}>
        <StatCard
          label={t('Pending top-ups')}
          value={pending && formatCount(pending.count)}
          tone={oldest && now - Date.parse(oldest) > LONG_WAIT_MS ? 'warn' : 'neutral'}
          note={
            // Two lines on a phone from the beginning, so that nothing below moves when the figures come
            <>
              <span className="block truncate sm:inline">
                {pending ? (oldest ? formatRupees(pending.amount) : t('All reviewed')) : '\u00a0'}
              </span>
              {oldest && <span className="max-sm:hidden"> · </span>}
              <span className="block truncate sm:inline">
                {oldest ? t('oldest: {ago}', { ago: agoText(oldest, now) }) : '\u00a0'}
              </span>
            </>
          }
        />
      </AllowedLink>
      <AllowedLink
        call={calls.orders.purchases}
        to="/admin/purchases"
        search={day ? { from: day, to: day } : {}}
        className={tile}
        linkClassName={lifted}
      >
        <StatCard
          label={t('Sales today')}
          value={today && formatRupees(today.sales)}
          {...compared(today?.sales, yesterday?.sales)}
        />
      </AllowedLink>
      <AllowedLink
        call={calls.payments.list}
        to="/admin/payment-manager"
        search={{ status: 'approved', ...(day && { decided: day }) }}
        className={tile}
        linkClassName={lifted}
      >
        <StatCard
          label={t('Top-ups today')}
          value={today && formatRupees(today.topUps)}
          {...compared(today?.topUps, yesterday?.topUps)}
        />
      </AllowedLink>
      <AllowedLink call={calls.users.list} to="/admin/user-manager" className={tile} linkClassName={lifted}>
        <StatCard
          label={t('New buyers today')}
          value={today && formatCount(today.signups)}
          note={yesterday ? t('Yesterday: {count}', { count: formatCount(yesterday.signups) }) : ' '}
        />
      </AllowedLink>
      <AllowedLink
        call={calls.users.list}
        to="/admin/user-manager"
        search={{ status: 'money' }}
        className={tile}
        linkClassName={lifted}
      >
        <StatCard
          label={t('Wallet balances')}
          value={overview && formatRupees(overview.heldInWallets)}
          note={t('Total buyers can spend')}
        />
      </AllowedLink>
      <AllowedLink
        call={calls.users.list}
        to="/admin/user-manager"
        search={{ status: 'lapsing' }}
        className={tile}
        linkClassName={lifted}
      >
        <StatCard
          label={t('Expiring soon')}
          value={overview && formatRupees(overview.lapsingIn30Days)}
          note={t('Balance expiring within 30 days')}
        />
      </AllowedLink>
    </section>
  )
}

/** The day is not over, so that the whole of yesterday stands beside it and no percentage. */
function compared(today: number | undefined, yesterday: number | undefined): { note: string; tone: 'ok' | 'neutral' } {
  if (today === undefined || yesterday === undefined) return { note: ' ', tone: 'neutral' }
  return {
    note: t('Yesterday: {amount}', { amount: formatRupees(yesterday) }),
    tone: today >= yesterday && today > 0 ? 'ok' : 'neutral',
  }
}

function Counters() {
  const { data, error, refetch, isFetching } = useStats()
  if (error && !data) return <ErrorState error={error} onRetry={refetch} retrying={isFetching} className="py-6" />
  const value = (count: number | undefined) => (count === undefined ? undefined : formatCount(count))
  return (
    <section aria-label={t('Totals')} className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-5">
      <AllowedLink call={calls.users.list} to="/admin/user-manager" className={tile} linkClassName={lifted}>
        <StatCard label={t('Total users')} value={value(data?.totalUsers)} />
      </AllowedLink>
      <Link to="/admin/product-manager" className={cx(tile, lifted)}>
        <StatCard label={t('Total products')} value={value(data?.totalProducts)} />
      </Link>
      <AllowedLink
        call={calls.payments.list}
        to="/admin/payment-manager"
        search={{ status: 'all', source: 'request' }}
        className={cx(tile, 'max-lg:col-span-2')}
        linkClassName={lifted}
      >
        <StatCard label={t('Total payments')} value={value(data?.totalPayments)} />
      </AllowedLink>
      <AllowedLink call={calls.payments.list} to="/admin/payment-manager" className={tile} linkClassName={lifted}>
        <StatCard label={t('Pending payments')} value={value(data?.pendingPayments)} />
      </AllowedLink>
      <AllowedLink
        call={calls.payments.list}
        to="/admin/payment-manager"
        search={{ status: 'approved', source: 'request' }}
        className={tile}
        linkClassName={lifted}
      >
        <StatCard label={t('Approved payments')} value={value(data?.approvedPayments)} />
      </AllowedLink>
    </section>
  )
}

function BestSellers({ sellers, days }: { sellers: Overview['bestSellers'] | undefined; days: string }) {
  const top = sellers?.[0]?.revenue ?? 0
  return (
    <Panel title={t('Best sellers')} description={t('Last {count} days', { count: days })}>
      <Rows rows={sellers} rowKey={({ productId }) => productId} empty={t('No sales in this period.')}>
        {({ productId, name, quantity, revenue }) => (
          <AllowedLink
            call={calls.orders.purchases}
            to="/admin/purchases"
            search={{ product: productId }}
            className="-mx-2 block rounded-control px-2 py-2"
            linkClassName="hover:bg-hover"
          >
            <span className="flex items-baseline justify-between gap-4">
              <span className="min-w-0 font-medium wrap-anywhere">{name}</span>
              <span className="tabular shrink-0 font-semibold">{formatRupees(revenue)}</span>
            </span>
            <span className="mt-1.5 flex items-center gap-3">
              <ShareBar share={top > 0 ? revenue / top : 0} className="flex-1" />
              <span className="tabular w-20 shrink-0 text-right text-xs text-fg-3">
                {t('{count, plural, one {# key} other {# keys}}', { count: quantity })}
              </span>
            </span>
          </AllowedLink>
        )}
      </Rows>
    </Panel>
  )
}

function RunningOut({ rows, hasProducts }: { rows: Overview['runningOut'] | undefined; hasProducts: boolean }) {
  return (
    <Panel title={t('Low on stock')} description={t('Based on sales in the last 14 days')}>
      <Rows
        rows={rows?.slice(0, RUNNING_OUT_SHOWN)}
        rowKey={({ productId, duration }) => `${productId} ${duration}`}
        empty={hasProducts ? t('All durations are well stocked.') : t('No products yet.')}
      >
        {({ productId, name, duration, available, daysLeft }) => (
          <AllowedLink
            call={calls.keys.list}
            to="/admin/key-manager"
            search={{ product: productId, duration }}
            className="-mx-2 flex min-h-12 items-center justify-between gap-4 rounded-control px-2 py-1"
            linkClassName="hover:bg-hover"
          >
            <span className="min-w-0">
              <span className="block font-medium wrap-anywhere">{name}</span>
              <span className="block text-xs text-fg-3">{duration}</span>
            </span>
            <span className="grid shrink-0 justify-items-end gap-0.5">
              <Chip tone={available === 0 ? 'bad' : 'warn'}>
                {available === 0
                  ? t('Out of stock')
                  : t('{count, plural, one {# key left} other {# keys left}}', { count: available })}
              </Chip>
              {available > 0 && daysLeft !== null && (
                <span className="tabular text-xs text-fg-3">
                  {daysLeft < 1
                    ? t('Less than a day left')
                    : t('{count, plural, one {About # day left} other {About # days left}}', {
                        count: Math.round(daysLeft),
                      })}
                </span>
              )}
            </span>
          </AllowedLink>
        )}
      </Rows>
    </Panel>
  )
}

interface RowsProps<Row> {
  rows: readonly Row[] | undefined
  empty: string
  rowKey: (row: Row) => string
  children: (row: Row) => ReactNode
}

function Rows<Row>({ rows, empty, rowKey, children }: RowsProps<Row>) {
  if (!rows) {
    return (
      <Loading className="grid gap-4">
        {[1, 2, 3, 4, 5].map((row) => (
          <Skeleton key={row} className="h-10" />
        ))}
      </Loading>
    )
  }
  if (rows.length === 0) return <p className="py-6 text-center text-sm text-fg-2">{empty}</p>
  return (
    <ul className="-my-1 divide-y divide-line">
      {rows.map((row) => (
        <li key={rowKey(row)} className="py-1">
          {children(row)}
        </li>
      ))}
    </ul>
  )
}
