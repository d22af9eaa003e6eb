/**
 * Buys what buyers wished for, after the commit that decided their top-up. A wish becomes one order, or ends for one
 * reason. The job does what a dying node left undone.
 */
import * as z from 'zod/mini'
import { WISH_LASTS_MS } from '../../contract/limits.ts'
import { paise } from '../../contract/money.ts'
import type { WishReason } from '../../contract/orders.ts'
import { DAY_MS, MINUTE_MS } from '../../contract/time.ts'
import { isListed, isStillOffered, mayAct } from '../platform/database/conditions.ts'
import { sql, type Database, type Transaction } from '../platform/database/database.ts'
import type { Job } from '../platform/jobs.ts'
import { enqueue } from '../platform/outbox.ts'
import type { Services } from '../platform/services.ts'
import { lockWallet } from '../wallet/ledger.ts'
import { REFUSED_BECAUSE } from './decide-orders.ts'
import { placeAll } from './place-all.ts'

type Core = Pick<Services, 'db' | 'clock' | 'events'>

const Open = z.object({
  userId: z.string(),
  productId: z.string(),
  duration: z.string(),
  quantity: z.number(),
  priceMax: z.number(),
  createdAt: z.date(),
  status: z.string(),
  isStillOffered: z.boolean(),
  isListed: z.boolean(),
  isOpen: z.boolean(),
})
type Open = z.output<typeof Open>

/** The buyer hears of these from here alone. */
const TOLD: ReadonlySet<WishReason> = new Set(['not-for-sale', 'price', 'limit', 'stock', 'money', 'expired'])

/** Ends the wish of a request that is decided, removed or too old. Any other stays. */
export async function settleWish({ db, clock, events }: Core, topUpId: string): Promise<void> {
  const settled = await db.transaction((tx) => settle(tx, topUpId, clock.now()))
  if (!settled) return
  const { userId, productId, isBought } = settled
  if (isBought) {
    events.publish({ to: { user: userId }, name: 'balance' })
    events.publish({ to: 'everyone', name: 'stock', data: { productId } })
  }
  for (const to of [{ user: userId }, 'admins'] as const) events.publish({ to, name: 'payment', data: { id: topUpId } })
}

interface Settled {
  userId: string
  productId: string
  isBought: boolean
}

async function settle(tx: Transaction, topUpId: string, now: Date): Promise<Settled | undefined> {
  const buyerId = await tx.text(sql`select user_id from order_wishes where topup_id = ${topUpId} and ended_at is null`)
  if (!buyerId) return undefined
  await lockWallet(tx, buyerId, now)
  const wish = await tx.maybe(sql(Open)`
    select wish.user_id, price.product_id, price.duration, ${isStillOffered(sql`wish`)} as is_still_offered,
           wish.quantity, wish.expected_paise as price_max, wish.created_at, request.status,
           ${isListed(sql`request.id`)} as is_listed, ${mayAct(sql`buyer`)} as is_open
      from order_wishes wish
      join topup_requests request on request.id = wish.topup_id
      join prices price on price.id = wish.price_id
      join users buyer on buyer.id = wish.user_id
     where wish.topup_id = ${topUpId} and wish.ended_at is null
       for update of wish`)
  const end = wish && (await endOf(tx, wish, now))
  if (!wish || !end) return undefined
  const { userId, productId } = wish
  const [reason, orderId] = 'orderId' in end ? (['bought', end.orderId] as const) : ([end.reason, null] as const)
  await tx.run(sql`
    update order_wishes set ended_at = ${now}, end_reason = ${reason}, order_id = ${orderId}
     where topup_id = ${topUpId}`)
  if (reason === 'bought') enqueue(tx, { kind: 'waiting.bought', userId, subjectId: orderId, now })
  else if (TOLD.has(reason)) enqueue(tx, { kind: 'wish.ended', userId, subjectId: topUpId, now })
  return { userId, productId, isBought: orderId !== null }
}

async function endOf(
  tx: Transaction,
  wish: Open,
  now: Date,
): Promise<{ orderId: string } | { reason: WishReason } | undefined> {
  const { userId, productId, duration, quantity, priceMax, createdAt, status } = wish
  if (!wish.isOpen) return { reason: 'account' }
  if (status === 'rejected' || (status === 'pending' && !wish.isListed)) return { reason: 'rejected' }
  if (createdAt.getTime() <= now.getTime() - WISH_LASTS_MS) return { reason: 'expired' }
  if (status === 'pending') return undefined
  if (!wish.isStillOffered) return { reason: 'not-for-sale' }
  const wanted = { buyerId: userId, productId, duration, quantity, priceMax: paise(priceMax), idempotency: undefined }
  const [outcome] = await placeAll(tx, [wanted], now)
  if (outcome && 'orderId' in outcome) return { orderId: outcome.orderId }
  const reason = outcome && 'code' in outcome ? REFUSED_BECAUSE[outcome.code] : undefined
  if (!reason) throw new Error('A wish came to an end that has no reason')
  return { reason }
}

/** Settles the wishes of one moment, after their commit. The job repeats what fails here, or reports it. */
export async function settleWishes(services: Core, topUpIds: readonly string[]): Promise<void> {
  for (const id of topUpIds) await settleWish(services, id).catch(() => undefined)
}

/** Ended wishes are kept this long, for the buyer's own data. One that became an order explains it. */
const ENDED_KEPT_MS = 90 * DAY_MS

export const wishJobs = (services: Core): Job[] => [
  {
    name: 'buy-wishes',
    nextAfter: (now) => new Date(now.getTime() + MINUTE_MS),
    async run(now) {
      const ids = await findDue(services.db, now)
      const faults: unknown[] = []
      for (const id of ids) await settleWish(services, id).catch((fault: unknown) => faults.push(fault))
      if (faults.length > 0) throw faults[0]
      const before = new Date(now.getTime() - ENDED_KEPT_MS)
      const forgotten = await services.db.run(sql`
        delete from order_wishes where ended_at < ${before} and order_id is null`)
      return { settled: ids.length, forgotten }
    },
  },
]

function findDue(db: Database, now: Date): Promise<string[]> {
  return db.texts(sql`
    select request.id
      from order_wishes wish join topup_requests request on request.id = wish.topup_id
     where wish.ended_at is null
       and (request.status <> 'pending' or wish.created_at <= ${new Date(now.getTime() - WISH_LASTS_MS)}
            or not ${isListed(sql`request.id`)})`)
}
