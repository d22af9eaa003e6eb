/** Redeem codes: an admin makes a batch, and each code adds its credit to the wallet of the buyer who types it in. */
import * as z from 'zod/mini'
import { Rupees, rupeesBetween } from './amounts.ts'
import type { Declarations } from './endpoint.ts'
import { Day, Flag, Id, line, Moment, wholeNumber } from './fields.ts'
import { CODE_AMOUNT_MAX_PAISE, CODES_MAX, CREDIT_DAYS_MAX, CREDIT_DAYS_MIN } from './limits.ts'
import { paise } from './money.ts'
import { normaliseRedeemCode } from './pasted.ts'

const COUNT = 'Enter a whole number from 1 to 1,000'
const AMOUNT = 'Enter ₹1 to ₹10,000'
const CREDIT_DAYS = 'Enter 7 to 730 days'

export const CodeBatchInput = z.object({
  name: line('Name', 1, 60).check(z.describe('Buyers read it in their history')),
  count: wholeNumber(1, CODES_MAX, COUNT),
  amount: rupeesBetween(paise(1_00), paise(CODE_AMOUNT_MAX_PAISE), AMOUNT).check(z.describe('What each code credits')),
  sold: z
    ._default(z.optional(Flag), false)
    .check(z.describe('Sold for money: an account may redeem any number. A gift is one each')),
  codeUntil: Day.check(z.describe('The last day in India on which a code can be redeemed, within 2 years')),
  creditDays: wholeNumber(CREDIT_DAYS_MIN, CREDIT_DAYS_MAX, CREDIT_DAYS).check(
    z.describe('Days from then until the credit expires'),
  ),
})

export const CodeBatch = z.object({
  _id: Id,
  name: z.string(),
  count: z.number(),
  used: z.number(),
  amount: Rupees,
  sold: z.boolean(),
  codeUntil: Day.check(z.describe('The last day in India on which a code can be redeemed')),
  creditDays: z.number(),
  endedAt: z.nullable(Moment.check(z.describe('When an admin ended it'))),
  createdBy: z.object({ username: z.string() }),
  createdAt: Moment,
})
export type CodeBatch = z.output<typeof CodeBatch>

export const codes = {
  redeem: {
    route: 'POST /wallet/redeem',
    access: 'user',
    summary:
      'Adds the credit of a code to the wallet. Case, spaces and signs between its letters don’t count. The same ' +
      'code again from the same account returns the same answer.',
    input: z.object({ code: z.string({ error: 'Code is required' }).check(z.overwrite(normaliseRedeemCode)) }),
    output: z.object({
      amount: Rupees.check(z.describe('What the code credited')),
      expiresAt: Moment.check(z.describe('When that credit expires')),
      balance: Rupees,
    }),
    refusals: ['CODE_INVALID', 'CODE_USED', 'ONE_EACH'],
    limit: 'redeem',
  },
  codes: {
    route: 'GET /codes',
    access: 'admin',
    roles: ['payments', 'read-only'],
    summary: 'Batches of redeem codes with their use, newest first. The codes themselves are kept nowhere.',
    output: z.array(CodeBatch),
  },
  makeCodes: {
    route: 'POST /codes',
    access: 'admin',
    saysToBuyers: ['name'],
    roles: ['payments'],
    summary:
      'Makes redeem codes and returns them this once. What they credit together counts as a balance change of the ' +
      'admin (see `stepUpAbove`).',
    status: 201,
    input: CodeBatchInput,
    output: z.object({ batch: CodeBatch, codes: z.array(z.string()) }),
    refusals: ['STEP_UP_REQUIRED'],
  },
  endCodes: {
    route: 'POST /codes/{id}/end',
    access: 'admin',
    roles: ['payments'],
    summary: 'Ends the unused codes of a batch. What was redeemed stays in the wallets.',
    input: z.object({ id: Id }),
    output: CodeBatch,
    refusals: ['NOT_FOUND'],
  },
} as const satisfies Declarations
