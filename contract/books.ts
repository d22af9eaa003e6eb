/** The books: what was sold, what it cost and what is left of it, and what the store owes its buyers. */
import * as z from 'zod/mini'
import { Rupees } from './amounts.ts'
import type { Declarations } from './endpoint.ts'
import { Day, Id, limitUpTo, Moment, Paging, wholeNumber } from './fields.ts'
import { Delivered } from './keys.ts'
import { PAGE_SIZE_MAX } from './limits.ts'

export const BooksBy = z.enum(['day', 'product', 'supplier'])
export type BooksBy = z.output<typeof BooksBy>

const Figures = {
  keys: z.number().check(z.describe('Keys sold')),
  sold: Rupees.check(z.describe('What buyers paid for them')),
  refunded: Rupees.check(z.describe('Refunds, on the day of the refund')),
  revenue: Rupees.check(z.describe('Sold, less refunds')),
  bonus: Rupees.check(z.describe('The part of the revenue that was paid with bonus and rewards')),
  cost: Rupees.check(z.describe('The known cost of the sold keys')),
  warrantyKeys: z.number().check(z.describe('Keys given for bad ones')),
  warranty: Rupees.check(z.describe('Their known cost, on the books of the bad keys')),
  unknownCostKeys: z.number().check(z.describe('Sold and given keys without a known cost')),
  unknownCostSales: Rupees.check(
    z.describe('What real money paid for sold keys without a known cost, less refunds and losses; in no profit'),
  ),
  lost: Rupees.check(
    z.describe('Spent from top-ups that were taken back, on the day of the take-back; of no product or batch'),
  ),
  profit: Rupees.check(z.describe('Revenue, less bonus, cost, warranty, what was lost and the sales of unknown cost')),
}

export const BookFigures = z.object(Figures)
export type BookFigures = z.output<typeof BookFigures>

export const BookRow = z.object({
  ...Figures,
  id: z.string().check(z.describe('The day, the product’s _id or the supplier; empty for an unknown supplier')),
  name: z.string(),
})
export type BookRow = z.output<typeof BookRow>

export const ReplacedBy = z.object({ username: z.string(), keys: z.number(), worth: Rupees })

export const Books = z.object({
  total: BookFigures,
  rows: z.array(BookRow),
  replacedBy: z
    .array(ReplacedBy)
    .check(z.describe('Who gave the new keys of the period, and what buyers had paid for the bad ones')),
})
export type Books = z.output<typeof Books>

export const CREDIT_SOURCES = ['paid', 'bonus', 'referral', 'admin'] as const
/** Days since the credit came. */
export const CREDIT_AGES = ['0-30', '31-90', '91-180', '181+'] as const
/** Days since the keys came. */
export const STOCK_AGES = ['0-30', '31-60', '61-90', '91+'] as const

const MonthText = z.string().check(z.describe('YYYY-MM, India time'))

export const Liability = z.object({
  total: Rupees,
  held: z
    .object({ count: z.number(), amount: Rupees })
    .check(z.describe('Approved top-ups whose money banks hold back, at what was paid. In none of the other sums')),
  bySource: z.array(z.object({ source: z.enum(CREDIT_SOURCES), amount: Rupees })),
  byAge: z.array(z.object({ days: z.enum(CREDIT_AGES), amount: Rupees })),
  byExpiry: z
    .array(z.object({ month: z.nullable(MonthText), amount: Rupees }))
    .check(z.describe('By the month in which the credit expires; null for never')),
  monthEnds: z.array(z.object({ month: MonthText, amount: Rupees })).check(z.describe('The newest 12, newest first')),
})
export type Liability = z.output<typeof Liability>

export const BookBatch = z.extend(Delivered, {
  ...Figures,
  left: z.number(),
  tiedUp: z.nullable(Rupees).check(z.describe('The cost of the keys that are left; null if it is unknown')),
  soldWithin: z
    .object({ 7: z.nullable(z.number()), 30: z.nullable(z.number()), 90: z.nullable(z.number()) })
    .check(z.describe('Percent sold after so many days; null before that')),
  daysToEmpty: z.nullable(z.number()).check(z.describe('Days until the last key was sold; null while some are left')),
})
export type BookBatch = z.output<typeof BookBatch>

const BatchesShown = z.enum(['all', 'losing', 'unknown-cost', ...STOCK_AGES])

export const BookBatches = z.object({
  batches: z.array(BookBatch),
  total: z.number(),
  losing: z.number().check(z.describe('Batches of this search whose profit is below zero')),
  ageing: z
    .array(z.object({ days: z.enum(STOCK_AGES), keys: z.number(), tiedUp: Rupees, unknownCostKeys: z.number() }))
    .check(z.describe('All unsold keys, by days since they came')),
})
export type BookBatches = z.output<typeof BookBatches>

export const MONTH_LINES = [
  'top-ups',
  'bonus',
  'rewards',
  'given',
  'taken',
  'returned',
  'sales',
  'refunds',
  'taken-back',
  'expired',
] as const
export type MonthLine = (typeof MONTH_LINES)[number]

export const MonthStatement = z.object({
  month: MonthText,
  before: Rupees.check(z.describe('Unspent credit of all buyers when the month began')),
  lines: z
    .array(z.object({ line: z.enum(MONTH_LINES), amount: Rupees }))
    .check(z.describe('Changes of that credit, with their sign. Together they are `after` less `before`')),
  after: Rupees,
})
export type MonthStatement = z.output<typeof MonthStatement>

const YearFigures = {
  received: Rupees.check(z.describe('Approved top-ups, at what was paid')),
  seen: Rupees.check(z.describe('The part of it that a bank’s statement proves')),
  takenBack: Rupees.check(z.describe('Top-ups whose approval was taken back, at what was paid')),
  sales: Rupees.check(z.describe('Revenue of keys without what bonus paid, as in the profit')),
}

export const BookYear = z.object({
  year: z.number().check(z.describe('2026 for April 2026 to March 2027')),
  months: z
    .array(z.object({ month: MonthText, ...YearFigures }))
    .check(z.describe('Those that have begun, April first')),
  total: z.object(YearFigures),
  unspent: Rupees.check(z.describe('Unspent credit of all buyers at the end of the year, or now')),
  line: z.nullable(Rupees).check(z.describe('`turnoverLine` of the store')),
})
export type BookYear = z.output<typeof BookYear>

export const BOOK_ROWS = ['bonus', 'top-ups', 'taken-back', 'expired', 'returned', 'unspent'] as const
export type BookRowsOf = (typeof BOOK_ROWS)[number]

export const BookMovement = z.object({
  _id: Id,
  at: Moment,
  buyer: z.object({ _id: Id, username: z.string() }),
  order: z.nullable(
    z
      .object({ productName: z.string(), duration: z.string(), isRefund: z.boolean() })
      .check(z.describe('The purchase that bonus paid for, or that was refunded to it')),
  ),
  topUpId: z.nullable(Id).check(z.describe('The request of a top-up, or of one that was taken back')),
  amount: Rupees.check(z.describe('With the sign of the figure')),
})
export type BookMovement = z.output<typeof BookMovement>

const Days = { from: Day, to: Day }
const Period = { ...Days, by: BooksBy }
const Month = z
  .string({ error: 'Enter a month like 2026-11' })
  .check(z.regex(/^(?!0000)\d{4}-(?:0[1-9]|1[0-2])$/, { error: 'Enter a month like 2026-11' }))
const Year = { year: wholeNumber(2000, 2998, 'Enter a year like 2026') }
const BatchFilter = { search: Paging.search, show: z._default(z.optional(BatchesShown), 'all') }

const READERS = ['payments', 'read-only'] as const
const read = { access: 'admin', roles: READERS } as const
const file = { ...read, output: z.unknown(), limit: 'export', stream: 'text/csv' } as const

export const books = {
  read: {
    route: 'GET /reports/books',
    ...read,
    summary: 'Revenue, cost and profit of a period of up to three years, by day, product or supplier.',
    input: z.object(Period),
    output: Books,
    refusals: ['BAD_PERIOD'],
  },
  exportBooks: {
    route: 'GET /reports/books/export',
    ...file,
    summary: 'The same as a CSV file.',
    input: z.object(Period),
    refusals: ['BAD_PERIOD'],
  },
  rows: {
    route: 'GET /reports/books/rows',
    ...read,
    summary:
      'What a figure is made of, newest first, where no other list has it: bonus that paid for sales (of one product ' +
      'or all, of up to 31 days), top-ups without their bonus, what was taken back of them, credit that expired, ' +
      'deductions that ended, or unspent credit that came in the period (of one source, or that expires in one ' +
      'month). Their amounts add up to the figure of the period.',
    input: z.object({
      limit: Paging.limit,
      skip: Paging.skip,
      ...Days,
      of: z.enum(BOOK_ROWS),
      productId: z.optional(Id),
      source: z.optional(z.enum(CREDIT_SOURCES)).check(z.describe('Where unspent credit came from')),
      expires: z
        .optional(z.union([Month, z.literal('never')]))
        .check(z.describe('The month in which unspent credit expires, or "never"')),
    }),
    output: z.object({ rows: z.array(BookMovement), total: z.number(), amount: Rupees }),
    refusals: ['BAD_PERIOD'],
  },
  liability: {
    route: 'GET /reports/liability',
    ...read,
    summary: 'The unspent credit of all buyers: by source, age and expiry, and at the end of each month.',
    output: Liability,
  },
  exportLiability: {
    route: 'GET /reports/liability/export',
    ...file,
    summary: 'The same as a CSV file.',
  },
  batches: {
    route: 'GET /reports/batches',
    ...read,
    summary:
      'What each batch of keys has earned, how fast it sells and what is tied up in it. `losing` keeps those with a ' +
      'loss and puts the largest first. An age keeps those of that age with unsold keys. All others are newest first.',
    input: z.object({ ...Paging, ...BatchFilter, limit: z.optional(limitUpTo(PAGE_SIZE_MAX)) }),
    output: BookBatches,
  },
  exportBatches: {
    route: 'GET /reports/batches/export',
    ...file,
    summary: 'The same as a CSV file.',
    input: z.object(BatchFilter),
  },
  month: {
    route: 'GET /reports/month',
    ...read,
    summary: 'The month statement: how the unspent credit of all buyers changed in one month.',
    input: z.object({ month: Month }),
    output: MonthStatement,
    refusals: ['BAD_PERIOD'],
  },
  exportMonth: {
    route: 'GET /reports/month/export',
    ...file,
    summary: 'The same as a CSV file.',
    input: z.object({ month: Month }),
    refusals: ['BAD_PERIOD'],
  },
  year: {
    route: 'GET /books/year',
    ...read,
    summary: 'The turnover of a financial year, month by month: what came in, what was taken back, and the sales.',
    input: z.object(Year),
    output: BookYear,
    refusals: ['BAD_PERIOD'],
  },
  exportYear: {
    route: 'GET /books/year/export',
    ...file,
    summary: 'The same as a CSV file.',
    input: z.object(Year),
    refusals: ['BAD_PERIOD'],
  },
} as const satisfies Declarations
