/** Phones that forward their bank’s alerts. */
import * as z from 'zod/mini'
import type { Declarations } from './endpoint.ts'
import { Flag, Id, line, Moment } from './fields.ts'
import { bareCode } from './pasted.ts'

export const AlertOutcome = z.enum(['credit', 'proposed', 'hint', 'unread', 'refused', 'ignored', 'trial'])
export type AlertOutcome = z.output<typeof AlertOutcome>

const SmsAbove = z
  .optional(z.number())
  .check(z.describe('The rupees above which each of its banks sends an SMS. Absent where they send all'))

export const BankDevice = z.object({
  _id: Id,
  name: z.string(),
  accounts: z.array(z.object({ _id: Id, label: z.string() })),
  createdAt: Moment,
  lastSeenAt: z.nullable(Moment).check(z.describe('The last SMS of the owner’s test or of a bank')),
  reachedAt: z.nullable(Moment).check(z.describe('The first message of any kind')),
  smsAt: z.nullable(Moment).check(z.describe('The last SMS of the owner’s test')),
  bankAt: z.nullable(Moment).check(z.describe('The last message of a bank of its accounts, or of a payment app')),
  pausedAt: z.nullable(Moment),
  pausedWhy: z.nullable(z.string()),
  endedAt: z.nullable(Moment),
  smsAbove: SmsAbove,
  unknownSenders: z
    .array(z.string())
    .check(z.describe('Of messages that were refused within a day for their sender, the newest first; three at most')),
})
export type BankDevice = z.output<typeof BankDevice>

export const bankPhones = {
  alert: {
    route: 'POST /bank/alerts',
    access: 'device',
    takesText: true,
    summary: 'Takes a message that a phone forwards: JSON, a form, or plain text. Answers what became of it.',
    output: z.object({ outcome: AlertOutcome }),
    refusals: ['DEVICE_TOKEN_INVALID'],
    limit: 'bank-alert',
    bodyLimitBytes: 8_192,
  },
  pair: {
    route: 'POST /bank/devices/pair',
    access: 'public',
    summary: 'Connects a phone with a one-time code. The token is shown once.',
    input: z.object({ code: z.pipe(z.string().check(z.overwrite(bareCode)), line('Code', 1, 100)) }),
    output: z.object({ device: z.object({ _id: Id, name: z.string() }), token: z.string(), url: z.string() }),
    refusals: ['PAIRING_INVALID'],
    limit: 'bank-pair',
  },
  steps: {
    route: 'GET /bank/devices/own',
    access: 'device',
    summary: 'How far the setup of this phone has come, and the words of its test SMS.',
    output: z.object({
      test: z.string(),
      reached: z.boolean(),
      sms: z.boolean(),
      bank: z.boolean(),
      smsAbove: SmsAbove,
    }),
    refusals: ['DEVICE_TOKEN_INVALID'],
    limit: 'bank-alert',
  },
  invite: {
    route: 'POST /bank/devices',
    access: 'admin',
    summary: 'Makes a one-time code that connects a phone for these accounts. It is valid for 10 minutes.',
    status: 201,
    input: z.object({ name: line('Name', 1, 60), accountIds: z.array(Id).check(z.minLength(1), z.maxLength(20)) }),
    output: z.object({ code: z.string(), url: z.string(), expiresAt: Moment }),
    refusals: ['STEP_UP_REQUIRED', 'NOT_FOUND', 'HTTPS_REQUIRED'],
  },
  devices: {
    route: 'GET /bank/devices',
    access: 'admin',
    summary: 'Connected phones, with their last word.',
    output: z.object({
      devices: z.array(BankDevice),
      hasHttps: z.boolean().check(z.describe('False until `PUBLIC_URL` says https, which phones need')),
    }),
  },
  updateDevice: {
    route: 'PUT /bank/devices/{id}',
    access: 'admin',
    summary: 'Pauses, resumes or disconnects a phone.',
    input: z.object({ id: Id, paused: z.optional(Flag), ended: z.optional(z.literal(true)) }),
    output: BankDevice,
    refusals: ['NOT_FOUND', 'STEP_UP_REQUIRED'],
  },
} as const satisfies Declarations
