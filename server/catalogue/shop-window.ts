/** The products, cached until a change. */
import * as z from 'zod/mini'
import type { Product } from '../../contract/catalogue.ts'
import { sql, type Database, type Queries } from '../platform/database/database.ts'
import type { CachedReads } from '../platform/database/snapshot-cache.ts'
import { listProducts } from './list-products.ts'
import type { Viewer } from './pricing.ts'

/** A user who never existed. Like most users, they see every product at its list price. */
const ANY_USER = { kind: 'user', userId: '00000000-0000-0000-0000-000000000000' } as const

/** @returns the same as `listProducts`; not to be changed */
export async function showProducts(db: Database, kept: CachedReads, viewer: Viewer): Promise<Product[]> {
  if (viewer.kind === 'visitor' || viewer.userId === undefined)
    return kept.read(`products ${viewer.kind}`, () => listProducts(db, viewer))
  const { kind, userId } = viewer
  const { isOwn, groupId } = await kept.readRow(`products of their own ${userId}`, () => readOwn(db, userId))
  const program = kind === 'user' && viewer.isProgram ? ' by program' : ''
  if (isOwn && kind === 'user')
    return kept.read(`products ${userId}${program}`, () => listProducts(db, { ...viewer, groupId }))
  // One list for all of a group
  const whose = (groupId === null ? kind : `${kind} of ${groupId}`) + program
  return kept.read(`products ${whose}`, () =>
    listProducts(db, kind === 'admin' ? { kind, groupId } : { ...viewer, ...ANY_USER, groupId }),
  )
}

const Own = z.object({ isOwn: z.boolean(), groupId: z.nullable(z.string()) })

/** Tells if a user has custom prices or hidden products, and the group of the user. */
function readOwn(db: Queries, userId: string): Promise<z.output<typeof Own>> {
  return db.one(sql(Own)`
    select exists (select from custom_prices where user_id = ${userId})
           or exists (select from hidden_products where user_id = ${userId}) as is_own,
           (select group_id from users where id = ${userId}) as group_id`)
}
