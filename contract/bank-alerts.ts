/** What phones have sent: the messages that are no credit, their senders and their wordings. */
import * as z from 'zod/mini'
import type { Declarations } from './endpoint.ts'
import { Rupees } from './amounts.ts'
import { AlertOutcome } from './bank-phones.ts'
import { Day, Id, Moment, Paging, Total } from './fields.ts'

/** A message or a line that is no credit. */
export const BankSighting = z.object({
  _id: Id,
  outcome: AlertOutcome,
  why: z.nullable(z.string()),
  account: z.nullable(z.object({ _id: Id, label: z.string() })),
  device: z.nullable(z.object({ _id: Id, name: z.string() })),
  amount: z.nullable(Rupees),
  day: z.nullable(Day),
  at: z.nullable(Moment),
  line: z.nullable(z.number()),
  text: z.nullable(z.string()).check(z.describe('For owners and payments admins only')),
  creditId: z.nullable(Id).check(z.describe('The money that a message proposes')),
  seenAt: Moment,
})
export type BankSighting = z.output<typeof BankSighting>

/** A message that a phone has sent within a day. */
export const BankHeard = z.object({
  at: Moment,
  sender: z.string(),
  outcome: AlertOutcome,
  why: z.nullable(z.string()),
  stampedAt: z.nullable(Moment).check(z.describe('When the phone got it, by its own clock')),
  text: z.nullable(z.string()).check(z.describe('With every digit as #; null for what was read')),
  add: z
    .nullable(z.object({ accountId: Id, header: z.string(), looksLike: z.nullable(z.string()) }))
    .check(z.describe('An unknown sender that may be added to this account, and the known one that it looks like')),
})
export type BankHeard = z.output<typeof BankHeard>

/** A sender that an owner has added. On trial until `provenAt`. */
export const BankSender = z.object({
  _id: Id,
  account: z.object({ _id: Id, label: z.string() }),
  header: z.string(),
  addedAt: Moment,
  provenAt: z.nullable(Moment),
  endedAt: z.nullable(Moment),
  endedWhy: z.nullable(z.enum(['by-admin', 'contradicted'])),
})
export type BankSender = z.output<typeof BankSender>

/** A wording that no release knows. */
export const BankForm = z.object({
  _id: Id,
  bank: z.string(),
  text: z.string().check(z.describe('With slots such as {sum} and {ref}, without names and numbers')),
  seen: z.number(),
  proven: z.number().check(z.describe('How often a statement agreed')),
  contradicted: z.number().check(z.describe('How often a statement said otherwise, or lacked the money')),
  seenAt: Moment,
  mayLearn: z.boolean().check(z.describe('Statements have proven it often enough, and never denied it')),
  learnedAt: z.nullable(Moment).check(z.describe('Since when it counts as an alert')),
  endedAt: z.nullable(Moment).check(z.describe('When a statement denied it while it counted')),
  examples: z
    .array(z.object({ amount: Rupees, day: Day, ref: z.string() }))
    .check(z.describe('Payments that statements proved, at most ten, with the end of their references')),
})
export type BankForm = z.output<typeof BankForm>

export const bankAlerts = {
  heard: {
    route: 'GET /bank/devices/{id}/heard',
    access: 'admin',
    roles: ['payments'],
    summary: 'What a phone has sent within a day, newest first, and how many by day and outcome for 30 days.',
    input: z.object({ id: Id }),
    output: z.object({
      heard: z.array(BankHeard),
      counts: z.array(z.object({ day: Day, outcome: AlertOutcome, count: z.number() })),
    }),
    refusals: ['NOT_FOUND'],
  },
  unread: {
    route: 'GET /bank/alerts',
    access: 'admin',
    roles: ['payments'],
    summary: 'Messages and lines that are no credit, with the reason, newest first.',
    input: z.object({ ...Paging, outcome: z.optional(AlertOutcome).check(z.describe('All when absent')) }),
    output: z.object({ alerts: z.array(BankSighting), ...Total }),
  },
  senders: {
    route: 'GET /bank/senders',
    access: 'admin',
    summary: 'Senders of SMS that owners have added, those that count first.',
    output: z.object({ senders: z.array(BankSender) }),
  },
  addSender: {
    route: 'POST /bank/senders',
    access: 'admin',
    summary: 'Adds an unknown sender on trial. A phone must have sent a message of it within a day.',
    status: 201,
    input: z.object({
      accountId: Id,
      header: z.string().check(z.regex(/^[A-Z]{6}$/, { error: 'Enter the six letters of the sender' })),
    }),
    output: BankSender,
    refusals: ['STEP_UP_REQUIRED', 'NOT_FOUND'],
  },
  endSender: {
    route: 'PUT /bank/senders/{id}',
    access: 'admin',
    summary: 'Ends an added sender. Its messages are refused again.',
    input: z.object({ id: Id, ended: z.literal(true) }),
    output: BankSender,
    refusals: ['NOT_FOUND'],
  },
  forms: {
    route: 'GET /bank/forms',
    access: 'admin',
    roles: ['payments'],
    summary: 'Wordings that are only proposed: how often seen, and what statements said of them.',
    output: z.object({ forms: z.array(BankForm) }),
  },
  learnForm: {
    route: 'PUT /bank/forms/{id}',
    access: 'admin',
    summary: 'Lets a proven wording count as an alert, under the limits of alerts, or ends that.',
    input: z.object({ id: Id, learned: z.boolean() }),
    output: BankForm,
    refusals: ['STEP_UP_REQUIRED', 'NOT_FOUND'],
  },
} as const satisfies Declarations
