import { Refusal } from '../../contract/errors.ts'
import type { Call } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { lockProven, proveAccount, type Credentials } from '../sessions/credentials.ts'
import { setClosing } from '../users/access/accounts.ts'

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
