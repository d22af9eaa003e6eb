/** A buyer's address: showing that its mail is read, and a new password by it. */
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { literal, sql, type Transaction } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import { enqueue } from '../platform/outbox.ts'
import type { Services } from '../platform/services.ts'
import { readSettings } from '../settings/settings.ts'
import { findAccount } from '../users/accounts.ts'
import { proveEmail } from '../users/email-proofs.ts'

const DAY_MS = 24 * 3_600_000
const HOUR_MS = 3_600_000
const PROOF_MAILS_A_DAY = 3

async function refuseWithoutMail(tx: Transaction): Promise<void> {
  if (!(await readSettings(tx)).mail) throw new Refusal('CHANNEL_OFF')
}

/** @throws Refusal CHANNEL_OFF, or RATE_LIMITED after three mails in 24 hours */
export async function sendEmailProof(
  { db }: Services,
  { user, now }: Pick<Call<'user'>, 'user' | 'now'>,
): Promise<{ message: string }> {
  await db.transaction(async (tx) => {
    await refuseWithoutMail(tx)
    // Takes one buyer's requests one by one, so that the count is true
    await tx.run(sql`select from users where id = ${user.id} for no key update`)
    const sent = await tx.rows(
      z.object({ at: z.date() }),
      sql`
      select created_at as at from outbox_messages
       where user_id = ${user.id} and kind = 'account.proof' and created_at > ${new Date(now.getTime() - DAY_MS)}
       order by created_at limit ${literal(PROOF_MAILS_A_DAY)}`,
    )
    const [oldest] = sent
    if (oldest && sent.length === PROOF_MAILS_A_DAY)
      throw new Refusal('RATE_LIMITED', { retryAfterMs: oldest.at.getTime() + DAY_MS - now.getTime() })
    enqueue(tx, { kind: 'account.proof', userId: user.id, now })
  })
  return { message: 'We sent you a link. Open it to confirm your email.' }
}

/** @throws Refusal RESET_LINK_INVALID */
export async function confirmEmail(
  { db }: Services,
  { token }: { token: string },
  { now }: Pick<Call, 'now'>,
): Promise<{ message: string }> {
  await db.transaction(async (tx) => {
    if (!(await proveEmail(tx, token, now))) throw new Refusal('RESET_LINK_INVALID')
  })
  return { message: 'Your email is confirmed.' }
}

/**
 * Sends a link to a new password, only to an address that was proven: a mistyped one would hand the wallet to a
 * stranger. The answer is the same for everybody and does not wait for the mail, so it tells nothing about an account.
 * @throws Refusal CHANNEL_OFF
 */
export async function forgotPassword(
  { db }: Services,
  { email }: { email: string },
  { now, log }: Pick<Call, 'now' | 'log'>,
): Promise<{ message: string }> {
  await db.transaction(refuseWithoutMail)
  void sendResetLink(db, email, now).catch((err: unknown) => log.error({ err }, 'a reset link could not be sent'))
  return { message: 'If this address is confirmed here, we sent a link to it.' }
}

async function sendResetLink(db: Services['db'], email: string, now: Date): Promise<void> {
  const account = await findAccount(db, email)
  if (!account) return
  await db.transaction(async (tx) => {
    const proven = await tx.maybe(
      z.object({ id: z.string() }),
      sql`select id from users where id = ${account.id} and email_proven_at is not null and closes_at is null`,
    )
    // One an hour, so that nobody can fill somebody's mailbox
    const hour = Math.floor(now.getTime() / HOUR_MS)
    if (proven) enqueue(tx, { kind: 'account.reset', userId: account.id, dedupe: `reset ${account.id} ${hour}`, now })
  })
}
