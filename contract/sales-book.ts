/** The sales book. */
import * as z from 'zod/mini'
import type { Declarations } from './endpoint.ts'
import { Rupees } from './amounts.ts'
import { Day, Id, Moment, Paging } from './fields.ts'

export const OwnPurchase = z.object({
  _id: Id,
  productName: z.string(),
  duration: z.string(),
  quantity: z.number(),
  unitPrice: Rupees,
  amount: Rupees,
  refunded: Rupees,
  createdAt: Moment,
})

export const Purchase = z.extend(OwnPurchase, {
  username: z.string(),
  email: z.string(),
  referralCode: z.string(),
  productDescription: z.string(),
  type: z.literal('buy_key'),
  claims: z.number().check(z.describe('Reports of its keys, withdrawn ones included')),
  topUpId: z.nullable(Id).check(z.describe('The top-up request whose approval placed it')),
  byToken: z.boolean().check(z.describe('Placed by a program of the buyer')),
  letInBy: z
    .nullable(z.string())
    .check(z.describe('The admin by whom its new device came into the account, within the 7 days before')),
})
export type Purchase = z.output<typeof Purchase>

/** A whole day, or an exact start or end. Empty for no bound. */
const Bound = z
  .union([z.literal(''), Day, z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })], {
    error: 'Enter a date like 2026-11-20',
  })
  .check(z.refine((text) => !text.startsWith('0000'), { error: 'Enter a date like 2026-11-20' }))

const PurchaseFilter = {
  search: Paging.search,
  from: z.optional(Bound),
  to: z.optional(Bound),
  productId: z.optional(Id),
}

export const salesBook = {
  purchases: {
    route: 'GET /payments/purchases',
    access: 'admin',
    roles: ['payments', 'support', 'read-only'],
    summary: 'Sales, newest first, with the revenue of the whole search; `from` and `to` are ISO dates or moments.',
    input: z.object({ ...Paging, ...PurchaseFilter }),
    output: z.object({ purchases: z.array(Purchase), total: z.number(), totalRevenue: Rupees }),
  },
  exportPurchases: {
    route: 'GET /payments/purchases/export',
    access: 'admin',
    roles: ['payments', 'support', 'read-only'],
    summary: 'All sales that the search finds as a CSV file, newest first; leaves an entry in the audit log.',
    input: z.object(PurchaseFilter),
    output: z.unknown(),
    limit: 'export',
    stream: 'text/csv',
  },
} as const satisfies Declarations
