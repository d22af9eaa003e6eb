import * as z from 'zod/mini'
import type { StockHooks } from '../keys/hooks.ts'
import { sql } from '../platform/database/database.ts'
import type { Services } from '../platform/services.ts'
import { keysAwaited } from '../waiting/serve-queue.ts'

const available = sql`(
  select coalesce(sum(available), 0)::bigint from stock_counters where stock_counters.price_id = price.id)`

/**
 * Sells from the shelf to buyers who wait, of durations that a supplier fills. An import sells only what it brings, and
 * a supplier may bring what a buyer wants in several parts.
 */
export async function serveFromShelf({ db, events }: Services, hooks: StockHooks, now: Date): Promise<void> {
  const able = await db.rows(sql(() => z.object({ priceId: z.string(), productId: z.string() }))`
    select price.id as price_id, price.product_id
      from supply_sources source
      join supply_links link on link.id = source.link_id and link.is_on
      join prices price on price.id = source.price_id
     where ${keysAwaited(sql`0`, now, available)} > 0`)
  for (const { priceId, productId } of able) {
    const { buyers } = await db.transaction(async (tx) => {
      const there = await tx.count(sql`
        select coalesce(sum(available), 0)::bigint from stock_counters where price_id = ${priceId}`)
      const bring = (most: number) => Promise.resolve(Math.min(most, there))
      return hooks.serve(tx, { priceId, now, after: 0, passesOver: true }, bring)
    })
    for (const user of buyers) events.publish({ to: { user }, name: 'balance' })
    if (buyers.length > 0) events.publish({ to: 'everyone', name: 'stock', data: { productId } })
  }
}
