import * as z from 'zod/mini'
import { audit, type By } from '../audit/audit.ts'
import { sql } from '../platform/database/database.ts'
import type { Services } from '../platform/services.ts'

const PlacedRow = z.object({ id: z.string(), name: z.string() })

/** Puts the named products first, in this order. The others follow in their old order. */
export async function reorderProducts(
  { db, events }: Services,
  productIds: readonly string[],
  by: By,
): Promise<{ message: string }> {
  await db.transaction(async (tx) => {
    // Sorts after the lock, because another order may have come first. All who lock several products do so by id
    const before = await tx.rows(sql(PlacedRow)`
      select id, name
        from (select * from products where deleted_at is null order by id for no key update) locked
       order by position, sequence`)
    const wanted = new Map(productIds.map((id, index) => [id.toLowerCase(), index]))
    const place = (id: string) => wanted.get(id) ?? productIds.length
    const after = before.toSorted((a, b) => place(a.id) - place(b.id))
    await tx.run(sql`
      update products set position = wanted.position
        from unnest(${after.map(({ id }) => id)}::uuid[]) with ordinality as wanted (id, position)
       where products.id = wanted.id`)
    await audit(tx, by, {
      action: 'product.reorder',
      subject: 'Order of the products',
      before: before.map(({ name }) => name),
      after: after.map(({ name }) => name),
    })
  })
  events.publish({ to: 'everyone', name: 'stock' })
  return { message: 'Order saved' }
}
