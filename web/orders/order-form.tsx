import type { User } from '../../contract/users.ts'
import { NoProducts } from '../catalogue/no-products.tsx'
import { useProducts } from '../catalogue/use-products.ts'
import { openAddMoney } from '../payments/open-add-money.ts'
import { useOwnRequests } from '../payments/use-own-requests.ts'
import { usePaymentInCheck, willBuy } from '../payments/payment-in-check.ts'
import { own } from '../platform/i18n.ts'
import { useMedia } from '../platform/use-media.ts'
import { ErrorState } from '../ui/page/error-state.tsx'
import { lazyPart } from '../ui/page/lazy-part.tsx'
import { Loading, Skeleton } from '../ui/page/skeleton.tsx'
import { OrderActions } from './order-actions.tsx'
import { OrderFields } from './order-fields.tsx'
import { orderTerms } from './order-terms.ts'
import { OrderTicket } from './order-ticket.tsx'
import { ProductTiles } from './product-tiles.tsx'
import { startPurchase, type PurchaseState } from './purchase/purchase.ts'
import { useOrder } from './use-order.ts'

export const loadOpenOrderNote = () => import('./open-order-note.tsx').then((file) => file.OpenOrderNote)
const OpenOrderNote = lazyPart(loadOpenOrderNote, { missing: 'line' })

const EndedPromises = lazyPart(() => import('../payments/ended-promises.tsx').then((file) => file.EndedPromises), {
  missing: 'nothing',
})
const WishNote = lazyPart(() => import('../payments/payment-note.tsx').then((file) => file.WishNote), {
  waiting: <Skeleton className="h-80 rounded-panel" />,
  missing: 'line',
})

interface OrderFormProps {
  user: User
  purchase: PurchaseState
}

/** Lets the buyer choose, with the order summary next to it. On narrow screens the button stays at the bottom. */
export function OrderForm({ user, purchase }: OrderFormProps) {
  const products = useProducts()
  const order = useOrder(user.id, products.data)
  const inCheck = usePaymentInCheck()
  const hasWished = useOwnRequests().data?.some(({ then }) => then?.state === 'ended')
  const isWide = useMedia('(min-width: 64rem)')
  if (!products.data) {
    return products.error ? (
      <ErrorState error={products.error} onRetry={products.refetch} retrying={products.isFetching} />
    ) : (
      <OrderSkeleton />
    )
  }
  if (products.data.length === 0) return <NoProducts />

  const { product, price, quantity } = order
  const terms = orderTerms(price, quantity, user.balance)
  const wanted = product &&
    price &&
    quantity !== undefined && {
      productId: product._id,
      productName: product.name,
      shownName: own(product, 'name'),
      duration: price.duration,
      quantity,
      expectedPrice: terms.unitPrice,
    }
  const actions = (part: 'main' | 'second', compact = false) => (
    <OrderActions
      part={part}
      terms={terms}
      purchase={purchase}
      onBuy={() => wanted && !terms.obstacle && startPurchase({ userId: user.id, ...wanted })}
      onAdd={() =>
        openAddMoney({
          amountRupees: terms.topUp,
          ...(wanted && { wish: { ...wanted, productName: wanted.shownName, missing: terms.topUp } }),
        })
      }
      compact={compact}
    />
  )
  const isReady = product && price
  const isWished = inCheck !== undefined && willBuy(inCheck)
  // Until the wished key is there, a bar that can do nothing would only stand over it
  const hasBar = isReady && !(isWished && terms.obstacle === 'low-balance')
  return (
    <>
      {hasWished && <EndedPromises />}
      <div className={GRID}>
        <div className="grid min-w-0 gap-3 sm:gap-4">
          {isWished && <WishNote request={inCheck} shown={product?._id} />}
          {purchase.step === 'open' && <OpenOrderNote {...purchase} />}
          <OrderFields products={products.data} order={order} terms={terms} purchase={purchase} />
        </div>
        {isReady && (
          <OrderTicket
            product={product}
            price={price}
            quantity={quantity}
            balance={user.balance}
            terms={terms}
            isPaying={inCheck !== undefined}
          >
            {isWide !== false && <div className="grid gap-2 max-lg:hidden">{actions('main')}</div>}
            {actions('second')}
          </OrderTicket>
        )}
      </div>
      {!product && <ProductTiles products={products.data} />}
      {isWide !== true && hasBar && <div className="bottom-bar mt-4 lg:hidden">{actions('main', true)}</div>}
    </>
  )
}

const GRID = 'grid min-w-0 items-start gap-3 sm:gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]'

function OrderSkeleton() {
  return (
    <Loading className={GRID}>
      <Skeleton className="h-80 rounded-panel" />
      <Skeleton className="h-96 rounded-panel" />
    </Loading>
  )
}
