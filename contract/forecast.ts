/** How long the stock of each duration lasts. */
import * as z from 'zod/mini'
import type { Declarations } from './endpoint.ts'
import { Id } from './fields.ts'

const CONFIDENCES = ['none', 'low', 'medium', 'high'] as const

export const Forecast = z.object({
  productId: Id,
  productName: z.string(),
  duration: z.string(),
  left: z.number().check(z.describe('Keys in stock')),
  rate: z.number().check(z.describe('Keys sold on a day with stock: the larger of the last 7 and 28 days')),
  daysLeft: z
    .nullable(z.object({ low: z.number(), mid: z.number(), high: z.number() }))
    .check(z.describe('Null without sales')),
  orderBy: z.nullable(z.string()).check(z.describe('YYYY-MM-DD, India time: the day to order new keys')),
  confidence: z.enum(CONFIDENCES),
})
export type Forecast = z.output<typeof Forecast>

export const forecast = {
  read: {
    route: 'GET /reports/forecast',
    access: 'admin',
    summary: 'How many days the stock of each duration lasts, soonest first. Without sales it comes last.',
    output: z.array(Forecast),
  },
} as const satisfies Declarations
