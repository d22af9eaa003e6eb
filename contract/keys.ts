import * as z from 'zod/mini'
import { AMOUNT_MAX, Rupees, rupeesBetween } from './amounts.ts'
import { ClaimStatus } from './claims.ts'
import { Duration } from './duration.ts'
import type { Declarations } from './endpoint.ts'
import { exactLine, Id, line, Moment, Message, Paging, limitUpTo, saidInOthers, wholeNumber } from './fields.ts'
import { KEY_LENGTH_MAX, KEYS_PER_IMPORT_MAX, NOTE_LENGTH_MAX, SUPPLIER_LENGTH_MAX } from './limits.ts'
import { ZERO } from './money.ts'

/** A key that its buyer owns. */
export const OwnedKey = z.object({
  _id: Id,
  key: z.string(),
  productId: z.object({ _id: Id, name: z.string(), ...saidInOthers('name') }),
  duration: z.string(),
  assignedAt: Moment,
  expiresAt: Moment,
  instructions: z
    .optional(z.string())
    .check(z.describe('How to use the key, in today’s words of its product. Absent without any, and once expired')),
  ...saidInOthers('instructions'),
  downloadUrl: z.optional(z.string()).check(z.describe('Where to download its program. Absent like `instructions`')),
  state: z.optional(z.enum(['replaced', 'refunded'])).check(z.describe('Settled after a claim; absent otherwise')),
  replaces: z.optional(Id).check(z.describe('The bad key that this one was given for')),
  orderId: z.optional(Id).check(z.describe('The purchase. Absent in the answer to one')),
})
export type OwnedKey = z.output<typeof OwnedKey>

const KeyStatus = z.enum(['available', 'assigned', 'expired'])

export const AdminKey = z.object({
  _id: Id,
  key: z.string(),
  isWhole: z.boolean().check(z.describe('Otherwise `key` has only the last characters. See the list')),
  productId: z.object({ _id: Id, name: z.string() }),
  duration: z.string(),
  assignedTo: z.nullable(z.object({ _id: Id, username: z.string(), email: z.string() })),
  assignedAt: z.nullable(Moment),
  expiresAt: z.nullable(Moment),
  status: KeyStatus,
  createdAt: Moment,
  order: z
    .nullable(z.object({ _id: Id, unitPrice: Rupees }))
    .check(z.describe('The purchase of this key, and its price')),
  batchId: z.nullable(Id).check(z.describe('Null for a key from before there were batches')),
  claim: z
    .optional(z.object({ _id: Id, number: z.string(), status: ClaimStatus }))
    .check(z.describe('The newest claim of this key')),
})
export type AdminKey = z.output<typeof AdminKey>

/** The text of a key: one line. */
export const KeyText = exactLine('Key', 1, KEY_LENGTH_MAX)
const Variant = { productId: Id, duration: Duration }

const Pasted = z
  .array(
    z
      .string({ error: 'Each key is text' })
      .check(z.maxLength(2_000, { error: `A key can have up to ${KEY_LENGTH_MAX} characters` })),
    { error: 'Paste at least one key' },
  )
  .check(
    z.minLength(1, { error: 'Paste at least one key' }),
    // Keeps blank lines, so that a fault names its line. A paste with more blank lines than keys is not a person's
    z.maxLength(2 * KEYS_PER_IMPORT_MAX, { error: `Add up to ${KEYS_PER_IMPORT_MAX} keys at a time`, abort: true }),
    z.refine((lines) => lines.filter((line) => line.trim() !== '').length <= KEYS_PER_IMPORT_MAX, {
      error: `Add up to ${KEYS_PER_IMPORT_MAX} keys at a time`,
    }),
  )
/** Holds 50,000 of the longest lines, quoted. */
const PASTE_BYTES_MAX = 32 * 1024 * 1024

/** Details of a batch, without its keys. */
const Delivery = {
  supplier: z.optional(line('Supplier', 0, SUPPLIER_LENGTH_MAX)),
  costPerKey: z
    .optional(z.nullable(rupeesBetween(ZERO, AMOUNT_MAX, 'Enter a cost from ₹0')))
    .check(z.describe('What one key cost, in rupees')),
  note: z.optional(line('Note', 0, NOTE_LENGTH_MAX)),
}

/** The result of a check of one pasted line: new, there already, or not a possible key. */
export const LineStatus = z.enum(['new', 'duplicate-here', 'duplicate-elsewhere', 'malformed'])
export type LineStatus = z.output<typeof LineStatus>

/** Why a person should look at a new line: like a key that is there, or damaged on its way. */
export const KeyDoubt = z.enum(['alike', 'unreadable', 'spreadsheet', 'cut'])
export type KeyDoubt = z.output<typeof KeyDoubt>

export const CheckedLine = z.object({
  line: z.number().check(z.describe('From 1, blank lines counted')),
  status: LineStatus,
  doubt: z
    .optional(KeyDoubt)
    .check(
      z.describe('Why to look at a new line: `alike` but for dashes, spaces, widths or similar letters, or damaged'),
    ),
  repeats: z.optional(z.number()).check(z.describe('The line of this paste that it repeats, or looks like')),
  found: z
    .optional(z.object({ productName: z.string(), duration: z.string(), sold: z.boolean() }))
    .check(
      z.describe(
        'Where the key is already, or one like it. For another new line, the removed product that it moves from',
      ),
    ),
  fault: z.optional(z.string()).check(z.describe('Why it is not a valid key')),
})
export type CheckedLine = z.output<typeof CheckedLine>

/** What came together from a supplier. */
export const Delivered = z.object({
  _id: Id,
  productId: z.object({ _id: Id, name: z.string() }),
  duration: z.string(),
  supplier: z.string(),
  costPerKey: z.nullable(Rupees),
  note: z.string(),
  createdAt: Moment,
  added: z.number(),
  recalledAt: z.nullable(Moment),
})

export const KeyBatch = z.extend(Delivered, {
  createdBy: z.nullable(z.string()).check(z.describe('Username of the admin')),
  sold: z.number(),
  left: z.number().check(z.describe('Unsold and still there')),
  removed: z.number().check(z.describe('Deleted without being sold')),
  edited: z.number().check(z.describe('How many times its keys were edited')),
  undoneAt: z.nullable(Moment),
  claims: z.number().check(z.describe('Keys that buyers reported')),
  openClaims: z.number(),
})
export type KeyBatch = z.output<typeof KeyBatch>

/** Filters of a list of keys; all keys by default. */
const Filter = {
  productId: z.optional(Id),
  duration: z.optional(Duration),
  batchId: z.optional(Id),
  status: z.optional(KeyStatus),
  search: z.optional(z.string().check(z.trim(), z.maxLength(KEY_LENGTH_MAX))),
}

/** A larger `limit` is cut to it. */
const OWN_KEYS_MAX = 1_000

export const keys = {
  stock: {
    route: 'GET /keys/all-stats',
    access: 'anyone',
    scope: 'look',
    summary:
      'Stock of every product and duration that the caller may see, by "<productId>_<duration>", zeros included.',
    output: z.record(z.string(), z.object({ productId: Id, duration: z.string(), available: z.number() })),
  },
  mine: {
    route: 'GET /keys/user',
    access: 'user',
    summary:
      "The caller's keys, newest first, each with the product name as it was sold; all of them without parameters. " +
      '`before` is the _id of the last key received.',
    input: z.object({
      limit: z.optional(limitUpTo(OWN_KEYS_MAX)),
      before: z.optional(Id),
    }),
    output: z.array(OwnedKey),
  },
  list: {
    route: 'GET /keys',
    access: 'admin',
    forOldClients: true,
    roles: ['stock'],
    summary:
      'Lists keys by product, duration, batch, status and text, oldest first, all of them without a limit. ' +
      '`cursor` is the _id of the last key received. The admin must confirm first. ' +
      'Otherwise the call is refused, or with `unproven=endings` returns only the last characters of each key. A ' +
      'search then finds those, or a full key.',
    input: z.object({
      ...Filter,
      unproven: z.optional(
        z
          .enum(['refuse', 'endings'])
          .check(z.describe('What an admin gets without a recent confirmation. Default: `refuse`')),
      ),
      limit: z.optional(limitUpTo(KEYS_PER_IMPORT_MAX)),
      cursor: z.optional(Id),
    }),
    output: z.array(AdminKey),
    refusals: ['STEP_UP_REQUIRED'],
  },
  add: {
    route: 'POST /keys/bulk',
    access: 'admin',
    roles: ['stock'],
    summary:
      'Adds keys to stock as a batch. Lines are trimmed and blank lines dropped. New keys are stored even if ' +
      'others are duplicates. A client can choose a `batchId` and add to one batch in several calls. It can also ' +
      'repeat a call whose answer was lost: the keys of that call count as added, not as duplicates.',
    input: z.object({ ...Variant, ...Delivery, keys: Pasted, batchId: z.optional(Id) }),
    output: z.object({
      message: z.string(),
      added: z.number(),
      batchId: z.optional(Id).check(z.describe('Absent when nothing was new')),
    }),
    refusals: ['PRODUCT_NOT_FOUND', 'DUPLICATE_KEYS', 'NOT_FOUND', 'BATCH_UNDONE'],
    bodyLimitBytes: PASTE_BYTES_MAX,
  },
  check: {
    route: 'POST /keys/bulk/check',
    access: 'admin',
    roles: ['stock'],
    summary:
      'Checks each line that is not blank and stores nothing. A line is new, a duplicate here (in the paste or in ' +
      'this product), a duplicate in another product, or malformed.',
    input: z.object({ ...Variant, keys: Pasted }),
    output: z.object({
      counts: z.object({
        new: z.number(),
        'duplicate-here': z.number(),
        'duplicate-elsewhere': z.number(),
        malformed: z.number(),
        blank: z.number(),
      }),
      lines: z.array(CheckedLine),
    }),
    refusals: ['PRODUCT_NOT_FOUND'],
    bodyLimitBytes: PASTE_BYTES_MAX,
  },
  export: {
    route: 'POST /keys/export',
    access: 'admin',
    roles: ['stock'],
    summary:
      'Exports keys by product, duration, batch, status and text as a CSV file, oldest first, with India time. The ' +
      'audit log records who exported which keys and how many.',
    input: z.object(Filter),
    output: z.unknown(),
    refusals: ['STEP_UP_REQUIRED'],
    limit: 'export',
    stream: 'text/csv',
  },
  batches: {
    route: 'GET /keys/batches',
    access: 'admin',
    roles: ['stock'],
    summary:
      'Lists batches, newest first, with the keys left in each. `search` looks at supplier, note and the admin who ' +
      'added the batch.',
    input: z.object({ ...Paging, productId: z.optional(Id), duration: z.optional(Duration) }),
    output: z.object({ batches: z.array(KeyBatch), total: z.number() }),
  },
  batch: {
    route: 'GET /keys/batches/{id}',
    access: 'admin',
    roles: ['stock'],
    summary: 'Returns one batch, with the keys left in it.',
    input: z.object({ id: Id }),
    output: KeyBatch,
    refusals: ['NOT_FOUND'],
  },
  editBatch: {
    route: 'PUT /keys/batches/{id}',
    access: 'admin',
    roles: ['stock'],
    summary: 'Updates a batch’s supplier, cost per key or note. Omitted fields don’t change.',
    input: z.object({ id: Id, ...Delivery }),
    output: KeyBatch,
    refusals: ['NOT_FOUND'],
  },
  undoBatch: {
    route: 'POST /keys/batches/{id}/undo',
    access: 'admin',
    roles: ['stock'],
    summary: 'Undoes a batch: deletes its keys if none was sold or edited.',
    input: z.object({ id: Id }),
    output: z.object({ message: z.string(), deletedCount: z.number() }),
    refusals: ['NOT_FOUND', 'BATCH_TOUCHED', 'BATCH_UNDONE', 'STEP_UP_REQUIRED'],
  },
  edit: {
    route: 'PUT /keys/{id}',
    access: 'admin',
    forOldClients: true,
    roles: ['stock'],
    summary: 'Edits an unsold key.',
    input: z.object({ id: Id, key: KeyText }),
    output: AdminKey,
    refusals: ['NOT_FOUND', 'KEY_SOLD', 'KEY_EXISTS', 'STEP_UP_REQUIRED'],
  },
  remove: {
    route: 'DELETE /keys/{id}',
    access: 'admin',
    forOldClients: true,
    roles: ['stock'],
    summary: 'Deletes an unsold key.',
    input: z.object({ id: Id }),
    output: Message,
    refusals: ['NOT_FOUND', 'KEY_SOLD', 'STEP_UP_REQUIRED'],
  },
  removeAll: {
    route: 'DELETE /keys/bulk/{productId}/{duration}',
    access: 'admin',
    forOldClients: true,
    roles: ['stock'],
    summary: 'Deletes every unsold key of a product and duration.',
    input: z.object({
      ...Variant,
      expected: z
        .optional(wholeNumber(0, Number.MAX_SAFE_INTEGER, 'Enter a whole number'))
        .check(z.describe('How many keys that is, as the admin saw it. Another number deletes none')),
    }),
    output: z.object({ message: z.string(), deletedCount: z.number() }),
    refusals: ['PRODUCT_NOT_FOUND', 'STOCK_CHANGED', 'STEP_UP_REQUIRED'],
  },
} as const satisfies Declarations
