import { useEffect, useState, type ReactNode } from 'react'
import { PackageOpen, Ticket } from 'lucide-react'
import type { Product } from '../../contract/catalogue.ts'
import { ORDER_QUANTITY_MAX, ORDER_QUANTITY_MIN } from '../../contract/limits.ts'
import type { User } from '../../contract/users.ts'
import { lowestPrice } from '../catalogue/products-for-buyer.ts'
import { useProducts } from '../catalogue/use-products.ts'
import { t } from '../platform/i18n.ts'
import { formatCount, formatRupees } from '../platform/money.ts'
import { Link, useNavigate, useSearch } from '../platform/router.tsx'
import { useMedia } from '../platform/use-media.ts'
import { buttonClass } from '../ui/button.tsx'
import { Combobox, type ComboboxOption } from '../ui/combobox.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Field } from '../ui/field.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Loading, Skeleton } from '../ui/skeleton.tsx'
import { Stepper } from '../ui/stepper.tsx'
import { DurationTiles } from './duration-tiles.tsx'
import { ObstacleNote } from './obstacle-note.tsx'
import { OrderActions } from './order-actions.tsx'
import { keepChoice, orderTerms, type Choice, type PriceRow } from './order-terms.ts'
import { OrderTicket } from './order-ticket.tsx'
import { clearOutcome, isUnderWay, startPurchase, type PurchaseState } from './purchase.ts'
import { forgetMistyped, keepQuantity, useQuantity } from './quantity-draft.ts'

export const loadOpenOrderNote = () => import('./open-order-note.tsx').then((file) => file.OpenOrderNote)
const OpenOrderNote = lazyPart(loadOpenOrderNote, { missing: 'line' })

const panel = 'rounded-panel border border-line bg-surface p-4 sm:p-6'

interface OrderFormProps {
  user: User
  purchase: PurchaseState
}

/** Lets the buyer choose, with the order summary next to it. On narrow screens the button stays at the bottom. */
export function OrderForm({ user, purchase }: OrderFormProps) {
  const products = useProducts()
  const order = useOrder(user.id, products.data)
  const isWide = useMedia('(width >= 64rem)')
  if (!products.data) {
    return products.error ? (
      <ErrorState error={products.error} onRetry={products.refetch} retrying={products.isFetching} />
    ) : (
      <OrderSkeleton />
    )
  }
  if (products.data.length === 0) {
    return (
      <EmptyState
        icon={<PackageOpen size={22} />}
        title={t('No products yet')}
        text={t('We’re adding products. Please check back soon.')}
        action={
          <Link to="/" className={buttonClass({ variant: 'secondary' })}>
            {t('Go to the dashboard')}
          </Link>
        }
      />
    )
  }

  const { product, price, quantity } = order
  const terms = orderTerms(price, quantity, user.balance)
  const busy = isUnderWay(purchase)
  const buy = () => {
    if (!product || !price || quantity === undefined || terms.obstacle) return
    startPurchase({
      userId: user.id,
      productId: product._id,
      productName: product.name,
      duration: price.duration,
      quantity,
      expectedPrice: terms.unitPrice,
    })
  }
  const actions = (part: 'main' | 'second', compact = false) => (
    <OrderActions part={part} terms={terms} purchase={purchase} onBuy={buy} compact={compact} />
  )
  return (
    <>
      <div className="grid min-w-0 items-start gap-3 sm:gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 gap-3 sm:gap-4">
          {purchase.step === 'open' && <OpenOrderNote {...purchase} />}
          <fieldset disabled={busy} className={`${panel} grid min-w-0 gap-5`}>
            <legend className="sr-only">{t('Your order')}</legend>
            <Field
              label={t('Product')}
              {...(order.isUnknown && {
                error: t('“{name}” is no longer available. Choose another product.', {
                  name: order.wantedName ?? '',
                }),
              })}
            >
              <Combobox
                options={products.data.map(toOption)}
                value={product?._id ?? ''}
                onChange={order.chooseProduct}
                disabled={busy}
                placeholder={t('Search or choose a product')}
                emptyText={t('No product found. Try another word.')}
              />
            </Field>
            {product ? (
              <>
                {product.description && (
                  <p className="-mt-2 text-sm wrap-anywhere whitespace-pre-line text-fg-2">{product.description}</p>
                )}
                <DurationTiles prices={product.prices} chosen={price} onChoose={order.chooseDuration} />
                <Field
                  label={t('Quantity')}
                  aside={t('Max {count}', { count: ORDER_QUANTITY_MAX })}
                  error={
                    quantity === undefined
                      ? t('Enter a quantity from {min} to {max}', {
                          min: ORDER_QUANTITY_MIN,
                          max: ORDER_QUANTITY_MAX,
                        })
                      : undefined
                  }
                >
                  <Stepper
                    key={product._id}
                    min={ORDER_QUANTITY_MIN}
                    max={ORDER_QUANTITY_MAX}
                    value={quantity}
                    onChange={order.setQuantity}
                    disabled={busy}
                  />
                </Field>
                {price && (
                  <ObstacleNote
                    product={product}
                    price={price}
                    quantity={quantity}
                    terms={terms}
                    onDuration={order.chooseDuration}
                    onQuantity={order.setQuantity}
                  />
                )}
              </>
            ) : (
              <p
                className={
                  'rounded-control border border-dashed border-line-2 px-4 py-6 text-center text-sm text-balance ' +
                  'text-fg-2'
                }
              >
                {t('Choose a product to see durations and prices.')}
              </p>
            )}
          </fieldset>
        </div>
        {product && price ? (
          <OrderTicket product={product} price={price} quantity={quantity} balance={user.balance} terms={terms}>
            {isWide !== false && <div className="grid gap-2 max-lg:hidden">{actions('main')}</div>}
            {actions('second')}
          </OrderTicket>
        ) : (
          <NoTicket />
        )}
      </div>
      {isWide !== true && product && price && <div className="bottom-bar mt-4 lg:hidden">{actions('main', true)}</div>}
    </>
  )
}

interface Order {
  product: Product | undefined
  price: PriceRow | undefined
  /** Undefined while the typed text is not a quantity. */
  quantity: number | undefined
  /** The value in the address. */
  wantedName: string | undefined
  /** True if the address names an unknown product. */
  isUnknown: boolean
  chooseProduct: (productId: string) => void
  chooseDuration: (price: PriceRow) => void
  setQuantity: (quantity: number | undefined) => void
}

/** Holds the chosen order. The address keeps product and duration, so that reloads and shared links keep them too. */
function useOrder(userId: string, products: readonly Product[] | undefined): Order {
  const { product: wantedName, duration } = useSearch('/buy')
  const navigate = useNavigate()
  const product = products?.find(({ name }) => name.toLowerCase() === wantedName?.trim().toLowerCase())
  const quantity = useQuantity(userId, product?._id)
  const [kept, setKept] = useState<Choice>()
  const choice = product && keepChoice(kept, product, duration)
  if (choice && choice !== kept) setKept(choice)
  useEffect(() => forgetMistyped, [])
  return {
    product,
    price: product?.prices.find((price) => price.duration === choice?.duration),
    quantity,
    wantedName,
    isUnknown: Boolean(wantedName && products && !product),
    chooseProduct(productId) {
      const chosen = products?.find(({ _id }) => _id === productId)
      clearOutcome()
      void navigate<'/buy'>({ search: { product: chosen?.name }, replace: true })
    },
    chooseDuration(price) {
      clearOutcome()
      // Also set if the address already has it, because a product can return after another took its place.
      if (product) setKept({ productId: product._id, named: duration, duration: price.duration })
      void navigate<'/buy'>({ search: { product: product?.name, duration: price.duration }, replace: true })
    },
    setQuantity(next) {
      clearOutcome()
      keepQuantity({ userId, productId: product?._id ?? '', quantity: next })
    },
  }
}

function toOption(product: Product): ComboboxOption {
  const { _id, name, available } = product
  const price = lowestPrice(product)
  if (available === 0 || price === undefined) return { value: _id, label: name, note: t('Out of stock') }
  return {
    value: _id,
    label: name,
    note: t('from {price} · {count} left', { price: formatRupees(price), count: formatCount(available) }),
  }
}

function NoTicket(): ReactNode {
  return (
    <div className="hidden rounded-panel border border-dashed border-line-2 lg:block">
      <EmptyState
        icon={<Ticket size={22} />}
        title={t('Order summary')}
        text={t('Your total and remaining balance appear here.')}
      />
    </div>
  )
}

function OrderSkeleton() {
  return (
    <Loading className="grid items-start gap-3 sm:gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className={`${panel} grid gap-5`}>
        {['h-11', 'h-22.5', 'h-11'].map((height, index) => (
          <div key={index} className="grid gap-1.5">
            <Skeleton className="h-5 w-24" />
            <Skeleton className={`${height} w-full`} />
          </div>
        ))}
      </div>
      <Skeleton className="h-96 w-full rounded-panel" />
    </Loading>
  )
}
