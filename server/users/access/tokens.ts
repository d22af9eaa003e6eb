/** The tokens of resellers' programs, of which only a hash is kept. A row stays, because orders name it. */
import * as z from 'zod/mini'
import { ApiToken, KeptToken } from '../../../contract/tokens.ts'
import { sql, type Queries, type Transaction } from '../../platform/database/database.ts'
import { mayAct } from '../../platform/database/conditions.ts'

const FoundToken = z.object({
  ordinal: z.number(),
  id: z.string(),
  userId: z.string(),
  username: z.string(),
  canBuy: z.boolean(),
  addresses: z.array(z.string()),
  expiresAt: z.date(),
  lastUsedAt: z.nullable(z.date()),
})
type FoundToken = Omit<z.output<typeof FoundToken>, 'ordinal'>

/** @returns for each hash the open token of a reseller who may act, expired or not */
export async function findTokens(db: Queries, hashes: readonly Buffer[]): Promise<(FoundToken | undefined)[]> {
  const rows = await db.rows(sql(FoundToken)`
    select wanted.ordinal, token.id, token.user_id, users.username, token.can_buy, token.addresses, token.expires_at,
           token.last_used_at
      from unnest(${hashes}::bytea[]) with ordinality as wanted (hash, ordinal)
      join api_tokens token on token.hash = wanted.hash and token.ended_at is null
      join users on users.id = token.user_id and users.is_reseller and ${mayAct(sql`users`)}`)
  const found = Array<FoundToken | undefined>(hashes.length).fill(undefined)
  for (const { ordinal, ...token } of rows) found[ordinal - 1] = token
  return found
}

/** Records that programs have used these tokens. Skips locked rows, because another call is writing them. */
export async function noteUsed(db: Queries, ids: readonly string[], now: Date): Promise<void> {
  await db.run(sql`
    with free as (
      select id from api_tokens where id = any(${ids}::uuid[]) and ended_at is null for update skip locked
    )
    update api_tokens set last_used_at = ${now} from free where api_tokens.id = free.id`)
}

/** A new token. The account must be locked in this transaction. */
export async function insertToken(
  tx: Transaction,
  token: Omit<FoundToken, 'username' | 'lastUsedAt'> & { name: string; hash: Buffer; now: Date },
): Promise<void> {
  const { id, userId, name, hash, canBuy, addresses, expiresAt, now } = token
  await tx.run(sql`
    insert into api_tokens (id, user_id, name, hash, can_buy, addresses, expires_at, created_at)
    values (${id}, ${userId}, ${name}, ${hash}, ${canBuy}, ${addresses}::text[], ${expiresAt}, ${now})`)
}

export async function countTokens(tx: Transaction, userId: string, now: Date): Promise<number> {
  const { count } = await tx.one(sql(() => z.object({ count: z.number() }))`
    select count(*) as count from api_tokens
     where user_id = ${userId} and ended_at is null and expires_at > ${now}`)
  return count
}

/** Those that were not ended, newest first. */
export const listTokens = (db: Queries, userId: string): Promise<ApiToken[]> =>
  db.rows(sql(ApiToken)`
    select id as _id, name, can_buy, addresses, expires_at, last_used_at, created_at
      from api_tokens where user_id = ${userId} and ended_at is null order by created_at desc, id desc`)

/** All that is kept of a buyer's tokens, for that buyer. */
export const listKeptTokens = (db: Queries, userId: string): Promise<z.output<typeof KeptToken>[]> =>
  db.rows(sql(KeptToken)`
    select name, can_buy, addresses, expires_at, last_used_at, created_at, ended_at
      from api_tokens where user_id = ${userId} order by created_at desc, id desc`)

/** Ends one. @returns false if the user has no such open token */
export const endTokenById = async (tx: Transaction, id: string, userId: string, now: Date): Promise<boolean> =>
  (await tx.run(sql`
    update api_tokens set ended_at = ${now} where id = ${id} and user_id = ${userId} and ended_at is null`)) > 0

/** Ends all of a user. @returns how many were open */
export const endTokens = (tx: Transaction, userId: string, now: Date): Promise<number> =>
  tx.run(sql`update api_tokens set ended_at = ${now} where user_id = ${userId} and ended_at is null`)

/** Ends every token of everybody, because a restored one may have been ended since. */
export async function endEveryToken(tx: Transaction, now: Date): Promise<void> {
  await tx.run(sql`update api_tokens set ended_at = ${now} where ended_at is null`)
}

const FORGOTTEN = sql`name = '', addresses = '{}', last_used_at = null`
const IS_KEPT = sql`(name <> '' or addresses <> '{}' or last_used_at is not null)`

/** Forgets what its user called an ended token, and where and when it was used. */
export async function eraseTokens(tx: Transaction, userId: string): Promise<void> {
  await tx.run(sql`update api_tokens set ${FORGOTTEN} where user_id = ${userId} and ended_at is not null`)
}

/** Does the same to all that ended, or expired, before a moment. @returns how many */
export const forgetTokens = (db: Queries, before: Date): Promise<number> =>
  db.run(sql`
    update api_tokens set ended_at = coalesce(ended_at, expires_at), ${FORGOTTEN}
     where coalesce(ended_at, expires_at) < ${before} and ${IS_KEPT}`)
