/**
 * Answers claims, each once. An answer replaces the key, refunds it or rejects the claim. Money goes through the wallet
 * and keys through the stock, in the transaction that closes the claim.
 */
import * as z from 'zod/mini'
import { ClaimReason, ClaimStatus, type RefundRule } from '../../contract/claims.ts'
import { durationMs } from '../../contract/duration.ts'
import { Refusal } from '../../contract/errors.ts'
import { add, formatRupees, toRupees, ZERO, type Paise } from '../../contract/money.ts'
import { auditAll, type ProvingBy } from '../audit/audit.ts'
import { lockReplacements, replaceKeys } from '../keys/replace-keys.ts'
import { noteRefunds } from '../orders/note-refunds.ts'
import { isOpenAccount } from '../platform/database/conditions.ts'
import { takeRefundsBack } from '../payments/file-for-buyer.ts'
import { columns, sql, type Transaction } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import { InPaise } from '../platform/in-paise.ts'
import { enqueue } from '../platform/outbox.ts'
import { allowCredit } from '../wallet/allowance.ts'
import { lockWallets } from '../wallet/ledger.ts'
import { refundAll } from '../wallet/refund.ts'
import { numberOf } from './claim-rows.ts'
import { leftOf, sumsOf } from './refund-sums.ts'

export type By = ProvingBy & Pick<Call<'admin'>, 'isProven'>

const LockedRow = z.object({
  id: z.string(),
  number: z.number(),
  status: ClaimStatus,
  reason: ClaimReason,
  userId: z.string(),
  username: z.string(),
  isAccountOpen: z.boolean(),
  keyId: z.string(),
  /** Where a new key comes from; null when its row now sells another duration. */
  priceId: z.nullable(z.string()),
  orderId: z.string(),
  productName: z.string(),
  duration: z.string(),
  unit: InPaise,
  /** What a new key is worth: its price today, or what was paid if that was more. */
  worth: InPaise,
  ofOrder: InPaise,
  refundedBefore: InPaise,
  assignedAt: z.date(),
  expiresAt: z.date(),
  /** This key replaced a bad one, so the purchase has had a new key already. */
  isReplacement: z.boolean(),
  reportedAt: z.date(),
  decidedBy: z.nullable(z.string()),
  decidedAt: z.nullable(z.date()),
})

/** A claim with its key and its purchase. Its wallet and itself are locked. */
export type LockedClaim = z.output<typeof LockedRow>

/** Locks claims until the transaction ends: first their wallets, then the claims. @returns them, oldest first */
export async function lockClaims(tx: Transaction, ids: readonly string[], now: Date): Promise<LockedClaim[]> {
  const buyers = await tx.texts(sql`select distinct user_id from key_claims where id = any(${ids}::uuid[])`)
  await lockWallets(tx, buyers, now, { wait: true })
  // Reads in a statement of its own, because one that waits for a row's lock sees the others as they were before
  await tx.run(sql`select from key_claims where id = any(${ids}::uuid[]) order by id for update`)
  return tx.rows(sql(LockedRow)`
    select claim.id, claim.number, claim.status, claim.reason, claim.user_id, buyer.username,
           ${isOpenAccount(sql`buyer`)} as is_account_open, claim.key_id,
           case when price.duration = sale.duration then price.id end as price_id, claim.order_id,
           sale.product_name, sale.duration,
           sale.unit_paise as unit, greatest(sale.unit_paise, price.list_paise) as worth,
           sale.amount_paise - sale.refunded_paise as of_order, sale.refunded_paise as refunded_before,
           key.assigned_at, key.expires_at, key.replaces is not null as is_replacement,
           claim.created_at as reported_at, decider.username as decided_by, claim.decided_at
      from key_claims claim
      join license_keys key on key.id = claim.key_id
      join prices price on price.id = key.price_id
      join orders sale on sale.id = claim.order_id
      join users buyer on buyer.id = claim.user_id
      left join admins decider on decider.id = claim.decided_by
     where claim.id = any(${ids}::uuid[])
     order by claim.created_at, claim.id`)
}

/** @throws Refusal NOT_FOUND, or CLAIM_DECIDED with who answered and when */
export async function lockOpenClaim(tx: Transaction, id: string, now: Date): Promise<LockedClaim> {
  const [claim] = await lockClaims(tx, [id], now)
  if (!claim) throw new Refusal('NOT_FOUND')
  const { status, decidedBy, decidedAt } = claim
  if (status !== 'open')
    throw new Refusal('CLAIM_DECIDED', { details: { status, by: decidedBy, at: decidedAt?.toISOString() } })
  return claim
}

/** What an answer gives; nothing for a rejection. */
export interface Answered {
  claim: LockedClaim
  answer: string
  /** A new key until this moment. */
  replaceUntil?: Date
  refund?: { amount: Paise; rule: RefundRule }
}

/** @returns the end of a new key. @param time by default full again, and the same end for a key that stopped */
export function endOf(claim: LockedClaim, now: Date, time?: 'full' | 'same-end'): Date {
  const wanted = time ?? (claim.reason === 'stopped' && claim.expiresAt > now ? 'same-end' : 'full')
  if (wanted === 'full') return new Date(now.getTime() + durationMs(claim.duration))
  if (claim.expiresAt > now) return claim.expiresAt
  throw new Refusal('INVALID_INPUT', { fields: { time: 'This key has already expired.' } })
}

/**
 * Gives what the answers say and closes the claims. New keys are of one price, and given in the order of the claims.
 * Call it last, because the audit log's lock is taken last.
 * @throws Refusal OUT_OF_STOCK, or STEP_UP_REQUIRED or DAY_LIMIT for too much in a day
 */
export async function settleClaims(tx: Transaction, answered: readonly Answered[], by: By): Promise<void> {
  if (answered.length === 0) return
  const replaced = answered.flatMap(({ claim, replaceUntil }) => (replaceUntil ? [{ claim, replaceUntil }] : []))
  const priceId = replaced[0]?.claim.priceId
  const keys = priceId ? await lockReplacements(tx, priceId, replaced.length) : []
  const given = replaced.map(({ claim, replaceUntil }, nth) => {
    const key = keys[nth]
    if (!key) throw new Refusal('OUT_OF_STOCK')
    const { keyId, orderId, userId: buyerId } = claim
    return { claimId: claim.id, key, keyId, orderId, buyerId, expiresAt: replaceUntil }
  })
  if (given.length > 0) {
    // A thief of the session could answer the claims of an accomplice either way
    await allowCredit(tx, by, add(ZERO, ...replaced.map(({ claim }) => claim.worth)))
    await replaceKeys(tx, given, by.now)
  }

  const refunds = answered.flatMap(({ claim, refund }) =>
    refund ? [{ ...refund, claimId: claim.id, ...toRefund(claim, by.admin.id) }] : [],
  )
  const movements = new Map<string, string>()
  if (refunds.length > 0) {
    const sum = add(ZERO, ...refunds.map(({ amount }) => amount))
    const allowance = await allowCredit(tx, by, sum)
    const ids = await refundAll(tx, refunds, { allowance, now: by.now })
    ids.forEach((id, nth) => movements.set(refunds[nth]?.claimId ?? '', id))
    await noteRefunds(tx, refunds)
    await takeRefundsBack(tx, [...new Set(refunds.map(({ userId }) => userId))], by)
  }
  await close(tx, answered, { keys: new Map(given.map(({ claimId, key }) => [claimId, key.id])), movements }, by)
}

function toRefund({ orderId, userId, refundedBefore, ...claim }: LockedClaim, adminId: string) {
  const description = `Refund: ${claim.productName} (${claim.duration}), ${numberOf(claim.number)}`
  return { orderId, userId, before: refundedBefore, description, adminId }
}

const statusOf = ({ replaceUntil, refund }: Answered): 'replaced' | 'refunded' | 'rejected' =>
  replaceUntil ? 'replaced' : refund ? 'refunded' : 'rejected'

const ACTIONS = { replaced: 'claim.replace', refunded: 'claim.refund', rejected: 'claim.reject' } as const

async function close(
  tx: Transaction,
  answered: readonly Answered[],
  { keys, movements }: Record<'keys' | 'movements', ReadonlyMap<string, string>>,
  by: By,
): Promise<void> {
  const done = answered.map((each) => {
    const { id } = each.claim
    const given = { replacement: keys.get(id), movement: movements.get(id), ...each.refund }
    return { id, status: statusOf(each), answer: each.answer, ...given }
  })
  await tx.run(sql`
    update key_claims claim
       set status = done.status, answer = nullif(done.answer, ''), decided_at = ${by.now}, decided_by = ${by.admin.id},
           replacement_id = done.replacement, movement_id = done.movement, refund_paise = done.amount, rule = done.rule
      from ${columns(
        done,
        'id uuid, status text, answer text, replacement uuid, movement uuid, amount bigint, rule text',
      )} as done
     where claim.id = done.id`)
  // One message to a buyer, whatever the number of answers
  for (const userId of new Set(answered.map(({ claim }) => claim.userId))) {
    const own = answered.filter(({ claim }) => claim.userId === userId)
    const subjectId = own[0]?.claim.id ?? ''
    enqueue(tx, { kind: 'claim.answered', userId, subjectId, data: { count: own.length }, now: by.now })
  }
  await auditAll(
    tx,
    by,
    answered.map((each) => {
      const { claim, answer, replaceUntil, refund } = each
      const status = statusOf(each)
      const gave = {
        ...(refund && { refunded: toRupees(refund.amount), rule: refund.rule }),
        ...(replaceUntil && { expiresAt: replaceUntil.toISOString() }),
      }
      return {
        action: ACTIONS[status],
        subject: `${numberOf(claim.number)} of ${claim.username} for ${claim.productName} (${claim.id})`,
        before: { status: 'open' },
        after: { status, orderId: claim.orderId, ...gave, ...(answer && { answer }) },
      }
    }),
  )
}

/**
 * The refund that a rule gives.
 * @throws Refusal INVALID_INPUT for another sum out of bounds, or AMOUNT_CHANGED when the admin saw another one
 */
export function refundOf(
  claim: LockedClaim,
  { rule, amount, expected }: { rule: RefundRule; amount?: Paise | undefined; expected: Paise },
  fee: Paise,
): { amount: Paise; rule: RefundRule } {
  const most = leftOf(claim)
  const sum = rule === 'other' ? (amount ?? null) : sumsOf(claim, fee)[rule]
  if (rule === 'other' && (sum === null || sum > most)) {
    throw new Refusal('INVALID_INPUT', {
      say: ['Enter an amount up to {most}', { most: formatRupees(toRupees(most)) }],
      field: 'amount',
    })
  }
  if (sum === null || sum !== expected)
    throw new Refusal('AMOUNT_CHANGED', { details: { amount: sum === null ? null : toRupees(sum) } })
  return { amount: sum, rule }
}
