import * as z from 'zod/mini'
import { Duration } from './duration.ts'
import type { Endpoints } from './endpoint.ts'
import { Id, line, Moment, Message, Nothing, wholeNumber } from './fields.ts'
import { KEY_LENGTH_MAX, KEYS_PER_IMPORT_MAX } from './limits.ts'

/** A key that its buyer owns. */
export const OwnedKey = z.object({
  _id: Id,
  key: z.string(),
  productId: z.object({ _id: Id, name: z.string() }),
  duration: z.string(),
  assignedAt: Moment,
  expiresAt: Moment,
})
export type OwnedKey = z.output<typeof OwnedKey>

export const KeyStatus = z.enum(['available', 'assigned', 'expired'])

export const AdminKey = z.object({
  _id: Id,
  key: z.string(),
  productId: z.object({ _id: Id, name: z.string() }),
  duration: z.string(),
  assignedTo: z.nullable(z.object({ _id: Id, username: z.string(), email: z.string() })),
  assignedAt: z.nullable(Moment),
  expiresAt: z.nullable(Moment),
  status: KeyStatus,
  createdAt: Moment,
})
export type AdminKey = z.output<typeof AdminKey>

/** The text of a key: one line. */
export const KeyText = line('Key', 1, KEY_LENGTH_MAX)
const Place = { productId: Id, duration: Duration }

export const keys = {
  stock: {
    method: 'GET',
    path: '/keys/all-stats',
    access: 'anyone',
    summary:
      'Stock of every product and duration that the caller may see, by "<productId>_<duration>", zeros included.',
    input: Nothing,
    output: z.record(z.string(), z.object({ productId: Id, duration: z.string(), available: z.number() })),
    refusals: [],
  },
  mine: {
    method: 'GET',
    path: '/keys/user',
    access: 'user',
    summary: "The caller's keys, newest first, each with the product name as it was sold.",
    input: Nothing,
    output: z.array(OwnedKey),
    refusals: [],
  },
  list: {
    method: 'GET',
    path: '/keys',
    access: 'admin',
    roles: ['stock'],
    summary:
      'Keys by product, duration, status and text, oldest first; complete without a limit. `cursor` is the _id of the last key received.',
    input: z.object({
      productId: z.optional(Id),
      duration: z.optional(Duration),
      status: z.optional(KeyStatus),
      search: z.optional(z.string().check(z.trim(), z.maxLength(KEY_LENGTH_MAX))),
      limit: z.optional(wholeNumber(1, KEYS_PER_IMPORT_MAX, `limit is 1 to ${KEYS_PER_IMPORT_MAX}`)),
      cursor: z.optional(Id),
    }),
    output: z.array(AdminKey),
    refusals: [],
  },
  add: {
    method: 'POST',
    path: '/keys/bulk',
    access: 'admin',
    roles: ['stock'],
    summary:
      'Adds keys to stock, one text each; lines are trimmed and blank ones dropped. New ones are stored also when others are duplicates.',
    input: z.object({
      ...Place,
      keys: z
        .array(
          z
            .string({ error: 'Each key is text' })
            .check(z.maxLength(2_000, { error: `A key takes at most ${KEY_LENGTH_MAX} characters` })),
          { error: 'Paste at least one key' },
        )
        .check(
          z.minLength(1, { error: 'Paste at least one key' }),
          z.maxLength(KEYS_PER_IMPORT_MAX, { error: `At most ${KEYS_PER_IMPORT_MAX} keys at once` }),
        ),
    }),
    output: z.object({ message: z.string(), added: z.number() }),
    refusals: ['PRODUCT_NOT_FOUND', 'DUPLICATE_KEYS'],
    bodyLimitBytes: 32 * 1024 * 1024,
  },
  edit: {
    method: 'PUT',
    path: '/keys/{id}',
    access: 'admin',
    roles: ['stock'],
    summary: 'Corrects the text of an unsold key.',
    input: z.object({ id: Id, key: KeyText }),
    output: AdminKey,
    refusals: ['NOT_FOUND', 'KEY_SOLD', 'KEY_EXISTS'],
  },
  remove: {
    method: 'DELETE',
    path: '/keys/{id}',
    access: 'admin',
    roles: ['stock'],
    summary: 'Deletes an unsold key.',
    input: z.object({ id: Id }),
    output: Message,
    refusals: ['NOT_FOUND', 'KEY_SOLD'],
  },
  removeAll: {
    method: 'DELETE',
    path: '/keys/bulk/{productId}/{duration}',
    access: 'admin',
    roles: ['stock'],
    summary: 'Deletes every unsold key of a product and duration.',
    input: z.object(Place),
    output: z.object({ message: z.string(), deletedCount: z.number() }),
    refusals: ['PRODUCT_NOT_FOUND'],
  },
} as const satisfies Endpoints
