/** The sales book: orders, newest first, with the revenue of the whole search. */
import * as z from 'zod/mini'
import type { AuditNaming } from '../audit/audit-names.ts'
import type { MyData } from '../../contract/privacy.ts'
import { PURCHASES_PAGE_SIZE } from '../../contract/limits.ts'
import { Rupees } from '../../contract/amounts.ts'
import { OwnPurchase, Purchase, type salesBook } from '../../contract/sales-book.ts'
import { DAY_MS } from '../../contract/time.ts'
import { startOf } from '../../contract/india.ts'
import { isListed, letInBy, placedBefore, placedSince } from '../platform/database/conditions.ts'
import { allOf, literal, planned, sql, type Database, type Queries, type Sql } from '../platform/database/database.ts'
import { inPages } from '../platform/database/in-pages.ts'
import { anyOf, contains, keep, keyOf } from '../platform/database/search.ts'

type Search = z.output<(typeof salesBook.purchases)['input']>
export type PurchaseFilter = Omit<Search, 'limit' | 'skip'>

export async function listPurchases(
  db: Database,
  search: Search,
): Promise<{ purchases: Purchase[]; total: number; totalRevenue: number }> {
  const matching = await conditions(db, search)
  const [purchases, { total, revenue }] = await Promise.all([
    readPage(db, matching, search.limit ?? PURCHASES_PAGE_SIZE, search.skip ?? 0),
    sumUp(db, matching),
  ])
  return { purchases, total, totalRevenue: revenue }
}

const EXPORTED_AT_ONCE = 500

/** Yields every matching sale, newest first, page by page from its place in the index. */
export async function* readPurchases(db: Database, search: PurchaseFilter): AsyncGenerator<Purchase> {
  const matching = await conditions(db, search)
  let behind = sql`true`
  for (;;) {
    const purchases = await readPage(db, sql`${matching} and ${behind}`, EXPORTED_AT_ONCE, 0)
    yield* purchases
    const last = purchases.at(-1)
    if (!last || purchases.length < EXPORTED_AT_ONCE) return
    behind = sql`id < ${last._id}`
  }
}

function readPage(db: Database, matching: Sql, limit: number, skip: number): Promise<Purchase[]> {
  return db.rows(
    planned(sql(Purchase)`
    select page.id as _id, 'buy_key' as type, buyer.username, buyer.email, buyer.referral_code,
           page.product_name,
           page.product_description, page.duration, page.quantity,
           page.amount_paise as amount, page.unit_paise as unit_price, page.created_at,
           page.refunded_paise as refunded,
           (select count(*) from key_claims where order_id = page.id) as claims,
           (select topup_id from order_wishes where order_id = page.id) as top_up_id,
           ${letInBy(sql`page`)} as let_in_by,
           page.token_id is not null as by_token
      from (select *
              from orders
             where ${matching}
             order by id desc
             limit ${literal(limit)} offset ${skip}) page
      join users buyer on buyer.id = page.user_id
     order by page.id desc`),
  )
}

const Sums = z.object({ total: z.number(), revenue: Rupees })

/** Sums money exactly. Over very many orders the sum may be seconds old. */
function sumUp(db: Database, matching: Sql): Promise<z.output<typeof Sums>> {
  const statement = sql(Sums)`
    select count(*) as total, coalesce(sum(amount_paise - refunded_paise), 0)::bigint as revenue
      from orders
     where ${matching}`
  return keep(db, keyOf(statement), async () => {
    const value = await db.one(planned(statement))
    return { value, rows: value.total }
  })
}

async function conditions(db: Database, { search, from, to, productId }: PurchaseFilter): Promise<Sql> {
  // Leaves out payments that an admin removed (docs/decisions/0008-lists-of-any-length.md)
  const all: Sql[] = [isListed(sql`orders.id`)]
  const [since, before] = [from && moment(from, 'start'), to && moment(to, 'end')]
  if (since) all.push(sql`created_at >= ${since}`, placedSince(since))
  if (before) all.push(sql`created_at < ${before}`, placedBefore(before))
  if (productId) all.push(sql`product_id = ${productId}`)
  if (search) all.push(await isMeant(db, search))
  return allOf(all)
}

/** A search that matches more buyers than this compares order by order, because one index look-up each costs more. */
const BUYERS_MAX = 300

/** The dot under Devanagari letters, which phones leave out and NFC keeps apart from its letter. And joiners. */
const UNWRITTEN = '\u093c\u200b\u200c\u200d'
/** People write a nasal before a consonant in two ways: हिन्दी and हिंदी. See also `web/ui/fields/has-words.ts`. */
const NASAL = '[ङञणनम]\u094d(?=[क-ह])'

/** Matches a part of the buyer's name or e-mail, or of the product's name at the sale, in any language. */
async function isMeant(db: Database, search: string): Promise<Sql> {
  const isBuyer = sql`(${contains(sql`lower(username)`, search)} or ${contains(sql`lower(email)`, search)})`
  const [buyers, sold] = await Promise.all([
    db.texts(planned(sql`select id from users where ${isBuyer} limit ${literal(BUYERS_MAX + 1)}`)),
    // A node of the version before notes no names
    db.rows(sql(() => z.object({ productId: z.string(), name: z.string() }))`
      select product_id, name
        from (select product_id, name, name as said from sold_names
              union select id, name, name from products
              union select id, name, translations->>'nameHi' from products) sold
       where ${contains(
         sql`regexp_replace(translate(lower(said), ${'ँ' + UNWRITTEN}, 'ं'), ${NASAL}, 'ं', 'g')`,
         search
           .normalize('NFC')
           .replaceAll(new RegExp(`[${UNWRITTEN}]`, 'gu'), '')
           .replaceAll(new RegExp(`ँ|${NASAL}`, 'g'), 'ं'),
       )}`),
  ])
  // The names alone would do, but the index begins with the product
  const bySale =
    sold.length === 0
      ? []
      : [
          sql`(
    product_id = any(${[...new Set(sold.map(({ productId }) => productId))]}::uuid[])
    and product_name = any(${[...new Set(sold.map(({ name }) => name))]}::text[]))`,
        ]
  // Puts the `or` inside the look-up of the buyer, or the database would gather all buyers first
  return buyers.length > BUYERS_MAX
    ? sql`exists (select from users where users.id = orders.user_id and (${anyOf([isBuyer, ...bySale])}))`
    : sql`(${anyOf([sql`user_id = any(${buyers}::uuid[])`, ...bySale])})`
}

/** Reads a whole day as in India, and an exact time as it is. */
function moment(text: string, edge: 'start' | 'end'): Date {
  const day = !text.includes('T')
  const at = day ? startOf(text) : new Date(text)
  return day && edge === 'end' ? new Date(at.getTime() + DAY_MS) : at
}

/** How the audit log names it. */
export const orderNames: AuditNaming = {
  rows: sql`select sale.id, sale.product_name || ', ' || sale.duration, buyer.username, sale.amount_paise
              from wanted join orders sale using (id) join users buyer on buyer.id = sale.user_id`,
  words: ({ name, rupees }) => `${name} for ${rupees}`,
}

/** Lists what a buyer bought, newest first, for that buyer. */
export function listOwnPurchases(db: Queries, userId: string): AsyncGenerator<MyData['purchases'][number]> {
  return inPages((page) =>
    db.rows(sql(OwnPurchase)`
      select id as _id, product_name, duration, quantity, unit_paise as unit_price, amount_paise as amount,
             refunded_paise as refunded, created_at
        from orders where user_id = ${userId} and ${page}`),
  )
}
