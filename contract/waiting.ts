/** The waiting list: whom the store tells, or for whom it buys, when keys of a duration that is out of stock arrive. */
import * as z from 'zod/mini'
import { AMOUNT_MAX, Rupees, rupeesBetween } from './amounts.ts'
import { WantedDuration } from './duration.ts'
import type { Declarations } from './endpoint.ts'
import { aboutOne, Flag, Id, Moment, Paging, wholeNumber, saidInOthers } from './fields.ts'
import { LEAD_DAYS_MAX, WAITING_QUANTITY_MAX } from './limits.ts'
import { paise } from './money.ts'

const WaitRequest = z
  .object({
    productId: Id,
    duration: WantedDuration,
    quantity: z._default(
      z.optional(wholeNumber(1, WAITING_QUANTITY_MAX, `Enter a quantity from 1 to ${WAITING_QUANTITY_MAX}`)),
      1,
    ),
    autoMax: z
      .optional(rupeesBetween(paise(1), AMOUNT_MAX, 'Enter an amount in rupees'))
      .check(z.describe('Buys all keys together when they arrive, for at most this sum')),
    fetch: z
      .optional(z.literal(true))
      .check(z.describe('Orders them at the supplier now. `autoMax` is the sum that the buyer saw')),
  })
  .check(
    z.refine(({ fetch, autoMax }) => fetch === undefined || autoMax !== undefined, {
      error: 'Enter an amount in rupees',
      path: ['autoMax'],
    }),
  )

const Position = {
  place: z.number().check(z.describe('1 gets the first message')),
  ahead: z.number().check(z.describe('People ahead')),
}

/** Not in time; the supplier has none; too little money when the keys came. */
const FETCH_ENDS = ['late', 'supplier', 'short'] as const
export const FetchEnd = z.enum(FETCH_ENDS)
export type FetchEnd = z.output<typeof FetchEnd>

/** What somebody waits for. */
const Wanted = {
  _id: Id,
  productId: Id,
  productName: z.string(),
  ...saidInOthers('productName'),
  duration: z.string(),
  quantity: z.number(),
}

export const OwnPlace = z.object({
  ...Wanted,
  autoMax: z.nullable(Rupees).check(z.describe('Null: only a message')),
  autoUntil: z.nullable(Moment),
  autoEndedAt: z.optional(Moment).check(z.describe('The leave to buy was over then. The place stays')),
  paused: z.optional(z.literal(true)).check(z.describe('The product is not listed now')),
  fetch: z
    .optional(z.enum(['coming', ...FETCH_ENDS]))
    .check(z.describe('Ordered at the supplier, and bought until `autoUntil`; or why that ended, for an hour')),
  ...Position,
  createdAt: Moment,
})
export type OwnPlace = z.output<typeof OwnPlace>

/** Why a place ended that its buyer did not leave, and for which nothing was bought. */
const EndReason = z.enum(['told', 'short', 'expired', 'gone'])
export type WaitingEndReason = z.output<typeof EndReason>

export const EndedPlace = z.object({
  _id: Id,
  productName: z.string(),
  ...saidInOthers('productName'),
  duration: z.string(),
  quantity: z.number(),
  reason: EndReason.check(
    z.describe('Three messages; too little money twice; 90 days over; not for sale to the buyer any more'),
  ),
  endedAt: Moment,
})
export type EndedPlace = z.output<typeof EndedPlace>

/** Keys that the store orders at its supplier for a buyer, who pays when they are here. */
export const Fetch = z.object({
  ...Wanted,
  amount: z
    .optional(Rupees)
    .check(z.describe('What all of them cost. Until they are bought: the most that they may cost')),
  state: z.enum(['coming', 'bought', 'ended']),
  reason: z.optional(FetchEnd.check(z.describe('Nothing was taken. The place waits for a message'))),
  until: Moment.check(z.describe('Nothing is bought from then on')),
  seconds: z.number().check(z.describe('How long the supplier usually takes')),
  orderId: z.optional(Id),
})
export type Fetch = z.output<typeof Fetch>

export const Demand = z.object({
  productId: Id,
  productName: z.string(),
  duration: z.string(),
  people: z.number(),
  keys: z.number(),
  ready: Rupees.check(z.describe('What those who have the money now would pay')),
  renewals: z.number().check(z.describe('Keys that renew within 7 days')),
})
export type Demand = z.output<typeof Demand>

export const WaitingSettings = z.object({
  autoBuy: Flag.check(z.describe('Buyers may let the store buy for them')),
  leadDays: wholeNumber(0, LEAD_DAYS_MAX, `Enter 0 to ${LEAD_DAYS_MAX} days`).check(
    z.describe('Days from an order at the supplier to its keys'),
  ),
})
export type WaitingSettings = z.output<typeof WaitingSettings>

export const waiting = {
  wait: {
    route: 'POST /waiting',
    access: 'user',
    summary:
      'Takes a place in the queue for an out-of-stock duration. With `autoMax`, the store buys when keys arrive. ' +
      'With `fetch`, it also orders them at its supplier, and buys within 10 minutes or not at all.',
    status: 201,
    idempotent: true,
    input: WaitRequest,
    output: z.object({ _id: Id, ...Position }),
    refusals: [
      'PRODUCT_NOT_FOUND',
      'LIMIT_REACHED',
      'IN_STOCK',
      'ALREADY_WAITING',
      'AUTO_BUY_OFF',
      'NOT_FETCHABLE',
      'PRICE_CHANGED',
      'INSUFFICIENT_BALANCE',
      'FETCH_OPEN',
      'TOO_MANY_FETCHES',
      'IDEMPOTENCY_KEY_REUSED',
    ],
    limit: 'claim',
  },
  mine: {
    route: 'GET /waiting/mine',
    access: 'user',
    summary: 'What the caller waits for, oldest first.',
    output: z.array(OwnPlace),
  },
  ended: {
    route: 'GET /waiting/ended',
    access: 'user',
    summary: 'Places that ended within 7 days without a purchase and not by the caller, newest first.',
    output: z.array(EndedPlace),
  },
  fetch: {
    route: 'GET /waiting/fetch',
    access: 'user',
    summary:
      'The newest order at a supplier for the caller, of the last hour; null without one and after giving it up.',
    output: z.object({ fetch: z.nullable(Fetch) }),
  },
  leave: {
    route: 'DELETE /waiting/{id}',
    access: 'user',
    summary: 'Gives up a place in the queue.',
    ...aboutOne,
  },
  demand: {
    route: 'GET /waiting',
    access: 'admin',
    roles: ['stock', 'read-only'],
    summary: 'How many people wait for how many keys of each duration, and how many renew soon, most people first.',
    input: z.object({ limit: Paging.limit, skip: Paging.skip }),
    output: z.object({ demand: z.array(Demand), total: z.number() }),
  },
  settings: {
    route: 'GET /settings/waiting',
    access: 'admin',
    summary: 'Whether the store buys for those who wait, and how long the supplier takes.',
    output: WaitingSettings,
  },
  saveSettings: {
    route: 'PUT /settings/waiting',
    access: 'admin',
    summary: 'Saves them; absent fields stay.',
    input: z.partial(WaitingSettings),
    output: WaitingSettings,
  },
} as const satisfies Declarations
