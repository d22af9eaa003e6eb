/** Invitations: a buyer brings a friend. Both get credit when a statement of the bank shows the friend's payment. */
import * as z from 'zod/mini'
import { AMOUNT_MAX, Rupees, rupeesBetween } from './amounts.ts'
import type { Declarations } from './endpoint.ts'
import { Flag, Id, Moment, wholeNumber } from './fields.ts'
import { INVITE_DAYS_MAX, INVITE_DAYS_MIN } from './limits.ts'
import { paise, ZERO } from './money.ts'

/** Why an invitation brought nothing. */
export const NotCounted = z.enum(['payer', 'phone', 'device', 'name', 'no-payer', 'account', 'late'])
export type NotCounted = z.output<typeof NotCounted>

const count = z.number()

export const OwnInvites = z.object({
  isOn: z.boolean(),
  code: z
    .optional(z.string())
    .check(z.describe('Absent until a statement shows a top-up of the caller, and while paused')),
  paused: z.optional(z.literal(true)).check(z.describe('The store lets the caller’s invitations bring nothing now')),
  reward: Rupees.check(z.describe('What the caller gets for a friend')),
  friendGets: Rupees,
  minimum: Rupees.check(z.describe('The least that one payment of the friend has to be')),
  days: count.check(z.describe('Days that the credit lasts')),
  joined: count,
  waiting: count,
  counted: count,
  notCounted: count,
  earned: Rupees,
  leftThisMonth: Rupees.check(z.describe('What the caller can still get this month')),
  asFriend: z.optional(
    z
      .object({
        amount: Rupees,
        minimum: Rupees,
        until: Moment.check(z.describe('The payment has to be submitted before')),
      })
      .check(z.describe('The caller was invited and can still get this')),
  ),
})
export type OwnInvites = z.output<typeof OwnInvites>

export const Inviter = z.object({
  userId: Id,
  username: z.string(),
  joined: count,
  counted: count,
  notCounted: z
    .object({
      payer: count,
      phone: count,
      device: count,
      name: count,
      'no-payer': count,
      account: count,
      late: count,
    })
    .check(z.describe('Friends that brought nothing, by the reason')),
  earned: Rupees.check(z.describe('What this inviter got in 90 days')),
  lost: Rupees.check(z.describe('Of both rewards, what was spent before the store took them back')),
  reward: z.optional(Rupees).check(z.describe('A reward of their own; absent: the store’s')),
  monthMax: z.optional(Rupees).check(z.describe('A ceiling of their own; absent: the store’s')),
  paused: z.boolean().check(z.describe('Brings nothing more until the owner resumes it')),
})
export type Inviter = z.output<typeof Inviter>

const REWARD = rupeesBetween(ZERO, AMOUNT_MAX, 'Enter ₹0 or more')
const ABOVE_ZERO = rupeesBetween(paise(1), AMOUNT_MAX, 'Enter an amount above ₹0')

const InviteSettingsInput = z.object({
  isOn: Flag,
  reward: REWARD.check(z.describe('What the inviter gets')),
  friendGets: REWARD.check(z.describe('What the friend gets. Both together are at most half of `minimum`')),
  minimum: ABOVE_ZERO.check(z.describe('The least that one payment of the friend has to be')),
  days: wholeNumber(INVITE_DAYS_MIN, INVITE_DAYS_MAX, 'Enter 7 to 365 days').check(
    z.describe('Days that the credit lasts'),
  ),
  monthMax: REWARD.check(z.describe('What one inviter can get in a month')),
  budget: REWARD.check(z.describe('What the store gives in a month. More waits for the next one')),
})

export const InviteSettings = z.object({
  isOn: z.boolean(),
  reward: Rupees,
  friendGets: Rupees,
  minimum: Rupees,
  days: count,
  monthMax: Rupees,
  budget: Rupees,
  paidThisMonth: Rupees.check(z.describe('What the store gave this month, to both')),
  lastStatementAt: z.nullable(Moment).check(z.describe('When a balanced statement was last uploaded')),
})
export type InviteSettings = z.output<typeof InviteSettings>

/** An invitation as one of its two buyers may read it. It names nobody. */
export const OwnInvite = z.object({
  as: z.enum(['inviter', 'friend']),
  joinedAt: Moment,
  state: z.enum(['waiting', 'counted', 'not-counted', 'taken-back']),
  amount: z.nullable(Rupees).check(z.describe('What the caller got')),
  endedAt: z.nullable(Moment),
})
export type OwnInvite = z.output<typeof OwnInvite>

export const invites = {
  ownInvites: {
    route: 'GET /invites/own',
    access: 'user',
    summary: 'The caller’s code for friends, what it brought, and what the caller gets as somebody’s friend.',
    output: OwnInvites,
  },
  inviters: {
    route: 'GET /invites',
    access: 'admin',
    roles: ['payments', 'support', 'read-only'],
    summary: 'The 50 buyers whose invitations brought them most in 90 days.',
    output: z.array(Inviter),
  },
  setInviteTerms: {
    route: 'PUT /invites/{userId}',
    access: 'admin',
    summary:
      'Gives a buyer another reward for friends who join from now on, pauses or resumes. Absent fields stay, and ' +
      'null means the store’s. The reward and what the friend gets are at most half of the minimum.',
    input: z.object({
      userId: Id,
      reward: z.optional(z.nullable(REWARD)),
      monthMax: z.optional(z.nullable(REWARD)),
      paused: z.optional(Flag),
    }),
    output: Inviter,
    refusals: ['NOT_FOUND', 'STEP_UP_REQUIRED'],
  },
  inviteSettings: {
    route: 'GET /settings/invites',
    access: 'admin',
    summary: 'Whether buyers can invite friends, and what both get.',
    output: InviteSettings,
  },
  saveInviteSettings: {
    route: 'PUT /settings/invites',
    access: 'admin',
    summary: 'Saves them; absent fields stay. Turning it on, and anything that gives more, needs step-up.',
    input: z.partial(InviteSettingsInput),
    output: InviteSettings,
    refusals: ['STEP_UP_REQUIRED'],
  },
} as const satisfies Declarations
