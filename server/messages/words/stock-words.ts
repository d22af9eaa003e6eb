/** What a message about stock says. */
import * as z from 'zod/mini'
import { sql } from '../../platform/database/database.ts'
import { sayDuration } from '../../../contract/duration-words.ts'
import { keyPath } from './key-path.ts'
import { formatPaise } from '../../../contract/money.ts'
import type { Translate } from '../../../contract/words.ts'
import { productName } from './product-name.ts'
import type { Tell } from './wording.ts'

const Back = z.object({
  name: z.string(),
  product: z.string(),
  duration: z.string(),
  available: z.number(),
  isListed: z.boolean(),
  reason: z.nullable(z.string()),
})

const tellBack: Tell = async ({ subjectId, data }, { db, language, t }) => {
  const place = await db.maybe(sql(Back)`
    select product.name, ${productName(language, sql`product.name`, sql`product.id`)} as product, price.duration,
           product.is_listed, place.end_reason as reason,
           coalesce((select sum(available) from stock_counters where price_id = price.id), 0)::bigint as available
      from waiting_places place
      join prices price on price.id = place.price_id
      join products product on product.id = price.product_id
     where place.id = ${subjectId}`)
  const isShort = typeof data['short'] === 'number'
  if (!place || (place.reason !== null && !(isShort && place.reason === 'short'))) return { gone: 'No longer waiting' }
  const { name, product, duration, available, isListed } = place
  if (!isListed) return { gone: 'Not listed' }
  if (available <= 0) return { gone: 'Out of stock again' }
  const there = t('{duration}: {count, plural, one {# key} other {# keys}} left. First come, first served.', {
    duration: sayDuration(t, duration),
    count: available,
  })
  const isLast = data['short'] !== 1
  return {
    title: t('{product} is back in stock', { product }),
    body: isShort
      ? [
          t('Your balance is too low, so we couldn’t buy it for you.'),
          there,
          isLast ? t('You are no longer waiting for it.') : t('You keep your place this time.'),
        ].join(' ')
      : there,
    path: buyPath(name, duration),
    tag: `stock.${subjectId}`,
  }
}

/** Leads to the order. */
export const buyPath = (product: string, duration: string): string =>
  `/buy?${new URLSearchParams({ product, duration }).toString()}`

const Bought = z.object({ name: z.string(), duration: z.string(), quantity: z.number(), amount: z.number() })

const tellBought: Tell = async ({ subjectId }, { db, language, t }) => {
  const order = await db.maybe(sql(Bought)`
    select ${productName(language, sql`product_name`, sql`product_id`)} as name, duration, quantity,
           amount_paise as amount
      from orders where id = ${subjectId}`)
  return order
    ? {
        title: t('We bought {product} for you', { product: order.name }),
        body: t('{duration}: {count, plural, one {# key} other {# keys}} for {amount}, paid from your wallet.', {
          duration: sayDuration(t, order.duration),
          count: order.quantity,
          amount: formatPaise(order.amount),
        }),
        path: await keyPath(db, subjectId),
        tag: `waiting.${subjectId}`,
      }
    : { gone: 'The order was removed' }
}

const WHY: Record<string, (t: Translate) => string> = {
  price: (t) => t('The price went up.'),
  stock: (t) => t('There are too few keys in stock.'),
  money: (t) => t('The balance was too low.'),
  'not-for-sale': (t) => t('It is no longer for sale.'),
  limit: (t) => t('You have bought all that one buyer can.'),
}

const Ended = z.object({ name: z.string(), product: z.string(), duration: z.string(), reason: z.string() })

const tellNotBought: Tell = async ({ subjectId }, { db, language, t }) => {
  const wish = await db.maybe(sql(Ended)`
    select product.name, ${productName(language, sql`product.name`, sql`product.id`)} as product, price.duration,
           wish.end_reason as reason
      from order_wishes wish
      join prices price on price.id = wish.price_id
      join products product on product.id = price.product_id
     where wish.topup_id = ${subjectId} and wish.end_reason is not null`)
  if (!wish) return { gone: 'The wish is no longer there' }
  const { name, product, duration } = wish
  const why = WHY[wish.reason]?.(t)
  const said = sayDuration(t, duration)
  return {
    title: t('We couldn’t buy {product} for you', { product }),
    body: why
      ? t('{duration}: {why} The money is in your wallet.', { duration: said, why })
      : t('{duration}: checking your payment took more than 7 days.', { duration: said }),
    path: buyPath(name, duration),
    tag: `wish.${subjectId}`,
  }
}

export const stockWords = { 'stock.back': tellBack, 'waiting.bought': tellBought, 'wish.ended': tellNotBought }
