/** Pictures of the store and its products. Anyone can load one at its address, which is in `Site` and `Product`. */
import * as z from 'zod/mini'
import type { Declarations } from './endpoint.ts'
import { aboutOne, Id, Message } from './fields.ts'

/** What a picture must be. The browser makes it so, and the server checks it. */
export interface PictureRule {
  bytesMax: number
  /** Pixels of the width, both included. */
  width: readonly [least: number, most: number]
  /** The height for one pixel of width. */
  ratio: number
  shape: string
}

const kB = 1024
const STORE_PLACES = ['logo', 'share'] as const
export type StorePlace = (typeof STORE_PLACES)[number]
export const PICTURE_RULES = {
  logo: { bytesMax: 64 * kB, width: [512, 512], ratio: 1, shape: 'square, 512 pixels wide' },
  share: { bytesMax: 120 * kB, width: [1200, 1200], ratio: 630 / 1200, shape: '1200 pixels wide and 630 high' },
  product: { bytesMax: 120 * kB, width: [64, 800], ratio: 1, shape: 'square, 64 to 800 pixels wide' },
} as const satisfies Record<StorePlace | 'product', PictureRule>
export type PictureKind = keyof typeof PICTURE_RULES

const BYTES_MAX = Math.max(...Object.values(PICTURE_RULES).map(({ bytesMax }) => bytesMax))
/** Base64 takes four characters for three bytes. A picture just over the limit still gets the error that names it. */
const BODY_LIMIT_BYTES = Math.ceil(BYTES_MAX / 3) * 4 + 8 * kB
const WITH_CARD_BYTES = 2 * BODY_LIMIT_BYTES

const Data = z
  .base64({ error: 'Send the file as base64' })
  .check(z.describe('A WebP or JPEG file as base64. What it holds beside the picture is dropped'))
const Place = z
  .enum(STORE_PLACES, { error: 'Choose logo or share' })
  .check(z.describe('The logo, or the picture of shared links'))
const Expected = z.optional(z.string()).check(z.describe('The address of the one to replace; empty for none'))
const Saved = z.object({ picture: z.string().check(z.describe('Its address in the store')) })

export const pictures = {
  saveOfStore: {
    route: 'PUT /pictures/store/{place}',
    access: 'admin',
    summary:
      'Sets the logo (512 × 512 pixels, up to 64 kB), or the picture of shared links (1200 × 630 pixels, up ' +
      'to 120 kB).',
    input: z.object({ place: Place, data: Data, expected: Expected }),
    output: Saved,
    refusals: ['PICTURE_CHANGED'],
    bodyLimitBytes: BODY_LIMIT_BYTES,
  },
  removeOfStore: {
    route: 'DELETE /pictures/store/{place}',
    access: 'admin',
    summary: 'Removes the logo, or the picture of shared links.',
    input: z.object({ place: Place }),
    output: Message,
  },
  saveOfProduct: {
    route: 'PUT /pictures/products/{id}',
    access: 'admin',
    roles: ['stock'],
    summary: 'Sets a product’s picture: square, up to 800 pixels and 120 kB.',
    input: z.object({
      id: Id,
      data: Data,
      card: z
        .optional(Data)
        .check(z.describe('What messengers show for a link to the product: a JPEG of 1200 × 630 pixels, up to 120 kB')),
    }),
    output: Saved,
    refusals: ['NOT_FOUND'],
    bodyLimitBytes: WITH_CARD_BYTES,
  },
  removeOfProduct: {
    route: 'DELETE /pictures/products/{id}',
    access: 'admin',
    roles: ['stock'],
    summary: 'Removes a product’s picture. Its drawn cover is shown again.',
    ...aboutOne,
  },
} as const satisfies Declarations
