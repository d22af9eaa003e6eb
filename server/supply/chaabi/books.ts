/** What another Chaabi has sold to the store. */
import * as z from 'zod/mini'
import { OWN_ORDERS_MAX } from '../../../contract/limits.ts'
import { paise, type Paise } from '../../../contract/money.ts'
import type { Outbound } from '../../platform/outbound.ts'
import { call, LIST_BYTES_MAX, readRupees, type Account, type Unknown } from './call.ts'

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
