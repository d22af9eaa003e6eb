import * as z from 'zod/mini'
import type { Declarations } from './endpoint.ts'
import { Day, Flag, Id, line, Message, Moment, Paging, Phone, TermsVersion, Total } from './fields.ts'
import { REASON_LENGTH_MAX, TOPUP_MIN_PAISE } from './limits.ts'
import { AMOUNT_MAX, Rupees, rupeesBetween } from './amounts.ts'
import { paise, ZERO } from './money.ts'
import { Wish, WishRequest } from './orders.ts'
import { PaymentBank, PaymentSigns } from './payment-signs.ts'
import { topUpPlans } from './topup-plans.ts'
import { PaidTo, UPI_ID_LENGTH_MAX } from './upi.ts'
import { Utr } from './utr.ts'

const PaymentType = z.enum(['add_money', 'deduct_money', 'buy_key', 'topup'])
export const PaymentStatus = z.enum(['pending', 'approved', 'rejected'])
export type PaymentStatus = z.output<typeof PaymentStatus>
/** A buyer's top-up request, a purchase, or an admin's change of a balance. Requests and changes share types. */
export const PaymentSource = z.enum(['request', 'order', 'adjustment'])
export type PaymentSource = z.output<typeof PaymentSource>

const OfferMeta = z.object({ offer: z.boolean(), planId: Id, bonus: Rupees.check(z.describe('Credited on approval')) })

const SentFrom = z
  .string()
  .check(z.describe('The IP address that a top-up request was sent from; absent once it is forgotten'))

/** A payment row as clients know it. The amount is positive. */
export const Payment = z.object({
  _id: Id,
  userId: z.nullable(z.object({ _id: Id, username: z.string(), email: z.string() })),
  productId: z.nullable(z.object({ _id: Id, name: z.string() })),
  type: PaymentType,
  status: PaymentStatus,
  amount: Rupees,
  utr: z.string(),
  unusual: z
    .optional(z.boolean())
    .check(z.describe('The UTR of this request has no known form, so check the bank statement')),
  payerName: z.string().check(z.describe('The contact phone of a top-up request; empty otherwise')),
  duration: z.string(),
  createdAt: Moment,
  reason: z.optional(z.string()),
  decidedBy: z.optional(z.string().check(z.describe('The admin who approved or rejected a request'))),
  decidedHow: z.optional(z.literal('bank').check(z.describe('Approved by the store’s rules, on a bank’s word'))),
  decidedAt: z.optional(Moment),
  address: z.optional(SentFrom),
  meta: z.optional(OfferMeta),
  signs: z.optional(PaymentSigns),
  claimedBy: z
    .optional(z.array(z.string()))
    .check(z.describe('Usernames of others whose claim of the same transfer was refused')),
  bank: z.optional(PaymentBank),
  then: z.optional(Wish.check(z.describe('What the buyer wants to buy when it is approved'))),
  large: z
    .optional(z.literal(true))
    .check(z.describe('A pending request of `carefulAbove` or more whose money no statement shows')),
  asked: z.optional(Rupees.check(z.describe('The amount of the request, where another one was approved'))),
  paidTo: z.optional(PaidTo.check(z.describe('The UPI ID that the buyer saw, and its name then'))),
  held: z
    .optional(z.object({ since: Moment, by: z.string(), note: z.string() }))
    .check(z.describe('A bank holds its money back, as an admin has marked it')),
  codeOf: z.optional(z.string()).check(z.describe('The batch of redeem codes by which an admin’s addition came')),
  takenBack: z
    .optional(z.object({ loss: Rupees.check(z.describe('What was spent already')) }))
    .check(z.describe('It was approved, and an admin took that back')),
})
export type Payment = z.output<typeof Payment>

/** A buyer's own top-up request. */
export const OwnTopUp = z.object({
  _id: Id,
  type: z.literal('add_money'),
  status: PaymentStatus,
  amount: Rupees,
  credited: Rupees.check(z.describe('Wallet credit on approval: the amount, or the plan’s total credit')),
  utr: z.string(),
  payerName: z.string(),
  reason: z.nullable(z.string()),
  createdAt: Moment,
  decidedAt: z.nullable(Moment),
  address: z.optional(SentFrom),
  meta: z.optional(OfferMeta),
  checked: z
    .optional(z.object({ withinMinutes: z.nullable(z.number()) }))
    .check(z.describe('It is approved automatically when a phone forwards the bank’s message')),
  then: Payment.shape.then,
  asked: Payment.shape.asked,
  takenBack: z.optional(z.literal(true).check(z.describe('It was approved, and the store took the credit back'))),
})
export type OwnTopUp = z.output<typeof OwnTopUp>

/** The answer to a new request. It has every field of a payment row. */
export const RequestedTopUp = z.extend(OwnTopUp, {
  userId: z.object({ _id: Id, username: z.string(), email: z.string() }),
  productId: Payment.shape.productId,
  duration: Payment.shape.duration,
})
export type RequestedTopUp = z.output<typeof RequestedTopUp>

const TopUpAmount = rupeesBetween(paise(TOPUP_MIN_PAISE), AMOUNT_MAX, 'Minimum amount is ₹1')

/** What an admin approves instead of the request's own amount. */
export const OtherAmount = z.object({
  amount: TopUpAmount.check(z.describe('What was really paid. The credit is that of the plan for it')),
  reason: line('Reason', 1, REASON_LENGTH_MAX).check(z.describe('Why another amount, for the buyer')),
})

export const TopUpRequest = z.object({
  amount: TopUpAmount,
  utr: Utr,
  payerName: Phone,
  meta: z.optional(z.nullable(z.object({ offer: z.optional(z.boolean()), planId: z.optional(z.nullable(Id)) }))),
  /** The amount and credit that the buyer saw. The request is refused if the plan's differ (docs/decisions/0014). */
  expectedAmount: z.optional(rupeesBetween(ZERO, AMOUNT_MAX, 'Enter an amount in rupees')),
  expectedCredit: z.optional(rupeesBetween(ZERO, AMOUNT_MAX, 'Enter an amount in rupees')),
  termsVersion: TermsVersion,
  payTo: z.optional(
    z
      .string({ error: 'Enter a UPI ID like name@bank' })
      .check(
        z.maxLength(UPI_ID_LENGTH_MAX, { error: 'Enter a UPI ID like name@bank' }),
        z.describe('The UPI ID that the buyer saw. Kept if it was the store’s within 24 hours'),
      ),
  ),
  then: z.optional(
    WishRequest.check(z.describe('Bought when the request is approved, if it is possible then. Never refuses it')),
  ),
})

const given = (...values: readonly unknown[]): number => values.filter((value) => value !== undefined).length

const PaymentFilter = {
  search: Paging.search,
  status: z.optional(PaymentStatus),
  type: z.optional(PaymentType),
  source: z.optional(PaymentSource).check(z.describe('All sources when absent')),
  decidedOn: z.optional(Day),
  from: z.optional(Day).check(z.describe('The first and the last day. A request is of the day of its review')),
  to: z.optional(Day),
}

export const payments = {
  addMoney: {
    route: 'POST /payments/add-money',
    access: 'user',
    summary: 'Submits a UPI payment for approval. With a plan, the amount and credit come from the plan.',
    status: 201,
    input: TopUpRequest,
    output: z.object({ message: z.string(), payment: RequestedTopUp }),
    refusals: ['PAYMENTS_OFF', 'UTR_ALREADY_USED', 'PLAN_NOT_FOUND', 'PLAN_CHANGED', 'TOO_MANY_PENDING'],
    limit: 'add-money',
  },
  mine: {
    route: 'GET /payments/mine',
    access: 'user',
    summary: "The caller's top-up requests, newest first, with the reason where one was rejected.",
    output: z.array(OwnTopUp),
  },
  list: {
    route: 'GET /payments',
    access: 'admin',
    roles: ['payments', 'support', 'read-only'],
    summary:
      'Payments of every kind, newest first unless `order` says otherwise; the search finds a username, e-mail, ' +
      'UTR or phone. `decidedOn`, `from` and `to` are days in India. `source` keeps buyers’ top-up requests, ' +
      'purchases, or balance changes by admins. Pending requests include risk flags.',
    input: z.object({
      ...Paging,
      ...PaymentFilter,
      order: z.optional(z.enum(['newest', 'oldest'])),
      after: z.optional(Id).check(z.describe('Instead of `skip`: the payments after this one, the last one received')),
      before: z
        .optional(Id)
        .check(z.describe('Instead of `skip`: the payments before this one, the first one received')),
      id: z.optional(Id.check(z.describe('Only this top-up request'))),
      bank: z
        .optional(z.enum(['confirmed', 'held']))
        .check(z.describe('Only pending requests that the bank confirms, or payments whose money it holds back')),
    }),
    output: z.object({ payments: z.array(Payment), ...Total }),
  },
  exportPayments: {
    route: 'GET /payments/export',
    access: 'admin',
    roles: ['payments', 'support', 'read-only'],
    summary: 'All payments that the search finds as a CSV file, newest first; leaves an entry in the audit log.',
    input: z.object(PaymentFilter),
    output: z.unknown(),
    limit: 'export',
    stream: 'text/csv',
  },
  approve: {
    route: 'PUT /payments/{id}/approve',
    access: 'admin',
    saysToBuyers: ['reason'],
    forOldClients: true,
    roles: ['payments'],
    summary:
      'Approves a pending request and credits it in the same transaction, once, with another `amount` where less or ' +
      'more was paid. If it was already reviewed, the ' +
      'error has the first review in `status`, `decidedBy` and `decidedAt`. The credit counts as a balance change of ' +
      'the admin (see `stepUpAbove`).',
    input: z
      .object({
        id: Id,
        onlyConfirmed: z
          .optional(Flag)
          .check(z.describe('One of several that are approved together: refused unless the bank confirms it now')),
        ...z.partial(OtherAmount).shape,
        expected: z.optional(TopUpAmount.check(z.describe('The request’s own amount, as the admin saw it'))),
      })
      .check(
        z.refine(({ amount, reason, expected }) => [0, 3].includes(given(amount, reason, expected)), {
          error: 'Another amount needs a reason and the expected amount',
        }),
      ),
    output: Payment,
    refusals: ['NOT_FOUND', 'NOT_PENDING', 'NOT_CONFIRMED', 'AMOUNT_CHANGED', 'STEP_UP_REQUIRED'],
  },
  reject: {
    route: 'PUT /payments/{id}/reject',
    access: 'admin',
    forOldClients: true,
    saysToBuyers: ['reason'],
    roles: ['payments'],
    summary: 'Rejects a pending request; the buyer sees the reason.',
    input: z.object({ id: Id, reason: z.optional(line('Reason', 0, REASON_LENGTH_MAX)) }),
    output: Payment,
    refusals: ['NOT_FOUND', 'NOT_PENDING', 'STEP_UP_REQUIRED'],
  },
  remove: {
    route: 'DELETE /payments/{id}',
    access: 'admin',
    forOldClients: true,
    roles: ['payments'],
    summary: 'Hides a payment from the lists. Its UTR can’t be reused, and the ledger keeps the money trail.',
    input: z.object({ id: Id }),
    output: Message,
    refusals: ['NOT_FOUND', 'STEP_UP_REQUIRED'],
  },
  ...topUpPlans,
} as const satisfies Declarations
