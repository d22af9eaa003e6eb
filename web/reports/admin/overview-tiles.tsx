import type { ComponentProps, ReactNode } from 'react'
import type { Overview } from '../../../contract/reports.ts'
import { MINUTE_MS } from '../../../contract/time.ts'
import { agoText } from '../../platform/ago.ts'
import { useNow } from '../../platform/clock.ts'
import { t } from '../../platform/i18n.ts'
import { formatCount, formatRupees } from '../../platform/money.ts'
import { AllowedLink } from '../../platform/admin/allowed-link.tsx'
import { calls, denied } from '../../platform/admin/roles.ts'
import { Link } from '../../platform/navigation/router.tsx'
import { buttonClass } from '../../ui/buttons/button.tsx'
import { cx } from '../../ui/cx.ts'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Sparkline } from '../../ui/admin/sparkline.tsx'
import { StatCard } from '../../ui/stat-card.tsx'
import { NextRequest } from '../../payments/admin/requests/next-request.tsx'
import { PaymentSwitch } from './settings/payment-switch.tsx'
import { useStats } from './report-queries.ts'

/** A request that has waited longer is shown in amber. */
const LONG_WAIT_MS = 60 * MINUTE_MS
/** In a sparkline. */
const DAYS = 14

const tile = 'block rounded-card *:h-full large-text:col-span-2'

const lifted = 'group transition-[translate] duration-200 hover:-translate-y-0.5 *:group-hover:border-line-2'

/** Shows what an owner looks at first: whether payments come in, who waits, and today's figures. */
export function Today({ overview }: { overview: Overview | undefined }) {
  const { today, yesterday } = overview ?? {}
  const day = overview?.days.at(-1)?.day
  const lately = overview?.days.slice(-DAYS)
  return (
    <section aria-label={t('Today')} className="grid grid-cols-2 gap-3 sm:gap-4 wide:grid-cols-4">
      <PaymentSwitch className="col-span-2" />
      <Queue pending={overview?.pending} />
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
          {...compared(today?.sales, yesterday?.sales, <Sparkline values={lately?.map(({ sales }) => sales)} />)}
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
          {...compared(
            today?.topUps,
            yesterday?.topUps,
            <Sparkline values={lately?.map(({ topUps }) => topUps)} isLine />,
          )}
        />
      </AllowedLink>
      <div className="col-span-2 flex items-center large-text:flex-wrap rounded-card border border-line bg-surface">
        <AllowedLink
          call={calls.users.list}
          to="/admin/user-manager"
          search={{ status: 'new' }}
          className="min-w-0 flex-1 rounded-card *:border-0"
          linkClassName="hover:bg-hover/40"
        >
          <Line
            label={t('New buyers today')}
            value={today && formatCount(today.signups)}
            note={yesterday && t('Yesterday: {count}', { count: formatCount(yesterday.signups) })}
          />
        </AllowedLink>
        {!denied(calls.referrals.list) && (
          <Link
            to="/admin/referral-manager"
            className={buttonClass({ size: 'sm', variant: 'secondary' }, 'mr-3 shrink-0')}
          >
            {t('Sign-up links')}
          </Link>
        )}
      </div>
    </section>
  )
}

/** Pending payments, the only figure that asks for action. */
function Queue({ pending }: { pending: Overview['pending'] | undefined }) {
  const now = useNow(MINUTE_MS)
  const oldest = pending?.oldestAt
  const hasNext = pending !== undefined && pending.count > 0 && !denied(calls.payments.list)
  return (
    <div
      className={cx(
        'col-span-2 rounded-card border border-line bg-surface has-[>a:hover]:border-line-2',
        // Beside the switch and all figures of the day
        hasNext && 'wide:row-span-3',
      )}
    >
      <AllowedLink call={calls.payments.list} to="/admin/payment-manager" className="block rounded-card *:border-0">
        <Line
          label={t('Pending payments')}
          value={pending && formatCount(pending.count)}
          isLate={oldest !== undefined && oldest !== null && now - Date.parse(oldest) > LONG_WAIT_MS}
          note={
            oldest
              ? `${formatRupees(pending.amount)} · ${t('oldest: {ago}', { ago: agoText(oldest, now) })}`
              : pending && t('All reviewed')
          }
        />
      </AllowedLink>
      {hasNext && (
        <div className="mx-4 border-t border-line">
          <NextRequest />
        </div>
      )}
    </div>
  )
}

interface LineProps {
  label: string
  /** Undefined while it loads. */
  value: string | undefined
  note: string | undefined
  isLate?: boolean
}

/** A figure in one line: its name at the left, the number at the right. */
function Line({ label, value, note, isLate }: LineProps) {
  return (
    <div className="flex items-center justify-between gap-4 rounded-card border border-line bg-surface px-4 py-3">
      <span className="min-w-0">
        <span className="block text-sm text-fg-2">{label}</span>{' '}
        <span className={cx('block text-xs font-medium', isLate ? 'text-warn' : 'text-fg-3')}>{note ?? '\u00a0'}</span>
      </span>{' '}
      <span className="tabular shrink-0 text-2xl font-semibold tracking-[-0.03em]">
        {value ?? <span className="skeleton inline-block h-6 w-10 align-middle" />}
      </span>
    </div>
  )
}

/** Shows yesterday's total and no percentage, because today is not over. */
function compared(today: number | undefined, yesterday: number | undefined, sparkline: ReactNode) {
  const isBetter = today !== undefined && today > 0 && today >= (yesterday ?? Infinity)
  return {
    tone: isBetter ? ('ok' as const) : ('neutral' as const),
    note: (
      <>
        {yesterday === undefined ? '\u00a0' : t('Yesterday: {amount}', { amount: formatRupees(yesterday) })}
        {sparkline}
      </>
    ),
  }
}

/** The store as a whole. What waits for a review is in `Today`. */
export function Totals({ overview }: { overview: Overview | undefined }) {
  const { data, error, refetch, isFetching } = useStats()
  if (error && !data) return <ErrorState error={error} onRetry={refetch} retrying={isFetching} className="py-6" />
  const count = (value: number | undefined) => value !== undefined && formatCount(value)
  return (
    <section
      aria-label={t('Totals')}
      className={
        'grid grid-cols-2 gap-px overflow-hidden rounded-panel border border-line bg-line min-[360px]:grid-cols-3 ' +
        'large-text:grid-cols-1 wide:grid-cols-3 2xl:grid-cols-6'
      }
    >
      <Figure
        call={calls.users.list}
        to="/admin/user-manager"
        label={t('Total users')}
        value={count(data?.totalUsers)}
      />
      <Figure
        call={{ method: 'GET' }}
        to="/admin/product-manager"
        label={t('Total products')}
        value={count(data?.totalProducts)}
      />
      <Figure
        call={calls.payments.list}
        to="/admin/payment-manager"
        search={{ status: 'all', source: 'request' }}
        label={t('Total payments')}
        value={count(data?.totalPayments)}
      />
      <Figure
        call={calls.payments.list}
        to="/admin/payment-manager"
        search={{ status: 'approved', source: 'request' }}
        label={t('Approved payments')}
        value={count(data?.approvedPayments)}
      />
      <Figure
        call={calls.users.list}
        to="/admin/user-manager"
        search={{ status: 'money' }}
        label={t('Wallet balances')}
        value={overview && formatRupees(overview.heldInWallets)}
      />
      <Figure
        call={calls.users.list}
        to="/admin/user-manager"
        search={{ status: 'lapsing' }}
        label={t('Expiring soon')}
        value={overview && formatRupees(overview.lapsingIn30Days)}
      />
    </section>
  )
}

type Tallied = '/admin/user-manager' | '/admin/product-manager' | '/admin/payment-manager'

/** Longer amounts are set smaller, so that they stay on one line. */
const LONG = 12

type FigureProps = ComponentProps<typeof AllowedLink<Tallied>> & { label: string; value: string | false | undefined }

function Figure({ label, value, ...place }: FigureProps) {
  const isLong = value && value.length > LONG
  return (
    <AllowedLink<Tallied>
      {...place}
      className="@container flex min-h-11 flex-col justify-between bg-surface px-2 py-2.5 sm:px-6"
      linkClassName="-outline-offset-2! transition-colors hover:bg-raised"
    >
      <span className="block text-xs text-fg-2">{label}</span>{' '}
      <span
        className={cx(
          'tabular block leading-6 font-semibold wrap-anywhere',
          isLong && 'text-[clamp(.7rem,10.4cqi,1rem)]',
        )}
      >
        {value || <span className="skeleton inline-block h-4 w-16 max-w-full align-middle" />}
      </span>
    </AllowedLink>
  )
}
