import type * as z from 'zod/mini'
import type { keys } from '../../../contract/keys.ts'
import { listProducts } from '../../catalogue/list-products.ts'
import type { Viewer } from '../../catalogue/pricing.ts'
import type { Database } from '../../platform/database/database.ts'

/** Counts the stock of every product and duration that the viewer may see, by "<productId>_<duration>". */
export async function countStock(db: Database, viewer: Viewer): Promise<z.output<typeof keys.stock.output>> {
  const products = await listProducts(db, viewer)
  return Object.fromEntries(
    products.flatMap(({ _id: productId, prices }) =>
      prices.map(
        ({ duration, available }) => [`${productId}_${duration}`, { productId, duration, available }] as const,
      ),
    ),
  )
}
