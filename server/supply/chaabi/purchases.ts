/** Purchases at another Chaabi, and what it sells. A purchase counts as decided only by an answer that proves it. */
import * as z from 'zod/mini'
import { KeyText } from '../../../contract/keys.ts'
import { toRupees, ZERO, type Paise } from '../../../contract/money.ts'
import type { Outbound } from '../../platform/outbound.ts'
import { call, LIST_BYTES_MAX, oneLine, ORDER_BYTES_MAX, readRupees, type Account, type Unknown } from './call.ts'

const ENTRIES_MAX = 5_000
const ETAG_LENGTH_MAX = 200
const STOCK_MAX = 1_000_000

interface Purchase {
  /** Names the purchase there. Each try of it has the same. */
  number: string
  product: string
  duration: string
  quantity: number
  /** What one key costs there, as last read. Zero asks what became of the number, and buys nothing. */
  price: Paise
}

/** Answers that prove that nothing was bought under this number, because they look at repeated orders first. */
const DECIDED = {
  OUT_OF_STOCK: 'stock',
  PRICE_CHANGED: 'price',
  INVALID_PRICE: 'gone',
  PRODUCT_NOT_FOUND: 'gone',
  INSUFFICIENT_BALANCE: 'balance',
  LIMIT_REACHED: 'limit',
  TRIAL_REFUSED: 'limit',
} as const
export type NotBought = (typeof DECIDED)[keyof typeof DECIDED]

export interface Came {
  is: 'came'
  keys: string[]
  unitPrice: Paise
  theirOrder: string
}
type Bought = Came | { is: 'refused'; why: NotBought } | Unknown

const Placed = z.object({
  keys: z.array(z.object({ key: z.string() })),
  order: z.object({ _id: z.string().check(z.maxLength(100)), unitPrice: z.number(), quantity: z.number() }),
})
const Refused = z.object({ code: z.string() })

/** Buys keys of one duration there, or asks what became of it. */
export async function buyThere(
  outbound: Outbound,
  account: Account,
  { number, product: productId, duration, quantity, price }: Purchase,
  signal?: AbortSignal,
): Promise<Bought> {
  const answer = await call(outbound, account, '/keys/buy', {
    headers: { 'idempotency-key': number },
    body: { productId, duration, quantity, expectedPrice: toRupees(price) },
    bytes: ORDER_BYTES_MAX,
    signal,
  })
  if ('is' in answer) return answer
  const { status, body } = answer
  if (status >= 400 && status < 500) {
    const code = z.safeParse(Refused, body).data?.code ?? ''
    return Object.hasOwn(DECIDED, code)
      ? { is: 'refused', why: DECIDED[code as keyof typeof DECIDED] }
      : { is: 'unknown', why: 'unreadable' }
  }
  const placed = status === 200 ? z.safeParse(Placed, body).data : undefined
  const unitPrice = placed && readRupees(placed.order.unitPrice)
  if (!placed || unitPrice === undefined) return { is: 'unknown', why: 'unreadable' }
  const keys = placed.keys.map(({ key }) => key)
  const areWhole = keys.every((key) => z.safeParse(KeyText, key).data === key)
  if (keys.length !== quantity || placed.order.quantity !== quantity || !areWhole) return { is: 'unknown', why: 'keys' }
  return { is: 'came', keys, unitPrice, theirOrder: placed.order._id }
}

/** Its prices are read one by one, so that a fault in one product hides no other. */
const Listed = z.object({ _id: z.guid(), name: z.string(), prices: z.array(z.unknown()) })
const ListedPrice = z.object({ duration: z.string().check(z.maxLength(40)), price: z.number(), available: z.int() })

/** One duration of theirs that is for sale to the store. In paise. */
export const Theirs = z.object({
  product: z.string(),
  name: z.string(),
  duration: z.string(),
  paise: z.number(),
  stock: z.number(),
})
export type Theirs = z.output<typeof Theirs>

/** Reads what they sell to the store, unless it is as it was under this tag. */
export async function readTheirList(
  outbound: Outbound,
  account: Account,
  etag: string | null,
  signal?: AbortSignal,
): Promise<{ is: 'same' } | { is: 'list'; etag: string | null; products: Theirs[] } | Unknown> {
  const answer = await call(outbound, account, '/products', {
    headers: etag === null ? {} : { 'if-none-match': etag },
    bytes: LIST_BYTES_MAX,
    signal,
  })
  if ('is' in answer) return answer
  if (answer.status === 304 && etag !== null) return { is: 'same' }
  if (answer.status !== 200 || !Array.isArray(answer.body)) return { is: 'unknown', why: 'unreadable' }
  const products = answer.body.flatMap((entry) => readProduct(entry))
  return { is: 'list', etag: answer.etag?.slice(0, ETAG_LENGTH_MAX) ?? null, products: products.slice(0, ENTRIES_MAX) }
}

function readProduct(entry: unknown): Theirs[] {
  const product = z.safeParse(Listed, entry).data
  return (product?.prices ?? []).flatMap((each): Theirs[] => {
    const listed = z.safeParse(ListedPrice, each).data
    const cost = listed && readRupees(listed.price)
    if (!product || !listed || cost === undefined || cost === ZERO) return []
    const { duration, available } = listed
    const stock = Math.min(Math.max(0, available), STOCK_MAX)
    return [{ product: product._id.toLowerCase(), name: oneLine(product.name), duration, paise: cost, stock }]
  })
}

const Name = z.pipe(z.string(), z.transform(oneLine))
const Expiry = z.iso.datetime()
const Own = z.object({ store: Name, username: Name, balance: z.number(), canBuy: z.boolean(), expiresAt: Expiry })
type OwnAccount = Omit<z.output<typeof Own>, 'expiresAt'> & { is: 'own'; balance: Paise; expiresAt: Date }

/** Reads who the store is there, and what lies in its wallet. */
export async function readOwnThere(
  outbound: Outbound,
  account: Account,
  signal?: AbortSignal,
): Promise<OwnAccount | Unknown> {
  const answer = await call(outbound, account, '/tokens/own', { bytes: ORDER_BYTES_MAX, signal })
  if ('is' in answer) return answer
  const own = answer.status === 200 ? z.safeParse(Own, answer.body).data : undefined
  const balance = own && readRupees(own.balance)
  if (!own || balance === undefined) return { is: 'unknown', why: 'unreadable' }
  return { is: 'own', ...own, balance, expiresAt: new Date(own.expiresAt) }
}
