/** Money that a bank says has come: statements, what was found in them, and what is approved automatically. */
import * as z from 'zod/mini'
import { AMOUNT_MAX, Rupees, rupeesBetween } from './amounts.ts'
import {
  BankAccount,
  BankAlarm,
  BankCredit,
  BankImport,
  BankRules,
  CreditState,
  ImportResult,
  RuleFields,
  StatementColumns,
  StatementPreview,
} from './bank-shapes.ts'
import type { Declarations } from './endpoint.ts'
import { Day, Flag, Id, limitUpTo, line, Paging, Total } from './fields.ts'
import {
  BANK_PER_BUYER_DAY_MAX_PAISE,
  BANK_PER_DAY_MAX_PAISE,
  BANK_UNPROVEN_MAX_PAISE,
  PAGE_SIZE_MAX,
  REASON_LENGTH_MAX,
  STATEMENT_BYTES_MAX,
} from './limits.ts'
import { paise, ZERO } from './money.ts'
import { Payment } from './payments.ts'

const AccountFields = {
  bank: line('Bank', 1, 40),
  label: line('Name', 1, 60),
  tail: z
    .string({ error: 'Enter the last 2 to 6 digits' })
    .check(z.trim(), z.regex(/^\d{2,6}$/, { error: 'Enter the last 2 to 6 digits' })),
  feedsStore: Flag,
}

const statementText = z
  .string({ error: 'Choose a statement' })
  .check(z.minLength(1, { error: 'Choose a statement' }), z.describe('A statement as text: CSV, TSV or pasted'))
const statementInput = {
  text: statementText,
  columns: z.optional(StatementColumns),
  source: z.optional(z.literal('pdf')).check(z.describe('Set when columns were found by their places on pages')),
}

const upTo = (least: number, most: number) =>
  rupeesBetween(paise(least), paise(most), `Enter ₹${least / 100} to ₹${(most / 100).toLocaleString('en-IN')}`)

const openOnly = z.optional(Flag).check(z.describe('Only those that nobody has closed'))
const Reason = line('Reason', 1, REASON_LENGTH_MAX)
const payer = ['payments'] as const

export const bank = {
  accounts: {
    route: 'GET /bank/accounts',
    access: 'admin',
    summary: 'The store’s bank accounts, each with the day that proven statements reach.',
    output: z.object({ accounts: z.array(BankAccount) }),
  },
  createAccount: {
    route: 'POST /bank/accounts',
    access: 'admin',
    summary: 'Adds a bank account. Money that comes to it pays for top-ups only with `feedsStore`.',
    status: 201,
    input: z.object(AccountFields),
    output: BankAccount,
    refusals: ['ACCOUNT_TAKEN_HERE', 'STEP_UP_REQUIRED'],
  },
  saveAccount: {
    route: 'PUT /bank/accounts/{id}',
    access: 'admin',
    summary: 'Changes a bank account, or closes it with `closed`.',
    input: z.object({ id: Id, ...AccountFields, closed: z.optional(Flag) }),
    output: BankAccount,
    refusals: ['NOT_FOUND', 'ACCOUNT_TAKEN_HERE', 'STEP_UP_REQUIRED'],
  },
  preview: {
    route: 'POST /bank/statements/preview',
    access: 'admin',
    roles: payer,
    summary: 'Reads a statement and says what is in it. Stores nothing.',
    input: z.object({ ...statementInput, accountId: z.optional(z.nullable(Id)) }),
    output: StatementPreview,
    refusals: ['STATEMENT_UNREADABLE'],
    limit: 'bank-import',
    fileField: 'text',
    bodyLimitBytes: STATEMENT_BYTES_MAX * 2 + 100_000,
  },
  import: {
    route: 'POST /bank/statements',
    access: 'admin',
    roles: payer,
    summary: 'Uploads a statement. The same file again changes nothing and is answered with 200. Needs step-up.',
    status: 201,
    input: z.object({ ...statementInput, accountId: Id }),
    output: ImportResult,
    refusals: ['STEP_UP_REQUIRED', 'STATEMENT_UNREADABLE', 'ACCOUNT_UNKNOWN', 'NOT_FOUND'],
    limit: 'bank-import',
    fileField: 'text',
    bodyLimitBytes: STATEMENT_BYTES_MAX * 2 + 100_000,
  },
  imports: {
    route: 'GET /bank/statements',
    access: 'admin',
    summary: 'Uploaded statements, newest first.',
    input: z.object({ limit: z.optional(limitUpTo(PAGE_SIZE_MAX)), skip: Paging.skip }),
    output: z.object({ imports: z.array(BankImport), ...Total }),
  },
  credits: {
    route: 'GET /bank/credits',
    access: 'admin',
    roles: ['payments', 'support', 'read-only'],
    summary: 'Money that has come, newest first. The search finds a reference, a payer or an amount.',
    input: z.object({
      ...Paging,
      state: z.optional(CreditState).check(z.describe('All when absent')),
      claimed: z.optional(Flag).check(z.describe('Whether a pending request has its reference')),
      accountId: z.optional(Id).check(z.describe('The store’s account; all when absent')),
      from: z.optional(Day),
      to: z.optional(Day),
    }),
    output: z.object({ credits: z.array(BankCredit), ...Total }),
  },
  creditTo: {
    route: 'POST /bank/credits/{id}/credit',
    access: 'admin',
    saysToBuyers: ['reason'],
    roles: payer,
    summary: 'Credits unclaimed money to a buyer: files a request for it and approves that.',
    status: 201,
    input: z.object({ id: Id, userId: Id, reason: Reason }),
    output: Payment,
    refusals: ['NOT_FOUND', 'CREDIT_TAKEN', 'NOT_A_PAYMENT', 'UTR_ALREADY_USED', 'STEP_UP_REQUIRED'],
  },
  creditInstead: {
    route: 'PUT /payments/{id}/credit-instead',
    access: 'admin',
    roles: payer,
    summary: 'Rejects a request of another amount, and credits its buyer what the bank shows.',
    input: z.object({ id: Id, creditId: Id, expectedAmount: rupeesBetween(paise(1), AMOUNT_MAX, 'Enter an amount') }),
    output: Payment,
    refusals: ['NOT_FOUND', 'NOT_PENDING', 'CREDIT_TAKEN', 'AMOUNT_DIFFERS', 'NOT_A_PAYMENT', 'STEP_UP_REQUIRED'],
  },
  setAside: {
    route: 'PUT /bank/credits/{id}/set-aside',
    access: 'admin',
    roles: payer,
    summary: 'Sets money aside that is for no top-up, with the reason, or takes it back with `back`.',
    input: z
      .object({ id: Id, why: z.optional(Reason), back: z.optional(z.literal(true)) })
      .check(z.refine(({ why, back }) => (why === undefined) !== (back === undefined), { error: 'Say why' })),
    output: BankCredit,
    refusals: ['NOT_FOUND', 'CREDIT_TAKEN'],
  },
  takeBack: {
    route: 'POST /payments/{id}/take-back',
    access: 'admin',
    roles: payer,
    summary:
      'Takes back what is left of an approved top-up. Its UTR can be claimed again, and so can money that the bank ' +
      'has shown. After `never-came` the next claim is marked like one that was rejected before.',
    input: z.object({ id: Id, reason: Reason, utr: z._default(z.optional(z.enum(['free', 'never-came'])), 'free') }),
    output: z.object({ payment: Payment, taken: Rupees, loss: Rupees }),
    refusals: ['NOT_FOUND', 'NOTHING_TO_TAKE_BACK', 'STEP_UP_REQUIRED'],
  },
  rules: {
    route: 'GET /bank/rules',
    access: 'admin',
    summary: 'What is approved automatically, within which limits, and how much of them is used.',
    output: BankRules,
  },
  saveRules: {
    route: 'PUT /bank/rules',
    access: 'admin',
    summary: 'Saves what is approved automatically.',
    input: z.object({
      ...RuleFields,
      perRequest: upTo(100, AMOUNT_MAX),
      perBuyerDay: upTo(100, BANK_PER_BUYER_DAY_MAX_PAISE),
      perDay: upTo(100, BANK_PER_DAY_MAX_PAISE),
      unprovenMax: upTo(ZERO, BANK_UNPROVEN_MAX_PAISE),
    }),
    output: BankRules,
    refusals: ['STEP_UP_REQUIRED'],
  },
  alarms: {
    route: 'GET /bank/alarms',
    access: 'admin',
    summary: 'Alarms, open ones first, newest first.',
    input: z.object({ limit: z.optional(limitUpTo(PAGE_SIZE_MAX)), skip: Paging.skip, open: openOnly }),
    output: z.object({ alarms: z.array(BankAlarm), ...Total }),
  },
  closeAlarm: {
    route: 'PUT /bank/alarms/{id}',
    access: 'admin',
    roles: payer,
    summary: 'Closes an alarm with a note.',
    input: z.object({ id: Id, note: line('Note', 1, REASON_LENGTH_MAX) }),
    output: BankAlarm,
    refusals: ['NOT_FOUND'],
  },
} as const satisfies Declarations
