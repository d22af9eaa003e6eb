/** What a buyer wants to buy with a payment, in words. */
import type { Wish, WishReason } from '../../../contract/orders.ts'
import type { OtherTexts } from '../../../contract/owner-texts.ts'
import { durationText, own, t } from '../../platform/i18n.ts'

type Wanted = Pick<Wish, 'quantity' | 'productName' | 'duration'> & OtherTexts<'productName'>

/** "2 × Night Circuit (10 Days)" */
export const orderText = (wanted: Wanted): string =>
  t('{quantity} × {product} ({duration})', {
    quantity: wanted.quantity,
    product: own(wanted, 'productName'),
    duration: durationText(wanted.duration),
  })

/** @returns what will happen or has happened. Undefined if the buyer ended it, or the payment says it already */
export function wishText(wish: Wish): string | undefined {
  const order = orderText(wish)
  if (wish.state === 'waiting') return t('We’ll buy {order} when it’s approved.', { order })
  if (wish.state === 'bought') return t('Bought: {order}', { order })
  const why = wish.reason && WHY[wish.reason]?.()
  return why && (wish.productName === '' ? why : t('{order} was not bought. {why}', { order, why }))
}

const WHY: Partial<Record<WishReason, () => string>> = {
  price: () => t('The price went up. The money stays in your wallet.'),
  stock: () => t('There are too few keys in stock. The money stays in your wallet.'),
  money: () => t('Your balance is too low. The money stays in your wallet.'),
  'not-for-sale': () => t('It is not for sale. The money stays in your wallet.'),
  limit: () => t('You have bought all that one buyer can.'),
  expired: () => t('Checking the payment took more than 7 days.'),
}
