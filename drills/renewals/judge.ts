/** What cannot be after renewals were bought, ended and stopped. */
import * as z from 'zod/mini'
import { DAY_MS } from '../../contract/time.ts'
import { sql, type Database, type Sql } from '../../server/platform/database/database.ts'

export interface Notes {
  /** Each that was confirmed, and when the buyer asked for the renewal again. */
  stops: { orderId: string; madeAgainAt?: Date }[]
  /** By the order that renews: what one key may cost, in rupees, as the buyer last said, or may have said. */
  caps: Map<string, number[]>
}

export interface Judged {
  /** How many ended for what. */
  ends: Record<string, number>
  ended: number
  wrong: string[]
}

/** Longer than any is held, or waits for the word to its buyer. */
const OVERDUE_MS = 3 * DAY_MS

const Bought = z.object({ orderId: z.string(), nextId: z.string(), unitPaise: z.number(), at: z.date() })
type Bought = z.output<typeof Bought>

export async function judge(db: Database, notes: Notes, now: Date): Promise<Judged> {
  const reasons = await db.rows(sql(() => z.object({ reason: z.string(), times: z.number() }))`
    select end_reason as reason, count(*) as times from renewals where ended_at is not null group by 1 order by 1`)
  const bought = await db.rows(sql(() => Bought)`
    select renewal.order_id, next_id, unit_paise, next.created_at as at
      from renewals renewal join orders next on next.id = next_id`)
  const counted = await Promise.all(
    Object.entries(countsOf(now)).map(async ([what, statement]) => [await db.count(statement), what] as const),
  )
  const all = [
    ...counted,
    [aboveCap(bought, notes.caps), 'above the cap'] as const,
    [afterStop(bought, notes.stops), 'bought after a stop'] as const,
  ]
  return {
    ends: Object.fromEntries(reasons.map(({ reason, times }) => [reason, times])),
    ended: reasons.reduce((sum, { times }) => sum + times, 0),
    wrong: all.flatMap(([times, what]) => (times === 0 ? [] : [`${times} ${what}`])),
  }
}

const countsOf = (now: Date): Record<string, Sql> => ({
  'orders of no renewal': sql`
    select count(*) from orders
     where idempotency_key is null and not exists (select from renewals where next_id = orders.id)`,
  'overdue without an end': sql`
    select count(*) from renewals where ended_at is null and due_at <= ${new Date(now.getTime() - OVERDUE_MS)}`,
  'bought untold': sql`
    select count(*) from renewals renewal join orders next on next.id = next_id
      join users on users.id = renewal.user_id and deleted_at is null
     where is_repeat and not exists (
       select from outbox_messages message
        where kind = 'renewal.due' and subject_id = renewal.order_id and message.user_id = users.id
          and message.created_at <= next.created_at - interval '20 hours'
          and (message.created_at at time zone 'Asia/Kolkata')::time between '10:00' and '22:00')`,
  'bought before the end': sql`
    select count(*) from renewals renewal join orders next on next.id = next_id
     where exists (select from license_keys where order_id = renewal.order_id and expires_at > next.created_at)`,
  'keys or money that do not fit': sql`
    select count(*) from orders
     where quantity <> (select count(*) from license_keys where order_id = orders.id)
        or 1 <> (select count(*) from wallet_movements where order_id = orders.id and kind = 'purchase')`,
})

/** What the store goes on with has the cap of the renewal before it. */
function aboveCap(bought: readonly Bought[], caps: Notes['caps']): number {
  const before = new Map(bought.map(({ nextId, orderId }) => [nextId, orderId]))
  const capsOf = (orderId: string): readonly number[] => {
    const earlier = before.get(orderId)
    return caps.get(orderId) ?? (earlier === undefined ? [] : capsOf(earlier))
  }
  return bought.filter(({ orderId, unitPaise }) => unitPaise > 100 * Math.max(0, ...capsOf(orderId))).length
}

const afterStop = (bought: readonly Bought[], stops: Notes['stops']): number =>
  stops.filter(({ orderId, madeAgainAt }) => {
    const next = bought.find((each) => each.orderId === orderId)
    return next !== undefined && (madeAgainAt === undefined || next.at < madeAgainAt)
  }).length
