import type { ReactNode } from 'react'
import { TriangleAlert } from 'lucide-react'
import type { Product } from '../../contract/catalogue.ts'
import { usePaymentInCheck } from '../payments/payment-in-check.ts'
import { useOwnRequests } from '../payments/use-own-requests.ts'
import { t } from '../platform/i18n.ts'
import { formatCount, formatRupees } from '../platform/money.ts'
import { Button } from '../ui/buttons/button.tsx'
import { cx } from '../ui/cx.ts'
import { lazyPart } from '../ui/page/lazy-part.tsx'
import { otherDurations, type OrderTerms, type PriceRow } from './order-terms.ts'

const waysOut = () => import('./ways-out.tsx')
const WaysOut = lazyPart(() => waysOut().then((file) => file.WaysOut), { missing: 'line' })
const OtherDurations = lazyPart(() => waysOut().then((file) => file.OtherDurations), { missing: 'line' })

interface ObstacleNoteProps {
  product: Product
  price: PriceRow
  quantity: number | undefined
  terms: OrderTerms
  /** The store's words: the buyer has had all of this duration. */
  refusal: string | undefined
  onDuration: (price: PriceRow) => void
  onQuantity: (quantity: number) => void
}

/** Says why the order can't be placed and links to the way out. Read out when it appears. */
export function ObstacleNote(props: ObstacleNoteProps) {
  // Says in its place what the payment will buy
  const buys = usePaymentInCheck()?.then?.state === 'waiting'
  const isLow = props.terms.obstacle === 'low-balance'
  const then = useOwnRequests().data?.[0]?.then
  // The money has just bought this product, so nothing is wrong
  const isQuiet = isLow && then?.state === 'bought' && then.productId === props.product._id
  const content = !(buys && isLow) && noteFor(props, isQuiet ? 'text-fg-2' : 'font-medium text-warn')
  return (
    <output className={content ? 'block' : 'sr-only'}>
      {content && (
        <div
          className={cx(
            'flex gap-2.5 rounded-control border px-3 py-2.5 text-sm',
            isQuiet ? 'border-line' : 'border-warn/30 bg-warn/8',
          )}
        >
          <TriangleAlert size={17} aria-hidden className={cx('mt-px shrink-0 text-warn', isQuiet && 'hidden')} />
          <div className="grid min-w-0 flex-1 grid-cols-1 gap-2.5 wrap-anywhere">{content}</div>
        </div>
      )}
    </output>
  )
}

function noteFor(
  { product, price, quantity, terms, refusal, onDuration, onQuantity }: ObstacleNoteProps,
  look: string,
): ReactNode {
  const title = (text: string) => <p className={look}>{text}</p>
  const others = otherDurations(product.prices, price)
  if (refusal !== undefined)
    return (
      <>
        {title(refusal)}
        {others.length > 0 && <OtherDurations others={others} onDuration={onDuration} />}
      </>
    )
  switch (terms.obstacle) {
    case 'out-of-stock':
    case 'not-for-sale':
      return (
        <>
          {title(
            terms.obstacle === 'out-of-stock'
              ? t('OUT OF STOCK for this product/duration')
              : t('This duration isn’t available to buy yet.'),
          )}
          <WaysOut product={product} price={price} quantity={quantity} others={others} onDuration={onDuration} />
        </>
      )
    case 'not-enough-stock':
      return (
        <>
          {title(
            t('Only {available} in stock. You chose {quantity}.', {
              available: formatCount(price.available),
              quantity: quantity ?? 0,
            }),
          )}
          <Button
            variant="secondary"
            size="sm"
            className="justify-self-start"
            onClick={() => onQuantity(price.available)}
          >
            {t('Buy {count} instead', { count: price.available })}
          </Button>
          {price.fetch && <WaysOut product={product} price={price} quantity={quantity} />}
        </>
      )
    case 'low-balance':
      return title(t('Low balance! Please add at least {amount}', { amount: formatRupees(terms.shortfall) }))
    case 'not-chosen':
    case 'no-quantity':
    case undefined:
  }
  return null
}
