/** Tells buyers of keys that keep renewing, a day before each purchase. */
import * as z from 'zod/mini'
import { isDaytime } from '../../contract/india.ts'
import { HOUR_MS } from '../../contract/time.ts'
import { isForSaleAgain, mayAct } from '../platform/database/conditions.ts'
import { sql, type Database, type Sql } from '../platform/database/database.ts'
import { enqueue } from '../platform/outbox.ts'
import { boughtFrom } from './own-renewals.ts'

/** The message goes out from this long before the end on. With 24 hours a key that ends at 10 am left no minute. */
const AHEAD_MS = 36 * HOUR_MS

/** True for a buyer whom a message reaches that nobody can turn off. @param user names a row of `users` */
export const canBeTold = (user: Sql): Sql => sql`exists (
  select from channels
   where is_on and (name = 'email' and ${user}.email_proven_at is not null
                    or name = 'push' and exists (
                       select from push_subscriptions push
                         join user_sessions session on session.token_hash = push.user_session
                        where push.user_id = ${user}.id and push.ended_at is null and session.ended_at is null)))`

const Told = z.object({ orderId: z.string(), userId: z.string(), dueAt: z.date() })

/** @returns how many messages were written */
export function tellDue(db: Database, now: Date): Promise<number> {
  if (!isDaytime(now)) return Promise.resolve(0)
  return db.transaction(async (tx) => {
    const told = await tx.rows(sql(Told)`
      with next as (
        select renewal.order_id from renewals renewal join users buyer on buyer.id = renewal.user_id
         where renewal.ended_at is null and renewal.is_repeat and renewal.told_at is null
           and renewal.due_at <= ${new Date(now.getTime() + AHEAD_MS)} and ${mayAct(sql`buyer`)}
           and ${canBeTold(sql`buyer`)} and ${isForSaleAgain}
           for update of renewal skip locked
      )
      update renewals renewal set told_at = ${now} from next where renewal.order_id = next.order_id
      returning renewal.order_id, renewal.user_id, renewal.due_at`)
    for (const { orderId, userId, dueAt } of told) {
      const goneAfter = boughtFrom({ dueAt, isRepeat: true, toldAt: now }, now)
      enqueue(tx, { kind: 'renewal.due', userId, subjectId: orderId, goneAfter, now })
    }
    return told.length
  })
}
