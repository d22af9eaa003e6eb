import { ArrowDownLeft, ArrowUpRight, ReceiptText } from 'lucide-react'
import type { HistoryEntry } from '../../contract/wallet.ts'
import { HOUR_MS } from '../../contract/time.ts'
import { openAddMoney } from '../payments/open-add-money.ts'
import { errorMessage } from '../platform/calls/api-error.ts'
import { useNow } from '../platform/clock.ts'
import { t } from '../platform/i18n.ts'
import { Button } from '../ui/buttons/button.tsx'
import { cx } from '../ui/cx.ts'
import { EmptyState } from '../ui/page/empty-state.tsx'
import { ErrorState } from '../ui/page/error-state.tsx'
import { Money } from '../ui/money.tsx'
import { Loading, Skeleton } from '../ui/page/skeleton.tsx'
import { Time } from '../ui/time.tsx'
import { ReceiptLink } from '../payments/receipt-link.tsx'
import { movementWords } from './movement-words.ts'
import type { useWalletHistory } from './use-wallet-history.ts'
import { useCallback, useEffect, useRef } from 'react'

export type Filter = 'all' | 'credited' | 'debited'

const row = 'flex items-center gap-3 px-4 py-3 sm:gap-4'

interface MovementsProps {
  history: ReturnType<typeof useWalletHistory>
  filter: Filter
  onShowAll: () => void
}

export function Movements({ history, filter, onShowAll }: MovementsProps) {
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
      <div ref={sentinel} key={`${history.dataUpdatedAt} ${filter} ${isFetchingNextPage}`} />
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
  const { _id, kind, delta, balanceAfter, createdAt } = entry
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
          <div className="flex items-baseline justify-between gap-3 text-sm">
            {/* Contains dates, which browsers write slightly differently. */}
            <p className="min-w-0 wrap-anywhere text-fg-3" suppressHydrationWarning>
              {details.join(' · ')}
            </p>
            {kind === 'purchase' && <ReceiptLink id={_id} />}
          </div>
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

/** Loads early enough that the person does not see the end of the list. */
const AHEAD = '800px'

/**
 * For the `ref` of an element: calls `onNear` when it comes near the screen. Give the element a new `key` per answer,
 * because a short page may leave it near, news may end a fetch, and only a new element reports again.
 */
function useSentinel(onNear: () => void): (element: HTMLElement | null) => (() => void) | undefined {
  const call = useRef(onNear)
  useEffect(() => {
    call.current = onNear
  })
  return useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) call.current()
      },
      { rootMargin: `${AHEAD} 0px` },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
}
