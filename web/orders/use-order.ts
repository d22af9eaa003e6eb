import { useEffect, useState } from 'react'
import type { Product } from '../../contract/catalogue.ts'
import { ORDER_QUANTITY_MAX } from '../../contract/limits.ts'
import { navigate, useSearch } from '../platform/navigation/router.tsx'
import { keepChoice, type Choice, type PriceRow } from './order-terms.ts'
import { clearOutcome } from './purchase/purchase.ts'
import { forgetMistyped, keepQuantity, useQuantity } from './purchase/quantity-draft.ts'

export interface Order {
  product: Product | undefined
  price: PriceRow | undefined
  /** Undefined while the typed text is not a quantity. */
  quantity: number | undefined
  /** Keys in one order: fewer where a buyer may have fewer. */
  most: number
  /** The value in the address. */
  wantedName: string | undefined
  /** True if the address names an unknown product. */
  isUnknown: boolean
  chooseProduct: (productId: string) => void
  chooseDuration: (price: PriceRow) => void
  setQuantity: (quantity: number | undefined) => void
}

/** Holds the chosen order. The address keeps product and duration, so that reloads and shared links keep them too. */
export function useOrder(userId: string, products: readonly Product[] | undefined): Order {
  const { product: wantedName, duration } = useSearch('/buy')
  const product = products?.find(({ name }) => name.toLowerCase() === wantedName?.trim().toLowerCase())
  const typed = useQuantity(userId, product?._id)
  const [kept, setKept] = useState<Choice>()
  const choice = product && keepChoice(kept, product, duration)
  if (choice && choice !== kept) setKept(choice)
  useEffect(() => forgetMistyped, [])
  const price = product?.prices.find((each) => each.duration === choice?.duration)
  const most = Math.min(price?.perBuyer ?? ORDER_QUANTITY_MAX, ORDER_QUANTITY_MAX)
  return {
    product,
    price,
    quantity: typed && Math.min(typed, most),
    most,
    wantedName,
    isUnknown: Boolean(wantedName && products && !product),
    chooseProduct(productId) {
      const chosen = products?.find(({ _id }) => _id === productId)
      clearOutcome()
      void navigate<'/buy'>({ search: { product: chosen?.name }, replace: true })
    },
    chooseDuration({ duration: chosen }) {
      clearOutcome()
      // Also set if the address already has it, because a product can return after another took its place.
      if (product) setKept({ productId: product._id, named: duration, duration: chosen })
      void navigate<'/buy'>({ search: { product: product?.name, duration: chosen }, replace: true })
    },
    setQuantity(next) {
      clearOutcome()
      keepQuantity({ userId, productId: product?._id ?? '', quantity: next })
    },
  }
}
