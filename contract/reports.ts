import * as z from 'zod/mini'
import { AUDIT_KINDS } from './audit.ts'
import type { Declarations } from './endpoint.ts'
import { Day, Id, limitUpTo, Moment, wholeNumber } from './fields.ts'
import { Rupees } from './amounts.ts'
import { GUIDE_STEPS } from './guide.ts'

const DayFigures = z.object({
  day: z.string().check(z.describe('YYYY-MM-DD, India time')),
  sales: Rupees,
  topUps: Rupees,
  orders: z.number(),
})

export const FirstSteps = z.object({
  name: z.boolean(),
  upiId: z.boolean(),
  product: z.boolean(),
  keys: z.boolean(),
  referralCode: z.boolean(),
  supportLink: z.boolean(),
})

export const Overview = z.object({
  pending: z.object({ count: z.number(), oldestAt: z.nullable(Moment), amount: Rupees }),
  held: z
    .object({ count: z.number(), amount: Rupees, since: z.nullable(Moment) })
    .check(z.describe('Payments whose money banks hold back, and the moment of the first mark')),
  today: z.object({ sales: Rupees, topUps: Rupees, orders: z.number(), signups: z.number() }),
  yesterday: z.object({ sales: Rupees, topUps: Rupees, orders: z.number(), signups: z.number() }),
  days: z.array(DayFigures),
  bestSellers: z.array(z.object({ productId: Id, name: z.string(), quantity: z.number(), revenue: Rupees })),
  runningOut: z.array(
    z.object({
      productId: Id,
      name: z.string(),
      duration: z.string(),
      available: z.number(),
      daysLeft: z.nullable(z.number()),
      lowStockBelow: z.number().check(z.describe('Low-stock threshold in keys; 0 turns it off')),
    }),
  ),
  stock: z
    .array(z.object({ productId: Id, name: z.string(), available: z.number() }))
    .check(z.describe('The products with the least stock, the least first')),
  heldInWallets: Rupees,
  lapsingIn30Days: Rupees,
  firstSteps: z.nullable(FirstSteps).check(z.describe('Setup steps before the first sale; null once a key was sold')),
})
export type Overview = z.output<typeof Overview>

export const Guide = z.object({
  steps: z
    .array(z.object({ name: z.enum(GUIDE_STEPS), state: z.enum(['open', 'done', 'skipped']) }))
    .check(z.describe('In their order')),
})
export type Guide = z.output<typeof Guide>

export const AuditEntry = z.object({
  _id: Id,
  at: Moment,
  admin: z.string(),
  action: z.string(),
  subject: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  from: z.string().check(z.describe('Address and browser')),
})
export type AuditEntry = z.output<typeof AuditEntry>

export const AuditName = z.object({
  kind: z.enum(AUDIT_KINDS),
  name: z.string().check(z.describe('As it is called now')),
  detail: z.string().check(z.describe('E-mail address, UTR and the like; empty where there is nothing more to say')),
})
export type AuditName = z.output<typeof AuditName>

const AuditFilter = {
  action: z.optional(z.string().check(z.maxLength(60))),
  search: z.optional(z.string().check(z.trim(), z.maxLength(100))),
  from: z.optional(Day),
  to: z.optional(Day),
}

export const reports = {
  stats: {
    route: 'GET /admin/stats',
    access: 'admin',
    summary: 'The five counters of the dashboard; payments here are buyers’ top-up requests.',
    output: z.object({
      totalUsers: z.number(),
      totalProducts: z.number(),
      totalPayments: z.number(),
      pendingPayments: z.number(),
      approvedPayments: z.number(),
    }),
  },
  guide: {
    route: 'GET /admin/guide',
    access: 'admin',
    summary: 'The steps that set up a store, and how far they are.',
    output: Guide,
  },
  overview: {
    route: 'GET /admin/overview',
    access: 'admin',
    summary:
      'Dashboard figures: pending requests, daily sales and top-ups, best sellers, low stock, wallet balances, and ' +
      'setup steps for a new store.',
    input: z.object({ days: z.optional(wholeNumber(1, 90, 'days is 1 to 90')) }),
    output: Overview,
  },
  audit: {
    route: 'GET /admin/audit',
    access: 'admin',
    roles: ['read-only'],
    summary:
      'Who changed what, newest first. `before` is the _id of the last entry received; `from` and `to` are days in ' +
      'India, both included.',
    input: z.object({
      limit: z.optional(limitUpTo(200)),
      before: z.optional(Id),
      ...AuditFilter,
    }),
    output: z.object({
      entries: z.array(AuditEntry),
      names: z.record(z.string(), AuditName).check(z.describe('Who and what the ids in these entries are, by id')),
    }),
  },
  exportAudit: {
    route: 'GET /admin/audit/export',
    access: 'admin',
    roles: ['read-only'],
    summary: 'All entries that the search finds as a CSV file, newest first; leaves an entry itself.',
    input: z.object(AuditFilter),
    output: z.unknown(),
    limit: 'export',
    stream: 'text/csv',
  },
  healthReport: {
    route: 'GET /admin/health-report',
    access: 'admin',
    summary: 'Result of the last nightly check, and the status of scheduled jobs.',
    output: z.object({
      ok: z.boolean(),
      checkedAt: z.nullable(Moment),
      isOld: z.boolean().check(z.describe('The last check is more than two days old')),
      broken: z.array(z.string()).check(z.describe('Problems: checks that failed')),
      warnings: z.array(z.string()).check(z.describe('Warnings to look at some day')),
      says: z
        .optional(z.record(z.string(), z.object({ text: z.string(), values: z.record(z.string(), z.string()) })))
        .check(z.describe('Problems and warnings with their values apart, for other languages, by their text')),
      hows: z
        .optional(z.record(z.string(), z.object({ text: z.string(), values: z.record(z.string(), z.string()) })))
        .check(z.describe('What to do on the server about them, by their text. The panel folds it')),
      jobs: z.array(
        z.object({
          name: z.string(),
          nextAt: Moment,
          finishedAt: z.nullable(Moment),
          failures: z.number(),
          error: z.nullable(z.string()),
          stuck: z.boolean(),
        }),
      ),
      doctor: z.string().check(z.describe('The command that says more, as it is typed on the server')),
    }),
  },
  health: {
    route: 'GET /health',
    access: 'public',
    summary: 'Whether the store and its database answer.',
    output: z.object({ status: z.literal('ok'), version: z.string() }),
    refusals: ['SERVICE_UNAVAILABLE'],
  },
  metrics: {
    route: 'GET /metrics',
    access: 'operator',
    summary: 'Figures of this process and of the store, in the text format of Prometheus.',
    output: z.unknown(),
    refusals: ['OPERATOR_REQUIRED'],
    stream: 'text/plain',
  },
  openapi: {
    route: 'GET /openapi.json',
    access: 'public',
    summary: 'This contract as an OpenAPI 3.1 document.',
    output: z.unknown(),
  },
  docs: {
    route: 'GET /docs',
    access: 'admin',
    summary: 'This contract as a page to read.',
    output: z.unknown(),
    stream: 'text/html',
  },
  events: {
    route: 'GET /events',
    access: 'user-or-admin',
    summary: 'Server-sent events of the caller: balance, stock, payment, settings, session-ended.',
    output: z.unknown(),
    stream: 'text/event-stream',
  },
} as const satisfies Declarations
