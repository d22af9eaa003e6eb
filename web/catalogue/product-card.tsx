import { ChevronRight, Lock } from 'lucide-react'
import type { Product } from '../../contract/catalogue.ts'
import { durationText, own, t } from '../platform/i18n.ts'
import { formatCount, formatRupees } from '../platform/money.ts'
import { Link } from '../platform/navigation/router.tsx'
import { useFace } from '../platform/calls/site.ts'
import { HotSaleBadge } from '../ui/badge.tsx'
import { Button, buttonClass } from '../ui/buttons/button.tsx'
import { Chip } from '../ui/chip.tsx'
import { cx } from '../ui/cx.ts'
import { ProductCover } from '../ui/pictures/product-cover.tsx'
import { Skeleton } from '../ui/page/skeleton.tsx'
import { lowestPrice } from './products-for-buyer.ts'

/** Above this many durations the card shows a count. The buy screen lists them all. */
const DURATIONS_SHOWN = 3
/** A description up to this length fits at every width. */
const FOLDED_LENGTH_MIN = 48

const card =
  'flex overflow-hidden rounded-card border border-line bg-surface sm:flex-col large-text:flex-col ' +
  '[contain-intrinsic-size:auto_12.5rem] sm:[contain-intrinsic-size:auto_19rem] [content-visibility:auto]'
const cover = 'w-26 shrink-0 p-2 large-text:w-full [--monogram:56px] sm:h-28 sm:w-full sm:p-3 sm:[--monogram:88px]'

interface ProductCardProps {
  product: Product
  /** Buyers see prices when signed in. Others see a link to log in. */
  showPrice: boolean
  /** See ProductCover. */
  isFirst: boolean
}

/** Shows one product as a ticket, with its price on the stub. */
export function ProductCard({ product, showPrice, isFirst }: ProductCardProps) {
  const { name, hot, prices, available, sequence, picture } = product
  const shownName = own(product, 'name')
  // What the store orders for a buyer is for sale, too
  const isSoldOut = available === 0 && !prices.some((row) => row.fetch)
  const price = lowestPrice(product)
  const label = isSoldOut ? t('Notify me') : t('Purchase Key')
  const { tells, autoBuy } = useFace()
  const canWait = isSoldOut && showPrice && price !== undefined && (tells || autoBuy)
  const durations = prices.slice(0, DURATIONS_SHOWN).map(({ duration }) => durationText(duration))
  const more = prices.length - DURATIONS_SHOWN
  if (more > 0) durations.push(t('+{count} more', { count: more }))
  const buttonPlace = showPrice ? 'max-[22.5rem]:w-full' : 'w-full'
  return (
    <article className={card}>
      <ProductCover
        name={name}
        sequence={sequence}
        picture={picture}
        grey={isSoldOut}
        isFirst={isFirst}
        className={cx(cover, 'flex flex-col items-start gap-1.5 sm:flex-row sm:justify-between')}
      >
        <Chip tone="cover" className="px-2! whitespace-normal!">
          {canWait ? (
            <button type="button" disabled>
              {t('OUT OF STOCK')}
            </button>
          ) : isSoldOut ? (
            t('Out of stock')
          ) : available ? (
            t('{count} left', { count: formatCount(available) })
          ) : (
            t('Ordered for you')
          )}
        </Chip>
        {hot && <HotSaleBadge className="px-2!" />}
      </ProductCover>
      <div className="flex min-w-0 flex-1 flex-col p-3 sm:p-4">
        <h3 className="text-lg font-semibold wrap-anywhere">{shownName}</h3>
        <Description text={own(product, 'description')} />
        <ul aria-label={t('Durations')} className="my-2 flex flex-wrap gap-1.5">
          {durations.map((text) => (
            <li key={text} className="flex">
              <Chip tone="outline">{text}</Chip>
            </li>
          ))}
        </ul>
        <div className="ticket-rule mt-auto flex flex-wrap items-end justify-between gap-x-3 gap-y-2 pt-3">
          {showPrice ? <PriceTag price={price} isLowest={prices.length > 1} /> : <LockedPrice />}
          {isSoldOut && !canWait ? (
            <Button size="sm" disabled className={buttonPlace}>
              {t('OUT OF STOCK')}
            </Button>
          ) : (
            <Link
              to="/buy"
              search={{ product: name }}
              aria-label={`${label}: ${shownName}`}
              className={buttonClass({ size: 'sm', ...(isSoldOut && { variant: 'secondary' }) }, buttonPlace)}
            >
              {label}
            </Link>
          )}
        </div>
      </div>
    </article>
  )
}

/** Shows two lines. A tap or Enter opens the rest, even before scripts arrive. */
function Description({ text }: { text: string }) {
  if (text.length < FOLDED_LENGTH_MIN) return <p className="mt-1 text-sm wrap-anywhere text-fg-2 sm:min-h-10">{text}</p>
  return (
    <details className="group mt-1 text-sm text-fg-2 sm:min-h-10">
      <summary
        className={
          'relative flex cursor-pointer list-none gap-1 rounded-control after:absolute after:inset-x-0 ' +
          'after:-inset-y-3'
        }
      >
        <span className="line-clamp-2 min-w-0 flex-1 wrap-anywhere group-open:block group-open:whitespace-pre-line">
          {text}
        </span>
        <ChevronRight size={16} aria-hidden className="mt-0.5 shrink-0 rotate-90 text-fg-3 group-open:rotate-270" />
      </summary>
    </details>
  )
}

function PriceTag({ price, isLowest }: { price: number | undefined; isLowest: boolean }) {
  if (price === undefined) return <p className="text-sm text-fg-2">{t('No price yet')}</p>
  return (
    <p className="min-w-0">
      <span className="block text-xs text-fg-3">{isLowest ? t('From') : t('Price')}</span>
      <span className="tabular text-xl font-semibold tracking-[-0.02em]">{formatRupees(price)}</span>
    </p>
  )
}

function LockedPrice() {
  return (
    <Link
      to="/login"
      className="inline-flex min-h-11 items-center gap-1.5 text-sm font-medium text-fg-2 hover:underline"
    >
      <Lock size={14} aria-hidden className="shrink-0" />
      {t('Login to see price')}
    </Link>
  )
}

/** Holds the place of a card while it loads. */
export function ProductCardSkeleton() {
  return (
    <div className={card}>
      <div className={cx(cover, 'bg-hover')} />
      <div className="flex-1 p-3 sm:p-4">
        <Skeleton className="h-5 w-2/3" />
        <Skeleton className="mt-2 h-4 w-full" />
        <Skeleton className="mt-2 hidden h-4 w-3/4 sm:block" />
        <Skeleton className="mt-3 h-6 w-32" />
        <div className="ticket-rule mt-3.5 flex items-end justify-between pt-3">
          <Skeleton className="h-9 w-16" />
          <Skeleton className="h-9 w-28" />
        </div>
      </div>
    </div>
  )
}
