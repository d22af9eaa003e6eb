/** What was sent to whom, for admins. An address is never in it. */
import * as z from 'zod/mini'
import { KIND_NAMES } from '../../contract/message-kinds.ts'
import { Delivery, type messages } from '../../contract/messages.ts'
import { allOf, literal, planned, sql, type Queries } from '../platform/database/database.ts'
import { contains } from '../platform/database/search.ts'

type Search = z.output<(typeof messages)['log']['input']>

const PAGE_SIZE = 50

const LISTED = sql`
  from outbox_deliveries delivery
  join outbox_messages message on message.id = delivery.message_id
  left join push_subscriptions push on delivery.channel = 'push' and push.id::text = delivery.target
  left join telegram_links link on delivery.channel = 'telegram' and link.id::text = delivery.target
  left join users on users.id = message.user_id
  left join admins on admins.id = coalesce(push.admin_id, link.admin_id)`
const NAME = sql`coalesce(users.username, admins.username, '')`

export async function listDeliveries(
  db: Queries,
  { limit = PAGE_SIZE, skip = 0, search, state, channel }: Search,
): Promise<{ deliveries: Delivery[]; total: number }> {
  const where = allOf([
    sql`message.kind = any (${KIND_NAMES}::text[])`,
    ...(state ? [sql`delivery.state = ${state}`] : []),
    ...(channel ? [sql`delivery.channel = ${channel}`] : []),
    ...(search ? [contains(sql`lower(${NAME})`, search)] : []),
  ])
  const deadFirst = state ? sql`` : sql`delivery.state = 'dead' desc,`
  const deliveries = await db.rows(
    planned(sql(Delivery)`
    select delivery.id as _id, message.kind, delivery.channel, ${NAME} as to, delivery.state, delivery.attempts,
           delivery.created_at, delivery.sent_at, delivery.status, delivery.error
      ${LISTED} where ${where}
     order by ${deadFirst} delivery.created_at desc, delivery.id desc
     limit ${literal(limit)} offset ${skip}`),
  )
  const total = await db.count(sql`select count(*) ${LISTED} where ${where}`)
  return { deliveries, total }
}
