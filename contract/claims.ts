/** The claims desk: a buyer reports a bad key, and the store replaces it, refunds it or says why not. */
import * as z from 'zod/mini'
import { AMOUNT_MAX, Rupees, rupeesBetween } from './amounts.ts'
import { REPORTED_REASONS } from './claim-reasons.ts'
import type { Declarations } from './endpoint.ts'
import { Day, Flag, Id, line, Moment, Paging, paragraphs } from './fields.ts'
import { CLAIM_NOTE_LENGTH_MAX, NOTE_LENGTH_MAX, REASON_LENGTH_MAX } from './limits.ts'
import { paise } from './money.ts'

/** The store itself opens a claim with the last one, for a recalled key. */
export const ClaimReason = z.enum([...REPORTED_REASONS, 'recalled'])
export type ClaimReason = z.output<typeof ClaimReason>

export const ClaimStatus = z.enum(['open', 'replaced', 'refunded', 'rejected', 'withdrawn'])
export type ClaimStatus = z.output<typeof ClaimStatus>

export const RefundRule = z.enum(['full', 'unused', 'terms', 'other'])
export type RefundRule = z.output<typeof RefundRule>

const Common = {
  _id: Id,
  number: z.string().check(z.describe('Such as "C-1042"')),
  keyId: Id,
  orderId: Id,
  reason: ClaimReason,
  note: z.string(),
  status: ClaimStatus,
  answer: z.nullable(z.string()),
  createdAt: Moment,
  answerBy: Moment.check(z.describe('48 hours after the report')),
  decidedAt: z.nullable(Moment),
  refunded: z.nullable(Rupees),
}

export const OwnClaim = z.object(Common)
export type OwnClaim = z.output<typeof OwnClaim>

const Named = z.object({ _id: Id, username: z.string() })

export const Claim = z.object({
  ...Common,
  buyer: Named,
  productId: z.object({ _id: Id, name: z.string() }),
  duration: z.string(),
  unitPrice: Rupees,
  batch: z.nullable(z.object({ _id: Id, supplier: z.string() })),
  openedBy: z.nullable(z.string()).check(z.describe('The admin who recalled the batch; null for the buyer')),
  decidedBy: z.nullable(z.string()),
  rule: z.nullable(RefundRule),
  replacementId: z.nullable(Id),
})
export type Claim = z.output<typeof Claim>

const Rate = z.object({ claims: z.number(), sold: z.number() })

/** The credit that paid for a purchase. */
export const PaidFrom = z.object({
  source: z.string(),
  amount: Rupees,
  expiresAt: z.nullable(Moment),
  isTakenBack: z.boolean().check(z.describe('The top-up was taken back, so a refund of it is, too')),
})
export type PaidFrom = z.output<typeof PaidFrom>

/** What is known about the key, its batch and its buyer. */
const Evidence = z.object({
  assignedAt: Moment,
  expiresAt: Moment,
  quantity: z.number().check(z.describe('Keys in the purchase')),
  batch: z.nullable(
    z
      .object({ ...Rate.shape, createdAt: Moment, recalledAt: z.nullable(Moment) })
      .check(z.describe('Claimed and sold keys of its batch. Withdrawn claims and those of a recall don’t count')),
  ),
  store: Rate.check(z.describe('The same for the whole store')),
  replacedBefore: z
    .number()
    .check(z.describe('How often the purchased key was replaced before. From one on, support may not replace it')),
  buyer: z.object({ claims: z.number(), replaced: z.number(), refunded: z.number(), keys: z.number() }),
  paidFrom: z.array(PaidFrom),
})

export const ClaimDetails = z.object({
  ...Claim.shape,
  key: z.string(),
  isWhole: z.boolean().check(z.describe('Otherwise `key` has only the last characters')),
  evidence: Evidence,
  offers: z
    .object({ full: z.nullable(Rupees), unused: z.nullable(Rupees), terms: z.nullable(Rupees) })
    .check(z.describe('What each rule gives back; null where it does not apply')),
  left: Rupees.check(z.describe('The most that can be refunded')),
  share: z.number().check(z.describe('The unused part of the validity at the report, from 0 to 1')),
  fee: Rupees.check(z.describe('What `terms` takes off')),
  canKeepEnd: z.boolean().check(z.describe('The key still runs, so a new one can end when it does')),
})
export type ClaimDetails = z.output<typeof ClaimDetails>

const Words = line('Answer', 0, REASON_LENGTH_MAX)
const READERS = ['support', 'payments', 'stock', 'read-only'] as const
const ClaimFilter = {
  status: z.optional(ClaimStatus),
  reason: z.optional(ClaimReason),
  productId: z.optional(Id),
  batchId: z.optional(Id),
  keyId: z.optional(Id),
  orderId: z.optional(Id),
  userId: z.optional(Id),
  from: z.optional(Day).check(z.describe('The first and the last day of the answer, in India')),
  to: z.optional(Day),
}

export const claims = {
  open: {
    route: 'POST /claims',
    access: 'user',
    scope: 'buy',
    summary: 'Reports a problem with a key, until 7 days after its end. The store answers within 48 hours.',
    status: 201,
    input: z.object({
      keyId: Id,
      reason: z.enum(REPORTED_REASONS, { error: 'Choose what happened' }),
      note: z._default(z.optional(paragraphs('Note', CLAIM_NOTE_LENGTH_MAX)), ''),
    }),
    output: OwnClaim,
    refusals: ['NOT_FOUND', 'CLAIM_OPEN', 'CLAIM_TOO_LATE', 'TOO_MANY_CLAIMS'],
    limit: 'claim',
  },
  mine: {
    route: 'GET /claims/mine',
    access: 'user',
    scope: 'look',
    summary: 'The caller’s claims, newest first.',
    output: z.array(OwnClaim),
  },
  withdraw: {
    route: 'POST /claims/{id}/withdraw',
    access: 'user',
    scope: 'buy',
    summary: 'Takes a claim back before it is answered.',
    input: z.object({ id: Id }),
    output: OwnClaim,
    refusals: ['NOT_FOUND', 'CLAIM_DECIDED'],
  },
  list: {
    route: 'GET /claims',
    access: 'admin',
    roles: READERS,
    summary:
      'Lists claims: open ones oldest first, all others newest first. `search` finds the number, or a part of the ' +
      'username.',
    input: z.object({ ...Paging, ...ClaimFilter }),
    output: z.object({ claims: z.array(Claim), total: z.number() }),
  },
  one: {
    route: 'GET /claims/{id}',
    access: 'admin',
    roles: READERS,
    summary:
      'Returns a claim with the facts beside it and the sums that can be refunded. An admin without a recent ' +
      'confirmation sees only the end of the key, and so does one who may only read.',
    input: z.object({
      id: Id,
      unproven: z.optional(z.literal('refuse').check(z.describe('Refuses instead of returning the end of the key'))),
    }),
    output: ClaimDetails,
    refusals: ['NOT_FOUND', 'STEP_UP_REQUIRED'],
  },
  replace: {
    route: 'PUT /claims/{id}/replace',
    access: 'admin',
    saysToBuyers: ['answer'],
    roles: ['support', 'payments'],
    summary:
      'Gives the buyer the oldest key in stock of the same product and duration. By default its time starts now, and ' +
      'for a key that stopped it ends when that key would have. The worth of the key counts as a balance change of ' +
      '`stepUpAbove`. For support that is a ceiling for the day, and a key that was given for a bad one is refused.',
    input: z.object({ id: Id, time: z.optional(z.enum(['full', 'same-end'])), answer: z.optional(Words) }),
    output: Claim,
    refusals: ['NOT_FOUND', 'CLAIM_DECIDED', 'REPLACED_BEFORE', 'OUT_OF_STOCK', 'DAY_LIMIT', 'STEP_UP_REQUIRED'],
  },
  refund: {
    route: 'PUT /claims/{id}/refund',
    access: 'admin',
    saysToBuyers: ['answer'],
    roles: ['payments'],
    summary:
      'Gives money back to the wallet, into the credit that paid for the key. `expected` is the sum that the admin ' +
      'saw. `other` needs an `amount`.',
    input: z.object({
      id: Id,
      rule: RefundRule,
      amount: z.optional(rupeesBetween(paise(1), AMOUNT_MAX, 'Enter an amount in rupees')),
      expected: rupeesBetween(paise(1), AMOUNT_MAX, 'Enter an amount in rupees'),
      answer: z.optional(Words),
    }),
    output: Claim,
    refusals: ['NOT_FOUND', 'CLAIM_DECIDED', 'AMOUNT_CHANGED', 'STEP_UP_REQUIRED'],
  },
  reject: {
    route: 'PUT /claims/{id}/reject',
    access: 'admin',
    saysToBuyers: ['answer'],
    roles: ['support', 'payments'],
    summary: 'Rejects a claim. The buyer reads the answer.',
    input: z.object({ id: Id, answer: line('Answer', 1, REASON_LENGTH_MAX) }),
    output: Claim,
    refusals: ['NOT_FOUND', 'CLAIM_DECIDED', 'STEP_UP_REQUIRED'],
  },
  recall: {
    route: 'POST /keys/batches/{id}/recall',
    access: 'admin',
    roles: ['stock'],
    summary:
      'Takes the unsold keys of a batch out of stock permanently. With `openClaims` it opens a claim for each sold ' +
      'key that has not expired, and tells its buyer. A repeated call goes on where a broken one ended.',
    input: z.object({ id: Id, note: line('Note', 1, NOTE_LENGTH_MAX), openClaims: Flag }),
    output: z.object({ withdrawn: z.number(), opened: z.number() }),
    refusals: ['NOT_FOUND', 'BATCH_RECALLED', 'STEP_UP_REQUIRED'],
  },
  answerAll: {
    route: 'POST /keys/batches/{id}/answer',
    access: 'admin',
    roles: ['payments'],
    summary:
      'Answers the open claims of a batch, oldest first, 200 in each transaction. `replace` refunds the unused part ' +
      'when the stock is empty. `left` stay open; call again for them.',
    input: z.object({ id: Id, do: z.enum(['replace', 'unused', 'full']), answer: Words }),
    output: z.object({ replaced: z.number(), refunded: z.number(), left: z.number() }),
    refusals: ['NOT_FOUND', 'STEP_UP_REQUIRED'],
  },
  warranty: {
    route: 'POST /keys/batches/{id}/warranty',
    access: 'admin',
    roles: ['stock'],
    summary: 'The claimed keys of a batch as a CSV file for its supplier, without buyers. Audited.',
    input: z.object({ id: Id }),
    output: z.unknown(),
    refusals: ['NOT_FOUND', 'STEP_UP_REQUIRED'],
    limit: 'export',
    stream: 'text/csv',
  },
} as const satisfies Declarations
