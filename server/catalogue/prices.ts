/**
 * A product's durations and their list prices. Stock, custom prices and sales belong to the row of a duration
 * and not to its text, so a row is never deleted: a renamed duration takes everything along, and a removed one
 * keeps everything until it is added again.
 */
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { LOW_STOCK_BELOW_DEFAULT } from '../../contract/limits.ts'
import type { Paise } from '../../contract/money.ts'
import { sql, type Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'

export interface WantedPrice {
  _id?: string | undefined
  /** In the one spelling of the contract. */
  duration: string
  price: Paise
  /** Keys; what was set before where it is absent. */
  lowStockBelow?: number | undefined
}

const StoredRow = z.object({ id: z.string(), duration: z.string(), live: z.boolean(), price: z.number() })
export type StoredPrice = Pick<z.output<typeof StoredRow>, 'id' | 'duration' | 'live'>

/** Which row each wanted price is to be. */
export interface PlacedPrice {
  id: string
  duration: string
  price: Paise
  lowStockBelow: number | undefined
}

/**
 * Makes the product's live durations the wanted ones, in their order. The product must be locked in this transaction.
 * @returns whether something costs less than before, also what comes back after it was removed
 * @throws Refusal INVALID_INPUT when two rows carry one _id
 */
export async function writePrices(
  tx: Transaction,
  productId: string,
  wanted: readonly WantedPrice[],
  now: Date,
): Promise<{ isCheaper: boolean }> {
  const stored = await tx.rows(
    StoredRow,
    sql`
    select id, duration, removed_at is null as live, list_paise as price
      from prices
     where product_id = ${productId}
     order by removed_at desc nulls first, id`,
  )
  const placed = placePrices(stored, wanted)

  // A text is free for another row only when nobody holds it: two rows that swap theirs must both let go first
  await tx.run(sql`update prices set removed_at = ${now} where product_id = ${productId} and removed_at is null`)
  await tx.run(sql`
    insert into prices (id, product_id, duration, list_paise, position, low_stock_below)
    select wanted.id, ${productId}, wanted.duration, wanted.list_paise, wanted.position,
           coalesce(wanted.low_stock_below, present.low_stock_below, ${LOW_STOCK_BELOW_DEFAULT}::int)
      from unnest(${placed.map((row) => row.id)}::uuid[], ${placed.map((row) => row.duration)}::text[],
                  ${placed.map((row) => row.price)}::bigint[], ${placed.map((_, index) => index)}::int[],
                  ${placed.map((row) => row.lowStockBelow ?? null)}::int[])
        as wanted (id, duration, list_paise, position, low_stock_below)
      left join prices present on present.id = wanted.id
    on conflict (id) do update
       set duration = excluded.duration, list_paise = excluded.list_paise, position = excluded.position,
           low_stock_below = excluded.low_stock_below, removed_at = null`)
  const before = new Map(stored.map(({ id, price }) => [id, price]))
  return { isCheaper: placed.some(({ id, price }) => price < (before.get(id) ?? 0)) }
}

/**
 * Finds the row of each wanted price: by its _id; else the live row of that duration; else the row that was
 * removed last under that duration, which brings its stock back; else a new one. An _id that is not one of this
 * product's counts as absent.
 * @param stored the product's rows, live ones first, then the last removed first
 * @throws Refusal INVALID_INPUT when two rows carry one _id
 */
export function placePrices(stored: readonly StoredPrice[], wanted: readonly WantedPrice[]): PlacedPrice[] {
  const byId = new Map(stored.map((row) => [row.id, row]))
  const taken = new Set<string>()
  for (const [index, { _id }] of wanted.entries()) {
    const id = _id?.toLowerCase()
    if (id === undefined || !byId.has(id)) continue
    if (taken.has(id)) {
      const message = 'Two rows are the same duration'
      throw new Refusal('INVALID_INPUT', { message, fields: { [`prices.${index}._id`]: message } })
    }
    taken.add(id)
  }
  return wanted.map(({ _id, duration, price, lowStockBelow }) => {
    const named = _id === undefined ? undefined : byId.get(_id.toLowerCase())
    const row = named ?? stored.find((each) => each.duration === duration && !taken.has(each.id))
    const id = row?.id ?? newId()
    taken.add(id)
    return { id, duration, price, lowStockBelow }
  })
}
