/** A reseller's tokens: makes, lists and ends them. And what a program may ask about its own. */
import type * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { OPEN_TOKENS_MAX } from '../../contract/limits.ts'
import { DAY_MS } from '../../contract/time.ts'
import type { ApiToken, tokens } from '../../contract/tokens.ts'
import { audit } from '../audit/audit.ts'
import { sql, type Database, type Queries } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import { TOKEN_PREFIX } from '../platform/http/requests.ts'
import { hashToken, newId, newToken } from '../platform/ids.ts'
import { enqueue } from '../platform/outbox.ts'
import type { Services } from '../platform/services.ts'
import { readSiteName } from '../settings/site-name.ts'
import { countTokens, endTokenById, insertToken, listTokens } from '../users/access/tokens.ts'
import { lockWallet } from '../wallet/ledger.ts'
import { readWallets } from '../wallet/read-wallets.ts'
import { lockProven, proveAccount } from './credentials.ts'

/** @throws Refusal NOT_RESELLER */
export async function listOwnTokens(db: Queries, { user }: Call<'user'>): Promise<ApiToken[]> {
  await refuseOthers(db, user.id)
  return listTokens(db, user.id)
}

/** @throws Refusal NOT_RESELLER for a buyer whom the store has not let make tokens */
async function refuseOthers(db: Queries, id: string): Promise<void> {
  if (!(await db.holds(sql`select is_reseller from users where id = ${id}`))) throw new Refusal('NOT_RESELLER')
}

/**
 * Makes a token. The account's lock makes those that come at once follow one another.
 * @returns the token, which is nowhere kept
 * @throws Refusal NOT_RESELLER, WRONG_PASSWORD, or TOO_MANY_TOKENS
 */
export async function makeToken(
  { db }: Services,
  { name, canBuy, days, addresses = [], password }: z.output<(typeof tokens.makeToken)['input']>,
  { user, now, address, userAgent, turn }: Call<'user'>,
): Promise<{ _id: string; token: string }> {
  await refuseOthers(db, user.id)
  const proven = await proveAccount(db, { username: user.username, password }, turn).catch(asWrongPassword)
  const id = newId()
  const token = TOKEN_PREFIX + newToken()
  const expiresAt = new Date(now.getTime() + days * DAY_MS)
  await db.transaction(async (tx) => {
    await lockProven(tx, proven).catch(asWrongPassword)
    await refuseOthers(tx, user.id)
    if ((await countTokens(tx, user.id, now)) >= OPEN_TOKENS_MAX) throw new Refusal('TOO_MANY_TOKENS')
    const row = { id, userId: user.id, name, canBuy, addresses: [...new Set(addresses)], expiresAt }
    await insertToken(tx, { ...row, hash: hashToken(token), now })
    enqueue(tx, { kind: 'account.token', userId: user.id, now })
    await audit(
      tx,
      { admin: null, address, userAgent, now },
      {
        action: 'user.token',
        subject: `${user.username} (${user.id})`,
        after: { canBuy, days, addresses: addresses.length },
      },
    )
  })
  return { _id: id, token }
}

/** Ends one. Holds the wallet, so that nothing is bought with it after the answer. @throws Refusal NOT_FOUND */
export async function endToken(
  db: Database,
  id: string,
  { user, now, address, userAgent }: Call<'user'>,
): Promise<{ message: string }> {
  await db.transaction(async (tx) => {
    await lockWallet(tx, user.id, now)
    if (!(await endTokenById(tx, id, user.id, now))) throw new Refusal('NOT_FOUND')
    await audit(
      tx,
      { admin: null, address, userAgent, now },
      { action: 'user.end-token', subject: `${user.username} (${user.id})` },
    )
  })
  return { message: 'Token ended' }
}

/** What a program may do with the token that it shows. @throws Refusal NOT_FOUND for a person */
export async function readOwnToken(
  db: Database,
  { user, token, now }: Call<'user'>,
): Promise<z.output<(typeof tokens.ownToken)['output']>> {
  if (!token) throw new Refusal('NOT_FOUND')
  const [store, wallets] = await Promise.all([readSiteName(db), readWallets(db, [user.id], now)])
  const { canBuy, expiresAt } = token
  const balance = wallets.get(user.id)?.balance ?? 0
  return { store, username: user.username, balance, canBuy, expiresAt: expiresAt.toISOString() }
}

function asWrongPassword(error: unknown): never {
  if (!(error instanceof Refusal) || error.code !== 'WRONG_CREDENTIALS') throw error
  throw new Refusal('WRONG_PASSWORD', { field: 'password' })
}
