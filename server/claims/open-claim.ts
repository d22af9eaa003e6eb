/** A buyer reports a bad key, and may take the report back while nobody has answered. */
import * as z from 'zod/mini'
import type { claims, OwnClaim } from '../../contract/claims.ts'
import { Refusal } from '../../contract/errors.ts'
import { CLAIM_AFTER_END_MS, OPEN_CLAIMS_MAX, RESELLER_OPEN_CLAIMS_MAX } from '../../contract/limits.ts'
import { MINUTE_MS } from '../../contract/time.ts'
import { mayAct } from '../platform/database/conditions.ts'
import { sql, violates, type Queries, type Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { enqueue } from '../platform/outbox.ts'
import type { Services } from '../platform/services.ts'
import { lockWallet } from '../wallet/ledger.ts'
import { readOwnClaims } from './claim-rows.ts'

type By = { userId: string; now: Date }

/** Claims within this time share one message to the admins. */
const TOLD_TOGETHER_MS = 10 * MINUTE_MS

const KeyRow = z.object({
  orderId: z.string(),
  batchId: z.nullable(z.string()),
  expiresAt: z.date(),
  isSettled: z.boolean(),
})

/**
 * Files a claim. Holds the buyer's wallet, as the closing of an account does, so that claims follow one another.
 * @throws Refusal NOT_FOUND for a key of nobody or somebody else, or one that was replaced or refunded, CLAIM_OPEN,
 *   CLAIM_TOO_LATE, TOO_MANY_CLAIMS, or NO_SESSION for an account that was closed a moment ago
 */
export async function openClaim(
  { db, events }: Services,
  { keyId, reason, note }: z.output<(typeof claims.open)['input']>,
  { userId, now }: By,
): Promise<OwnClaim> {
  const id = newId()
  try {
    await db.transaction(async (tx) => {
      await lockWallet(tx, userId, now)
      await refuseClosing(tx, userId)
      const key = await tx.maybe(sql(KeyRow)`
        select order_id, batch_id, expires_at,
               exists (select from key_claims
                        where key_id = key.id and status in ('replaced', 'refunded')) as is_settled
          from license_keys key where id = ${keyId} and assigned_to = ${userId} and order_id is not null`)
      if (!key) throw new Refusal('NOT_FOUND')
      if (key.isSettled) throw new Refusal('NOT_FOUND', { message: 'This key was replaced or refunded already.' })
      if (now.getTime() > key.expiresAt.getTime() + CLAIM_AFTER_END_MS) throw new Refusal('CLAIM_TOO_LATE')
      await refuseTooMany(tx, { userId, keyId })
      await tx.run(sql`
        insert into key_claims (id, key_id, order_id, user_id, batch_id, reason, note, created_at)
        values (${id}, ${keyId}, ${key.orderId}, ${userId}, ${key.batchId}, ${reason}, ${note}, ${now})`)
      const notBefore = new Date(Math.ceil((now.getTime() + 1) / TOLD_TOGETHER_MS) * TOLD_TOGETHER_MS)
      enqueue(tx, { kind: 'claim.opened', dedupe: `claim.opened:${notBefore.toISOString()}`, notBefore, now })
    })
  } catch (error) {
    if (violates(error, 'key_claims_open')) throw new Refusal('CLAIM_OPEN')
    throw error
  }
  events.publish({ to: 'admins', name: 'claim' })
  return one(db, { id, userId })
}

async function refuseClosing(tx: Transaction, userId: string): Promise<void> {
  if (!(await tx.holds(sql`select ${mayAct(sql`users`)} from users where id = ${userId}`)))
    throw new Refusal('NO_SESSION')
}

const OpenRow = z.object({ own: z.number(), ofKey: z.number(), isReseller: z.boolean() })

/** @throws Refusal CLAIM_OPEN or TOO_MANY_CLAIMS. Those of a recall do not count */
async function refuseTooMany(tx: Transaction, { userId, keyId }: { userId: string; keyId: string }): Promise<void> {
  const { own, ofKey, isReseller } = await tx.one(sql(OpenRow)`
    select count(*) filter (where opened_by is null) as own, count(*) filter (where key_id = ${keyId}) as of_key,
           (select is_reseller from users where id = ${userId}) as is_reseller
      from key_claims where user_id = ${userId} and status = 'open'`)
  if (ofKey > 0) throw new Refusal('CLAIM_OPEN')
  if (own < (isReseller ? RESELLER_OPEN_CLAIMS_MAX : OPEN_CLAIMS_MAX)) return
  throw new Refusal(
    'TOO_MANY_CLAIMS',
    isReseller ? { message: 'You have 50 open reports. Wait until one is answered.' } : {},
  )
}

/** @throws Refusal NOT_FOUND or CLAIM_DECIDED */
export async function withdrawClaim({ db, events }: Services, id: string, { userId, now }: By): Promise<OwnClaim> {
  const withdrawn = await db.run(sql`
    update key_claims set status = 'withdrawn', decided_at = ${now}
     where id = ${id} and user_id = ${userId} and status = 'open'`)
  const claim = await one(db, { id, userId })
  if (withdrawn === 0) throw new Refusal('CLAIM_DECIDED', { details: { at: claim.decidedAt } })
  events.publish({ to: 'admins', name: 'claim' })
  return claim
}

/** @throws Refusal NOT_FOUND */
async function one(db: Queries, { id, userId }: { id: string; userId: string }): Promise<OwnClaim> {
  const [claim] = await readOwnClaims(db, sql`where claim.id = ${id} and claim.user_id = ${userId}`)
  if (!claim) throw new Refusal('NOT_FOUND')
  return claim
}

/** The buyer's claims, newest first. */
export const listOwnClaims = (db: Queries, userId: string): Promise<OwnClaim[]> =>
  readOwnClaims(db, sql`where claim.user_id = ${userId} order by claim.created_at desc, claim.id desc`)

/** Takes back the open claims of a buyer whose account is being closed. The wallet must be locked. */
export async function withdrawAllClaims(tx: Transaction, { userId, now }: By): Promise<void> {
  await tx.run(sql`
    update key_claims set status = 'withdrawn', decided_at = ${now} where user_id = ${userId} and status = 'open'`)
}

/** Erases what a buyer wrote, when the account is erased. */
export async function eraseClaimNotes(tx: Transaction, userId: string): Promise<void> {
  await tx.run(sql`update key_claims set note = '' where user_id = ${userId} and note <> ''`)
}
