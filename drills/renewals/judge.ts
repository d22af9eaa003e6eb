/** What cannot be after renewals were bought, ended and stopped. */
import * as z from 'zod/mini'
import { timeOfDayMs } from '../../contract/india.ts'
import { DAY_MS, HOUR_MS } from '../../contract/time.ts'
import { sql, type Database, type Sql } from '../../server/platform/database/database.ts'

export interface Notes {
  /** Each that was confirmed, and when the buyer asked for the renewal again. */
  stops: { orderId: string; madeAgainAt?: Date }[]
  /** By the order that renews: what one key may cost, in rupees, as the buyer last said or saw, or may have said. */
  caps: Map<string, number[]>
  /** By the order that renews: when messages about it were written. The store forgets them after a month. */
  told: Map<string, Date[]>
}

export async function noteTold(db: Database, { told }: Notes): Promise<void> {
  const rows = await db.rows(sql(() => z.object({ orderId: z.string(), at: z.date() }))`
    select subject_id as order_id, created_at as at from outbox_messages where kind = 'renewal.due'`)
  for (const { orderId, at } of rows) {
    const known = told.get(orderId) ?? []
    if (!known.some((each) => each.getTime() === at.getTime())) told.set(orderId, [...known, at])
  }
}

export interface Judged {
  /** How many ended for what. */
  ends: Record<string, number>
  ended: number
  wrong: string[]
}

/** Longer than any is held, or waits for the word to its buyer. */
const OVERDUE_MS = 3 * DAY_MS

const Bought = z.object({
  orderId: z.string(),
  nextId: z.string(),
  unitPaise: z.number(),
  at: z.date(),
  isRepeat: z.boolean(),
})
type Bought = z.output<typeof Bought>

export async function judge(db: Database, notes: Notes, now: Date): Promise<Judged> {
  const reasons = await db.rows(sql(() => z.object({ reason: z.string(), times: z.number() }))`
    select end_reason as reason, count(*) as times from renewals where ended_at is not null group by 1 order by 1`)
  const bought = await db.rows(sql(() => Bought)`
    select renewal.order_id, next_id, unit_paise, next.created_at as at, is_repeat
      from renewals renewal join orders next on next.id = next_id`)
  const counted = await Promise.all(
    Object.entries(countsOf(now)).map(async ([what, statement]) => [await db.count(statement), what] as const),
  )
  const all = [
    ...counted,
    [bought.filter((each) => each.isRepeat && !wasTold(each, notes.told)).length, 'bought untold'] as const,
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
  'bought before the end': sql`
    select count(*) from renewals renewal join orders next on next.id = next_id
     where exists (select from license_keys where order_id = renewal.order_id and expires_at > next.created_at)`,
  'keys or money that do not fit': sql`
    with sold as (select order_id, count(*) as keys from license_keys group by order_id),
         paid as (select order_id, count(*) as times from wallet_movements where kind = 'purchase' group by order_id)
    select count(*)
      from orders left join sold on sold.order_id = orders.id left join paid on paid.order_id = orders.id
     where quantity is distinct from keys or times is distinct from 1`,
})

/** By day, and 20 hours before. */
function wasTold({ orderId, at }: Bought, told: Notes['told']): boolean {
  return (told.get(orderId) ?? []).some((word) => {
    const ofDay = timeOfDayMs(word)
    return word.getTime() <= at.getTime() - 20 * HOUR_MS && ofDay >= 10 * HOUR_MS && ofDay < 22 * HOUR_MS
  })
}

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
