import * as z from 'zod/mini'
import { durationMs } from '../../contract/duration.ts'
import { Refusal } from '../../contract/errors.ts'
import { REPEAT_FROM_MS } from '../../contract/limits.ts'
import type { Renewal, RenewalRequest } from '../../contract/renewals.ts'
import { limitReached } from '../orders/decide-orders.ts'
import { isBeyond } from '../orders/limits.ts'
import { findOffers } from '../orders/place-orders.ts'
import { sql, type Database, type Transaction } from '../platform/database/database.ts'
import { lockWallet } from '../wallet/ledger.ts'
import { goodKeysOf, listOwnRenewals } from './own-renewals.ts'
import { canBeTold } from './tell-due.ts'

const Renewed = z.object({
  orderId: z.string(),
  productId: z.string(),
  priceId: z.string(),
  duration: z.string(),
  quantity: z.number(),
  endsAt: z.date(),
  isOpen: z.boolean(),
  isRepeat: z.boolean(),
})

/**
 * Lets the store buy the keys of a purchase again at their end, or changes how. Holds the wallet's lock, as a purchase
 * and the closing of an account do. A held one can be changed after the end of its keys, but not begin to repeat.
 * @throws Refusal NOT_FOUND, KEY_EXPIRED, PRODUCT_NOT_FOUND, LIMIT_REACHED, TOO_SHORT, CANNOT_TELL; NO_SESSION for a
 *   closing account
 */
export async function makeRenewal(
  db: Database,
  { keyId, repeat, max }: z.output<typeof RenewalRequest>,
  { userId, now }: { userId: string; now: Date },
): Promise<Renewal> {
  return db.transaction(async (tx) => {
    await lockWallet(tx, userId, now)
    const order = await findRenewed(tx, { keyId, userId })
    if (!order) throw new Refusal('NOT_FOUND')
    const { orderId, productId, duration, quantity } = order
    if (order.endsAt <= now && !(order.isOpen && (order.isRepeat || !repeat))) throw new Refusal('KEY_EXPIRED')
    const wanted = { buyerId: userId, productId, duration, quantity, idempotency: undefined }
    const [asked] = await findOffers(tx, [wanted])
    const offer = asked?.offer
    if (offer === 'closed') throw new Refusal('NO_SESSION')
    // A renamed duration is another one, even in the same row
    if (!offer || offer.unitPrice === 0 || offer.priceId !== order.priceId) throw new Refusal('PRODUCT_NOT_FOUND')
    if (offer.limit && isBeyond(offer, order)) throw limitReached(offer.limit)
    if (repeat && durationMs(duration) < REPEAT_FROM_MS) throw new Refusal('TOO_SHORT')
    if (repeat && !(await tx.holds(sql`select ${canBeTold(sql`buyer`)} from users buyer where id = ${userId}`)))
      throw new Refusal('CANNOT_TELL')
    const made = await tx.run(sql`
      insert into renewals (order_id, user_id, price_id, duration, quantity, max_paise, is_repeat, due_at, created_at)
      values (${orderId}, ${userId}, ${order.priceId}, ${duration}, ${quantity}, ${max ?? offer.unitPrice}, ${repeat},
              ${order.endsAt}, ${now})
      on conflict (order_id) do update
        set quantity = excluded.quantity, max_paise = excluded.max_paise, is_repeat = excluded.is_repeat,
            is_auto = false, created_at = excluded.created_at, ended_at = null, end_reason = null,
            due_at = case when renewals.ended_at is null then renewals.due_at else excluded.due_at end,
            told_at = case when renewals.ended_at is null and renewals.is_repeat and excluded.is_repeat
                           then renewals.told_at end,
            held_at = case when renewals.ended_at is null then renewals.held_at end,
            held_why = case when renewals.ended_at is null then renewals.held_why end
      where renewals.next_id is null`)
    const [renewal] = await listOwnRenewals(tx, userId, now, { orderId })
    // It was bought, and the old key has been replaced since by one that still works
    if (made === 0 || !renewal) throw new Refusal('NOT_FOUND')
    return renewal
  })
}

function findRenewed(
  tx: Transaction,
  { keyId, userId }: { keyId: string; userId: string },
): Promise<z.output<typeof Renewed> | undefined> {
  return tx.maybe(sql(Renewed)`
    select orders.id as order_id, orders.product_id, orders.price_id, orders.duration,
           least(good.quantity, orders.quantity) as quantity, good.ends_at,
           renewal.order_id is not null as is_open, coalesce(renewal.is_repeat, false) as is_repeat
      from license_keys key
      join orders on orders.id = key.order_id
     cross join lateral ${goodKeysOf(sql`orders.id`)} good
      left join renewals renewal on renewal.order_id = orders.id and renewal.ended_at is null
     where key.id = ${keyId} and orders.user_id = ${userId} and key.id = any(good.ids)`)
}
