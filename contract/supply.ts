/**
 * Suppliers where the store buys keys automatically: other Chaabis, with the token of its account there, and those with
 * an API of their own, by a template of one request.
 */
import * as z from 'zod/mini'
import { AMOUNT_MAX, Rupees, rupeesBetween } from './amounts.ts'
import { ClaimStatus } from './claims.ts'
import type { Declarations } from './endpoint.ts'
import { aboutOne, Flag, Id, line, Moment, Paging, paragraphs, wholeNumber } from './fields.ts'
import { KEY_LENGTH_MAX, LINK_LENGTH_MAX, SUPPLIER_LENGTH_MAX, SUPPLY_KEEP_MAX, SUPPLY_ORDER_MAX } from './limits.ts'
import { paise, type Paise } from './money.ts'

const AMOUNT = 'Enter an amount in rupees'
const above = rupeesBetween(paise(1), AMOUNT_MAX, AMOUNT)
const Low = z.pipe(
  z.union([z.literal(''), z.null(), above], { error: AMOUNT }),
  z.transform((value): Paise | null => (value === '' ? null : value)),
)
const Quantity = wholeNumber(1, SUPPLY_ORDER_MAX, `Enter 1 to ${SUPPLY_ORDER_MAX}`)

const Address = line('Address', 1, LINK_LENGTH_MAX)
const Secret = z
  .string({ error: 'Token is required' })
  .check(z.trim(), z.regex(/^chaabi_[\w-]{43}$/, { error: 'A token begins with chaabi_ and has 50 signs' }))

/** `Name: value`, a line each. Those of the connection are not the template's. */
const NOT_OURS = 'host|connection|expect|te|upgrade|content-length|accept-encoding|transfer-encoding'
const HEADERS = new RegExp(String.raw`^(?:(?!(?:${NOT_OURS}):)[\w-]+: *\S[^\r\n]*(?:\r?\n|$)){0,8}$`, 'i')

/** A body that begins like JSON must be JSON with quotes around each text, so that a value cannot leave its text. */
function isBody(text: string): boolean {
  try {
    if (/^[{[]/.test(text)) JSON.parse(text.replaceAll(/\{(?:secret|order|sku)\}/g, '·').replaceAll('{quantity}', '1'))
    return true
  } catch {
    return false
  }
}

/** A JSON pointer (RFC 6901). */
const POINTER = /^(?:\/(?:[^/~]|~[01])*)*$/
const Place = line('Place', 0, 200).check(z.refine((text) => POINTER.test(text), { error: 'Write it like /data/code' }))

/**
 * One request of a supplier with an API of its own, and how its answer is read. `{order}`, `{sku}` and `{quantity}`
 * stand in it where they belong, and `{secret}` in headers and body. Each is encoded for its place.
 */
export const SupplyTemplate = z.object({
  method: z.enum(['GET', 'POST']),
  url: line('Address', 1, LINK_LENGTH_MAX).check(
    z.refine((text) => !text.includes('{secret}'), { error: 'The secret can’t stand in an address' }),
  ),
  headers: paragraphs('Headers', 4_000).check(
    z.refine((text) => HEADERS.test(text), { error: 'Write up to 8 headers like Name: value' }),
  ),
  body: paragraphs('Body', 4_000).check(
    z.refine(isBody, { error: 'This is not JSON. Put each text into quotes, like "{sku}"' }),
    z.describe('JSON if it begins so, else a form. A request without `{quantity}` buys one key'),
  ),
  keyAt: Place.check(z.describe('JSON pointer to a key or a list of keys. Empty: each line is one')),
  costAt: Place.check(z.describe('JSON pointer to what one key costs. Empty: as much as it may')),
  // Shorter ones would be in too many keys
  noneIf: line('Text', 0, 200).check(
    z.regex(/^$|.{3}/, { error: 'Write at least 3 signs' }),
    z.describe('An answer without a key and with this text says that it is out of stock'),
  ),
  okIf: line('Text', 0, 200).check(z.describe('Only an answer with this text brings keys. Errors would look like one')),
  repeats: Flag.check(z.describe('The same order number gets the same keys. Otherwise nothing is ever sent twice')),
})
export type SupplyTemplate = z.output<typeof SupplyTemplate>

/** Why the store turned a supplier off. Lost: an answer that may not be asked for again. */
export const PausedWhy = z.enum(['address', 'known-key', 'price', 'restored', 'lost'])
/** Why a try led to no answer that decides. */
export const SUPPLY_FAULTS = ['address', 'token', 'busy', 'silent', 'unreadable', 'keys', 'removed'] as const
export type SupplyFault = (typeof SUPPLY_FAULTS)[number]
/** Why nothing was bought. */
const NOT_BOUGHT = ['stock', 'price', 'gone', 'balance', 'limit', 'request', 'unneeded', 'by-hand'] as const
export const SupplyWhy = z.enum([...SUPPLY_FAULTS, ...NOT_BOUGHT])

const RunsFrom = z
  .enum(['use', 'sale'], { error: 'Choose when a key’s time starts' })
  .check(z.describe('When a key’s time starts. `sale`: when the store buys it, so nothing is kept in stock'))

/** What a comparison of a supplier's purchases with the store's orders has found. */
export const Compared = z.object({
  orders: z.number().check(z.describe('Purchases there under the store’s numbers, of the last 31 days or more')),
  sum: Rupees,
  refunded: Rupees.check(z.describe('What came back of it')),
  back: z.number().check(z.describe('Purchases that were missing here. They are asked for again')),
  cost: z.array(z.string()).check(z.describe('S-1001: orders of which they say another cost. At most 20')),
  gone: z.array(z.string()).check(z.describe('Orders whose keys came, and of which they do not know. At most 20')),
  strange: z.number().check(z.describe('Purchases there of what has no source here')),
})

export const Vain = z
  .object({
    count: z.number().check(z.describe('Of these the buyer bought nothing, though keys came')),
    of: z.number().check(z.describe('Ordered by buyers, of what is bought there')),
  })
  .check(z.describe('Of 31 days. Absent without such orders'))

export const SupplyLink = z.object({
  _id: Id,
  name: z.string(),
  kind: z.enum(['chaabi', 'http']),
  address: z.string(),
  template: z.optional(SupplyTemplate.check(z.describe('Of kind `http`'))),
  on: z.boolean(),
  pausedWhy: z.optional(PausedWhy.check(z.describe('Why the store has turned it off'))),
  dayMax: Rupees.check(z.describe('Spent at most on a day in India')),
  low: z.optional(Rupees.check(z.describe('The store sends a message about a balance below it'))),
  runsFrom: RunsFrom,
  balance: z.optional(Rupees.check(z.describe('In the store’s wallet there, as last read'))),
  tokenEndsAt: z.optional(Moment),
  spentToday: Rupees.check(z.describe('With what is under way, at the most that it may cost')),
  seenAt: z.optional(Moment.check(z.describe('When their list was read last'))),
  failing: z.optional(z.enum(SUPPLY_FAULTS).check(z.describe('Why their list can’t be read now'))),
  usualSeconds: z.optional(z.number()),
  vain: z.optional(Vain),
  comparesFirst: z.optional(z.literal(true).check(z.describe('Nothing is ordered before a comparison'))),
  comparedAt: z.optional(Moment),
  compared: z.optional(Compared),
})
export type SupplyLink = z.output<typeof SupplyLink>

export const SupplyLinkForm = z.object({
  name: line('Name', 1, SUPPLIER_LENGTH_MAX),
  address: Address,
  secret: Secret,
  dayMax: above,
  low: z._default(z.optional(Low), null),
  runsFrom: z._default(z.optional(RunsFrom), 'use'),
})

export const SupplyApiForm = z.extend(SupplyTemplate, {
  name: SupplyLinkForm.shape.name,
  secret: line('Secret', 1, 2_000),
  dayMax: above,
  runsFrom: SupplyLinkForm.shape.runsFrom,
})

export const TheirPrice = z.object({
  product: Id,
  name: z.string(),
  duration: z.string(),
  price: Rupees,
  stock: z.number(),
})
export type TheirPrice = z.output<typeof TheirPrice>

/**
 * Dear: above the limit. Price: they refuse what they list. Limit: they sell no more to the store. Refused: often.
 * Request: they take none like this. None: they had none of late.
 */
export const SourceRests = z.enum(['dear', 'price', 'limit', 'refused', 'renamed', 'unlisted', 'request', 'none'])

export const SupplySource = z.object({
  priceId: Id,
  productId: Id,
  productName: z.string(),
  duration: z.string(),
  price: Rupees.check(z.describe('What everybody pays for a key')),
  linkId: Id,
  theirProduct: Id,
  theirName: z.string(),
  theirDuration: z.string(),
  sku: z.optional(z.string().check(z.describe('Its name at a supplier of kind `http`, which has no list'))),
  max: Rupees.check(z.describe('One key may cost this at most')),
  keep: z.number().check(z.describe('Keys to keep in stock')),
  forBuyers: z.number().check(z.describe('Keys that one buyer can order at most while they are not in stock')),
  available: z.number(),
  underWay: z.number().check(z.describe('Keys that are ordered')),
  theirPrice: z.optional(Rupees.check(z.describe('Absent for what they don’t sell to the store'))),
  theirStock: z.number(),
  rests: z.optional(SourceRests.check(z.describe('Why nothing is ordered'))),
})
export type SupplySource = z.output<typeof SupplySource>

export const SupplySourceForm = z.object({
  priceId: Id,
  linkId: Id,
  theirProduct: Id,
  theirDuration: line('Duration', 1, 40),
  max: above,
  keep: wholeNumber(0, SUPPLY_KEEP_MAX, `Enter 0 to ${SUPPLY_KEEP_MAX}`),
  forBuyers: z
    .optional(wholeNumber(0, SUPPLY_ORDER_MAX, `Enter 0 to ${SUPPLY_ORDER_MAX}`))
    .check(z.describe('Absent: it stays. 0 orders nothing for buyers')),
})

export const SupplySkuForm = z.extend(z.omit(SupplySourceForm, { theirProduct: true, theirDuration: true }), {
  sku: line('Name', 1, 100),
})

const SUPPLY_STATES = ['waiting', 'asked', 'came', 'refused', 'dropped'] as const
export const SupplyOrder = z.object({
  _id: Id,
  number: z.string().check(z.describe('S-1001')),
  linkId: Id,
  linkName: z.string(),
  priceId: Id,
  productName: z.string(),
  duration: z.string(),
  quantity: z.number(),
  state: z.enum(SUPPLY_STATES),
  came: z.optional(z.number().check(z.describe('Keys that came into stock'))),
  unitPrice: z.optional(Rupees),
  tries: z.number(),
  why: z.optional(SupplyWhy),
  byHand: z.optional(z.literal(true).check(z.describe('Not asked again: a person says what became of it'))),
  createdAt: Moment,
  endedAt: z.optional(Moment),
})
export type SupplyOrder = z.output<typeof SupplyOrder>

/** What became of a claimed key at the supplier it came from. */
export const ClaimThere = z.object({
  supplier: z.string(),
  order: z.string().check(z.describe('S-1001')),
  reported: z.optional(
    z.object({
      number: z.string().check(z.describe('The number of the claim there')),
      status: ClaimStatus,
      refunded: z.optional(Rupees),
      at: Moment,
    }),
  ),
})
export type ClaimThere = z.output<typeof ClaimThere>

const READERS = { access: 'admin', roles: ['stock', 'read-only'] } as const
const STOCK = { access: 'admin', roles: ['stock'] } as const

export const supply = {
  links: {
    route: 'GET /supply/links',
    ...READERS,
    summary: 'The suppliers, by name. Never their tokens.',
    output: z.object({ links: z.array(SupplyLink) }),
  },
  addLink: {
    route: 'POST /supply/links',
    access: 'admin',
    summary: 'Connects a supplier with the token that the store’s account there has made. It is on right away.',
    status: 201,
    input: SupplyLinkForm,
    output: SupplyLink,
    refusals: ['STEP_UP_REQUIRED', 'URL_REFUSED'],
  },
  changeLink: {
    route: 'PUT /supply/links/{id}',
    access: 'admin',
    summary:
      'Changes a supplier; absent fields stay, and with a `low` of null there are no messages about it. Another ' +
      'address needs the token again. What was asked there is still asked about, and no longer bought.',
    input: z.extend(z.partial(SupplyLinkForm), {
      id: Id,
      low: z.optional(Low),
      runsFrom: z.optional(RunsFrom),
      on: z.optional(Flag),
      ended: z.optional(z.literal(true).check(z.describe('Removes it permanently, with its sources'))),
    }),
    output: SupplyLink,
    refusals: ['STEP_UP_REQUIRED', 'URL_REFUSED', 'NOT_FOUND'],
  },
  check: {
    route: 'POST /supply/links/check',
    access: 'admin',
    summary: 'Asks a supplier who the store is there. Saves nothing.',
    input: z.object({ address: Address, secret: Secret }),
    output: z.object({
      found: z.nullable(
        z.object({
          store: z.string(),
          username: z.string(),
          balance: Rupees,
          canBuy: z.boolean(),
          products: z.number(),
        }),
      ),
      why: z.optional(z.enum(SUPPLY_FAULTS)),
    }),
    refusals: ['STEP_UP_REQUIRED', 'URL_REFUSED'],
  },
  addApi: {
    route: 'POST /supply/links/api',
    access: 'admin',
    summary: 'Connects a supplier with an API of its own, by a template of one request. It is on right away.',
    status: 201,
    input: SupplyApiForm,
    output: SupplyLink,
    refusals: ['STEP_UP_REQUIRED', 'URL_REFUSED'],
  },
  changeApi: {
    route: 'PUT /supply/links/{id}/api',
    access: 'admin',
    summary: 'Changes a supplier of kind `http`. At another address nothing that was asked is asked again.',
    input: z.extend(z.partial(SupplyApiForm), { id: Id, runsFrom: z.optional(RunsFrom) }),
    output: SupplyLink,
    refusals: ['STEP_UP_REQUIRED', 'URL_REFUSED', 'NOT_FOUND'],
  },
  try: {
    route: 'POST /supply/links/try',
    access: 'admin',
    summary: 'Shows a request as it would go, the secret as dots, and what a pasted answer means. Sends nothing.',
    input: z.extend(SupplyTemplate, { answer: z.string().check(z.maxLength(20_000)) }),
    output: z.object({
      request: z.string(),
      means: z.enum(['came', 'refused', 'unknown']),
      keys: z.number(),
      ends: z.optional(z.string().check(z.describe('The last four signs of the first key'))),
      cost: z.optional(Rupees.check(z.describe('Of one key, if the answer says it'))),
    }),
    refusals: ['STEP_UP_REQUIRED', 'URL_REFUSED'],
  },
  theirs: {
    route: 'GET /supply/links/{id}/products',
    ...STOCK,
    summary: 'What a supplier sells to the store, as last read.',
    input: z.object({ id: Id }),
    output: z.object({ products: z.array(TheirPrice) }),
    refusals: ['NOT_FOUND'],
  },
  sources: {
    route: 'GET /supply/sources',
    ...READERS,
    summary: 'Which durations come from which supplier, by product.',
    output: z.object({ sources: z.array(SupplySource) }),
  },
  saveSource: {
    route: 'PUT /supply/sources/{priceId}',
    ...STOCK,
    summary: 'Says where a duration is bought, for how much at most, and how many keys to keep.',
    input: SupplySourceForm,
    output: SupplySource,
    refusals: ['NOT_FOUND', 'SOURCE_TAKEN'],
  },
  saveSku: {
    route: 'PUT /supply/sources/{priceId}/sku',
    ...STOCK,
    summary: 'The same at a supplier of kind `http`, by its name there.',
    input: SupplySkuForm,
    output: SupplySource,
    refusals: ['NOT_FOUND', 'SOURCE_TAKEN'],
  },
  removeSource: {
    route: 'DELETE /supply/sources/{priceId}',
    ...STOCK,
    summary: 'Buys a duration no longer.',
    input: z.object({ priceId: Id }),
    output: aboutOne.output,
    refusals: ['NOT_FOUND'],
  },
  orders: {
    route: 'GET /supply/orders',
    ...READERS,
    summary: 'Purchases at suppliers, newest first.',
    input: z.object({
      limit: Paging.limit,
      skip: Paging.skip,
      state: z.optional(
        z
          .enum(['open', 'by-hand', ...SUPPLY_STATES])
          .check(
            z.describe('`open`: waiting or asked. `by-hand`: asked, and not answered for 24 hours, or not asked again'),
          ),
      ),
      linkId: z.optional(Id),
    }),
    output: z.object({ orders: z.array(SupplyOrder), total: z.number() }),
  },
  order: {
    route: 'POST /supply/orders',
    ...STOCK,
    summary: 'Orders keys of a duration now, within the day’s budget, however many are in stock.',
    status: 201,
    input: z.object({ priceId: Id, quantity: Quantity }),
    output: SupplyOrder,
    refusals: ['STEP_UP_REQUIRED', 'NOT_FOUND', 'NOT_FETCHABLE', 'DAY_SPENT'],
  },
  settle: {
    route: 'PUT /supply/orders/{id}',
    ...STOCK,
    summary:
      'Says by hand what became of an order that the supplier doesn’t answer for: its keys, or nothing. An ' +
      'answer of the supplier that comes at the same moment stands, and the order is returned so.',
    input: z.object({
      id: Id,
      keys: z.optional(
        z
          .array(z.string({ error: 'Each key is text' }).check(z.maxLength(KEY_LENGTH_MAX)))
          .check(z.minLength(1, { error: 'Paste at least one key' }), z.maxLength(SUPPLY_ORDER_MAX)),
      ),
    }),
    output: SupplyOrder,
    refusals: ['STEP_UP_REQUIRED', 'NOT_FOUND', 'DUPLICATE_KEYS', 'PRODUCT_NOT_FOUND'],
  },
  claimThere: {
    route: 'GET /claims/{id}/supplier',
    access: 'admin',
    roles: ['support', 'payments', 'stock', 'read-only'],
    summary: 'From which supplier a claimed key came, and what became of it there; null for one that came otherwise.',
    input: z.object({ id: Id }),
    output: z.object({ there: z.nullable(ClaimThere) }),
  },
  reportThere: {
    route: 'POST /claims/{id}/supplier',
    access: 'admin',
    roles: ['support', 'payments'],
    summary:
      'Reports a claimed key to the supplier it came from, without a word of the buyer. `why` says why it was not ' +
      'taken; then call again. A key that they give for it comes into stock.',
    input: z.object({ id: Id }),
    output: z.object({
      there: ClaimThere,
      why: z.optional(z.enum([...SUPPLY_FAULTS, 'settled', 'late', 'many'])),
    }),
    refusals: ['NOT_FOUND'],
  },
} as const satisfies Declarations
