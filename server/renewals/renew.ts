/**
 * Buys what renews, at the end of its keys. A renewal becomes one order, or ends for one reason: order, end and the
 * next renewal are one commit. What two nodes run at once meets at the wallet's lock.
 */
import * as z from 'zod/mini'
import { durationMs } from '../../contract/duration.ts'
import { paise } from '../../contract/money.ts'
import type { RenewalReason } from '../../contract/renewals.ts'
import { DAY_MS, MINUTE_MS } from '../../contract/time.ts'
import { REFUSED_BECAUSE } from '../orders/decide-orders.ts'
import { placeAll } from '../orders/place-all.ts'
import type { Placed } from '../orders/place-orders.ts'
import { isForSaleAgain, mayAct } from '../platform/database/conditions.ts'
import { sql, type Transaction } from '../platform/database/database.ts'
import type { Job } from '../platform/jobs.ts'
import { enqueue } from '../platform/outbox.ts'
import type { Services } from '../platform/services.ts'
import { lockWallet } from '../wallet/ledger.ts'
import { boughtByHand, boughtFrom, goodKeysOf, triesUntil } from './own-renewals.ts'
import { canBeTold, tellDue } from './tell-due.ts'

type Core = Pick<Services, 'db' | 'clock' | 'events'>

/** Keys of up to this length stop renewing when their buyer stays away. */
const UNUSED_UP_TO_MS = 30 * DAY_MS

const Open = z.object({
  orderId: z.string(),
  userId: z.string(),
  productId: z.string(),
  priceId: z.string(),
  duration: z.string(),
  quantity: z.number(),
  priceMax: z.number(),
  isRepeat: z.boolean(),
  isAuto: z.boolean(),
  dueAt: z.date(),
  toldAt: z.nullable(z.date()),
  heldAt: z.nullable(z.date()),
  heldWhy: z.nullable(z.string()),
  endsAt: z.nullable(z.date()),
  isForSale: z.boolean(),
  isOpen: z.boolean(),
  canBeTold: z.boolean(),
  boughtByHand: z.boolean(),
  wasHere: z.boolean(),
})
type Open = z.output<typeof Open>

/** Reasons that may go away, so the store tries again for a while. */
const HELD: ReadonlySet<RenewalReason> = new Set(['price', 'stock', 'money'])

/** What becomes of a renewal that is due. */
type Fate = { placed: Placed } | { reason: RenewalReason } | { held: RenewalReason } | { dueAt: Date } | 'waits'

/** Buys or ends the renewal of an order if it is due. Any other stays. */
export async function renew({ db, clock, events }: Core, orderId: string): Promise<Fate | undefined> {
  const done = await db.transaction((tx) => renewIn(tx, orderId, clock.now()))
  if (!done) return undefined
  const { userId, productId, fate } = done
  if (fate === 'waits') return fate
  events.publish({ to: { user: userId }, name: 'balance' })
  if ('placed' in fate) events.publish({ to: 'everyone', name: 'stock', data: { productId } })
  return fate
}

async function renewIn(tx: Transaction, orderId: string, now: Date) {
  const buyerId = await tx.text(sql`select user_id from renewals where order_id = ${orderId} and ended_at is null`)
  if (!buyerId) return undefined
  await lockWallet(tx, buyerId, now)
  const renewal = await readOpen(tx, orderId, now)
  if (!renewal || renewal.dueAt > now) return undefined
  const fate = await fateOf(tx, renewal, now)
  await write(tx, renewal, fate, now)
  return { ...renewal, fate }
}

function readOpen(tx: Transaction, orderId: string, now: Date): Promise<Open | undefined> {
  return tx.maybe(sql(Open)`
    select renewal.order_id, renewal.user_id, price.product_id, renewal.price_id, renewal.duration,
           least(renewal.quantity, good.quantity) as quantity, renewal.max_paise as price_max, renewal.is_repeat,
           renewal.is_auto, renewal.due_at, renewal.told_at, renewal.held_at, renewal.held_why, good.ends_at,
           ${isForSaleAgain} as is_for_sale, ${mayAct(sql`buyer`)} as is_open,
           ${canBeTold(sql`buyer`)} as can_be_told,
           ${boughtByHand(now)} as bought_by_hand,
           exists (select from user_sessions session
                    where session.user_id = renewal.user_id and session.last_active_at > renewal.created_at) as was_here
      from renewals renewal
      join prices price on price.id = renewal.price_id
      join users buyer on buyer.id = renewal.user_id
     cross join lateral ${goodKeysOf(sql`renewal.order_id`)} good
     where renewal.order_id = ${orderId} and renewal.ended_at is null
       for update of renewal`)
}

async function fateOf(tx: Transaction, renewal: Open, now: Date): Promise<Fate> {
  const { userId, productId, duration, quantity, priceMax, endsAt } = renewal
  if (endsAt !== null && endsAt > now) return { dueAt: endsAt }
  if (renewal.boughtByHand) return { reason: 'by-hand' }
  if (quantity === 0) return { reason: 'refunded' }
  if (!renewal.isOpen) return { reason: 'account' }
  if (!renewal.isForSale) return { reason: 'not-for-sale' }
  if (renewal.isRepeat && renewal.toldAt === null && !renewal.canBeTold) return { reason: 'untold' }
  if (boughtFrom(renewal, now) > now) return 'waits'
  if (renewal.isAuto && !renewal.wasHere && durationMs(duration) <= UNUSED_UP_TO_MS) return { reason: 'unused' }
  const wanted = { buyerId: userId, productId, duration, quantity, priceMax: paise(priceMax), idempotency: undefined }
  const [outcome] = await placeAll(tx, [wanted], now)
  if (!outcome) throw new Error('A renewal came to no end')
  if ('orderId' in outcome) return { placed: outcome }
  const reason = REFUSED_BECAUSE[outcome.code]
  const isOver = renewal.heldAt !== null && triesUntil(renewal.heldAt, duration) <= now
  if (!HELD.has(reason) || isOver) return { reason }
  return reason === renewal.heldWhy ? 'waits' : { held: reason }
}

async function write(tx: Transaction, renewal: Open, fate: Fate, now: Date): Promise<void> {
  const { orderId, userId, heldAt } = renewal
  if (fate === 'waits') return
  if ('dueAt' in fate) {
    await tx.run(sql`
      update renewals set due_at = ${fate.dueAt}, held_at = null, held_why = null where order_id = ${orderId}`)
  } else if ('held' in fate) {
    await tx.run(sql`
      update renewals set held_at = ${heldAt ?? now}, held_why = ${fate.held} where order_id = ${orderId}`)
    const goneAfter = triesUntil(now, renewal.duration)
    if (heldAt === null) enqueue(tx, { kind: 'renewal.held', userId, subjectId: orderId, goneAfter, now })
  } else if ('reason' in fate) {
    await tx.run(sql`
      update renewals set ended_at = ${now}, end_reason = ${fate.reason} where order_id = ${orderId}`)
  } else await writeBought(tx, renewal, fate.placed, now)
}

/** The next renewal of what repeats has the same limit. */
async function writeBought(tx: Transaction, renewal: Open, placed: Placed, now: Date): Promise<void> {
  const { orderId, userId, priceId, duration, priceMax, isRepeat } = renewal
  await tx.run(sql`
    update renewals set ended_at = ${now}, end_reason = 'bought', next_id = ${placed.orderId}
     where order_id = ${orderId}`)
  if (isRepeat)
    await tx.run(sql`
      insert into renewals (order_id, user_id, price_id, duration, quantity, max_paise, is_repeat, is_auto, due_at,
                            created_at)
      values (${placed.orderId}, ${userId}, ${priceId}, ${duration}, ${placed.wanted.quantity}, ${priceMax}, true, true,
              ${placed.expiresAt}, ${now})`)
  enqueue(tx, { kind: 'waiting.bought', userId, subjectId: placed.orderId, now })
}

/** Ended ones are kept this long, for the buyer's own data. One that became an order explains it. */
const ENDED_KEPT_MS = 90 * DAY_MS

export const renewalJobs = (services: Core): Job[] => [
  {
    name: 'renew',
    nextAfter: (now) => new Date(now.getTime() + MINUTE_MS),
    async run(now, signal) {
      const told = await tellDue(services.db, now)
      const due = await services.db.texts(sql`
        select order_id from renewals where ended_at is null and due_at <= ${now} order by due_at, order_id`)
      const faults: unknown[] = []
      let bought = 0
      for (const id of due) {
        if (signal.aborted) break
        const fate = await renew(services, id).catch((fault: unknown) => void faults.push(fault))
        if (typeof fate === 'object' && 'placed' in fate) bought += 1
      }
      const before = new Date(now.getTime() - ENDED_KEPT_MS)
      const forgotten = await services.db.run(sql`
        delete from renewals where ended_at < ${before} and next_id is null`)
      if (faults.length > 0) throw faults[0]
      return { told, due: due.length, bought, forgotten }
    },
  },
]
