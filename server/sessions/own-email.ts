/** A buyer's e-mail address: proving that the buyer reads its mail, and a new password by mail. */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { DAY_MS, HOUR_MS } from '../../contract/time.ts'
import { mayAct } from '../platform/database/conditions.ts'
import { literal, sql, type Sql, type Transaction } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import { enqueue } from '../platform/outbox.ts'
import type { Sealer } from '../platform/secrets/sealing.ts'
import type { Services } from '../platform/services.ts'
import { readSettings } from '../settings/settings.ts'
import { findAccount } from '../users/access/accounts.ts'
import { proveEmail } from '../users/email-proofs.ts'
import { mailboxFingerprint } from '../users/mailbox.ts'
import { triesOf } from './known-devices.ts'

/** The work for a known address begins at a moment that tells nothing. */
const LATER_MS_MAX = 500
const PROOFS_A_DAY = 3
const RESETS_AN_HOUR = 3
/** To one mailbox over all accounts, of all that anybody may ask for. */
const MAILS_A_DAY = 5

async function refuseWithoutMail(tx: Transaction): Promise<void> {
  if (!(await readSettings(tx)).mail) throw new Refusal('CHANNEL_OFF')
}

/** Names a mailbox in the queue without saying which it is. */
const nameOfBox = (sealer: Sealer, email: string): string =>
  mailboxFingerprint(sealer, email).toString('base64url').slice(0, 22)

/** As its index has them. */
const toBox = (box: string): Sql => sql`data ? 'box' and data ->> 'box' = ${box}`

/**
 * Counts mails in a time up to now, and lets no other be counted until the transaction ends.
 * @returns when the next may be sent; undefined for now
 */
async function nextOf(
  tx: Transaction,
  which: Sql,
  { most, withinMs, now }: { most: number; withinMs: number; now: Date },
) {
  const since = new Date(now.getTime() - withinMs)
  const sent = await tx.rows(sql(() => z.object({ at: z.date() }))`
    select created_at as at from outbox_messages
     where ${which} and created_at > ${since} and (spread_at is null or spread_at > ${since})
     order by created_at desc limit ${literal(most)}`)
  const oldest = sent.at(-1)
  return oldest && sent.length === most ? new Date(oldest.at.getTime() + withinMs) : undefined
}

const lockBox = (tx: Transaction, box: string) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`mails to ${box}`}, 0))`)

/** @throws Refusal CHANNEL_OFF, or RATE_LIMITED after three mails in 24 hours, or five to the mailbox */
export async function sendEmailProof(
  { db, sealer }: Services,
  { user, now }: Pick<Call<'user'>, 'user' | 'now'>,
): Promise<{ message: string }> {
  await db.transaction(async (tx) => {
    await refuseWithoutMail(tx)
    const { email } = await tx.one(
      sql(() => z.object({ email: z.string() }))`select email from users where id = ${user.id}`,
    )
    const box = nameOfBox(sealer, email)
    await lockBox(tx, box)
    const own = sql`user_id = ${user.id} and kind = 'account.proof' and ${toBox(box)}`
    const next =
      (await nextOf(tx, own, { most: PROOFS_A_DAY, withinMs: DAY_MS, now })) ??
      (await nextOf(tx, toBox(box), { most: MAILS_A_DAY, withinMs: DAY_MS, now }))
    if (next) throw new Refusal('RATE_LIMITED', { retryAfterMs: next.getTime() - now.getTime() })
    enqueue(tx, { kind: 'account.proof', userId: user.id, data: { box }, now })
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
  services: Services,
  { email }: { email: string },
  { now, log, address, cookies }: Pick<Call, 'now' | 'log' | 'address' | 'cookies'>,
): Promise<{ message: string }> {
  await services.db.transaction(refuseWithoutMail)
  void sleep(randomInt(LATER_MS_MAX), undefined, { signal: services.ended })
    .catch(() => {})
    .then(() => sendResetLink(services, email, { now, address, cookies }))
    .catch((err: unknown) => log.error({ err }, 'a reset link could not be sent'))
  return { message: 'If this email is confirmed, we sent a link to it.' }
}

/**
 * Each link ends the one before. Browsers in which the account was logged in have mails of their own, so strangers who
 * use up the others keep nobody from a new password (docs/decisions/0024).
 */
async function sendResetLink(
  { db, sealer }: Services,
  email: string,
  { now, ...from }: Pick<Call, 'now' | 'address' | 'cookies'>,
): Promise<void> {
  const account = await findAccount(db, email)
  const { device } = await triesOf(db, 'login', { account: email, ...from })
  const isOwn = device !== undefined
  await db.transaction(async (tx) => {
    const proven = await tx.text(sql`
      select email from users
       where id = ${account?.id ?? null} and email_proven_at is not null and ${mayAct(sql`users`)}`)
    // Does the same for an unknown address, so that the time tells nothing
    const box = nameOfBox(sealer, proven ?? email)
    await lockBox(tx, box)
    const asked = sql`
      user_id = ${account?.id ?? null}::uuid and kind = 'account.reset'
      and ${isOwn ? sql`not data ? 'box'` : toBox(box)}`
    const ofHour = await nextOf(tx, asked, { most: RESETS_AN_HOUR, withinMs: HOUR_MS, now })
    const ofBox = await nextOf(tx, toBox(box), { most: MAILS_A_DAY, withinMs: DAY_MS, now })
    if (!account || !proven || ofHour || (ofBox && !isOwn)) return
    const goneAfter = new Date(now.getTime() + DAY_MS)
    enqueue(tx, { kind: 'account.reset', userId: account.id, data: isOwn ? {} : { box }, goneAfter, now })
  })
}
