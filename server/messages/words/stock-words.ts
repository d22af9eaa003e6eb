/** What a message about stock says. */
import * as z from 'zod/mini'
import { sql } from '../../platform/database/database.ts'
import { keyPath } from './key-path.ts'
import { formatPaise } from '../../../contract/money.ts'
import type { Tell } from './wording.ts'

const keys = (count: number): string => (count === 1 ? '1 key' : `${count} keys`)

const Back = z.object({
  name: z.string(),
  duration: z.string(),
  available: z.number(),
  isListed: z.boolean(),
  reason: z.nullable(z.string()),
})

const tellBack: Tell = async ({ subjectId, data }, { db }) => {
  const place = await db.maybe(
    Back,
    sql`
    select product.name, price.duration, product.is_listed, place.end_reason as reason,
           coalesce((select sum(available) from stock_counters where price_id = price.id), 0)::bigint as available
      from waiting_places place
      join prices price on price.id = place.price_id
      join products product on product.id = price.product_id
     where place.id = ${subjectId}`,
  )
  const isShort = typeof data['short'] === 'number'
  if (!place || (place.reason !== null && !(isShort && place.reason === 'short'))) return { gone: 'No longer waiting' }
  const { name, duration, available, isListed } = place
  if (!isListed) return { gone: 'Not listed' }
  if (available <= 0) return { gone: 'Out of stock again' }
  const there = `${duration}: ${keys(available)} left. First come, first served.`
  return {
    title: `${name} is back in stock`,
    body: isShort
      ? `Your balance is too low, so we couldn’t buy it for you. ${there}` +
        (data['short'] === 1 ? ' You keep your place this time.' : ' You are no longer waiting for it.')
      : there,
    path: buyPath(name, duration),
    tag: `stock.${subjectId}`,
  }
}

/** Leads to the order. */
const buyPath = (product: string, duration: string): string =>
  `/buy?${new URLSearchParams({ product, duration }).toString()}`

const Bought = z.object({ name: z.string(), duration: z.string(), quantity: z.number(), amount: z.number() })

const tellBought: Tell = async ({ subjectId }, { db }) => {
  const order = await db.maybe(
    Bought,
    sql`
    select product_name as name, duration, quantity, amount_paise as amount from orders where id = ${subjectId}`,
  )
  return order
    ? {
        title: `We bought ${order.name} for you`,
        body: `${order.duration}: ${keys(order.quantity)} for ${formatPaise(order.amount)}, paid from your wallet.`,
        path: await keyPath(db, subjectId),
        tag: `waiting.${subjectId}`,
      }
    : { gone: 'The order was removed' }
}

const WHY: Record<string, string> = {
  price: 'The price went up.',
  stock: 'There are too few keys in stock.',
  money: 'The balance was too low.',
  'not-for-sale': 'It is no longer for sale.',
}

const Ended = z.object({ name: z.string(), duration: z.string(), reason: z.string() })

const tellNotBought: Tell = async ({ subjectId }, { db }) => {
  const wish = await db.maybe(
    Ended,
    sql`
    select product.name, price.duration, wish.end_reason as reason
      from order_wishes wish
      join prices price on price.id = wish.price_id
      join products product on product.id = price.product_id
     where wish.topup_id = ${subjectId} and wish.end_reason is not null`,
  )
  if (!wish) return { gone: 'The wish is no longer there' }
  const { name, duration, reason } = wish
  const why = WHY[reason]
  return {
    title: `We couldn’t buy ${name} for you`,
    body: why
      ? `${duration}: ${why} The money is in your wallet.`
      : `${duration}: checking your payment took more than 7 days.`,
    path: buyPath(name, duration),
    tag: `wish.${subjectId}`,
  }
}

export const stockWords = { 'stock.back': tellBack, 'waiting.bought': tellBought, 'wish.ended': tellNotBought }
