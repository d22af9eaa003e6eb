/** What another Chaabi has sold to the store, and the claims of it. */
import * as z from 'zod/mini'
import { ClaimStatus } from '../../../contract/claims.ts'
import { OWN_ORDERS_MAX } from '../../../contract/limits.ts'
import { paise, type Paise } from '../../../contract/money.ts'
import type { Outbound } from '../../platform/outbound.ts'
import { call, LIST_BYTES_MAX, oneLine, ORDER_BYTES_MAX, readRupees, type Account, type Unknown } from './call.ts'

/** A purchase there under a number of this store. */
export interface Sold {
  /** Its order's id here. */
  id: string
  product: string
  duration: string
  quantity: number
  paise: Paise
  unitPaise: Paise
  refundedPaise: Paise
  at: Date
}
const SoldRow = z.object({
  idempotencyKey: z.nullable(z.string()),
  productId: z.guid(),
  duration: z.string(),
  quantity: z.int().check(z.positive()),
  amount: z.number(),
  refunded: z.number(),
  createdAt: z.iso.datetime(),
})
const SoldPage = z.object({ orders: z.array(SoldRow) })
const PAGES_MAX = 400

/** Reads the purchases there whose number begins with `prefix`, each once. */
export async function readTheirOrders(
  outbound: Outbound,
  account: Account,
  { since, prefix }: { since: Date | null; prefix: string },
  signal?: AbortSignal,
): Promise<{ is: 'orders'; orders: Sold[]; until: Date | null } | Unknown> {
  const found = new Map<string, Sold>()
  let from = since?.toISOString()
  for (let page = 0; page < PAGES_MAX; page++) {
    const path = `/orders?limit=${OWN_ORDERS_MAX}${from === undefined ? '' : `&since=${from}`}`
    const answer = await call(outbound, account, path, { bytes: LIST_BYTES_MAX, signal })
    if ('is' in answer) return answer
    const rows = answer.status === 200 ? z.safeParse(SoldPage, answer.body).data?.orders : undefined
    if (!rows) return { is: 'unknown', why: 'unreadable' }
    for (const row of rows) {
      const sold = row.idempotencyKey?.startsWith(prefix) ? readSold(row, prefix) : undefined
      if (sold) found.set(sold.id, sold)
    }
    const last = rows.at(-1)?.createdAt
    if (rows.length < OWN_ORDERS_MAX) {
      const until = last ?? from
      return { is: 'orders', orders: [...found.values()], until: until === undefined ? null : new Date(until) }
    }
    if (last === undefined || last === from) break
    from = last
  }
  return { is: 'unknown', why: 'unreadable' }
}

function readSold(row: z.output<typeof SoldRow>, prefix: string): Sold | undefined {
  const id = z.safeParse(z.guid(), row.idempotencyKey?.slice(prefix.length)).data?.toLowerCase()
  const [amount, refundedPaise] = [readRupees(row.amount), readRupees(row.refunded)]
  if (id === undefined || amount === undefined || refundedPaise === undefined) return undefined
  const { productId: product, duration, quantity, createdAt } = row
  const unitPaise = paise(Math.floor(amount / quantity))
  return { id, product, duration, quantity, paise: amount, unitPaise, refundedPaise, at: new Date(createdAt) }
}

const TheirKey = z.object({ _id: z.guid(), key: z.string(), replaces: z.optional(z.guid()) })

/** Reads the keys of a purchase there, replaced and new ones included. */
export async function readKeysThere(
  outbound: Outbound,
  account: Account,
  theirOrder: string,
  signal?: AbortSignal,
): Promise<{ is: 'keys'; keys: z.output<typeof TheirKey>[] } | Unknown> {
  const path = `/orders/${encodeURIComponent(theirOrder)}`
  const answer = await call(outbound, account, path, { bytes: ORDER_BYTES_MAX, signal })
  if ('is' in answer) return answer
  const read = z.safeParse(z.object({ keys: z.array(TheirKey) }), answer.body)
  return read.success ? { is: 'keys', keys: read.data.keys } : { is: 'unknown', why: 'unreadable' }
}

const TheirClaim = z.object({
  number: z.string().check(z.maxLength(40)),
  keyId: z.string(),
  /** Absent in versions before. Another form counts as absent, because no statement of SQL takes it. */
  // oxlint-disable-next-line promise/valid-params -- a schema, no promise
  orderId: z.catch(z.optional(z.guid()), undefined),
  reason: z.string(),
  status: ClaimStatus,
  refunded: z.nullable(z.number()),
})
const NOT_TAKEN = { NOT_FOUND: 'settled', CLAIM_TOO_LATE: 'late', TOO_MANY_CLAIMS: 'many' } as const

export type ClaimOfTheirs = Omit<z.output<typeof TheirClaim>, 'refunded'> & { refunded: Paise | null }

export async function readClaimsThere(
  outbound: Outbound,
  account: Account,
  signal?: AbortSignal,
): Promise<{ is: 'claims'; claims: ClaimOfTheirs[] } | Unknown> {
  const answer = await call(outbound, account, '/claims/mine', { bytes: LIST_BYTES_MAX, signal })
  if ('is' in answer) return answer
  const read = z.safeParse(z.array(TheirClaim), answer.body)
  if (!read.success) return { is: 'unknown', why: 'unreadable' }
  const claims = read.data.map((claim) => ({
    ...claim,
    number: oneLine(claim.number),
    refunded: claim.refunded === null ? null : (readRupees(claim.refunded) ?? null),
  }))
  return { is: 'claims', claims }
}

type Reported = { is: 'reported'; number: string } | { is: 'refused'; why: (typeof NOT_TAKEN)[keyof typeof NOT_TAKEN] }

/** Reports a key of theirs, or finds the report that there is. */
export async function reportKeyThere(
  outbound: Outbound,
  account: Account,
  report: { keyId: string; reason: string },
  signal?: AbortSignal,
): Promise<Reported | Unknown> {
  const answer = await call(outbound, account, '/claims', { body: report, bytes: ORDER_BYTES_MAX, signal })
  if ('is' in answer) return answer
  const made =
    answer.status === 201 ? z.safeParse(z.object({ number: TheirClaim.shape.number }), answer.body) : undefined
  if (made?.success) return { is: 'reported', number: oneLine(made.data.number) }
  const code = z.safeParse(z.object({ code: z.string() }), answer.body).data?.code ?? ''
  // They take no report beside an open one, nor of a key that they have given something for, perhaps because of this
  // report, whose answer was lost. One that they rejected before is another report
  if (code === 'CLAIM_OPEN' || code === 'NOT_FOUND') {
    const mine = await readClaimsThere(outbound, account, signal)
    if (mine.is === 'unknown') return mine
    const isThis = (status: ClaimOfTheirs['status']) =>
      code === 'CLAIM_OPEN' ? status === 'open' : status === 'replaced' || status === 'refunded'
    const found = mine.claims.find(({ keyId, status }) => keyId === report.keyId && isThis(status))
    if (found) return { is: 'reported', number: found.number }
  }
  return Object.hasOwn(NOT_TAKEN, code)
    ? { is: 'refused', why: NOT_TAKEN[code as keyof typeof NOT_TAKEN] }
    : { is: 'unknown', why: 'unreadable' }
}
