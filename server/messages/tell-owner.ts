/**
 * Tells owners of the day at 21:00 in India, and of sales by day, if they ask for it. Tells admins once more of top-ups
 * that wait for longer than usual in this store.
 */
import * as z from 'zod/mini'
import { dayOf, startOfDay } from '../../contract/india.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../contract/time.ts'
import { isListed, placedBefore, placedSince } from '../platform/database/conditions.ts'
import { sql, type Database } from '../platform/database/database.ts'
import type { Job } from '../platform/jobs.ts'
import { enqueue } from '../platform/outbox.ts'
import type { Services } from '../platform/services.ts'
import { readApprovalMinutes } from '../settings/payment-facts.ts'
import { afterQuiet } from './spread.ts'

const SUMMARY_MS = 21 * HOUR_MS
/** Sales of this time share a message. The first one after it gets a message at once. */
const GATHER_MS = 10 * MINUTE_MS
/** Sales of a quiet night wait for the morning. Older ones are not news. */
const NEWS_MS = 12 * HOUR_MS
/** A purchase shows when it is committed, a moment after its time. */
const COMMITTED_MS = 5_000
/** Sooner nobody is reminded, however quickly the admins decide. */
const WAIT_MS_MIN = 15 * MINUTE_MS
/** Where too few were decided to say what is usual. Those that become late within this time share a message. */
const WAIT_MS = HOUR_MS

export const ownerJobs = ({ db }: Pick<Services, 'db'>): Job[] => [
  { name: 'day-summary', nextAfter: nextEvening, run: (now) => tellDay(db, now) },
  { name: 'tell-sales', nextAfter: (now) => new Date(now.getTime() + MINUTE_MS), run: (now) => tellSales(db, now) },
  { name: 'tell-waiting-top-ups', nextAfter: (now) => after(now, 5 * MINUTE_MS), run: (now) => tellWaiting(db, now) },
]

const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms)

function nextEvening(now: Date): Date {
  const today = after(startOfDay(now), SUMMARY_MS)
  return today > now ? today : after(today, DAY_MS)
}

/** A store that was off in the evening says nothing on the next day. */
export async function tellDay(db: Database, now: Date): Promise<{ told: boolean }> {
  const day = startOfDay(now)
  const told = now >= after(day, SUMMARY_MS)
  if (told)
    await db.transaction(async (tx) => {
      enqueue(tx, { kind: 'day.summary', dedupe: `day.summary:${dayOf(now)}`, goneAfter: after(day, DAY_MS), now })
    })
  return { told }
}

const Last = z.object({ createdAt: z.date(), until: z.date() })

/** Reads the sales since the message before, because a purchase writes no message of its own. */
export function tellSales(db: Database, now: Date): Promise<{ sales: number }> {
  return db.transaction(async (tx) => {
    const isWanted = await tx.holds(sql`
      select exists (select from message_choices where kind = 'sale.placed' and is_on)`)
    if (!isWanted || afterQuiet(now)) return { sales: 0 }
    const last = await tx.maybe(sql(Last)`
      select created_at, (data ->> 'until')::timestamptz as until from outbox_messages
       where kind = 'sale.placed' order by created_at desc limit 1`)
    if (last && after(last.createdAt, GATHER_MS) > now) return { sales: 0 }
    const until = after(now, -COMMITTED_MS)
    const since = last?.until ?? after(until, -GATHER_MS)
    const from = new Date(Math.max(since.getTime(), now.getTime() - NEWS_MS))
    const sales = await tx.count(sql`
      select count(*) from orders
       where created_at > ${from} and created_at <= ${until} and ${placedSince(from)} and ${placedBefore(until)}`)
    if (sales > 0) {
      const data = { from: from.toISOString(), until: until.toISOString() }
      enqueue(tx, { kind: 'sale.placed', data, dedupe: `sale.placed:${data.from}`, now })
    }
    return { sales }
  })
}

const Waiting = z.object({ count: z.number(), sum: z.number() })

/** Tells of each once, and never at night. */
export async function tellWaiting(db: Database, now: Date): Promise<{ waiting: number }> {
  if (afterQuiet(now)) return { waiting: 0 }
  const minutes = await readApprovalMinutes(db)
  const until = after(now, minutes === undefined ? -WAIT_MS : -Math.max(minutes * MINUTE_MS, WAIT_MS_MIN))
  return db.transaction(async (tx) => {
    const last = await tx.maybe(sql(Last)`
      select created_at, (data ->> 'until')::timestamptz as until from outbox_messages
       where kind = 'topup.requested' and data ? 'until' order by created_at desc limit 1`)
    if (last && after(last.createdAt, WAIT_MS) > now) return { waiting: 0 }
    const { count, sum } = await tx.one(sql(Waiting)`
      select count(*) as count, coalesce(sum(amount_paise), 0)::bigint as sum from topup_requests
       where status = 'pending' and created_at <= ${until} and created_at > ${last?.until ?? after(now, -DAY_MS)}
         and ${isListed(sql`topup_requests.id`)}`)
    const data = { count, sum, until: until.toISOString() }
    const dedupe = `topup.requested:${last?.until.toISOString() ?? ''}`
    if (count > 0) enqueue(tx, { kind: 'topup.requested', data, dedupe, goneAfter: after(now, WAIT_MS), now })
    return { waiting: count }
  })
}
