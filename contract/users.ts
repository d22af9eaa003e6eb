import * as z from 'zod/mini'
import type { Declarations } from './endpoint.ts'
import { aboutOne, Day, Flag, Id, line, Message, Moment, Paging, Total, wholeNumber } from './fields.ts'
import { LANGUAGE_CODES } from './languages.ts'
import { ADJUSTMENT_EXPIRY_MAX_DAYS, REASON_LENGTH_MAX } from './limits.ts'
import { AMOUNT_MAX, Dollars, Rupees, rupeesBetween } from './amounts.ts'
import { negate, ZERO } from './money.ts'
import { Payment } from './payments.ts'

/** One lot of unspent credit. The amounts of the list add up to the balance. */
const WalletLot = z.object({
  _id: Id,
  amount: Rupees,
  expiresAt: z.nullable(Moment),
  addedAt: Moment,
  source: z.string(),
})

const CustomPrice = z.object({ productId: Id, duration: z.string(), price: Rupees })

const Account = z.object({
  _id: Id,
  email: z.string(),
  username: z.string(),
  createdAt: Moment,
  wallet: z.array(WalletLot),
  balance: Rupees,
  customPrices: z.array(CustomPrice),
  hiddenProducts: z.array(Id),
  referralCode: z.string(),
})

const GROUP_BY = z.enum(['hand', 'spend'])

export const User = z.extend(Account, {
  id: Id,
  emailProven: z.optional(z.literal(true)).check(z.describe('The buyer opened a link that was sent there')),
  language: z.optional(z.enum(LANGUAGE_CODES)).check(z.describe('Absent until the user chooses one')),
  isReseller: z.optional(z.literal(true)).check(z.describe('May buy with programs. Absent otherwise')),
  group: z
    .optional(z.object({ name: z.string(), by: GROUP_BY }))
    .check(z.describe('The group of buyers whose prices the user has, and what put the user there. Absent without')),
  usdBalance: Dollars,
  isAdmin: z.boolean(),
})
export type User = z.output<typeof User>

export const AdminUser = z.extend(Account, {
  contact: z.nullable(z.string()).check(z.describe('Phone of the newest approved top-up')),
  deviceLockedAt: z.nullable(Moment),
  lastSeenAt: z.nullable(Moment),
  blocked: z.nullable(z.object({ reason: z.string(), at: Moment })),
  reseller: z
    .optional(z.object({ tokens: z.number(), lastUsedAt: z.nullable(Moment) }))
    .check(z.describe('May buy with programs: how many tokens work, and the last use. Absent for all others')),
  group: z.nullable(z.object({ _id: Id, name: z.string() })).check(z.describe('The group of buyers')),
  groupBy: GROUP_BY.check(z.describe('What decides on the group: an admin, or what the user buys')),
  sameMailbox: z
    .array(z.string())
    .check(z.describe('Other open accounts whose address reaches the same mailbox, up to five')),
})
export type AdminUser = z.output<typeof AdminUser>

/** A user's open session, as an admin sees it. */
export const UserSession = z.object({
  _id: Id,
  createdAt: Moment,
  lastActiveAt: Moment,
  address: z.string(),
  userAgent: z.string(),
})
export type UserSession = z.output<typeof UserSession>

/** A key that a user has bought: enough to identify it, without the whole key. */
export const UserKey = z.object({
  _id: Id,
  ending: z.string().check(z.describe('The last characters of the key; empty for a short one')),
  productId: z.object({ _id: Id, name: z.string() }),
  duration: z.string(),
  orderId: Id,
  assignedAt: Moment,
  expiresAt: Moment,
  isExpired: z.boolean(),
})
export type UserKey = z.output<typeof UserKey>

/** A custom price as the form sends it. An empty price means "remove it". */
const CustomPriceInput = z.object({
  productId: Id,
  duration: z.string().check(z.maxLength(40)),
  price: z.union([z.literal(''), z.null(), rupeesBetween(ZERO, AMOUNT_MAX, 'Enter a price from ₹0')], {
    error: 'Enter a price from ₹0',
  }),
})

export const users = {
  list: {
    route: 'GET /admin/users',
    access: 'admin',
    roles: ['payments', 'support', 'read-only'],
    summary:
      'Lists users, newest first. The search finds part of a username, an e-mail or the phone of a top-up. ' +
      '`holding` lists users with a balance (largest first), or with money that expires within 30 days (soonest ' +
      'first), or those who are blocked. `joined` lists those who signed up on a day, India time.',
    input: z.object({
      ...Paging,
      holding: z.optional(z.enum(['money', 'lapsing', 'blocked'])),
      joined: z.optional(Day).check(z.describe('Only users who signed up on this day in India')),
      group: z.optional(Id).check(z.describe('Only users of this group of buyers')),
    }),
    output: z.object({ users: z.array(AdminUser), ...Total }),
  },
  update: {
    route: 'PUT /admin/users/{id}/custom-prices',
    access: 'admin',
    saysToBuyers: ['reason'],
    forOldClients: true,
    roles: ['payments'],
    summary:
      'Replaces a user’s custom prices and hidden products where given, and changes the balance by a signed ' +
      'amount, all in one transaction. With an Idempotency-Key, a repeated call changes nothing more. Balance ' +
      'changes without a recent confirmation are added up for 24 hours. Above `stepUpAbove` the call ' +
      'returns STEP_UP_REQUIRED, as it does for a custom price below what the user pays now and below the list ' +
      'price, or of what was not for sale.',
    input: z.object({
      id: Id,
      customPrices: z.optional(z.array(CustomPriceInput).check(z.maxLength(2_000))),
      hiddenProducts: z.optional(z.array(Id).check(z.maxLength(2_000))),
      balance: z.optional(
        z.union([z.literal(''), z.null(), rupeesBetween(negate(AMOUNT_MAX), AMOUNT_MAX, 'Enter an amount in rupees')], {
          error: 'Enter an amount in rupees',
        }),
      ),
      reason: z.optional(line('Reason', 0, REASON_LENGTH_MAX)),
      expiresInDays: z.optional(
        z.nullable(
          wholeNumber(
            1,
            ADJUSTMENT_EXPIRY_MAX_DAYS,
            `Enter 1 to ${ADJUSTMENT_EXPIRY_MAX_DAYS} days, or leave empty for no expiry`,
          ),
        ),
      ),
    }),
    output: z.object({ message: z.string(), user: AdminUser }),
    refusals: ['NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED', 'STEP_UP_REQUIRED', 'PRODUCT_NOT_FOUND', 'INSUFFICIENT_BALANCE'],
    idempotent: true,
  },
  remove: {
    route: 'DELETE /admin/users/{id}',
    access: 'admin',
    forOldClients: true,
    summary: 'Closes the account and erases its personal data; money and sales records stay under a pseudonym.',
    input: z.object({ id: Id }),
    output: Message,
    refusals: ['NOT_FOUND', 'STEP_UP_REQUIRED'],
  },
  payments: {
    route: 'GET /payments/user/{userId}',
    access: 'admin',
    roles: ['payments', 'support', 'read-only'],
    summary: "A user's payments, newest first.",
    input: z.object({ userId: Id }),
    output: z.array(Payment),
    refusals: ['NOT_FOUND'],
  },
  sessions: {
    route: 'GET /admin/users/{id}/sessions',
    access: 'admin',
    roles: ['support', 'read-only'],
    summary: "Lists a user's active sessions, most recently used first.",
    input: z.object({ id: Id }),
    output: z.object({ sessions: z.array(UserSession) }),
    refusals: ['NOT_FOUND'],
  },
  endSession: {
    route: 'DELETE /admin/users/{id}/sessions/{sessionId}',
    access: 'admin',
    roles: ['support'],
    summary: "Ends a user's session. The device lock stays: the same device can log in again.",
    input: z.object({ id: Id, sessionId: Id }),
    output: Message,
    refusals: ['NOT_FOUND'],
  },
  keys: {
    route: 'GET /admin/users/{id}/keys',
    access: 'admin',
    roles: ['stock', 'support', 'read-only'],
    summary: 'The keys that a user has bought, newest first, by their last characters.',
    input: z.object({ id: Id, limit: Paging.limit, skip: Paging.skip }),
    output: z.object({ keys: z.array(UserKey), total: z.number() }),
    refusals: ['NOT_FOUND'],
  },
  issueResetLink: {
    route: 'POST /admin/users/{id}/reset-link',
    access: 'admin',
    roles: ['support'],
    summary:
      'Creates a password reset link. It works once, within 30 minutes, and cancels earlier links. ' +
      'Within 24 hours of a device lock reset by an admin, only an owner may.',
    input: z.object({ id: Id }),
    output: z.object({
      message: z.string(),
      link: z.string().check(z.describe('Path in this store. The token is after the #, so no log has it')),
      expiresAt: Moment,
    }),
    refusals: ['STEP_UP_REQUIRED', 'NOT_FOUND', 'USER_BLOCKED'],
  },
  block: {
    route: 'PUT /admin/users/{id}/block',
    access: 'admin',
    saysToBuyers: ['reason'],
    roles: ['support'],
    summary: 'Logs a user out and keeps them out. They read the reason at login. Wallet, keys and requests stay.',
    input: z.object({ id: Id, reason: line('Reason', 1, REASON_LENGTH_MAX) }),
    output: AdminUser,
    refusals: ['NOT_FOUND', 'STEP_UP_REQUIRED'],
  },
  unblock: {
    route: 'PUT /admin/users/{id}/unblock',
    access: 'admin',
    roles: ['support'],
    summary: 'Lets a blocked user in again.',
    input: z.object({ id: Id }),
    output: AdminUser,
    refusals: ['NOT_FOUND'],
  },
  setGroup: {
    route: 'PUT /admin/users/{id}/group',
    access: 'admin',
    roles: ['payments'],
    summary:
      'Puts a user into a group of buyers, or with null into none. With `bySpend` it is the one that the user’s ' +
      'purchases have reached, now and each night. Needs step-up where the user then pays less.',
    input: z
      .object({ id: Id, groupId: z.nullable(Id), bySpend: z.optional(z.literal(true)) })
      .check(
        z.refine(({ groupId, bySpend }) => !bySpend || groupId === null, { path: ['groupId'], error: 'Send null' }),
      ),
    output: AdminUser,
    refusals: ['NOT_FOUND', 'STEP_UP_REQUIRED'],
  },
  setReseller: {
    route: 'PUT /admin/users/{id}/reseller',
    access: 'admin',
    summary:
      'Lets a user make tokens for programs that buy at the user’s prices, or stops all of them. `endTokens` ends ' +
      'those that were made.',
    input: z.object({ id: Id, on: Flag, endTokens: z.optional(Flag) }),
    output: AdminUser,
    refusals: ['NOT_FOUND', 'STEP_UP_REQUIRED'],
  },
  unlockDevice: {
    route: 'POST /admin/users/{id}/unlock-device',
    access: 'admin',
    roles: ['support'],
    summary:
      "Resets a user's device lock and logs them out, without the 24-hour wait. " +
      'Within 24 hours of a password reset link of an admin, only an owner may.',
    ...aboutOne,
  },
} as const satisfies Declarations
