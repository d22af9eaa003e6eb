/** What speaks for and against a pending request, for the admin who reviews it. */
import * as z from 'zod/mini'
import { Rupees } from './amounts.ts'
import { Day, Id } from './fields.ts'

/** Risk signals of a pending request, for the admin who reviews it. */
export const PaymentSigns = z.object({
  utrRejectedBefore: z
    .boolean()
    .check(z.describe('An earlier request with the same UTR was rejected (spelling ignored)')),
  phoneUsedBy: z.array(z.string()).check(z.describe('Usernames of other accounts that gave this phone; two at most')),
  requestOfDay: z
    .number()
    .check(z.describe('1 for the buyer’s first request of its day (India time), 2 for the second, …')),
  isFirstTopUp: z.boolean().check(z.describe('Nothing of this buyer was approved yet')),
})
export type PaymentSigns = z.output<typeof PaymentSigns>

/** What the bank says about a pending request: the first rule that fails names the verdict. */
export const BankVerdict = z.enum([
  'confirmed',
  'alert',
  'proposed',
  'hint',
  'amount',
  'differs',
  'rivals',
  'payer',
  'late',
  'unseen',
])
export type BankVerdict = z.output<typeof BankVerdict>
export const PaymentBank = z.object({
  verdict: BankVerdict,
  creditId: z.optional(Id),
  amount: z.optional(Rupees.check(z.describe('What the bank shows'))),
  at: z.optional(z.string().check(z.describe('A moment, or a day where the bank tells no time'))),
  payer: z.optional(z.string()),
  proof: z.optional(z.enum(['none', 'alert', 'report', 'statement'])),
  seenTo: z.optional(Day.check(z.describe('The day that the statements of every account reach'))),
  why: z.optional(z.string().check(z.describe('What makes this a hint or a flag, in words'))),
  rivals: z.optional(z.array(z.string()).check(z.describe('Usernames of others who claimed the transfer'))),
})
export type PaymentBank = z.output<typeof PaymentBank>
