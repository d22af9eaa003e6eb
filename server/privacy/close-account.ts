import { Refusal } from '../../contract/errors.ts'
import { CLOSING_UNDO_MS } from '../../contract/limits.ts'
import { formatPaise } from '../../contract/money.ts'
import { withdrawAllClaims } from '../claims/open-claim.ts'
import { hasOpenRequest } from '../payments/leaving-buyer.ts'
import type { Call } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { lockProven, proveAccount, type Credentials } from '../sessions/credentials.ts'
import { toContactSupport } from '../users/support-words.ts'
import { freeDevice, setClosing } from '../users/access/accounts.ts'
import { consumeResetLinks } from '../users/access/reset-links.ts'
import { endTokens } from '../users/access/tokens.ts'
import { endUserSessions } from '../users/access/user-sessions.ts'
import { creditDue } from '../wallet/debit.ts'
import { lockWallet } from '../wallet/ledger.ts'

/**
 * Marks the caller's account to be erased in seven days. Until then no login works, and its owner can keep it
 * (`keepAccount`). Later a job erases it (close-due-accounts.ts).
 * @throws Refusal WRONG_PASSWORD, BALANCE_LEFT or REQUEST_PENDING
 */
export async function closeAccount(
  { db, events }: Services,
  password: string,
  { user, cookies, now, log, turn }: Call<'user'>,
): Promise<{ message: string; closesAt: string }> {
  const proven = await proveAccount(db, { username: user.username, password }, turn).catch(asWrongPassword)
  const closesAt = new Date(now.getTime() + CLOSING_UNDO_MS)
  await db.transaction(async (tx) => {
    // Holds the wallet's lock, so that no request or credit comes between the check and the mark
    const balance = await lockWallet(tx, user.id, now)
    await lockProven(tx, proven).catch(asWrongPassword)
    if (balance > 0) throw new Refusal('BALANCE_LEFT')
    const due = await creditDue(tx, user.id)
    if (due > 0) {
      throw new Refusal('BALANCE_LEFT', {
        say: [
          '{amount} will be returned to your wallet later. Wait for it, or {help}',
          { amount: formatPaise(due), help: await toContactSupport(tx) },
        ],
      })
    }
    if (await hasOpenRequest(tx, user.id)) throw new Refusal('REQUEST_PENDING')
    await withdrawAllClaims(tx, { userId: user.id, now })
    await setClosing(tx, user.id, closesAt)
    await endUserSessions(tx, user.id, 'closed', now)
    await endTokens(tx, user.id, now)
    await freeDevice(tx, user.id)
    // Ends the reset links, because none may open a closing account
    await consumeResetLinks(tx, user.id, now)
  })
  cookies.clear('chaabi_session')
  log.info({ user: user.id }, 'account is to be closed')
  events.publish({ to: { user: user.id }, name: 'session-ended' })
  return {
    message: 'Your account will be deleted in 7 days. Log in before then to cancel.',
    closesAt: closesAt.toISOString(),
  }
}

/**
 * Undoes the closing of an account. It opens no session, so the buyer logs in next.
 * @throws Refusal WRONG_CREDENTIALS, or ACCOUNT_NOT_CLOSING (only after the right password)
 */
export async function keepAccount(
  { db }: Services,
  credentials: Credentials,
  { log, turn }: Pick<Call, 'log' | 'turn'>,
): Promise<{ message: string }> {
  const proven = await proveAccount(db, credentials, turn)
  await db.transaction(async (tx) => {
    const { id, closesAt } = await lockProven(tx, proven)
    if (closesAt === null) throw new Refusal('ACCOUNT_NOT_CLOSING')
    await setClosing(tx, id, null)
  })
  log.info({ user: proven.id }, 'account is kept')
  return { message: 'Account deletion cancelled. Please log in.' }
}

function asWrongPassword(error: unknown): never {
  if (!(error instanceof Refusal) || error.code !== 'WRONG_CREDENTIALS') throw error
  throw new Refusal('WRONG_PASSWORD', { fields: { password: 'Incorrect password.' } })
}
