/** What reminders say (server/reminders/). */
import * as z from 'zod/mini'
import { sql, type Queries } from '../../platform/database/database.ts'
import type { OutboxMessage } from '../../platform/outbox.ts'
import { keyPath } from './key-path.ts'
import { rupees } from './topup-words.ts'
import type { Words } from './wording.ts'

export type ReminderKind = 'key.ending' | 'credit.lapsing'

export const moment = new Intl.DateTimeFormat('en-IN', {
  timeZone: 'Asia/Kolkata',
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
  hour12: true,
})

/** @returns undefined for a message of another kind, or why nobody needs it any more */
export async function reminderWords(
  db: Queries,
  { kind, subjectId, data, goneAfter }: OutboxMessage,
  now: Date,
): Promise<Words | { gone: string } | undefined> {
  if (kind !== 'key.ending' && kind !== 'credit.lapsing') return undefined
  if (!goneAfter || goneAfter <= now) return { gone: 'It has expired' }
  const ends = moment.format(goneAfter)
  if (kind === 'credit.lapsing')
    return {
      title: `${rupees(Number(data['amount']))} in your wallet expires soon`,
      body: `Use it till ${ends}. Keys you buy with it stay yours.`,
      path: '/buy',
      tag: kind,
    }
  const order = await db.maybe(
    z.object({ name: z.string(), duration: z.string(), isRenewed: z.boolean() }),
    sql`
    select product_name as name, duration,
           exists (select from orders newer where newer.user_id = orders.user_id and newer.price_id = orders.price_id
                                              and newer.created_at > orders.created_at) as "isRenewed"
      from orders where id = ${subjectId}`,
  )
  const count = Number(data['count'])
  if (!order || (order.isRenewed && count === 1)) return { gone: 'A newer key was bought' }
  const name = `${order.name} (${order.duration})`
  return {
    title: count === 1 ? `${name} expires soon` : `${count} of your purchases expire soon`,
    body: `${count === 1 ? 'It' : `The first, ${name},`} expires on ${ends}. A new key starts when you buy it.`,
    path: count === 1 ? await keyPath(db, subjectId) : '/my-key?show=expiring',
    tag: kind,
  }
}
