/** Holds what was bought there against what is had here, text by text. */
import path from 'node:path'
import * as z from 'zod/mini'
import { sql, type Database, type Sql } from '../../server/platform/database/database.ts'
import { findBroken } from '../../server/platform/database/invariants.ts'
import type { Sealer } from '../../server/platform/secrets/sealing.ts'
import type { TwoStores } from './two-stores.ts'

const KeyRow = z.object({ id: z.string(), sealed: z.instanceof(Buffer) })

export async function textsOf(db: Database, sealer: Sealer, which: Sql): Promise<string[]> {
  const rows = await db.rows(sql(KeyRow)`select id, sealed from license_keys key where ${which}`)
  return rows.map(({ id, sealed }) => sealer.open('key', id, sealed)).toSorted()
}

/** Purchases there under numbers of the store's links, of a row `bought`. */
const underOurs = (links: readonly string[]) => sql`
  split_part(bought.idempotency_key, '/', 1) = any(${links.map(String)}::text[])`

/**
 * Orders that ended without keys though they were bought, and of which no copy came late: then an answer was taken for
 * a no that it was not. Call it before the last comparison, which brings their keys.
 */
export async function findDenied({ here, there, links, network }: TwoStores): Promise<string[]> {
  const bought = await there.db.texts(sql`select idempotency_key from orders bought where ${underOurs(links)}`)
  return here.db.texts(sql`
    select 'S-' || number from supply_orders
     where (state in ('refused', 'dropped') or again_at is not null)
       and link_id || '/' || id = any(${bought}) and link_id || '/' || id <> all(${[...network.late]})`)
}

/** @returns what is wrong, one line each, and the sums */
export async function judgeTrade(stores: TwoStores): Promise<{ wrong: string[]; keys: number; orders: number }> {
  const { here, there, links } = stores
  const [ours, theirs] = await Promise.all([here.nodes[0]?.sealer(), there.nodes[0]?.sealer()])
  if (!ours || !theirs) throw new Error('No node')
  const bought = await textsOf(
    there.db,
    theirs,
    sql`order_id in (select id from orders bought where ${underOurs(links)})`,
  )
  const had = await textsOf(here.db, ours, sql`id in (select key_id from supply_keys)`)
  const fromThere = await here.db.count(sql`
    select count(*) from license_keys key join key_batches batch on batch.id = key.batch_id where batch.supplier <> ''`)
  const paid = await there.db.count(sql`
    select coalesce(sum(amount_paise), 0)::bigint from orders bought where ${underOurs(links)}`)
  const cost = await here.db.count(sql`
    select coalesce(sum(quantity * unit_paise), 0)::bigint from supply_orders where state = 'came'`)
  const orders = await here.db.count(sql`select count(*) from supply_orders where state = 'came'`)
  const open = await here.db.count(sql`select count(*) from supply_orders where ended_at is null`)
  const paused = await here.db.texts(sql`select paused_why from supply_links where paused_why is not null`)
  const unequal = await here.db.count(sql`
    select count(*) from supply_links
     where compared is null or not compared @> '{"strange": 0}'
        or compared -> 'cost' <> '[]' or compared -> 'gone' <> '[]'`)
  const broken = await Promise.all(
    [here, there].map(({ db }) => findBroken(db, path.resolve(import.meta.dirname, '../../server/migrations'))),
  )
  const wrong = [
    ...differences('bought there and not had here', bought, had),
    ...differences('had here and not bought there', had, bought),
    ...(new Set(had).size === had.length ? [] : ['a key is had twice']),
    ...(fromThere === had.length ? [] : [`${fromThere} keys came from there, ${had.length} by orders`]),
    ...(paid === cost ? [] : [`paid ${paid} paise there, ${cost} here`]),
    ...(open === 0 ? [] : [`${open} orders still open`]),
    ...paused.map((why) => `paused: ${why}`),
    ...(unequal === 0 ? [] : [`${unequal} comparisons differ`]),
    ...broken.flat().map(({ invariant }) => invariant),
  ]
  return { wrong, keys: had.length, orders }
}

function differences(what: string, these: readonly string[], those: readonly string[]): string[] {
  const others = new Set(those)
  const missing = these.filter((each) => !others.has(each))
  return missing.length === 0 ? [] : [`${missing.length} keys ${what}`]
}
