/** All data that the store keeps about a buyer, for that buyer. */
import * as z from 'zod/mini'
import { paise, toRupees } from '../../contract/money.ts'
import type { MyData } from '../../contract/privacy.ts'
import { Refusal } from '../../contract/errors.ts'
import { listOwnMoney } from '../bank/credits/list-own-money.ts'
import { listOwnClaims } from '../claims/open-claim.ts'
import { listConsents } from '../consents/consents.ts'
import { listOwnKeys } from '../keys/my-keys.ts'
import { readOwnMessages } from '../messages/own-messages.ts'
import { listOwnTopUps } from '../payments/top-ups.ts'
import { literal, sql, type Database, type Queries, type Sql } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { readUser } from '../users/user-rows.ts'
import { listOwnPlaces } from '../waiting/places.ts'
import { readHistory } from '../wallet/read-history.ts'

/** Lists that grow with the years. They are sent while they are read; retention or hand bounds the rest. */
type Streamed = 'sessions' | 'purchases' | 'keys' | 'history'
type Answered = Omit<MyData, Streamed> & { [K in Streamed]: AsyncIterable<MyData[K][number]> }

/** @throws Refusal NO_SESSION for an account that was closed a moment ago */
export async function readMyData(services: Services, { user, now }: Call<'user'>): Promise<Answered> {
  const { db } = services
  const [account, deviceLockedAt, consents, topUps, bankMoney, claims, waiting, messages] = await Promise.all([
    readUser(db, user.id, now),
    readDeviceLock(db, user.id),
    listConsents(db, user.id),
    listOwnTopUps(db, user.id),
    listOwnMoney(services, user.id),
    listOwnClaims(db, user.id),
    listOwnPlaces(db, user.id, now),
    readOwnMessages(db, services.sealer, user.id),
  ])
  if (!account) throw new Refusal('NO_SESSION')
  return {
    exportedAt: now.toISOString(),
    account,
    deviceLockedAt,
    consents,
    sessions: listLogins(db, user.id),
    topUps,
    bankMoney,
    purchases: listOwnPurchases(db, user.id),
    keys: listOwnKeys(services, user.id, now),
    claims,
    waiting,
    history: readHistory(db, user.id, now, {}),
    messages,
  }
}

async function readDeviceLock(db: Queries, userId: string): Promise<string | null> {
  const row = await db.maybe(
    z.object({ lockedAt: z.nullable(z.date()) }),
    sql`select locked_at as "lockedAt" from users where id = ${userId}`,
  )
  return row?.lockedAt?.toISOString() ?? null
}

const PAGE_ROWS = 1_000

/** @param read takes the end of the statement: the condition, the order and the limit of the next page */
async function* inPages<Row extends { id: string; createdAt: Date }>(
  read: (page: Sql) => Promise<Row[]>,
): AsyncGenerator<Row> {
  let older = sql`true`
  for (;;) {
    const rows = await read(sql`${older} order by created_at desc, id desc limit ${literal(PAGE_ROWS)}`)
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < PAGE_ROWS) return
    older = sql`(created_at, id) < (${last.createdAt}::timestamptz, ${last.id}::uuid)`
  }
}

const LoginRow = z.object({
  id: z.string(),
  createdAt: z.date(),
  lastActiveAt: z.date(),
  endedAt: z.nullable(z.date()),
  endReason: z.nullable(z.string()),
  address: z.string(),
  userAgent: z.string(),
})

/** Newest first. */
async function* listLogins(db: Queries, userId: string): AsyncGenerator<MyData['sessions'][number]> {
  const logins = inPages((page) =>
    db.rows(
      LoginRow,
      sql`
      select id, created_at as "createdAt", last_active_at as "lastActiveAt", ended_at as "endedAt",
             end_reason as "endReason", address, user_agent as "userAgent"
        from user_sessions where user_id = ${userId} and ${page}`,
    ),
  )
  for await (const { id: _, createdAt, lastActiveAt, endedAt, ...login } of logins)
    yield {
      createdAt: createdAt.toISOString(),
      lastActiveAt: lastActiveAt.toISOString(),
      endedAt: endedAt?.toISOString() ?? null,
      ...login,
    }
}

const PurchaseRow = z.object({
  id: z.string(),
  productName: z.string(),
  duration: z.string(),
  quantity: z.number(),
  unit: z.number(),
  amount: z.number(),
  refunded: z.number(),
  createdAt: z.date(),
})

/** Newest first. */
async function* listOwnPurchases(db: Database, userId: string): AsyncGenerator<MyData['purchases'][number]> {
  const orders = inPages((page) =>
    db.rows(
      PurchaseRow,
      sql`
      select id, product_name as "productName", duration, quantity, unit_paise as unit, amount_paise as amount,
             refunded_paise as refunded, created_at as "createdAt"
        from orders where user_id = ${userId} and ${page}`,
    ),
  )
  for await (const { id, unit, amount, refunded, createdAt, ...order } of orders)
    yield {
      _id: id,
      ...order,
      unitPrice: toRupees(paise(unit)),
      amount: toRupees(paise(amount)),
      refunded: toRupees(paise(refunded)),
      createdAt: createdAt.toISOString(),
    }
}
