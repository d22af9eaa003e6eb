/** Keys that the store buys again at their end, from the wallet. Nothing is taken before. */
import * as z from 'zod/mini'
import { AMOUNT_MAX, Rupees, rupeesBetween } from './amounts.ts'
import type { Declarations } from './endpoint.ts'
import { aboutOne, Flag, Id, Moment, saidInOthers } from './fields.ts'
import { paise } from './money.ts'

export const RenewalRequest = z.object({
  keyId: Id.check(z.describe('A valid key of the purchase to renew')),
  repeat: z
    ._default(z.optional(Flag), false)
    .check(z.describe('Renews again and again, from 3 days on. The buyer gets a message a day before, each time')),
  max: z
    .optional(rupeesBetween(paise(1), AMOUNT_MAX, 'Enter an amount in rupees'))
    .check(z.describe('One key may cost this at most. Absent: what it costs now')),
})

export const RenewalReason = z.enum([
  'price',
  'stock',
  'money',
  'not-for-sale',
  'limit',
  'stopped',
  'by-hand',
  'refunded',
  'account',
  'unused',
  'untold',
])
export type RenewalReason = z.output<typeof RenewalReason>

export const Renewal = z.object({
  _id: Id.check(z.describe('The purchase that is renewed')),
  keyIds: z.array(Id).check(z.describe('Its good keys')),
  productId: Id,
  productName: z.string(),
  ...saidInOthers('productName'),
  duration: z.string(),
  quantity: z.number(),
  max: Rupees.check(z.describe('One key may cost this at most')),
  repeat: z.boolean(),
  at: Moment.check(z.describe('When it is bought: at the end of the keys, and 20 hours after the message about it')),
  state: z.enum(['waiting', 'held', 'bought', 'ended']),
  reason: z.optional(
    RenewalReason.check(
      z.describe('Why it is held or has ended. With `by-hand` or `not-for-sale`, one that waits will end so'),
    ),
  ),
  triesUntil: z.optional(Moment.check(z.describe('Until when the store tries what is held'))),
  nextOrderId: z.optional(Id),
})
export type Renewal = z.output<typeof Renewal>

export const renewals = {
  make: {
    route: 'POST /renewals',
    access: 'user',
    summary:
      'Buys the keys of a purchase again when they end, for at most `max` each. Nothing is taken before. Another ' +
      'call for the same purchase changes it.',
    status: 201,
    input: RenewalRequest,
    output: Renewal,
    refusals: ['NOT_FOUND', 'KEY_EXPIRED', 'PRODUCT_NOT_FOUND', 'LIMIT_REACHED', 'TOO_SHORT', 'CANNOT_TELL'],
    limit: 'renewal',
  },
  mine: {
    route: 'GET /renewals',
    access: 'user',
    summary: 'What renews for the caller, and what ended within 7 days, by its moment.',
    output: z.array(Renewal),
  },
  stop: {
    route: 'DELETE /renewals/{id}',
    access: 'user',
    summary: 'Ends a renewal before it is bought.',
    ...aboutOne,
  },
} as const satisfies Declarations
