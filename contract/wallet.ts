import * as z from 'zod/mini'
import type { Declarations } from './endpoint.ts'
import { Id, Moment, limitUpTo } from './fields.ts'
import { Rupees } from './amounts.ts'
import { PaidTo } from './upi.ts'

export const MovementKind = z.enum([
  'topup',
  'admin_credit',
  'refund',
  'deduction_lapsed',
  'referral_reward',
  'purchase',
  'admin_debit',
  'expiry',
  'reversal',
])
export type MovementKind = z.output<typeof MovementKind>

/** The four types that clients know, by the exact kind. */
export const MOVEMENT_TYPE = {
  topup: 'topup',
  admin_credit: 'topup',
  refund: 'topup',
  deduction_lapsed: 'topup',
  referral_reward: 'referral_reward',
  purchase: 'purchase',
  admin_debit: 'admin_adjustment',
  expiry: 'admin_adjustment',
  reversal: 'admin_adjustment',
} as const satisfies Record<MovementKind, string>

export const HistoryEntry = z.object({
  _id: Id,
  type: z.enum(['topup', 'referral_reward', 'purchase', 'admin_adjustment']),
  amount: Rupees.check(z.describe('Positive, also for a purchase; negative for an admin_adjustment')),
  delta: Rupees.check(z.describe('Signed; the sum over the whole history is the balance')),
  balanceAfter: Rupees,
  kind: MovementKind,
  description: z.string(),
  referralCode: z.string().check(z.describe('"N/A" if none')),
  expiresAt: z.nullable(Moment),
  createdAt: Moment,
})
export type HistoryEntry = z.output<typeof HistoryEntry>

/** What a buyer paid, on paper. */
export const Receipt = z.object({
  _id: Id,
  kind: z.enum(['purchase', 'topup']),
  at: Moment.check(z.describe('Of the purchase, or of the approval')),
  buyer: z.string(),
  what: z.string().check(z.describe('Product and duration as they were sold; empty for a top-up')),
  quantity: z.number(),
  amount: Rupees,
  credited: Rupees.check(z.describe('What a top-up added to the wallet, with its bonus')),
  refunded: Rupees,
  utr: z.string().check(z.describe('Of a top-up; a purchase was paid from the wallet')),
  paidTo: z.optional(PaidTo.check(z.describe('The UPI ID that the buyer saw, and its name then'))),
})
export type Receipt = z.output<typeof Receipt>

/** A larger `limit` is cut to it; the whole history is had without one. */
const HISTORY_ENTRIES_MAX = 1_000

export const wallet = {
  history: {
    route: 'GET /auth/balance-history',
    access: 'user',
    summary:
      'Lists the caller’s transactions, newest first, all of them without parameters. `before` is the _id of the ' +
      'last entry received.',
    input: z.object({
      limit: z.optional(limitUpTo(HISTORY_ENTRIES_MAX)),
      before: z.optional(Id),
    }),
    output: z.array(HistoryEntry),
  },
  receipt: {
    route: 'GET /receipts/{id}',
    access: 'user-or-admin',
    roles: ['payments', 'support', 'read-only'],
    summary: 'What was paid: of an order or of an approved top-up request. Users get their own only.',
    input: z.object({ id: Id }),
    output: Receipt,
    refusals: ['NOT_FOUND'],
  },
} as const satisfies Declarations
