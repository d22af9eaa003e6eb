import * as z from 'zod/mini'
import type { Claim, claims } from '../../contract/claims.ts'
import { dayAfter, startOf } from '../../contract/india.ts'
import { CLAIMS_PAGE_SIZE } from '../../contract/limits.ts'
import { allOf, literal, planned, sql, type Database, type Sql } from '../platform/database/database.ts'
import { anyOf, contains, keep, keyOf } from '../platform/database/search.ts'
import { readClaims } from './claim-rows.ts'

type Search = z.output<(typeof claims.list)['input']>

/** Lists a page of claims: open ones oldest first, because they wait, and all others newest first. */
export async function listClaims(db: Database, search: Search): Promise<{ claims: Claim[]; total: number }> {
  const { limit = CLAIMS_PAGE_SIZE, skip = 0 } = search
  const which = conditionsOf(search)
  const order = search.status === 'open' ? sql`claim.created_at, claim.id` : sql`claim.created_at desc, claim.id desc`
  const count = sql(() =>
    z.object({ total: z.number() }),
  )`select count(*) as total from key_claims claim where ${which}`
  const [found, total] = await Promise.all([
    readClaims(db, sql`where ${which} order by ${order} limit ${literal(limit)} offset ${skip}`, order),
    keep(db, keyOf(count), async () => {
      const { total } = await db.one(planned(count))
      return { value: total, rows: total }
    }),
  ])
  return { claims: found, total }
}

function conditionsOf({ status, reason, productId, batchId, keyId, orderId, userId, search, from, to }: Search): Sql {
  const all: Sql[] = []
  // Written out, so that the planner finds the index of open claims
  if (status === 'open') all.push(sql`claim.status = 'open'`)
  else if (status) all.push(sql`claim.status = ${status}`)
  if (reason) all.push(sql`claim.reason = ${reason}`)
  if (batchId) all.push(sql`claim.batch_id = ${batchId}`)
  if (keyId) all.push(sql`claim.key_id = ${keyId}`)
  if (orderId) all.push(sql`claim.order_id = ${orderId}`)
  if (userId) all.push(sql`claim.user_id = ${userId}`)
  if (from) all.push(sql`claim.decided_at >= ${startOf(from)}`)
  if (to) all.push(sql`claim.decided_at < ${startOf(dayAfter(to, 1))}`)
  if (productId)
    all.push(sql`exists (select from orders where orders.id = claim.order_id and orders.product_id = ${productId})`)
  if (search) all.push(isMeant(search))
  return allOf(all)
}

/** Matches the number, with or without its letter, or a part of the buyer's name. */
function isMeant(search: string): Sql {
  const isBuyer = sql`claim.user_id in (select id from users where ${contains(sql`lower(username)`, search)})`
  const digits = /^(?:c-?)?(\d{1,15})$/i.exec(search)?.[1]
  return digits === undefined ? isBuyer : sql`(${anyOf([sql`claim.number = ${Number(digits)}`, isBuyer])})`
}
