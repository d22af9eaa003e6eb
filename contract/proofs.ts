/** For a store whose account is frozen: the proof of one payment, and the mark of money that the bank holds. */
import * as z from 'zod/mini'
import { Rupees } from './amounts.ts'
import type { Declarations } from './endpoint.ts'
import { Day, Flag, Id, line, Moment } from './fields.ts'
import { REASON_LENGTH_MAX } from './limits.ts'
import { Payment } from './payments.ts'
import { PaidTo } from './upi.ts'

export const ProofCredit = z.object({
  day: Day,
  at: z.nullable(Moment),
  amount: Rupees,
  refs: z.array(z.string()),
  payerName: z.string(),
  payerVpa: z.string(),
  source: z.enum(['none', 'alert', 'report', 'statement']),
  account: z.string().check(z.describe('The bank and the last digits')),
  importedAt: z.nullable(Moment),
})

export const ProofClaim = z.object({ number: z.number(), state: z.string(), at: Moment })
export const ProofLogin = z.object({ at: Moment, address: z.string(), device: z.string() })
export const ProofMessage = z.object({ kind: z.string(), channel: z.string(), state: z.string(), at: Moment })
export const ProofMove = z.object({ at: Moment, kind: z.string(), amount: Rupees })
export const ProofEntry = z.object({ at: Moment, action: z.string(), admin: z.string() })

export const ProofOrder = z.object({
  order: Id,
  at: Moment,
  productName: z.string(),
  duration: z.string(),
  quantity: z.number(),
  paid: Rupees.check(z.describe('What the whole order cost')),
  amount: Rupees.check(z.describe('What this payment’s credit paid of it')),
  bonus: Rupees.check(z.describe('The bonus of this payment in that amount')),
  refunded: Rupees.check(z.describe('Refunds of the order, from whatever credit it was paid')),
  refundedHere: Rupees.check(z.describe('The part of the refunds that this payment’s credit had paid')),
  keys: z.array(z.string()).check(z.describe('Their first two and last four characters, or all of them on request')),
  claims: z.array(ProofClaim),
})

export const Proof = z.object({
  number: z.string().check(z.describe('P- and the last 8 characters of the payment’s id')),
  madeAt: Moment,
  madeBy: z.string(),
  store: z.object({
    name: z.string(),
    url: z.optional(z.string().check(z.describe('Its address; absent in a store without PUBLIC_URL'))),
    upiId: z.string(),
    payeeName: z.optional(z.string()),
  }),
  request: z.object({
    _id: Id,
    filedAt: Moment,
    filedBy: z.optional(z.string().check(z.describe('The admin who filed it for money that came without a request'))),
    utr: z.string(),
    asked: Rupees.check(z.describe('The amount that the buyer named')),
    amount: Rupees.check(z.describe('The amount that was paid')),
    credited: Rupees.check(z.describe('The amount and its bonus')),
    phone: z.string(),
    address: z.string(),
    device: z.string().check(z.describe('The browser of the session that sent it; empty once it is forgotten')),
    terms: z.nullable(z.object({ version: z.string(), at: Moment })),
    paidTo: z.nullable(PaidTo),
  }),
  decision: z.object({
    status: z.enum(['pending', 'approved', 'rejected']),
    by: z.string().check(z.describe('An admin; empty for the rules of the store')),
    at: z.nullable(Moment),
    reason: z.string(),
  }),
  bank: z.array(ProofCredit),
  buyer: z.object({
    username: z.string(),
    email: z.string(),
    joinedAt: Moment,
    deletedAt: z.nullable(Moment),
    referralCode: z.string(),
    logins: z.array(ProofLogin).check(z.describe('From 7 days before the request to 7 days after it')),
  }),
  spent: z.array(ProofOrder),
  messages: z
    .array(ProofMessage)
    .check(z.describe('What the store has sent the buyer about this payment and its purchases')),
  left: Rupees.check(z.describe('What is left of the credit')),
  expired: Rupees,
  takenBack: z.nullable(z.object({ at: Moment, taken: Rupees, loss: Rupees })),
  held: z.optional(Moment.check(z.describe('Since when the bank holds the money, as an admin has marked it'))),
  ledger: z.array(ProofMove).check(z.describe('Every change of this payment’s credit. Together they are what is left')),
  audit: z.object({
    entries: z.array(ProofEntry),
    hash: z.string().check(z.describe('The head of the audit log before this proof')),
  }),
})
export type Proof = z.output<typeof Proof>

export const proofs = {
  read: {
    route: 'GET /payments/{id}/proof',
    access: 'admin',
    roles: ['payments'],
    summary:
      'Makes the proof of one top-up request for a bank. Nothing of another buyer is in it. The audit log keeps the ' +
      'SHA-256 of the answer. `keys=full` shows whole keys, for owners only.',
    input: z.object({ id: Id, keys: z.optional(z.literal('full')).check(z.describe('Shows whole keys')) }),
    output: Proof,
    refusals: ['NOT_FOUND', 'STEP_UP_REQUIRED'],
  },
  hold: {
    route: 'PUT /payments/{id}/held',
    access: 'admin',
    roles: ['payments'],
    summary:
      'Marks an approved top-up whose money a bank holds back, or changes the note of the mark. The buyer is blocked ' +
      'unless `letBuy` says otherwise. No money moves.',
    input: z.object({
      id: Id,
      note: line('Note', 1, REASON_LENGTH_MAX).check(z.describe('For admins, such as the number of the bank’s letter')),
      letBuy: z.optional(Flag).check(z.describe('Leaves the buyer in the store')),
    }),
    output: Payment,
    refusals: ['NOT_FOUND', 'NOT_APPROVED', 'STEP_UP_REQUIRED'],
  },
  release: {
    route: 'DELETE /payments/{id}/held',
    access: 'admin',
    roles: ['payments'],
    summary:
      'Ends the mark of a top-up whose money the bank has let go. A block that came with the mark ends, too, unless ' +
      'another held payment of the buyer needs it. A take-back ends the mark and leaves the block.',
    input: z.object({ id: Id }),
    output: Payment,
    refusals: ['NOT_FOUND', 'NOT_HELD', 'STEP_UP_REQUIRED'],
  },
} as const satisfies Declarations
