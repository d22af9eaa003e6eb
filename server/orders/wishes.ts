/** What buyers want to buy as soon as a top-up is approved: saying so, reading it, and changing one's mind. */
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { suffixOf } from '../../contract/languages.ts'
import { WISH_LASTS_MS } from '../../contract/limits.ts'
import { toRupees } from '../../contract/money.ts'
import { Wish, type WishRequest } from '../../contract/orders.ts'
import { OTHER_LANGUAGES } from '../../contract/owner-texts.ts'
import { sql, type Queries, type Sql, type Transaction } from '../platform/database/database.ts'
import type { Services } from '../platform/services.ts'
import { isBeyond } from './limits.ts'
import { findOffers } from './place-orders.ts'

const NAMES_IN_OTHERS = OTHER_LANGUAGES.map(suffixOf)
  .map((suffix) => sql`${`productName${suffix}`}::text, product.translations ->> ${`name${suffix}`}::text`)
  .reduce((all, next) => sql`${all}, ${next}`)

/** The wish of a top-up request, as JSON in the shape of the contract. Null without one. */
export const wishOf = (topUpId: Sql): Sql => sql`(
  select json_strip_nulls(json_build_object(
           'topUpId', wish.topup_id, 'productId', price.product_id, 'productName', product.name,
           ${NAMES_IN_OTHERS},
           'duration', coalesce(wish.duration, price.duration), 'quantity', wish.quantity,
           'expectedPrice', wish.expected_paise,
           'state', case when wish.ended_at is null then 'waiting'
                         when wish.order_id is null then 'ended' else 'bought' end,
           'reason', case when wish.order_id is null then wish.end_reason end, 'orderId', wish.order_id))
    from order_wishes wish
    join prices price on price.id = wish.price_id
    join products product on product.id = price.product_id
   where wish.topup_id = ${topUpId})`

/**
 * Keeps a wish with a new request, in place of an older one. The wallet must be locked in this transaction. A wish that
 * is not possible comes back as ended, because the buyer has paid already.
 */
export async function makeWish(
  tx: Transaction,
  { productId, duration, quantity, expectedPrice }: z.output<typeof WishRequest>,
  { topUpId, userId, now }: { topUpId: string; userId: string; now: Date },
): Promise<Wish> {
  const [asked] = await findOffers(tx, [{ buyerId: userId, productId, duration, quantity, idempotency: undefined }])
  const offer = asked?.offer
  const wish = { topUpId, productId, productName: '', duration, quantity, expectedPrice: toRupees(expectedPrice) }
  if (!offer || offer === 'closed' || offer.unitPrice === 0) return { ...wish, state: 'ended', reason: 'not-for-sale' }
  const reason = offer.unitPrice > expectedPrice ? 'price' : isBeyond(offer, { quantity }) ? 'limit' : null
  if (reason === null)
    await tx.run(sql`
      update order_wishes set ended_at = ${now}, end_reason = 'replaced'
       where user_id = ${userId} and ended_at is null`)
  await tx.run(sql`
    insert into order_wishes (topup_id, user_id, price_id, duration, quantity, expected_paise, ended_at, end_reason,
                              created_at)
    values (${topUpId}, ${userId}, ${offer.priceId}, ${duration}, ${quantity}, ${expectedPrice},
            ${reason && now}, ${reason}, ${now})`)
  return (await tx.one(sql(() => z.object({ wish: Wish }))`select ${wishOf(sql`${topUpId}`)} as wish`)).wish
}

/** @returns the newest wish of the last seven days */
export async function readWish(db: Queries, userId: string, now: Date): Promise<Wish | null> {
  const newest = await db.maybe(sql(() => z.object({ wish: Wish }))`
    select ${wishOf(sql`mine.topup_id`)} as wish from order_wishes mine
     where user_id = ${userId} and created_at > ${new Date(now.getTime() - WISH_LASTS_MS)}
     order by created_at desc, topup_id desc limit 1`)
  return newest?.wish ?? null
}

/** @throws Refusal NOT_FOUND, also when the store has just bought */
export async function cancelWish(
  { db, events }: Pick<Services, 'db' | 'events'>,
  { userId, now }: { userId: string; now: Date },
): Promise<void> {
  const id = await db.text(sql`
    update order_wishes set ended_at = ${now}, end_reason = 'cancelled'
     where user_id = ${userId} and ended_at is null returning topup_id`)
  if (!id) throw new Refusal('NOT_FOUND')
  for (const to of [{ user: userId }, 'admins'] as const) events.publish({ to, name: 'payment', data: { id } })
}
