/** The products, cached until a change. */
import type { Product } from '../../contract/catalogue.ts'
import { sql, type Database, type Queries } from '../platform/database/database.ts'
import type { CachedReads } from '../platform/database/snapshot-cache.ts'
import { listProducts } from './list-products.ts'
import type { Viewer } from './pricing.ts'

/** A user who never existed. Like most users, they see every product at its list price. */
const ANY_USER: Viewer = { kind: 'user', userId: '00000000-0000-0000-0000-000000000000' }

/** @returns the same as `listProducts`; not to be changed */
export async function showProducts(db: Database, kept: CachedReads, viewer: Viewer): Promise<Product[]> {
  if (viewer.kind !== 'user') return kept.read(`products ${viewer.kind}`, () => listProducts(db, viewer))
  const { userId } = viewer
  const own = await kept.read(`products of their own ${userId}`, () => hasOwn(db, userId))
  return own
    ? kept.read(`products ${userId}`, () => listProducts(db, viewer))
    : kept.read('products user', () => listProducts(db, ANY_USER))
}

/** True if a user has custom prices or hidden products. */
function hasOwn(db: Queries, userId: string): Promise<boolean> {
  return db.holds(sql`
    select exists (select from custom_prices where user_id = ${userId})
           or exists (select from hidden_products where user_id = ${userId})`)
}
