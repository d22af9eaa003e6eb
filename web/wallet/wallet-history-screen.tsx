import { useState } from 'react'
import { ArrowDownLeft, ArrowUpRight, ChevronDown, ChevronUp, Hourglass, ReceiptText, RefreshCw } from 'lucide-react'
import type { User } from '../../contract/users.ts'
import type { HistoryEntry } from '../../contract/wallet.ts'
import { openAddMoney } from '../payments/open-add-money.ts'
import { OwnRequests } from '../payments/own-requests.tsx'
import { errorMessage } from '../platform/api-error.ts'
import { useNow } from '../platform/clock.ts'
import { t } from '../platform/i18n.ts'
import { formatRupees } from '../platform/money.ts'
import { useLocation } from '../platform/router.tsx'
import { refreshSession, useSession } from '../platform/session.ts'
import { toast } from '../platform/toast.ts'
import { useHydrated } from '../platform/use-hydrated.ts'
import { useMedia } from '../platform/use-media.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Money } from '../ui/money.tsx'
import { Page } from '../ui/page.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { Loading, Skeleton } from '../ui/skeleton.tsx'
import { StatCard } from '../ui/stat-card.tsx'
import { textWith } from '../ui/text-with.tsx'
import { Time } from '../ui/time.tsx'
import { expiringCredit } from './expiring-credit.ts'
import { movementWords } from './movement-words.ts'
import { RequestLine } from './request-line.tsx'
import { useSentinel } from '../ui/use-sentinel.ts'
import { useShowAll } from '../ui/use-show-all.ts'
import { useWalletHistory, useWalletTotals } from './use-wallet-history.ts'

type Filter = 'all' | 'credited' | 'debited'

const HOUR_MS = 3_600_000
const LOTS_SHOWN = 4
const row = 'flex items-center gap-3 px-4 py-3 sm:gap-4'

export function WalletHistoryScreen() {
  const { user } = useSession()
  return (
    <Page
      title={t('Wallet History')}
      actions={
        <Button variant="secondary" onClick={() => openAddMoney()}>
          {t('Add Money')}
        </Button>
      }
    >
      {user && <Content user={user} />}
    </Page>
  )
}

function Content({ user }: { user: User }) {
  const [filter, setFilter] = useState<Filter>('all')
  const history = useWalletHistory()
  const totals = useWalletTotals()
  const { refresh, refreshing } = useRefresh(history, totals)
  const failed = totals.error && !totals.data
  const value = (rupees: number | undefined) =>
    rupees === undefined ? (failed ? '–' : undefined) : formatRupees(rupees)
  return (
    <>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4">
        <StatCard
          label={t('Net Balance')}
          value={formatRupees(user.balance)}
          glow
          className="col-span-2 sm:order-last sm:col-span-1"
        />
        <StatCard label={t('Money Added')} value={value(totals.data?.added)} tone="ok" toned />
        <StatCard label={t('Money Used')} value={value(totals.data?.used)} />
      </div>
      <ExpiringCredit lots={user.wallet} />
      <div className="mt-4 grid min-w-0 items-start gap-4 sm:mt-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Requests />
        <div className="min-w-0">
          <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
            <Segmented
              label={t('Show')}
              value={filter}
              onChange={setFilter}
              options={[
                { value: 'all', label: t('All') },
                { value: 'credited', label: t('Credited') },
                { value: 'debited', label: t('Debited') },
              ]}
            />
            <IconButton
              label={t('Refresh')}
              variant="outline"
              pending={refreshing}
              icon={<RefreshCw size={17} aria-hidden />}
              onClick={() => void refresh()}
            />
          </div>
          <Movements history={history} filter={filter} onShowAll={() => setFilter('all')} />
        </div>
      </div>
    </>
  )
}

/** Beside the movements; above them, in one line that opens, where there is no room beside. */
function Requests() {
  const isBeside = useMedia('(width >= 64rem)')
  const { hash } = useLocation()
  // The address's part after # is not sent to the server, which draws the line closed.
  const isAlive = useHydrated()
  const [isWanted, setWanted] = useState<boolean>()
  const isOpen = isWanted ?? (isAlive && hash === '#requests')
  const Arrow = isOpen ? ChevronUp : ChevronDown
  const beside = <OwnRequests className="order-last max-lg:hidden" />
  if (isBeside) return beside
  const above = (
    <div className="grid min-w-0 gap-3 lg:hidden">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setWanted(!isOpen)}
        className="flex min-h-12 min-w-0 items-center gap-2 rounded-card border border-line bg-surface px-4 text-sm text-fg-2 transition-colors hover:border-line-2 hover:text-fg"
      >
        <RequestLine otherwise={t('Top-up requests')} />
        <Arrow size={16} aria-hidden className="shrink-0 text-fg-3" />
      </button>
      {isOpen && <OwnRequests />}
    </div>
  )
  return isBeside === false ? (
    above
  ) : (
    <>
      {beside}
      {above}
    </>
  )
}

/** "₹40 expires on 3 Feb" for each day on which something does. */
function ExpiringCredit({ lots }: { lots: User['wallet'] }) {
  const { isWhole, showAll, propsOf } = useShowAll()
  const expiring = expiringCredit(lots)
  if (expiring.length === 0) return null
  const shown = isWhole ? expiring : expiring.slice(0, LOTS_SHOWN)
  return (
    <section
      aria-label={t('Expiring balance')}
      className="mt-3 flex gap-2.5 rounded-card border border-line bg-surface px-4 py-3 text-sm text-fg-2 sm:mt-4"
    >
      <Hourglass size={16} aria-hidden className="mt-0.5 shrink-0 text-warn" />
      <ul className="flex min-w-0 flex-wrap gap-x-6 gap-y-1">
        {shown.map(({ amount, expiresAt }, at) => (
          <li key={`${expiresAt} ${amount}`} {...propsOf(at, LOTS_SHOWN)}>
            {textWith(amount > 0 ? '{amount} expires on {date}' : '{amount} returns on {date}', {
              amount: <Money rupees={Math.abs(amount)} className="font-semibold text-fg" />,
              date: <Time value={expiresAt} format="day" />,
            })}
          </li>
        ))}
        {shown.length < expiring.length && (
          <li>
            <button
              type="button"
              onClick={showAll}
              className="relative font-semibold text-brand after:absolute after:inset-x-0 after:-inset-y-3 hover:underline"
            >
              {t('{count} more', { count: expiring.length - shown.length })}
            </button>
          </li>
        )}
      </ul>
    </section>
  )
}

interface MovementsProps {
  history: ReturnType<typeof useWalletHistory>
  filter: Filter
  onShowAll: () => void
}

function Movements({ history, filter, onShowAll }: MovementsProps) {
  const now = useNow(HOUR_MS)
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = history
  const pages = history.data?.pages
  const all = pages?.flat()
  const more = () => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage()
  }
  const sentinel = useSentinel(more)
  if (!all) {
    if (history.error) {
      return <ErrorState error={history.error} onRetry={history.refetch} retrying={history.isFetching} />
    }
    return <MovementsSkeleton />
  }
  if (all.length === 0) {
    return (
      <EmptyState
        icon={<ReceiptText size={22} />}
        title={t('No transactions yet')}
        text={t('Add money to get started. Every credit and debit will show here.')}
        action={<Button onClick={() => openAddMoney()}>{t('Add Money')}</Button>}
      />
    )
  }
  const shown = all.filter(({ delta }) => filter === 'all' || delta > 0 === (filter === 'credited'))
  return (
    <>
      {shown.length > 0 && (
        <ul
          aria-label={t('Transactions')}
          className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface"
        >
          {shown.map((entry) => (
            <Movement key={entry._id} entry={entry} now={now} />
          ))}
        </ul>
      )}
      {shown.length === 0 && !hasNextPage && (
        <EmptyState
          icon={<ReceiptText size={22} />}
          title={filter === 'credited' ? t('No credits yet') : t('No debits yet')}
          text={t('View all transactions instead.')}
          action={
            <Button variant="secondary" onClick={onShowAll}>
              {t('Show all')}
            </Button>
          }
        />
      )}
      <div ref={sentinel} key={`${all.length} ${filter} ${isFetchingNextPage}`} />
      <div className="grid justify-items-center gap-2 pt-4">
        {isFetchNextPageError && (
          <p role="alert" className="text-sm text-bad">
            {errorMessage(history.error)}
          </p>
        )}
        {hasNextPage && (
          <Button variant="secondary" pending={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {isFetchNextPageError ? t('Retry') : t('Show older')}
          </Button>
        )}
      </div>
    </>
  )
}

function Movement({ entry, now }: { entry: HistoryEntry; now: number }) {
  const { delta, balanceAfter, createdAt } = entry
  const { title, details } = movementWords(entry, now)
  const isCredit = delta > 0
  const Icon = isCredit ? ArrowDownLeft : ArrowUpRight
  return (
    <li className={cx(row, '[contain-intrinsic-size:auto_5.25rem] [content-visibility:auto]')}>
      <span
        aria-hidden
        className={cx(
          'grid size-9 shrink-0 place-items-center rounded-full',
          isCredit ? 'bg-ok/14 text-ok' : 'bg-hover text-fg-2',
        )}
      >
        <Icon size={17} />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <p className="min-w-0 grow basis-32 font-medium wrap-anywhere">{title}</p>
          <p className="shrink-0">
            <Money rupees={delta} signed className="font-semibold" />
          </p>
        </div>
        {details.length > 0 && (
          // Dates, which browsers write in slightly different ways
          <p className="text-sm wrap-anywhere text-fg-3" suppressHydrationWarning>
            {details.join(' · ')}
          </p>
        )}
        <div className="flex flex-wrap justify-between gap-x-3 text-xs text-fg-3">
          <Time value={createdAt} />
          <p>
            {t('Balance')} <Money rupees={balanceAfter} />
          </p>
        </div>
      </div>
    </li>
  )
}

function MovementsSkeleton() {
  return (
    <Loading className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
      {Array.from({ length: 12 }, (_, index) => (
        <div key={index} className={row}>
          <Skeleton className="size-9 shrink-0 rounded-full!" />
          <div className="grid min-w-0 flex-1 gap-1">
            <Skeleton className="h-5 w-40 max-w-full" />
            <Skeleton className="h-3.5 w-28 max-w-full" />
          </div>
          <Skeleton className="h-5 w-16" />
        </div>
      ))}
    </Loading>
  )
}

function useRefresh(history: ReturnType<typeof useWalletHistory>, totals: ReturnType<typeof useWalletTotals>) {
  const [refreshing, setRefreshing] = useState(false)
  const refresh = async () => {
    setRefreshing(true)
    const [fault, ...answers] = await Promise.all([refreshSession(), history.refetch(), totals.refetch()])
    setRefreshing(false)
    const error = fault ?? answers.find((answer) => answer.error)?.error
    if (error) toast(errorMessage(error), { tone: 'bad' })
    else toast(t('Up to date'))
  }
  return { refresh, refreshing }
}
