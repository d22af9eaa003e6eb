/** What the store keeps about a buyer's messages, for that buyer, and its end with the account. */
import * as z from 'zod/mini'
import { Moment } from '../../contract/fields.ts'
import { KIND_NAMES } from '../../contract/message-kinds.ts'
import { OwnChoice, SentMessage, type MyData } from '../../contract/privacy.ts'
import { sql, type Queries } from '../platform/database/database.ts'
import { forgetMessagesOfErased } from '../platform/outbox.ts'
import type { Sealer } from '../platform/secrets/sealing.ts'
import { openSubscription, SealedBrowser } from './channels/push.ts'

const BrowserRow = z.extend(SealedBrowser, {
  userAgent: z.string(),
  since: Moment,
  lastSentAt: z.nullable(Moment),
})

/** Sent messages of the last 30 days, newest first. The push address of a browser is known by its service. */
export async function readOwnMessages(db: Queries, sealer: Sealer, userId: string): Promise<MyData['messages']> {
  const known = sql`kind = any (${KIND_NAMES}::text[])`
  const [sent, choices, browsers] = await Promise.all([
    db.rows(sql(SentMessage)`
      select message.kind, delivery.channel, delivery.state, delivery.created_at, delivery.sent_at
        from outbox_messages message join outbox_deliveries delivery on delivery.message_id = message.id
       where message.user_id = ${userId} and message.${known}
       order by delivery.created_at desc, delivery.id`),
    db.rows(sql(OwnChoice)`
      select kind, channel, is_on as "on" from message_choices
       where owner_id = ${userId} and ${known} order by kind, channel`),
    db.rows(sql(BrowserRow)`
      select sealed, endpoint_hash, user_agent, created_at as since, last_ok_at as last_sent_at from push_subscriptions
       where user_id = ${userId} order by created_at desc, id`),
  ])
  return {
    sent,
    choices,
    browsers: browsers.map(({ sealed, endpointHash, ...row }) => ({
      service: new URL(openSubscription(sealer, { sealed, endpointHash }).endpoint).host,
      ...row,
    })),
  }
}

/** Deletes what an erased account wanted and got. Its browsers go with its sessions. @returns how many rows */
export async function forgetErased(db: Queries): Promise<number> {
  const choices = await db.run(sql`
    delete from message_choices where owner_id in (select id from users where deleted_at is not null)`)
  return Math.max(choices, await forgetMessagesOfErased(db))
}
