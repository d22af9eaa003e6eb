import type { Product } from '../../contract/catalogue.ts'
import { ORDER_QUANTITY_MIN } from '../../contract/limits.ts'
import { lowestPrice } from '../catalogue/products-for-buyer.ts'
import { useOwnRequests } from '../payments/use-own-requests.ts'
import { own, t } from '../platform/i18n.ts'
import { formatCount, formatRupees } from '../platform/money.ts'
import { useSession } from '../platform/session/session.ts'
import { Combobox, type ComboboxOption } from './combobox.tsx'
import { Field } from '../ui/fields/field.tsx'
import { lazyPart } from '../ui/page/lazy-part.tsx'
import { Stepper } from './stepper.tsx'
import { DurationTiles } from './duration-tiles.tsx'
import { ObstacleNote } from './obstacle-note.tsx'
import type { OrderTerms } from './order-terms.ts'
import { isUnderWay, type PurchaseState } from './purchase/purchase.ts'
import type { Order } from './use-order.ts'

const PaymentNote = lazyPart(() => import('../payments/payment-note.tsx').then((file) => file.PaymentNote))

interface OrderFieldsProps {
  products: readonly Product[]
  order: Order
  terms: OrderTerms
  purchase: PurchaseState
}

export function OrderFields(props: OrderFieldsProps) {
  const { products, order, terms, purchase } = props
  const busy = isUnderWay(purchase)
  const hasPaid = useOwnRequests().data?.some(({ status, then }) => status === 'pending' || then)
  return (
    <fieldset
      disabled={busy}
      className="grid min-w-0 grid-cols-1 gap-5 rounded-panel border border-line bg-surface p-4 sm:p-6"
    >
      <legend className="sr-only">{t('Your order')}</legend>
      <Field
        label={t('Product')}
        {...(order.isUnknown && {
          error: t('“{name}” is no longer available. Choose another product.', { name: order.wantedName ?? '' }),
        })}
      >
        <Combobox
          options={products.map(toOption)}
          value={order.product?._id ?? ''}
          onChange={order.chooseProduct}
          disabled={busy}
          placeholder={t('Search or choose a product')}
          emptyText={t('No product found. Try another word.')}
        />
      </Field>
      {order.product && <Choices {...props} product={order.product} />}
      {hasPaid && <PaymentNote isShort={terms.obstacle === 'low-balance'} />}
    </fieldset>
  )
}

/** The whole description is here, because a card shows its beginning. */
function Choices({ order, terms, purchase, product }: OrderFieldsProps & { product: Product }) {
  const { price, quantity, most } = order
  const { user } = useSession()
  const isOwn = (duration: string) =>
    user?.customPrices.some((own) => own.productId === product._id && own.duration === duration)
  const description = own(product, 'description')
  const steps = (price?.steps ?? []).filter(({ from }) => from <= most)
  return (
    <>
      {description && <p className="-mt-2 text-sm wrap-anywhere whitespace-pre-line text-fg-2">{description}</p>}
      <DurationTiles
        prices={product.prices}
        chosen={price}
        onChoose={order.chooseDuration}
        groupOf={({ duration }) => (isOwn(duration) ? undefined : user?.group?.name)}
      />
      {price?.perBuyer !== undefined && (
        <p className="-mt-3 text-sm text-fg-2">
          {price.trial ? t('Trial: 1 per person') : t('{count} per buyer', { count: price.perBuyer })}
        </p>
      )}
      <Field
        label={t('Quantity')}
        aside={t('Max {count}', { count: most })}
        error={
          quantity === undefined
            ? t('Enter a quantity from {min} to {max}', { min: ORDER_QUANTITY_MIN, max: most })
            : undefined
        }
      >
        <Stepper
          key={product._id}
          min={ORDER_QUANTITY_MIN}
          max={most}
          value={quantity}
          onChange={order.setQuantity}
          disabled={isUnderWay(purchase)}
        />
      </Field>
      {steps.length > 0 && (
        <p className="tabular -mt-3 text-sm text-fg-2">
          {steps
            .map(({ from, price: each }) => t('From {count}: {price} each', { count: from, price: formatRupees(each) }))
            .join(' · ')}
        </p>
      )}
      {price && (
        <ObstacleNote
          product={product}
          price={price}
          quantity={quantity}
          terms={terms}
          refusal={purchase.step === 'refused' && purchase.isForGood ? purchase.failure : undefined}
          onDuration={order.chooseDuration}
          onQuantity={order.setQuantity}
        />
      )}
    </>
  )
}

function toOption(product: Product): ComboboxOption {
  const { _id, name, available } = product
  const price = lowestPrice(product)
  const note =
    price === undefined
      ? t('No price yet')
      : available === 0
        ? t('Out of stock')
        : t('from {price} · {count} left', { price: formatRupees(price), count: formatCount(available) })
  return { value: _id, label: own(product, 'name'), alias: name, note }
}
