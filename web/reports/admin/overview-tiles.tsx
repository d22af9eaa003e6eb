import type { Overview } from '../../../contract/reports.ts'
import { agoText } from '../../platform/ago.ts'
import { useNow } from '../../platform/clock.ts'
import { t } from '../../platform/i18n.ts'
import { formatCount, formatRupees } from '../../platform/money.ts'
import { AllowedLink } from '../../platform/admin/allowed-link.tsx'
import { calls } from '../../platform/admin/roles.ts'
import { Link } from '../../platform/router.tsx'
import { cx } from '../../ui/cx.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { StatCard } from '../../ui/stat-card.tsx'
import { useStats } from './report-queries.ts'

const MINUTE_MS = 60_000
/** A request that has waited longer is shown in amber. */
const LONG_WAIT_MS = 60 * MINUTE_MS

const tile = 'block rounded-card *:h-full'

const lifted = 'group transition-[translate] duration-200 hover:-translate-y-0.5 *:group-hover:border-line-2'

export function Today({ overview }: { overview: Overview | undefined }) {
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

/** Shows yesterday's total and no percentage, because today is not over. */
function compared(today: number | undefined, yesterday: number | undefined): { note: string; tone: 'ok' | 'neutral' } {
  if (today === undefined || yesterday === undefined) return { note: ' ', tone: 'neutral' }
  return {
    note: t('Yesterday: {amount}', { amount: formatRupees(yesterday) }),
    tone: today >= yesterday && today > 0 ? 'ok' : 'neutral',
  }
}

export function Counters() {
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
