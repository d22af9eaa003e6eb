/**
 * Name and password, checked before the account is locked, because the check takes longer than a lock should be
 * held.
 */
import { Refusal } from '../../contract/errors.ts'
import type { Queries, Transaction } from '../platform/database/database.ts'
import { passwordMatches } from '../platform/passwords/passwords.ts'
import type { Turn } from '../platform/passwords/turns.ts'
import { findAccount, lockAccount, type Account } from '../users/access/accounts.ts'

export interface Credentials {
  /** A username or an e-mail. */
  username: string
  password: string
}

/** @throws Refusal WRONG_CREDENTIALS, after the same time and in the same words for an unknown name */
export async function proveAccount(
  db: Queries,
  { username, password }: Credentials,
  turn: Turn | undefined,
): Promise<Account> {
  const account = await findAccount(db, username)
  const matches = await passwordMatches(account?.passwordHash, password, turn)
  if (!account || !matches) throw new Refusal('WRONG_CREDENTIALS')
  return account
}

/** @throws Refusal ACCOUNT_BLOCKED. Call it after the password was checked, so that nobody else learns it */
export function refuseBlocked({ blockedReason: reason }: Account): void {
  if (reason !== null) throw new Refusal('ACCOUNT_BLOCKED', { details: { reason } })
}

/**
 * Locks an account whose password was checked a moment ago.
 * @throws Refusal WRONG_CREDENTIALS when it was closed, or its password changed, since then
 */
export async function lockProven(tx: Transaction, proven: Account): Promise<Account> {
  const account = await lockAccount(tx, proven.id)
  if (account?.passwordHash !== proven.passwordHash) throw new Refusal('WRONG_CREDENTIALS')
  return account
}
