import * as z from 'zod/mini'
import { Duration } from './duration.ts'
import type { Declarations } from './endpoint.ts'
import {
  aboutOne,
  Flag,
  httpsLink,
  Id,
  line,
  Message,
  paragraphs,
  wholeNumber,
  inOtherLanguages,
  outdatedInOthers,
  saidInOthers,
} from './fields.ts'
import {
  DESCRIPTION_LENGTH_MAX,
  INSTRUCTIONS_LENGTH_MAX,
  LINK_LENGTH_MAX,
  LOW_STOCK_BELOW_MAX,
  ORDER_QUANTITY_MAX,
  REMIND_DAYS_MAX,
  REPRICED_MAX,
  STEPS_MAX,
  TITLE_LENGTH_MAX,
} from './limits.ts'
import { AMOUNT_MAX, Rupees, rupeesBetween } from './amounts.ts'
import { paise, toRupees, ZERO } from './money.ts'

const Price = z.object({
  _id: Id,
  duration: z.string(),
  price: z.optional(Rupees).check(z.describe('What this caller pays; absent for visitors')),
  listPrice: z.optional(Rupees),
  groupPrice: z
    .optional(Rupees)
    .check(z.describe('What the group of the buyer in this browser pays for one. Admins only.')),
  available: z.number().check(z.describe('Keys that can be sold now')),
  perBuyer: z.optional(z.number()).check(z.describe('How many of it one account may ever buy; absent without a limit')),
  trial: z.optional(z.literal(true)).check(z.describe('One person may buy it once, after an approved top-up')),
  steps: z
    .optional(z.array(z.object({ from: z.number(), price: Rupees })))
    .check(z.describe('From so many keys in one order on, each costs this. Only what is below `price`')),
  fetch: z
    .optional(z.object({ upTo: z.number(), seconds: z.number() }))
    .check(z.describe('The store orders up to so many keys for a buyer, usually in so many seconds. Not for programs')),
  lowStockBelow: z.optional(z.number()).check(z.describe('Low-stock threshold in keys; 0 turns it off. Admins only.')),
})

export const Product = z.object({
  _id: Id,
  name: z.string(),
  description: z.string(),
  ...saidInOthers('name', 'description'),
  hot: z.boolean(),
  available: z.number(),
  price: z.optional(Rupees).check(z.describe('The lowest of the prices; absent for visitors')),
  prices: z.array(Price),
  /** Counts up with each product made. It chooses the cover art. */
  sequence: z.number(),
  picture: z.optional(z.string()).check(z.describe('The address of its square picture')),
  instructions: z.optional(z.string()).check(z.describe('What a buyer reads with the key. Admins only.')),
  ...saidInOthers('instructions'),
  outdated: outdatedInOthers('name', 'description', 'instructions'),
  downloadUrl: z.optional(z.string()).check(z.describe('The link that a buyer gets with the key. Admins only.')),
  isListed: z.optional(z.boolean()).check(z.describe('False: buyers and visitors don’t see it. Admins only.')),
  remindDays: z
    .optional(z.number())
    .check(z.describe('Buyers are reminded of a key so many days before it ends. Absent: as usual. Admins only.')),
})
export type Product = z.output<typeof Product>
/** The texts of a product that can be said in other languages. */
export type ProductText = 'name' | 'description' | 'instructions'

/** For a trial that is for sale, which one at 0 is not. */
export const TRIAL_PAISE_MIN = 100
export const TRIAL_TOO_CHEAP = 'A trial costs at least ₹1'

const Step = z.object({
  from: wholeNumber(2, ORDER_QUANTITY_MAX, `Enter 2 to ${ORDER_QUANTITY_MAX}`),
  price: rupeesBetween(paise(1), AMOUNT_MAX, 'Enter a price above ₹0'),
})

const PriceInput = z
  .object({
    _id: z.optional(Id),
    duration: Duration,
    price: rupeesBetween(ZERO, AMOUNT_MAX, 'Enter a price from ₹0'),
    /** Absent: the stored value stays. So it is with the members below. */
    lowStockBelow: z.optional(wholeNumber(0, LOW_STOCK_BELOW_MAX, 'Enter a whole number, or 0 for no alert')),
    perBuyer: z
      .optional(z.nullable(wholeNumber(1, ORDER_QUANTITY_MAX, `Enter 1 to ${ORDER_QUANTITY_MAX}`)))
      .check(z.describe('How many of it one account may ever buy. Null: no limit')),
    trial: z
      .optional(Flag)
      .check(z.describe('One person may buy it once, after an approved top-up. Sets `perBuyer` to 1')),
    steps: z.optional(
      z.array(Step).check(
        z.maxLength(STEPS_MAX, { error: `Add up to ${STEPS_MAX} steps` }),
        z.refine((steps) => steps.every((step, at) => at === 0 || isBeyond(step, steps[at - 1])), {
          error: 'Each step needs more keys and a lower price than the one before',
        }),
      ),
    ),
  })
  .check(
    z.refine(({ price, steps = [] }) => price === 0 || steps.every((step) => step.price < price), {
      error: 'A step must cost less than the price',
      path: ['steps'],
    }),
    z.refine(({ trial, price }) => trial !== true || price === 0 || price >= TRIAL_PAISE_MIN, {
      error: TRIAL_TOO_CHEAP,
      path: ['price'],
    }),
    z.refine(({ trial, perBuyer = 1 }) => trial !== true || perBuyer === 1, {
      error: 'A trial is one per buyer',
      path: ['perBuyer'],
    }),
  )

type Step = z.output<typeof Step>
const isBeyond = (step: Step, before: Step | undefined) =>
  before !== undefined && step.from > before.from && step.price < before.price

const ProductTerms = z.object({
  name: line('Name', 1, TITLE_LENGTH_MAX),
  description: paragraphs('Description', DESCRIPTION_LENGTH_MAX),
  prices: z.array(PriceInput, { error: 'Add at least one duration' }).check(
    z.minLength(1, { error: 'Add at least one duration' }),
    z.maxLength(50, { error: 'Add up to 50 durations' }),
    z.refine((prices) => new Set(prices.map((price) => price.duration)).size === prices.length, {
      error: 'Each duration can be added only once',
    }),
  ),
  hot: Flag,
  /** Plain text. Addresses in it become links. */
  instructions: paragraphs('Instructions', INSTRUCTIONS_LENGTH_MAX),
  downloadUrl: httpsLink(LINK_LENGTH_MAX),
  isListed: Flag,
  remindDays: z
    .nullable(wholeNumber(0, REMIND_DAYS_MAX, `Enter 0 to ${REMIND_DAYS_MAX} days`))
    .check(z.describe('0 never reminds, null as usual. So do keys that don’t last longer than that')),
  ...inOtherLanguages({
    name: line('Name', 0, TITLE_LENGTH_MAX),
    description: paragraphs('Description', DESCRIPTION_LENGTH_MAX),
    instructions: paragraphs('Instructions', INSTRUCTIONS_LENGTH_MAX),
  }),
})
const { description, hot, instructions, downloadUrl, isListed, remindDays } = ProductTerms.shape
const ProductInput = z.extend(ProductTerms, {
  description: z._default(z.optional(description), ''),
  hot: z._default(z.optional(hot), false),
  instructions: z._default(z.optional(instructions), ''),
  downloadUrl: z._default(z.optional(downloadUrl), ''),
  isListed: z._default(z.optional(isListed), true),
  remindDays: z._default(z.optional(remindDays), null),
})

const CHANGE = 'Enter a whole number'
const RUPEES_MAX = toRupees(AMOUNT_MAX)
/** Prices of several products that change together. A price of 0 stays 0, because it is not for sale. */
const Repricing = z
  .object({
    priceIds: z.array(Id).check(z.minLength(1, { error: 'Choose at least one price' }), z.maxLength(REPRICED_MAX)),
    percent: z.optional(wholeNumber(-99, 1_000, `${CHANGE} from -99 to 1000`)),
    rupees: z.optional(wholeNumber(-RUPEES_MAX, RUPEES_MAX, CHANGE)),
    preview: z.optional(Flag).check(z.describe('Changes nothing')),
    expected: z
      .optional(
        z
          .array(z.object({ priceId: Id, price: rupeesBetween(ZERO, AMOUNT_MAX, 'Enter a price from ₹0') }))
          .check(z.maxLength(REPRICED_MAX)),
      )
      .check(z.describe('The prices as the admin saw them')),
  })
  .check(
    z.refine(({ percent, rupees }) => (percent === undefined) !== (rupees === undefined), {
      error: 'Enter either a percentage or an amount',
      path: ['percent'],
    }),
  )

export const catalogue = {
  list: {
    route: 'GET /products',
    access: 'anyone',
    scope: 'look',
    summary:
      'Lists products in the admin’s order, with the caller’s prices. Visitors get no prices. Admins get list ' +
      'prices and all products, also those that are not listed.',
    output: z.array(Product),
  },
  create: {
    route: 'POST /products',
    access: 'admin',
    forOldClients: true,
    roles: ['stock'],
    summary: 'Adds a product.',
    status: 201,
    input: ProductInput,
    output: Product,
    refusals: ['NAME_TAKEN', 'STEP_UP_REQUIRED'],
  },
  update: {
    route: 'PUT /products/{id}',
    access: 'admin',
    forOldClients: true,
    roles: ['stock'],
    summary:
      'Changes a product. Omitted fields don’t change; `prices` replaces the whole list. A price row that keeps ' +
      'its _id keeps its stock and custom prices when its duration is renamed. Without `steps` it keeps those that ' +
      'are still below its price. A lower price, also of a step, one of what was not for sale, a higher limit or ' +
      'none, and other addresses in the download link or the instructions need step-up; the first addresses of a ' +
      'product without sales do not.',
    input: z.extend(z.partial(ProductTerms), { id: Id }),
    output: Product,
    refusals: ['NOT_FOUND', 'NAME_TAKEN', 'STEP_UP_REQUIRED'],
  },
  duplicate: {
    route: 'POST /products/{id}/duplicate',
    access: 'admin',
    roles: ['stock'],
    summary: 'Adds a copy of a product, with its texts and prices and without its stock. The copy is not listed.',
    status: 201,
    input: z.object({ id: Id }),
    output: Product,
    refusals: ['NOT_FOUND'],
  },
  reprice: {
    route: 'POST /products/reprice',
    access: 'admin',
    roles: ['stock'],
    summary:
      'Changes several list prices by a percentage or by rupees, all or none, rounded to whole rupees. With ' +
      '`preview`, only says the new prices. Steps move along. Lower prices need step-up.',
    input: Repricing,
    output: z.array(
      z.object({
        priceId: Id,
        from: Rupees,
        to: Rupees,
        stepsGone: z.optional(z.number()).check(z.describe('Steps that would no longer be cheaper')),
      }),
    ),
    refusals: ['NOT_FOUND', 'AMOUNT_CHANGED', 'STEP_UP_REQUIRED'],
  },
  remove: {
    route: 'DELETE /products/{id}',
    access: 'admin',
    roles: ['stock'],
    summary: 'Removes a product from the store. Sold keys keep its name. Unsold keys are kept but can’t be sold.',
    ...aboutOne,
  },
  restore: {
    route: 'POST /products/{id}/restore',
    access: 'admin',
    roles: ['stock'],
    summary: 'Restores a removed product with its durations, prices, custom prices and unsold keys.',
    input: z.object({ id: Id }),
    output: Product,
    refusals: ['NOT_FOUND', 'NAME_TAKEN', 'STEP_UP_REQUIRED'],
  },
  reorder: {
    route: 'PUT /products/order',
    access: 'admin',
    roles: ['stock'],
    summary: 'Sets the order in which products are shown.',
    input: z.object({ productIds: z.array(Id).check(z.maxLength(2_000)) }),
    output: Message,
  },
} as const satisfies Declarations
