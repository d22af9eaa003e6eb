/** Where durations are bought, and what they are called there. */
import * as z from 'zod/mini'
import { Rupees } from '../../contract/amounts.ts'
import { Refusal } from '../../contract/errors.ts'
import { SourceRests, SupplySource, type supply } from '../../contract/supply.ts'
import { audit, type By } from '../audit/audit.ts'
import { isStillOffered } from '../platform/database/conditions.ts'
import {
  sql,
  violates,
  type Database,
  type Queries,
  type Sql,
  type Transaction,
} from '../platform/database/database.ts'
import { idOf } from './bring-keys.ts'
import type { Theirs } from './chaabi/purchases.ts'
import { hadNone, isRefusedOften } from './demand.ts'
import { lockLink, readTheirs } from './links.ts'
import { withoutNulls } from '../platform/database/rows.ts'

const Row = z.extend(SupplySource, {
  sku: z.nullable(z.string()),
  theirPrice: z.nullable(Rupees),
  rests: z.nullable(SourceRests),
})

export async function listSources(db: Queries, now: Date, which: Sql = sql`true`): Promise<SupplySource[]> {
  const rows = await db.rows(sql(Row)`
    select source.price_id, product.id as product_id, product.name as product_name, source.duration,
           price.list_paise as price, source.link_id, source.their_product, source.their_name, source.their_duration,
           case link.kind when 'http' then source.their_name end as sku, source.cap_paise as max, source.keep,
           source.for_buyers, case link.kind when 'chaabi' then source.their_paise end as their_price,
           case link.kind when 'chaabi' then source.their_stock else 0 end as their_stock,
           (select coalesce(sum(available), 0)::bigint from stock_counters where price_id = price.id) as available,
           (select coalesce(sum(quantity), 0)::bigint from supply_orders
             where price_id = price.id and ended_at is null) as under_way,
           case when not ${isStillOffered(sql`source`)} or product.deleted_at is not null then 'renamed'
                when not product.is_listed then 'unlisted'
                when source.rests_why is not null then source.rests_why
                when source.their_paise > source.cap_paise then 'dear'
                when ${isRefusedOften(now)} then 'refused'
                when ${hadNone(now)} then 'none' end as rests
      from supply_sources source
      join supply_links link on link.id = source.link_id
      join prices price on price.id = source.price_id
      join products product on product.id = price.product_id
     where ${which}
     order by product.name, price.position, price.id`)
  return rows.map(withoutNulls)
}

type Form = z.output<(typeof supply.saveSource)['input']> & { sku?: string }
const Named = z.object({ productName: z.string(), duration: z.string() })

/** A supplier without a list has what is wanted, at as much as it may cost. Its name there makes its id. */
const WITHOUT_LIST = 1_000_000_000

async function findTheirs(tx: Transaction, form: Form): Promise<Theirs | undefined> {
  const { linkId, theirProduct, theirDuration, sku, max } = form
  if (sku === undefined)
    return (await readTheirs(tx, linkId)).find(
      (each) => each.product === theirProduct && each.duration === theirDuration,
    )
  const isThere = await tx.holds(sql`
    select exists (select from supply_links where id = ${linkId} and kind = 'http' and ended_at is null)`)
  return isThere ? { product: idOf(linkId, sku), duration: '', name: sku, paise: max, stock: WITHOUT_LIST } : undefined
}

/** @throws Refusal NOT_FOUND for a duration, a supplier or a product of theirs, or SOURCE_TAKEN */
export async function saveSource(db: Database, form: Form, by: By): Promise<SupplySource> {
  const { priceId, linkId, theirDuration, sku } = form
  return db.transaction(async (tx) => {
    await lockLink(tx, linkId)
    const theirs = await findTheirs(tx, form)
    const ours = await tx.maybe(sql(Named)`
      select product.name as product_name, price.duration
        from prices price join products product on product.id = price.product_id
       where price.id = ${priceId} and price.removed_at is null and product.deleted_at is null`)
    if (!theirs || !ours) throw new Refusal('NOT_FOUND')
    const [before] = await listSources(tx, by.now, sql`source.price_id = ${priceId}`)
    await upsert(tx, { ...form, ...theirs, theirProduct: theirs.product, ours: ours.duration }).catch(
      (error: unknown) => {
        if (!violates(error, 'supply_sources_link_id_their_product_their_duration_key')) throw error
        throw new Refusal('SOURCE_TAKEN', { field: sku === undefined ? 'theirProduct' : 'sku' })
      },
    )
    const [after] = await listSources(tx, by.now, sql`source.price_id = ${priceId}`)
    if (!after) throw new Error('The source was not saved')
    await audit(tx, by, {
      action: 'supply.source',
      subject: `${ours.productName}, ${ours.duration} (${priceId})`,
      ...(before && { before: termsOf(before) }),
      after: { ...termsOf(after), theirName: theirs.name, theirDuration },
    })
    return after
  })
}

const termsOf = ({ linkId, max, keep, forBuyers }: SupplySource) => ({ linkId, max, keep, forBuyers })

function upsert(
  tx: Transaction,
  source: Form & { ours: string; name: string; paise: number; stock: number },
): Promise<number> {
  const { priceId, linkId, ours, theirProduct, theirDuration, name, max, keep, paise, stock } = source
  const forBuyers = source.forBuyers ?? null
  return tx.run(sql`
    insert into supply_sources (price_id, link_id, duration, their_product, their_duration, their_name, cap_paise, keep,
                                for_buyers, their_paise, their_stock)
    values (${priceId}, ${linkId}, ${ours}, ${theirProduct}, ${theirDuration}, ${name}, ${max}, ${keep},
            coalesce(${forBuyers}::smallint, 0), ${paise}, ${stock})
    on conflict (price_id) do update
       set link_id = excluded.link_id, duration = excluded.duration, their_product = excluded.their_product,
           their_duration = excluded.their_duration, their_name = excluded.their_name,
           cap_paise = excluded.cap_paise, keep = excluded.keep,
           for_buyers = coalesce(${forBuyers}, supply_sources.for_buyers), their_paise = excluded.their_paise,
           their_stock = excluded.their_stock, refused_paise = null, rests_why = null`)
}

/** What was asked there is still asked about, and no longer bought. @throws Refusal NOT_FOUND */
export async function removeSource(db: Database, priceId: string, by: By): Promise<void> {
  await db.transaction(async (tx) => {
    const [source] = await listSources(tx, by.now, sql`source.price_id = ${priceId}`)
    if (!source) throw new Refusal('NOT_FOUND')
    await lockLink(tx, source.linkId)
    await tx.run(sql`delete from supply_sources where price_id = ${priceId}`)
    await audit(tx, by, {
      action: 'supply.source',
      subject: `${source.productName}, ${source.duration} (${priceId})`,
      before: termsOf(source),
      after: { removed: true },
    })
  })
}
