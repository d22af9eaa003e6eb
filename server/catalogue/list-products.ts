/** Products with the stock of each duration, and the prices that the viewer may see. */
import * as z from 'zod/mini'
import type { Product, ProductText } from '../../contract/catalogue.ts'
import { FETCH_USUAL_S } from '../../contract/limits.ts'
import { textsInOthers, type KeptTexts } from '../../contract/owner-texts.ts'
import { sql, type Queries, type Sql } from '../platform/database/database.ts'
import { picturePath } from '../platform/http/pages/kept-pictures.ts'
import { groupPrice, isForSale, KeptSteps, lowestPrice, unitPrice, visiblePrices, type Viewer } from './pricing.ts'

const Row = z.object({
  productId: z.string(),
  sequence: z.number(),
  name: z.string(),
  description: z.string(),
  hot: z.boolean(),
  instructions: z.string(),
  downloadUrl: z.string(),
  isListed: z.boolean(),
  remindDays: z.nullable(z.number()),
  translations: z.custom<KeptTexts<ProductText>>(),
  picture: z.nullable(z.string()),
  // Null for a product without durations
  priceId: z.nullable(z.string()),
  duration: z.nullable(z.string()),
  list: z.nullable(z.number()),
  custom: z.nullable(z.number()),
  group: z.nullable(z.number()),
  available: z.number(),
  lowStockBelow: z.nullable(z.number()),
  perBuyer: z.nullable(z.number()),
  isTrial: z.nullable(z.boolean()),
  steps: KeptSteps,
  // Null for what no supplier has now
  upTo: z.nullable(z.number()),
  theirs: z.nullable(z.number()),
  usualMs: z.nullable(z.number()),
})

/** @returns the products that the viewer may see, in the admin's order */
export function listProducts(db: Queries, viewer: Viewer): Promise<Product[]> {
  return readProducts(db, viewer, sql`true`)
}

/** @returns the product as an admin sees it; undefined when it is deleted */
export async function readProduct(db: Queries, id: string): Promise<Product | undefined> {
  return (await readProducts(db, { kind: 'admin' }, sql`product.id = ${id}`))[0]
}

async function readProducts(db: Queries, viewer: Viewer, condition: Sql): Promise<Product[]> {
  const userId = viewer.kind === 'user' ? viewer.userId : null
  const groupId = (viewer.kind !== 'visitor' && viewer.groupId) || null
  const rows = await db.rows(sql(Row)`
    select product.id as product_id, product.sequence, product.name, product.description, product.hot,
           product.instructions, product.download_url, product.is_listed, product.remind_days,
           product.translations, picture.name as picture,
           price.id as price_id, price.duration, price.list_paise as list, custom.paise as custom,
           ${groupId === null ? sql`null::bigint` : groupPrice(sql`${groupId}::uuid`)} as "group",
           coalesce(stock.available, 0) as available, price.low_stock_below, price.per_buyer, price.is_trial,
           price.steps, source.offer as up_to, source.their_paise as theirs, link.usual_ms
      from products product
      left join pictures picture on picture.product_id = product.id
      left join prices price on price.product_id = product.id and price.removed_at is null
      left join custom_prices custom on custom.price_id = price.id and custom.user_id = ${userId}
      left join (select price_id, sum(available) as available from stock_counters group by price_id) stock
             on stock.price_id = price.id
      left join supply_sources source on source.price_id = price.id and source.offer > 0
      left join supply_links link on link.id = source.link_id
     where product.deleted_at is null
       and (product.is_listed or ${viewer.kind === 'admin'})
       and ${condition}
       and not exists (select from hidden_products hidden
                        where hidden.product_id = product.id and hidden.user_id = ${userId})
     order by product.position, product.sequence, price.position, price.id`)
  const products = new Map<string, Product>()
  for (const row of rows) {
    const { productId, name, description, hot, sequence, picture, translations } = row
    const product = products.get(productId) ?? {
      _id: productId,
      name,
      description,
      ...textsInOthers(translations, ['name', 'description']),
      hot,
      available: 0,
      prices: [],
      sequence,
      ...(picture !== null && { picture: picturePath(picture) }),
      // Buyers get these with the keys that they paid for
      ...(viewer.kind === 'admin' && {
        instructions: row.instructions,
        ...textsInOthers(translations, ['instructions']),
        ...(translations.outdated && { outdated: translations.outdated }),
        downloadUrl: row.downloadUrl,
        isListed: row.isListed,
        ...(row.remindDays !== null && { remindDays: row.remindDays }),
      }),
    }
    products.set(productId, product)
    if (row.priceId === null || row.duration === null || row.list === null) continue
    const terms = { ...row, list: row.list }
    const available = isForSale(viewer, terms) ? row.available : 0
    product.available += available
    product.prices.push({
      _id: row.priceId,
      duration: row.duration,
      ...visiblePrices(viewer, terms),
      available,
      ...(row.perBuyer !== null && { perBuyer: row.perBuyer }),
      ...(row.isTrial && { trial: true as const }),
      ...fetchOf(viewer, row, unitPrice(terms)),
      ...(viewer.kind === 'admin' && row.lowStockBelow !== null ? { lowStockBelow: row.lowStockBelow } : {}),
    })
  }
  return [...products.values()].map((product) => {
    const price = lowestPrice(product.prices)
    return price === undefined ? product : { ...product, price }
  })
}

/** What a buyer can order while it is not in stock. Nothing is sold for less than it costs there. */
function fetchOf(viewer: Viewer, { upTo, theirs, usualMs }: z.output<typeof Row>, price: number) {
  if (upTo === null || theirs === null || price < theirs || (viewer.kind === 'user' && viewer.isProgram)) return {}
  return { fetch: { upTo, seconds: usualMs === null ? FETCH_USUAL_S : Math.max(1, Math.ceil(usualMs / 1000)) } }
}
