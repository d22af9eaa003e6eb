/** The buyer's rights over their data: to read all of it, and to have it erased. */
import * as z from 'zod/mini'
import { Rupees } from './amounts.ts'
import { OwnClaim } from './claims.ts'
import type { Declarations } from './endpoint.ts'
import { Day, Id, LoginName, Message, Moment, Password } from './fields.ts'
import { OwnInvite } from './invites.ts'
import { OwnedKey } from './keys.ts'
import { CHANNELS, KIND_NAMES } from './message-kinds.ts'
import { Delivery } from './messages.ts'
import { OwnTopUp } from './payments.ts'
import { OwnPurchase } from './sales-book.ts'
import { Renewal } from './renewals.ts'
import { KeptToken } from './tokens.ts'
import { User } from './users.ts'
import { OwnPlace } from './waiting.ts'
import { HistoryEntry } from './wallet.ts'

/** One consent to the terms: the text, the purpose and the time. */
export const Consent = z.object({
  termsVersion: z.string(),
  givenFor: z.enum(['sign-up', 'payment']),
  at: Moment,
})

/** One login: its address, its browser and its end. */
export const Login = z.object({
  createdAt: Moment,
  lastActiveAt: Moment,
  endedAt: z.nullable(Moment),
  endReason: z.nullable(z.string()),
  address: z.string(),
  userAgent: z.string(),
})

/** Money that a bank showed, and that paid for one of the caller's top-ups. */
export const BankMoney = z.object({
  topUpId: Id,
  amount: Rupees,
  day: Day,
  at: z.nullable(Moment),
  refs: z.array(z.string()),
  payerName: z.string(),
  payerVpa: z.nullable(z.string()),
})

export const SentMessage = z.pick(Delivery, { kind: true, channel: true, state: true, createdAt: true, sentAt: true })
export const OwnChoice = z.object({ kind: z.enum(KIND_NAMES), channel: z.enum(CHANNELS), on: z.boolean() })

export const MyData = z.object({
  exportedAt: Moment,
  account: User,
  deviceLockedAt: z.nullable(Moment),
  consents: z.array(Consent),
  sessions: z.array(Login),
  tokens: z.array(KeptToken),
  topUps: z.array(OwnTopUp),
  bankMoney: z.array(BankMoney),
  purchases: z.array(OwnPurchase),
  keys: z.array(OwnedKey),
  claims: z.array(OwnClaim),
  waiting: z.array(OwnPlace),
  renewals: z.array(Renewal),
  invites: z.array(OwnInvite),
  history: z.array(HistoryEntry),
  messages: z.object({
    sent: z.array(SentMessage),
    choices: z.array(OwnChoice),
    browsers: z.array(
      z.object({ service: z.string(), userAgent: z.string(), since: Moment, lastSentAt: z.nullable(Moment) }),
    ),
  }),
})
export type MyData = z.output<typeof MyData>

const MONEY_OPEN = 'Refused while the wallet has money or will get some back, or a top-up request is pending.'

export const privacy = {
  myData: {
    route: 'GET /auth/my-data',
    access: 'user',
    summary: 'Downloads all data the store holds about the caller, as one file.',
    output: MyData,
    limit: 'export',
    download: 'my-data.json',
  },
  closeAccount: {
    route: 'POST /auth/close-account',
    access: 'user',
    summary: `Ends every session now and deletes the account in 7 days, unless the buyer cancels. ${MONEY_OPEN}`,
    input: z.object({ password: Password }),
    output: z.object({ message: z.string(), closesAt: Moment }),
    refusals: ['WRONG_PASSWORD', 'BALANCE_LEFT', 'REQUEST_PENDING'],
    limit: 'login',
    clearsSiteData: true,
  },
  keepAccount: {
    route: 'POST /auth/keep-account',
    access: 'public',
    summary: 'Cancels a scheduled account deletion. Until then, login returns ACCOUNT_CLOSING.',
    input: z.object({ username: LoginName, password: Password }),
    output: Message,
    refusals: ['WRONG_CREDENTIALS', 'ACCOUNT_NOT_CLOSING'],
    limit: 'login',
  },
} as const satisfies Declarations
