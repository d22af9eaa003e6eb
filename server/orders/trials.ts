/**
 * A trial is sold once to a person. A person's accounts have a phone number, a payer at a bank or a browser in common
 * (0085).
 *
 * Fifty of them could pass the look at one moment, each under a wallet of its own. So the look holds a lock of the
 * trial, and one transaction sells one key of it.
 */
import * as z from 'zod/mini'
import { columns, sql, type Transaction } from '../platform/database/database.ts'
import type { Offer, Wanted } from './decide-orders.ts'
import { isBeyond, type Trial } from './limits.ts'

const Locked = z.object({ priceId: z.string(), isLocked: z.boolean() })
const Look = z.object({ ordinal: z.number(), hasPaid: z.boolean(), wasHad: z.boolean() })

/**
 * Looks whether the buyers may have the trials that they ask for, under the locks of these trials.
 * @param wait true to wait for locks that others hold
 * @returns nothing for orders of other durations
 */
export async function lookAtTrials(
  tx: Transaction,
  asked: readonly { each: Wanted; offer: Offer | 'closed' | undefined }[],
  { wait }: { wait: boolean },
): Promise<Map<Wanted, Trial>> {
  const trials = new Map<Wanted, Trial>()
  /** The first order of each trial: the others would not see it before the commit. */
  const first = new Map<string, Wanted>()
  for (const { each, offer } of asked) {
    if (!offer || offer === 'closed' || !offer.limit?.isTrial || isBeyond(offer, each)) continue
    if (first.has(offer.priceId)) trials.set(each, 'contended')
    else first.set(offer.priceId, each)
  }
  if (first.size === 0) return trials
  const lock = wait ? sql`pg_advisory_xact_lock(key) is not null` : sql`pg_try_advisory_xact_lock(key)`
  const locked = await tx.rows(sql(Locked)`
    select price_id, ${lock} as is_locked
      from (select id as price_id, hashtextextended('trial ' || id, 0) as key
              from unnest(${[...first.keys()]}::uuid[]) as id order by id) trial`)
  const held = new Set(locked.flatMap(({ priceId, isLocked }) => (isLocked ? [priceId] : [])))
  const wants = [...first].map(([priceId, { buyerId: userId }], ordinal) => ({ ordinal, priceId, userId }))
  const looks = await tx.rows(sql(Look)`
    select want.ordinal,
           exists (select from topup_requests where user_id = want.user_id and status = 'approved') as has_paid,
           exists (select from accounts_of_same_person(want.user_id) person
                     join orders on orders.user_id = person.user_id and orders.price_id = want.price_id) as was_had
      from ${columns(wants, 'ordinal int, price_id uuid, user_id uuid')} as want`)
  for (const { ordinal, hasPaid, wasHad } of looks) {
    const [priceId, each] = [...first][ordinal] ?? []
    if (each && priceId)
      trials.set(each, !held.has(priceId) ? 'contended' : wasHad ? 'had' : hasPaid ? 'free' : 'unpaid')
  }
  return trials
}
