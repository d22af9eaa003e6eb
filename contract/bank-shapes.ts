/** What the bank inbox shows, as data. */
import * as z from 'zod/mini'
import { Rupees } from './amounts.ts'
import { Day, Id, Moment, wholeNumber } from './fields.ts'

/** What has said that the money came. Only a row whose balance step was checked is a statement's proof. */
export const Proof = z.enum(['none', 'alert', 'report', 'statement'])
export type Proof = z.output<typeof Proof>
export const CreditKind = z.enum(['payment', 'reversal', 'own'])
export type CreditKind = z.output<typeof CreditKind>
export const CreditState = z.enum(['unclaimed', 'matched', 'set-aside', 'differs'])
export type CreditState = z.output<typeof CreditState>
const AccountLabel = z.object({ _id: Id, label: z.string() })

/** Money that a bank says has come to an account of the store. */
export const BankCredit = z.object({
  _id: Id,
  amount: Rupees,
  day: Day,
  at: z.nullable(Moment),
  account: AccountLabel,
  refs: z
    .array(z.string())
    .check(z.describe('The bank’s references, in the form of UTRs. Dots for an admin who may not credit open money')),
  payer: z.object({
    name: z.string(),
    vpa: z.nullable(z.string()),
    paidFor: z
      .array(z.object({ _id: Id, username: z.string() }))
      .check(z.describe('Users for whom this payer has paid before')),
  }),
  note: z.string(),
  proof: Proof,
  kind: CreditKind,
  state: CreditState,
  topUp: z.nullable(z.object({ _id: Id, username: z.string() })),
  sightings: z.number().check(z.describe('Alerts, and lines that say otherwise than the first')),
  rivals: z.array(z.string()).check(z.describe('Usernames of others who claimed this transfer')),
})
export type BankCredit = z.output<typeof BankCredit>

export const BankAccount = z.object({
  _id: Id,
  bank: z.string(),
  label: z.string(),
  tail: z.string(),
  feedsStore: z.boolean().check(z.describe('Money that comes here may pay for top-ups')),
  closedAt: z.nullable(Moment),
  coveredTo: z.nullable(Day).check(z.describe('The day that proven statements reach')),
})
export type BankAccount = z.output<typeof BankAccount>

const Balances = z.enum(['proven', 'broken', 'none'])
const Covers = z.object({ from: Day, to: Day })
const Column = z.optional(wholeNumber(0, 199, 'Choose a column'))
/** Which column holds what, counted from 0. */
export const StatementColumns = z.object({
  date: wholeNumber(0, 199, 'Choose the column with the date'),
  narration: wholeNumber(0, 199, 'Choose the column with the description'),
  reference: Column,
  amount: Column,
  debit: Column,
  credit: Column,
  balance: Column,
})
export type StatementColumns = z.output<typeof StatementColumns>

export const StatementPreview = z.object({
  layout: z.string(),
  account: z.nullable(z.object({ _id: z.nullable(Id), bank: z.nullable(z.string()), tail: z.nullable(z.string()) })),
  holder: z.nullable(z.string()).check(z.describe('Whose account it is, as the file names them')),
  covers: z.nullable(Covers),
  balances: Balances,
  brokenAt: z.nullable(z.number()).check(z.describe('The first line whose balance does not add up')),
  swapped: z
    .boolean()
    .check(z.describe('Its labels for money in and money out were swapped, and are read the right way')),
  lines: z.number(),
  credits: z.number(),
  known: z.number().check(z.describe('Credits that were seen before')),
  confirmed: z.number().check(z.describe('Pending requests whose money is in it')),
  approvesNow: z.number().check(z.describe('Requests that the upload would approve by the store’s rules')),
  fees: z.optional(Rupees.check(z.describe('What a payment app keeps of the credits before it pays them out'))),
  rows: z.array(
    z.object({
      line: z.number(),
      day: Day,
      amount: Rupees,
      direction: z.enum(['credit', 'debit']),
      refs: z.array(z.string()),
      narration: z.string(),
      kind: CreditKind,
      proof: Proof,
    }),
  ),
  problems: z.array(z.object({ line: z.number(), text: z.string() })),
})
export type StatementPreview = z.output<typeof StatementPreview>

export const BankImport = z.object({
  _id: Id,
  account: AccountLabel,
  layout: z.string(),
  covers: Covers,
  balances: Balances,
  lines: z.number(),
  credits: z.number(),
  newCredits: z.number(),
  createdBy: z.string(),
  createdAt: Moment,
})
export type BankImport = z.output<typeof BankImport>
export const ImportResult = z.object({
  import: BankImport,
  new: z.number(),
  known: z.number(),
  matched: z.number().check(z.describe('Requests, pending or approved, whose money is in it')),
  confirmed: z.number().check(z.describe('Requests that were pending and whose money is in it')),
  approved: z.number(),
  alarms: z.number(),
})
export type ImportResult = z.output<typeof ImportResult>

export const RuleMode = z.enum(['propose', 'auto-known', 'auto'])
export type RuleMode = z.output<typeof RuleMode>
export const RuleTrust = z.enum(['statement', 'phone'])
export const RuleFields = { mode: RuleMode, trusts: RuleTrust, perRequest: Rupees, perBuyerDay: Rupees, perDay: Rupees }
export const BankRules = z.object({
  ...RuleFields,
  unprovenMax: Rupees,
  unproven: Rupees.check(z.describe('Approved on alerts alone and in no statement yet')),
  today: Rupees.check(z.describe('Approved automatically today, in India')),
  offWhy: z.nullable(z.string()).check(z.describe('Why automatic approval turned itself off')),
})
export type BankRules = z.output<typeof BankRules>
/** Why automatic approval turned itself off, by the code in the table. */
export const OFF_REASONS = {
  'alert-disproven': 'A statement doesn’t show money that an alert reported',
  'sources-differ': 'Alert and statement differ for money that was approved',
  'taken-back-twice': 'Two automatic approvals were taken back within a day',
  'records-broken': 'The nightly check found a fault in the bank’s records',
  restored: 'The store was restored from a backup',
} as const
export type OffReason = keyof typeof OFF_REASONS
/** Why a phone is paused, by the code in the table. */
export const PAUSE_REASONS = {
  'by-admin': 'Paused in the panel',
  'alert-disproven': 'A statement doesn’t show money that an alert reported',
  'sources-differ': 'Its alert and another source disagree',
  restored: 'The store was restored from a backup',
} as const
export type PauseReason = keyof typeof PAUSE_REASONS
/** Why a line of a file is no credit, by the code in the table. */
export const LINE_REASONS = { 'bare-line': 'no reference and no balance' } as const
/** @returns the words of a code; what a table keeps from before codes as it is */
export const reasonIn = (words: Readonly<Record<string, string>>, code: string | null): string | null =>
  code === null ? null : (words[code] ?? code)

export const AlarmKind = z.enum([
  'alert-not-in-statement',
  'approved-without-money',
  'amount-after-approval',
  'rival-after-automatic',
  'taken-back-by-bank',
  'wording-ended',
  'automation-off',
])
export type AlarmKind = z.output<typeof AlarmKind>
export const BankAlarm = z.object({
  _id: Id,
  kind: AlarmKind,
  at: Moment,
  creditId: z.nullable(Id),
  topUpId: z.nullable(Id),
  deviceId: z.nullable(Id),
  closedAt: z.nullable(Moment),
})
export type BankAlarm = z.output<typeof BankAlarm>
