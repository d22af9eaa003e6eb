/** An admin decides about money without a request: who gets it, or that it is no top-up. */
import * as z from 'zod/mini'
import { CreditKind, Proof, type BankCredit } from '../../../contract/bank-shapes.ts'
import { Refusal } from '../../../contract/errors.ts'
import { formatRupees, paise, type Paise } from '../../../contract/money.ts'
import type { Payment } from '../../../contract/payments.ts'
import { audit } from '../../audit/audit.ts'
import { approveLocked, decide, rejectIn } from '../../payments/decide-top-up.ts'
import { fileForBuyer } from '../../payments/file-for-buyer.ts'
import { bankShows, reasonInWords } from '../../../contract/top-up-reasons.ts'
import { lockPendingTopUp } from '../../payments/top-ups.ts'
import { sql, type Transaction } from '../../platform/database/database.ts'
import type { Call } from '../../platform/http/http.ts'
import { newId } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import { allowCredit, type Allowance } from '../../wallet/allowance.ts'
import { lockWallet } from '../../wallet/ledger.ts'
import { IS_MATCHED, IS_PROPOSED, IS_TAKEN } from './credit-states.ts'
import { readCredit } from './list-credits.ts'

const LockedRow = z.object({
  id: z.string(),
  amountPaise: z.number(),
  kind: CreditKind,
  proof: Proof,
  refs: z.array(z.string()),
  isTaken: z.boolean(),
  isProposed: z.boolean(),
})
type Locked = z.output<typeof LockedRow>

/** Locks a credit. Wallet and request are locked before it. @throws Refusal NOT_FOUND */
async function lockCredit(tx: Transaction, id: string): Promise<Locked> {
  await tx.run(sql`select from bank_credits where id = ${id} for update`)
  const credit = await tx.maybe(sql(LockedRow)`
    select id, amount_paise, kind, proof, ${IS_PROPOSED} as is_proposed,
           array(select ref from bank_credit_refs where credit_id = credit.id order by ref) as refs,
           ${IS_TAKEN} as is_taken
      from bank_credits credit where id = ${id}`)
  if (!credit) throw new Refusal('NOT_FOUND')
  return credit
}

/** @throws Refusal CREDIT_TAKEN, NOT_A_PAYMENT */
function refuseUnpayable({ isTaken, isProposed, kind, amountPaise }: Locked): void {
  if (isTaken) throw new Refusal('CREDIT_TAKEN')
  if (isProposed || kind !== 'payment' || amountPaise < 100) throw new Refusal('NOT_A_PAYMENT')
}

/**
 * Counts the amount of a credit. Call it before locking the request and the credit.
 * @throws Refusal NOT_FOUND, STEP_UP_REQUIRED for too much in a day, or for money without a reference, because nothing
 *   but a person's word ties that to a buyer
 */
async function allow(tx: Transaction, id: string, by: Call<'admin'>): Promise<Allowance> {
  const credit = await tx.maybe(sql(() => z.object({ amountPaise: z.number(), isNamed: z.boolean() }))`
    select amount_paise, exists (select from bank_credit_refs where credit_id = ${id}) as is_named
      from bank_credits where id = ${id}`)
  if (!credit) throw new Refusal('NOT_FOUND')
  if (!credit.isNamed) by.requireProof()
  return allowCredit(tx, by, paise(credit.amountPaise))
}

/** No letter here looks like a digit, so the result cannot pass for a UTR. */
const LETTERS = 'ACDEFHJKMNPQRTUV'

/** @returns what stands for the UTR of money that came without a reference */
const standIn = (creditId: string): string =>
  `CREDIT${creditId.replaceAll('-', '').slice(6)}`.replaceAll(
    /[0-9a-f]/g,
    (digit) => LETTERS[Number.parseInt(digit, 16)] ?? '',
  )

interface Paid {
  userId: string
  phone?: string
  reason: string
  allowance: Allowance
}

/** Files and approves a request for a credit. The buyer's wallet is locked first. Call it last. */
async function payTo(tx: Transaction, credit: Locked, paid: Paid, by: Call<'admin'>) {
  const { userId, phone, reason, allowance } = paid
  const { id: creditId, refs, proof } = credit
  const amount: Paise = paise(credit.amountPaise)
  const [utr = standIn(creditId)] = refs
  const id = await fileForBuyer(tx, { userId, amount, refs: [...refs, utr], utr, ...(phone && { phone }) }, by)
  await tx.run(sql`
    insert into bank_matches (id, credit_id, topup_id, how, proof_then, made_at, admin_id)
    values (${newId()}, ${creditId}, ${id}, 'credited', ${proof}, ${by.now}, ${by.admin.id})`)
  const balance = await lockWallet(tx, userId, by.now)
  const request = await lockPendingTopUp(tx, id)
  const noted = { bank: { credit: creditId, proof }, why: reasonInWords(reason) }
  const [approved] = await approveLocked(tx, [{ id, request, balance, allowance, noted }], by)
  if (!approved) throw new Refusal('NOT_FOUND')
  return approved
}

/**
 * Credits unclaimed money to a buyer.
 * @throws Refusal NOT_FOUND, CREDIT_TAKEN, NOT_A_PAYMENT, UTR_ALREADY_USED, STEP_UP_REQUIRED
 */
export async function creditTo(
  services: Services,
  { id, userId, reason }: { id: string; userId: string; reason: string },
  by: Call<'admin'>,
): Promise<Payment> {
  const [approved] = await decide(services, async (tx) => {
    await lockWallet(tx, userId, by.now)
    const allowance = await allow(tx, id, by)
    const credit = await lockCredit(tx, id)
    refuseUnpayable(credit)
    return [await payTo(tx, credit, { userId, reason, allowance }, by)]
  })
  services.events.publish({ to: 'admins', name: 'bank', data: {} })
  return approved.payment
}

/**
 * Rejects a request of another amount and credits its buyer what the bank shows.
 * @throws Refusal NOT_FOUND, NOT_PENDING, CREDIT_TAKEN, NOT_A_PAYMENT, AMOUNT_DIFFERS, STEP_UP_REQUIRED
 */
export async function creditInstead(
  services: Services,
  { id, creditId, expectedAmount }: { id: string; creditId: string; expectedAmount: Paise },
  by: Call<'admin'>,
): Promise<Payment> {
  const [, approved] = await decide(services, async (tx) => {
    const known = await tx.maybe(sql(() => z.object({ userId: z.string(), utr: z.string(), phone: z.string() }))`
      select user_id, utr, phone from topup_requests where id = ${id}`)
    if (known) await lockWallet(tx, known.userId, by.now)
    const allowance = await allow(tx, creditId, by)
    await lockPendingTopUp(tx, id)
    const credit = await lockCredit(tx, creditId)
    // Takes only money under the request's own UTR. `creditTo` takes other money
    if (!known || !credit.refs.includes(known.utr)) throw new Refusal('NOT_FOUND')
    refuseUnpayable(credit)
    if (credit.amountPaise !== expectedAmount) throw new Refusal('AMOUNT_DIFFERS')
    const reason = bankShows(credit.amountPaise)
    const rejected = await rejectIn(tx, { id, reason }, by)
    const { userId, phone } = known
    return [rejected, await payTo(tx, credit, { userId, phone, reason, allowance }, by)]
  })
  services.events.publish({ to: 'admins', name: 'bank', data: {} })
  return approved.payment
}

/** @throws Refusal NOT_FOUND, CREDIT_TAKEN for money that paid for a top-up */
export async function setAside(
  { db, events, sealer }: Services,
  { id, why, back }: { id: string; why?: string | undefined; back?: true | undefined },
  by: Call<'admin'>,
): Promise<BankCredit> {
  const credit = await db.transaction(async (tx) => {
    await lockCredit(tx, id)
    const changed = await tx.run(
      back
        ? sql`update bank_credits set set_aside_at = null, set_aside_by = null, set_aside_why = null where id = ${id}`
        : sql`
      update bank_credits credit set set_aside_at = ${by.now}, set_aside_by = ${by.admin.id}, set_aside_why = ${why}
       where id = ${id} and not ${IS_MATCHED}`,
    )
    if (changed === 0) throw new Refusal('CREDIT_TAKEN')
    const after = await readCredit({ db: tx, sealer }, id)
    const subject = `Money of ${formatRupees(after.amount)} (${id})`
    await audit(tx, by, { action: back ? 'bank.take-up' : 'bank.set-aside', subject, after: back ? {} : { why } })
    return after
  })
  events.publish({ to: 'admins', name: 'bank', data: {} })
  return credit
}
