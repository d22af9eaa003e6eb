/** What the store keeps about a buyer's messages, for that buyer, and its end with the account. */
import * as z from 'zod/mini'
import { CHANNELS, KIND_NAMES } from '../../contract/message-kinds.ts'
import { DeliveryState } from '../../contract/messages.ts'
import type { MyData } from '../../contract/privacy.ts'
import { sql, type Queries } from '../platform/database/database.ts'
import { forgetMessagesOfErased } from '../platform/outbox.ts'
import type { Sealer } from '../platform/secrets/sealing.ts'
import { openSubscription } from './channels/push.ts'

const SentRow = z.object({
  kind: z.enum(KIND_NAMES),
  channel: z.enum(CHANNELS),
  state: DeliveryState,
  createdAt: z.date(),
  sentAt: z.nullable(z.date()),
})
const ChoiceRow = z.object({ kind: z.enum(KIND_NAMES), channel: z.enum(CHANNELS), on: z.boolean() })
const BrowserRow = z.object({ sealed: z.instanceof(Buffer), createdAt: z.date(), lastOkAt: z.nullable(z.date()) })

/** Sent messages of the last 30 days, newest first. The push address of a browser is known by its service. */
export async function readOwnMessages(db: Queries, sealer: Sealer, userId: string): Promise<MyData['messages']> {
  const known = sql`kind = any (${KIND_NAMES}::text[])`
  const [sent, choices, browsers] = await Promise.all([
    db.rows(
      SentRow,
      sql`
      select message.kind, delivery.channel, delivery.state, delivery.created_at as "createdAt",
             delivery.sent_at as "sentAt"
        from outbox_messages message join outbox_deliveries delivery on delivery.message_id = message.id
       where message.user_id = ${userId} and message.${known}
       order by delivery.created_at desc, delivery.id`,
    ),
    db.rows(
      ChoiceRow,
      sql`
      select kind, channel, is_on as "on" from message_choices
       where owner_id = ${userId} and ${known} order by kind, channel`,
    ),
    db.rows(
      BrowserRow,
      sql`
      select sealed, created_at as "createdAt", last_ok_at as "lastOkAt" from push_subscriptions
       where user_id = ${userId} order by created_at desc, id`,
    ),
  ])
  return {
    sent: sent.map(({ createdAt, sentAt, ...row }) => ({
      ...row,
      createdAt: createdAt.toISOString(),
      sentAt: sentAt?.toISOString() ?? null,
    })),
    choices,
    browsers: browsers.map(({ sealed, createdAt, lastOkAt }) => ({
      service: new URL(openSubscription(sealer, sealed).endpoint).host,
      since: createdAt.toISOString(),
      lastSentAt: lastOkAt?.toISOString() ?? null,
    })),
  }
}

/** Deletes what an erased account wanted and got. Its browsers go with its sessions. @returns how many rows */
export async function forgetErased(db: Queries): Promise<number> {
  const choices = await db.run(sql`
    delete from message_choices where owner_id in (select id from users where deleted_at is not null)`)
  return Math.max(choices, await forgetMessagesOfErased(db))
}
