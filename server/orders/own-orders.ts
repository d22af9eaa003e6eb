/** A buyer's own purchases, oldest first, as a program compares them with its books. */
import { Refusal } from '../../contract/errors.ts'
import type { OwnedKey } from '../../contract/keys.ts'
import { OWN_ORDERS_MAX } from '../../contract/limits.ts'
import { OwnOrder } from '../../contract/orders.ts'
import { listOwnKeys } from '../keys/my-keys.ts'
import { sql, type Queries } from '../platform/database/database.ts'
import type { Services } from '../platform/services.ts'

const COLUMNS = sql`id as _id, idempotency_key, product_id, duration, quantity, amount_paise as amount,
                    refunded_paise as refunded, created_at`

/** @param since ISO-8601; that moment is included */
export function listOwnOrders(
  db: Queries,
  userId: string,
  { since, limit = OWN_ORDERS_MAX }: { since?: string | undefined; limit?: number | undefined },
): Promise<OwnOrder[]> {
  const from = since === undefined ? sql`true` : sql`created_at >= ${new Date(since)}`
  return db.rows(sql(OwnOrder)`
    select ${COLUMNS} from orders where user_id = ${userId} and ${from} order by created_at, id limit ${limit}`)
}

/** One of them with all its keys, newest first. @throws Refusal NOT_FOUND */
export async function readOwnOrder(
  services: Services,
  { id, userId, now }: { id: string; userId: string; now: Date },
): Promise<OwnOrder & { keys: OwnedKey[] }> {
  const order = await services.db.maybe(
    sql(OwnOrder)`select ${COLUMNS} from orders where id = ${id} and user_id = ${userId}`,
  )
  if (!order) throw new Refusal('NOT_FOUND')
  const keys: OwnedKey[] = []
  for await (const key of listOwnKeys(services, userId, now, { orderId: id })) keys.push(key)
  return { ...order, keys }
}
