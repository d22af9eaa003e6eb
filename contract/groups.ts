import * as z from 'zod/mini'
import { AMOUNT_MAX, Rupees, rupeesBetween } from './amounts.ts'
import type { Declarations } from './endpoint.ts'
import { Id, line, Message, wholeNumber } from './fields.ts'
import { GROUP_NAME_LENGTH_MAX, GROUP_PERCENT_MAX, GROUP_PRICES_MAX, GROUPS_MAX } from './limits.ts'
import { paise } from './money.ts'

export const BuyerGroup = z.object({
  _id: Id,
  name: z.string(),
  percentOff: z.number().check(z.describe('Percent off the list price, rounded up to whole rupees')),
  fromSpent: z
    .nullable(Rupees)
    .check(z.describe('Who buys for this in 90 days, less refunds, joins overnight. Null without')),
  members: z.number(),
  sold90: Rupees.check(z.describe('What its members bought in 90 days, less refunds')),
  prices: z
    .array(z.object({ priceId: Id, price: Rupees }))
    .check(z.describe('Durations with a price of their own in this group')),
})
export type BuyerGroup = z.output<typeof BuyerGroup>

const GroupTerms = z.object({
  name: line('Name', 1, GROUP_NAME_LENGTH_MAX),
  percentOff: wholeNumber(0, GROUP_PERCENT_MAX, `Enter 0 to ${GROUP_PERCENT_MAX}`),
  fromSpent: z.optional(z.nullable(rupeesBetween(paise(1), AMOUNT_MAX, 'Enter a sum above ₹0'))),
  prices: z
    .array(z.object({ priceId: Id, price: rupeesBetween(paise(1), AMOUNT_MAX, 'Enter a price above ₹0') }))
    .check(z.maxLength(GROUP_PRICES_MAX)),
})

const CHEAPER = 'What makes something cheaper, and a lower `fromSpent`, need step-up.'

export const groups = {
  list: {
    route: 'GET /groups',
    access: 'admin',
    roles: ['payments', 'stock', 'support', 'read-only'],
    summary: 'Lists the groups of buyers, by name.',
    output: z.array(BuyerGroup),
  },
  create: {
    route: 'POST /groups',
    access: 'admin',
    // In the message to who joins it
    saysToBuyers: ['name'],
    roles: ['payments'],
    summary: `Adds a group of buyers, up to ${GROUPS_MAX}. ${CHEAPER}`,
    status: 201,
    input: GroupTerms,
    output: BuyerGroup,
    refusals: ['NAME_TAKEN', 'SUM_TAKEN', 'PRODUCT_NOT_FOUND', 'TOO_MANY_GROUPS', 'STEP_UP_REQUIRED'],
  },
  update: {
    route: 'PUT /groups/{id}',
    access: 'admin',
    saysToBuyers: ['name'],
    roles: ['payments'],
    summary: `Changes a group. Omitted fields don’t change; \`prices\` replaces the whole list. ${CHEAPER}`,
    input: z.extend(z.partial(GroupTerms), { id: Id }),
    output: BuyerGroup,
    refusals: ['NOT_FOUND', 'NAME_TAKEN', 'SUM_TAKEN', 'PRODUCT_NOT_FOUND', 'STEP_UP_REQUIRED'],
  },
  remove: {
    route: 'DELETE /groups/{id}',
    access: 'admin',
    roles: ['payments'],
    summary: 'Removes a group. Its members pay as everybody does, and may join another by what they buy.',
    input: z.object({
      id: Id,
      expected: z
        .optional(wholeNumber(0, 1_000_000_000, 'Enter a whole number'))
        .check(z.describe('The members as the admin saw them')),
    }),
    output: Message,
    refusals: ['NOT_FOUND', 'AMOUNT_CHANGED'],
  },
} as const satisfies Declarations
