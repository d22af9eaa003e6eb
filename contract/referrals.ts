import * as z from 'zod/mini'
import type { Declarations } from './endpoint.ts'
import { aboutOne, Flag, Id, line, Moment, wholeNumber } from './fields.ts'
import { AMOUNT_MAX, Rupees, rupeesBetween } from './amounts.ts'
import { paise, ZERO, type Paise } from './money.ts'
import { normaliseReferralCode } from './pasted.ts'

export const ReferralCode = z.object({
  _id: Id,
  code: z.string(),
  description: z.string(),
  maxUsage: z.nullable(z.number()),
  rewardAmount: Rupees,
  isActive: z.boolean(),
  usageCount: z.number(),
  paysAfterTopUp: z.boolean().check(z.describe('The reward comes with the first approved top-up, not at sign-up')),
  dayMax: z
    .nullable(Rupees)
    .check(z.describe('What sign-ups of one day bring at most. Later ones get theirs with their first top-up')),
  given: Rupees.check(z.describe('Rewards that were credited so far')),
  createdBy: z.object({ username: z.string() }),
  createdAt: Moment,
})
export type ReferralCode = z.output<typeof ReferralCode>

const Code = z
  .string({ error: 'Code is required' })
  .check(z.trim(), z.toUpperCase(), z.regex(/^[A-Z0-9_-]{3,32}$/, { error: 'Use 3 to 32 letters, numbers, - or _' }))
const MAX_USAGE = 'Enter a whole number from 1, or leave empty for unlimited'
const MaxUsage = z.pipe(
  z.union([z.literal(''), z.null(), wholeNumber(1, 1_000_000_000, MAX_USAGE)], { error: MAX_USAGE }),
  z.transform((value): number | null => (value === '' ? null : value)),
)
const Reward = rupeesBetween(ZERO, AMOUNT_MAX, 'Enter ₹0 or more')

const DAY_MAX = 'Enter more than ₹0, or leave empty for no ceiling'
const DayMax = z.pipe(
  z.union([z.literal(''), z.null(), rupeesBetween(paise(1), AMOUNT_MAX, DAY_MAX)], { error: DAY_MAX }),
  z.transform((value): Paise | null => (value === '' ? null : value)),
)

const ReferralInput = z.object({
  code: Code,
  description: line('Description', 1, 200),
  maxUsage: z._default(z.optional(MaxUsage), null),
  rewardAmount: z._default(z.optional(Reward), ZERO),
  isActive: z._default(z.optional(Flag), true),
  paysAfterTopUp: z._default(z.optional(Flag), false),
  dayMax: z._default(z.optional(DayMax), null),
})

export const referrals = {
  validate: {
    route: 'GET /referral/validate/{code}',
    access: 'public',
    summary: 'Whether a referral code, or a buyer’s code for friends, can be used to sign up.',
    input: z.object({ code: z.string().check(z.overwrite(normaliseReferralCode)) }),
    output: z.object({
      valid: z.literal(true),
      code: z.string(),
      description: z.string(),
      friendGets: z
        .optional(Rupees)
        .check(z.describe('What the new buyer gets after a first payment. Only for a buyer’s code')),
      minimum: z.optional(Rupees).check(z.describe('The least of that payment. Only for a buyer’s code')),
    }),
    refusals: ['REFERRAL_NOT_FOUND', 'REFERRAL_USED_UP'],
    refusalDetails: { valid: false },
    limit: 'referral',
  },
  list: {
    route: 'GET /referral',
    access: 'admin',
    summary: 'Referral codes with their use, newest first.',
    output: z.array(ReferralCode),
  },
  stats: {
    route: 'GET /referral/stats',
    access: 'admin',
    summary: 'Counts over all codes, and the five most used active ones.',
    output: z.object({
      totalCodes: z.number(),
      activeCodes: z.number(),
      totalUsage: z.number(),
      topCodes: z.array(
        z.object({ _id: Id, code: z.string(), usageCount: z.number(), maxUsage: z.nullable(z.number()) }),
      ),
    }),
  },
  create: {
    route: 'POST /referral',
    access: 'admin',
    saysToBuyers: ['description'],
    forOldClients: true,
    roles: ['payments'],
    summary:
      'Adds a referral code. What its rewards can come to counts as a balance change of the admin (see ' +
      '`stepUpAbove`); a reward without a limit of uses always needs a step-up.',
    status: 201,
    input: ReferralInput,
    output: ReferralCode,
    refusals: ['CODE_TAKEN', 'STEP_UP_REQUIRED'],
  },
  update: {
    route: 'PUT /referral/{id}',
    access: 'admin',
    saysToBuyers: ['description'],
    forOldClients: true,
    roles: ['payments'],
    summary: 'Changes a referral code; absent fields stay. Larger rewards count as they do in a new code.',
    input: z.object({
      id: Id,
      code: z.optional(Code),
      description: z.optional(line('Description', 1, 200)),
      maxUsage: z.optional(MaxUsage),
      rewardAmount: z.optional(Reward),
      isActive: z.optional(Flag),
      paysAfterTopUp: z.optional(Flag),
      dayMax: z.optional(DayMax),
    }),
    output: ReferralCode,
    refusals: ['NOT_FOUND', 'CODE_TAKEN', 'STEP_UP_REQUIRED'],
  },
  remove: {
    route: 'DELETE /referral/{id}',
    access: 'admin',
    roles: ['payments'],
    summary: 'Deletes a referral code. Users who signed up with it keep it in their record.',
    ...aboutOne,
  },
} as const satisfies Declarations
