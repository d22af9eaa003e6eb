/** What reminders say (server/reminders/). */
import * as z from 'zod/mini'
import { sql } from '../../platform/database/database.ts'
import { keyPath } from './key-path.ts'
import { formatPaise } from '../../../contract/money.ts'
import type { Tell } from './wording.ts'

export const moment = new Intl.DateTimeFormat('en-IN', {
  timeZone: 'Asia/Kolkata',
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
  hour12: true,
})

const EXPIRED = { gone: 'It has expired' }

const tellLapsing: Tell = async ({ kind, data, goneAfter }, { now }) => {
  if (!goneAfter || goneAfter <= now) return EXPIRED
  return {
    title: `${formatPaise(Number(data['amount']))} in your wallet expires soon`,
    body: `Use it till ${moment.format(goneAfter)}. Keys you buy with it stay yours.`,
    path: '/buy',
    tag: kind,
  }
}

const tellEnding: Tell = async ({ kind, subjectId, data, goneAfter }, { db, now }) => {
  if (!goneAfter || goneAfter <= now) return EXPIRED
  const order = await db.maybe(
    z.object({ name: z.string(), duration: z.string(), isRenewed: z.boolean() }),
    sql`
    select product_name as name, duration,
           exists (select from orders newer where newer.user_id = orders.user_id and newer.price_id = orders.price_id
                                              and newer.created_at > orders.created_at) as is_renewed
      from orders where id = ${subjectId}`,
  )
  const count = Number(data['count'])
  const ends = moment.format(goneAfter)
  if (!order || (order.isRenewed && count === 1)) return { gone: 'A newer key was bought' }
  const name = `${order.name} (${order.duration})`
  return {
    title: count === 1 ? `${name} expires soon` : `${count} of your purchases expire soon`,
    body: `${count === 1 ? 'It' : `The first, ${name},`} expires on ${ends}. A new key starts when you buy it.`,
    path: count === 1 ? await keyPath(db, subjectId) : '/my-key?show=expiring',
    tag: kind,
  }
}

export const reminderWords = { 'key.ending': tellEnding, 'credit.lapsing': tellLapsing }
