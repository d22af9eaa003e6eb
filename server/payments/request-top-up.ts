/** A buyer sends the amount that they paid and its UTR. */
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { PENDING_TOPUPS_MAX } from '../../contract/limits.ts'
import { formatPaise, type Paise } from '../../contract/money.ts'
import type { RequestedTopUp, TopUpRequest } from '../../contract/payments.ts'
import { DAY_MS } from '../../contract/time.ts'
import { isSameUpi, type PaidTo } from '../../contract/upi.ts'
import { recordConsent } from '../consents/consents.ts'
import { makeWish } from '../orders/wishes.ts'
import { isListed, mayAct } from '../platform/database/conditions.ts'
import { sql, violates, type Transaction } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import { newId } from '../platform/ids.ts'
import { enqueue } from '../platform/outbox.ts'
import type { Services } from '../platform/services.ts'
import { readSettings, type Settings } from '../settings/settings.ts'
import { lockWallet } from '../wallet/ledger.ts'
import { findOffer } from './plans.ts'
import { claimTransfer, utrAlreadyUsed } from './same-transfer.ts'
import { readOwnTopUp } from './own-top-ups.ts'

type Request = z.output<typeof TopUpRequest>

/**
 * Files a top-up request. Its terms are fixed here, so that later changes of a plan or setting don't touch it.
 * @throws Refusal PAYMENTS_OFF, PLAN_NOT_FOUND, INVALID_INPUT, UTR_ALREADY_USED, TOO_MANY_PENDING, PLAN_CHANGED, or
 *   NO_SESSION when the account was closed in between
 */
export async function requestTopUp(
  { db, events }: Services,
  request: Request,
  { user, now, address }: Pick<Call<'user'>, 'user' | 'now' | 'address'>,
): Promise<{ message: string; payment: RequestedTopUp }> {
  const id = newId(now)
  const payment = await db
    .transaction(
      async (tx) => {
        const settings = await readSettings(tx)
        const terms = await termsOf(tx, request, settings)
        const { amount, credit, planId, validityDays } = terms
        const paidTo = paidToOf(settings, request.payTo, now)
        // Takes one buyer's requests one by one, so that the count of pending ones is true
        const [, { pending, ...buyer }] = await Promise.all([lockWallet(tx, user.id, now), findBuyer(tx, user.id)])
        await claimTransfer(tx, request.utr)
        if (pending >= PENDING_TOPUPS_MAX) throw new Refusal('TOO_MANY_PENDING')
        // Comes after the check for a repeat, because a request filed before the plan changed stays filed
        refuseOtherTerms(request, terms)
        void tx.send(sql`
        insert into topup_requests (id, user_id, amount_paise, credit_paise, plan_id,
                                    validity_days, validity_fixed, utr,
                                    phone, address, paid_to, paid_to_name, created_at)
        values (${id}, ${user.id}, ${amount}, ${credit}, ${planId}, ${validityDays}, true, ${request.utr},
                ${request.payerName}, ${address}, ${paidTo?.upiId ?? null}, ${paidTo?.name ?? null}, ${now})`)
        enqueue(tx, { kind: 'topup.requested', subjectId: id, now })
        recordConsent(tx, { userId: user.id, termsVersion: request.termsVersion, topUpId: id, now })
        const wish = request.then && (await makeWish(tx, request.then, { topUpId: id, userId: user.id, now }))
        return {
          ...(await readOwnTopUp(tx, id)),
          ...(wish && { then: wish }),
          userId: { _id: user.id, ...buyer },
          productId: null,
          duration: '',
        }
      },
      { readsFirst: true },
    )
    .catch((error: unknown) => {
      // Lets one of two requests at the same moment through, by the index
      if (violates(error, 'topup_requests_live_utr')) throw utrAlreadyUsed()
      throw error
    })
  events.publish({ to: 'admins', name: 'payment', data: { id, status: 'pending' } })
  return { message: 'Request submitted', payment }
}

interface Terms {
  amount: Paise
  /** Credited on approval. */
  credit: Paise
  planId: string | null
  /** Days from approval until the credit expires; null for never. */
  validityDays: number | null
}

/** Returns the amounts paid and credited. With a plan both are the plan's, and the client's are ignored. */
async function termsOf(
  tx: Transaction,
  request: Request,
  { paymentEnabled, topupMax, topupValidityDays: validityDays }: Settings,
): Promise<Terms> {
  if (!paymentEnabled) throw new Refusal('PAYMENTS_OFF')
  const planId = request.meta?.planId
  if (planId) return { ...(await findOffer(tx, planId)), planId, validityDays }

  if (request.amount > topupMax) {
    throw new Refusal('INVALID_INPUT', {
      say: ['Maximum amount is {amount}', { amount: formatPaise(topupMax) }],
      field: 'amount',
    })
  }
  return { amount: request.amount, credit: request.amount, planId: null, validityDays }
}

/** A dialog that was open when the owner changed the UPI ID still shows the one before. */
const OPEN_DIALOG_MS = DAY_MS

/** Believes the dialog only if its UPI ID is or was the store's. Undefined in a store without one. */
function paidToOf(settings: Settings, payTo: string | undefined, now: Date): PaidTo | undefined {
  const { upiId, payeeName, upiBefore, payeeBefore, upiChangedAt } = settings
  const isTo = (address: string) => payTo !== undefined && isSameUpi(payTo, address)
  const wasBefore = !isTo(upiId) && isTo(upiBefore) && now.getTime() - (upiChangedAt?.getTime() ?? 0) < OPEN_DIALOG_MS
  const [kept, name] = wasBefore ? [upiBefore, payeeBefore] : [upiId, payeeName]
  return kept === '' ? undefined : { upiId: kept, ...(name && { name }) }
}

/** Refuses a plan that changed since the buyer saw it, because they paid the old amount (docs/decisions/0014). */
function refuseOtherTerms({ expectedAmount, expectedCredit }: Request, { amount, credit, planId }: Terms): void {
  if (planId === null) return
  if ((expectedAmount ?? amount) === amount && (expectedCredit ?? credit) === credit) return
  const [asked, given] = [formatPaise(amount), formatPaise(credit)]
  throw new Refusal('PLAN_CHANGED', {
    say: ['This plan has changed to {given} for {asked}. Your request was not submitted.', { given, asked }],
  })
}

interface Buyer {
  username: string
  email: string
  /** Counts the buyer's requests that wait for a review. */
  pending: number
}

const BuyerRow = z.object({ isOpen: z.boolean(), username: z.string(), email: z.string(), pending: z.number() })

/** Reads the buyer again under the wallet's lock, because closing an account holds that lock. */
async function findBuyer(tx: Transaction, userId: string): Promise<Buyer> {
  const { isOpen, ...buyer } = await tx.one(sql(BuyerRow)`
    select ${mayAct(sql`users`)} as is_open, username, email,
           (select count(*)
              from topup_requests request
             where request.user_id = users.id and request.status = 'pending'
               and ${isListed(sql`request.id`)}) as pending
      from users where id = ${userId}`)
  if (!isOpen) throw new Refusal('NO_SESSION')
  return buyer
}
