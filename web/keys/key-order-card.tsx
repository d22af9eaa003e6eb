import { useCallback } from 'react'
import { ChevronDown } from 'lucide-react'
import { COUNTDOWN_INTERVAL_MS } from '../../contract/limits.ts'
import { KeyClaim, ReportButton } from '../claims/key-claims.tsx'
import { BuyAgain } from '../catalogue/buy-again.tsx'
import { useNow } from '../platform/clock.ts'
import { durationText, t } from '../platform/i18n.ts'
import { Button } from '../ui/buttons/button.tsx'
import { Chip } from '../ui/chip.tsx'
import { Copyable } from '../ui/buttons/copyable.tsx'
import { Countdown } from '../ui/countdown.tsx'
import { cx } from '../ui/cx.ts'
import { DrainBar, timeState } from '../ui/drain-bar.tsx'
import { ProductCover } from '../ui/pictures/product-cover.tsx'
import { Skeleton } from '../ui/page/skeleton.tsx'
import { textWith } from '../ui/text-with.tsx'
import { Time } from '../ui/time.tsx'
import { useShowAll } from '../ui/use-show-all.ts'
import { CopyAllButton } from './copy-all-button.tsx'
import type { Cover } from '../catalogue/cover-of.ts'
import type { KeyOrder } from './group-keys.ts'
import { KeyUse } from './key-use.tsx'
import { lazyPart } from '../ui/page/lazy-part.tsx'
import { useHydrated } from '../platform/use-hydrated.ts'
import { useMyKeys } from './use-my-keys.ts'
import { findable, hideUntilFound, textOf } from './until-found.ts'

const renewals = () => import('../renewals/renew-key.tsx').then((file) => file.loadRenewals())
export const RenewButton = lazyPart(() => renewals().then((file) => file.RenewButton))
export const RenewalNote = lazyPart(() => renewals().then((file) => file.RenewalNote), {
  missing: 'nothing',
})

/** Larger orders show their first key, and the rest on request. */
const KEYS_SHOWN = 1

const card = 'flex min-w-0 overflow-hidden rounded-card border border-line bg-surface'
const coverPlace = 'w-14 shrink-0 large-text:hidden [--monogram:40px] sm:w-20 sm:[--monogram:56px]'

interface KeyOrderCardProps {
  order: KeyOrder
  /** The product's cover. See ProductCover. */
  cover: Cover
  /** Begins with its details open. */
  isOpen?: boolean
}

/** An order in a few lines: its key and the time left. The line of the time opens the other actions. */
export function KeyOrderCard({ order, cover, isOpen = false }: KeyOrderCardProps) {
  const { productName, duration, assignedAt, expiresAt, keys } = order
  const now = useNow(COUNTDOWN_INTERVAL_MS)
  const all = useMyKeys()
  const { isWhole: isOpened, open, showAll, propsOf } = useShowAll()
  const isWhole = isOpened || keys.length <= KEYS_SHOWN + 1
  const settled = keys.every((owned) => owned.state) ? keys[0]?.state : undefined
  const state = settled ? 'expired' : timeState(expiresAt, now)
  const shown = isWhole ? keys : keys.slice(0, KEYS_SHOWN)
  return (
    <article className={cx(card, (isOpened || isOpen) && 'lg:col-span-2')}>
      <ProductCover name={productName} {...cover} grey={state === 'expired'} className={coverPlace} />
      <div className="flex min-w-0 flex-1 flex-col gap-1.5 p-3 pb-1 sm:p-4 sm:pb-2">
        <div className="flex items-start justify-between gap-3 large-text:flex-wrap">
          <div className="min-w-0">
            <h2 className="font-semibold wrap-anywhere">
              {keys.length > 1 && <span className="text-fg-2">{keys.length} × </span>}
              {productName}
            </h2>
            <p className="text-sm text-fg-3">
              {durationText(duration)} ·{' '}
              {textWith('Bought {date}', { date: <Time value={assignedAt} format="date" /> })}
            </p>
          </div>
          {CHIPS[settled ?? state]()}
        </div>
        {/* Orders of one key and of more are of one height where they stand beside each other */}
        <div className={cx('grid items-start gap-x-2 pb-0.5', !isWhole && 'sm:grid-cols-2')}>
          <ul
            aria-label={t('Keys')}
            className={cx('grid gap-2', keys.length > 1 && isWhole && 'sm:grid-cols-2', isOpened && 'lg:grid-cols-3')}
          >
            {shown.map((owned, at) => (
              <li key={owned._id} {...propsOf(at, KEYS_SHOWN)} className="min-w-0">
                <Copyable text={owned.key} what={t('key')} {...(owned.state && { className: 'text-fg-3' })} />
                <KeyClaim owned={owned} all={all.data} />
              </li>
            ))}
          </ul>
          {!isWhole && (
            <div>
              <FoundKeys keys={keys.slice(KEYS_SHOWN)} onFound={open} />
              <Button variant="ghost" size="sm" className="mt-1 max-sm:-ml-3.5" onClick={showAll}>
                {t('Show all {count} keys', { count: keys.length })}
              </Button>
            </div>
          )}
        </div>
        {!settled && <RenewalNote keys={keys} />}
        {!settled && <DrainBar from={assignedAt} until={expiresAt} />}
        <details open={isOpen} className="group">
          <TimeLine expiresAt={expiresAt} state={settled ?? state} />
          <div className="grid gap-2 pb-2">
            {keys[0] && <KeyUse owned={keys[0]} isOpen={isOpen} />}
            <div className="flex flex-wrap gap-2 empty:hidden">
              {keys.length > 1 && (
                <CopyAllButton
                  keys={keys}
                  of={t('{count} keys of {product}', { count: keys.length, product: productName })}
                  size="sm"
                />
              )}
              {state === 'expired' ? (
                <BuyAgain productId={order.productId} duration={duration} />
              ) : (
                <RenewButton keys={keys} />
              )}
              <ReportButton keys={keys} />
            </div>
          </div>
        </details>
      </div>
    </article>
  )
}

interface TimeLineProps {
  expiresAt: string
  state: keyof typeof CHIPS
}

/** The time that is left. It opens what else can be done with the keys. */
function TimeLine({ expiresAt, state }: TimeLineProps) {
  return (
    <summary className="flex min-h-11 cursor-pointer items-center gap-3 rounded-control">
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-3 max-sm:flex-col">
        {state === 'replaced' || state === 'refunded' ? (
          <span className="text-sm">{t('Details')}</span>
        ) : (
          <>
            {state !== 'expired' && <Countdown until={expiresAt} />}
            <span className="text-sm text-fg-3">
              {textWith(state === 'expired' ? 'Expired {date}' : 'Valid till {date}', {
                date: <Time value={expiresAt} />,
              })}
            </span>
          </>
        )}
      </span>
      <ChevronDown size={17} aria-hidden className="shrink-0 text-fg-3 transition-transform group-open:rotate-180" />
    </summary>
  )
}

interface FoundKeysProps {
  keys: KeyOrder['keys']
  onFound: () => void
}

/** Holds the collapsed keys for "find in page". The order opens where the browser finds one. */
function FoundKeys({ keys, onFound }: FoundKeysProps) {
  const isAlive = useHydrated()
  const ref = useCallback(
    (element: HTMLElement | null) => {
      hideUntilFound(element)
      element?.addEventListener('beforematch', onFound)
      return () => element?.removeEventListener('beforematch', onFound)
    },
    [onFound],
  )
  return <div ref={ref}>{isAlive && findable(() => textOf(keys))}</div>
}

const CHIPS = {
  active: () => <Chip tone="ok">{t('Active')}</Chip>,
  'ends-soon': () => <Chip tone="warn">{t('Expiring soon')}</Chip>,
  expired: () => <Chip>{t('Expired')}</Chip>,
  replaced: () => <Chip>{t('Replaced')}</Chip>,
  refunded: () => <Chip>{t('Refunded')}</Chip>,
}

/** Holds the place of a card with one key while it loads. */
export function KeyOrderSkeleton() {
  return (
    <div className={card}>
      <div className={cx(coverPlace, 'bg-hover')} />
      <div className="grid flex-1 gap-2 p-3.5 sm:p-4">
        <div>
          <Skeleton className="h-5.5 w-40 max-w-full" />
          <Skeleton className="mt-1 h-4 w-32" />
        </div>
        <Skeleton className="h-12 w-full" />
        <Skeleton className="mt-2 h-6 w-28" />
      </div>
    </div>
  )
}
