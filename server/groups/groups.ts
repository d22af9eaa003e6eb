/** Groups of buyers: who pays less than the list price. The buyers of a group are written by `users`. */
import * as z from 'zod/mini'
import { BuyerGroup } from '../../contract/groups.ts'
import type { AuditNaming } from '../audit/audit-names.ts'
import { sql, type Queries } from '../platform/database/database.ts'
import { boughtLately, LESS_REFUNDS } from '../users/grade-buyers.ts'

/** Prices of removed durations and deleted products stay, but no form shows them. */
export const LIVE_PRICES = sql`
  (select price.id from prices price
     join products product on product.id = price.product_id and product.deleted_at is null
    where price.removed_at is null)`

/** @returns the groups by name */
export const listGroups = (db: Queries, now: Date): Promise<BuyerGroup[]> =>
  db.rows(sql(BuyerGroup)`
    select buyers.id as _id, buyers.name, buyers.percent_off, buyers.from_spent_paise as from_spent,
           (select count(*) from users where group_id = buyers.id) as members,
           (select ${LESS_REFUNDS} from users join orders on orders.user_id = users.id
             where users.group_id = buyers.id and ${boughtLately(now)}) as sold90,
           (select coalesce(json_agg(json_build_object('priceId', price_id, 'price', paise)), '[]')
              from group_prices where group_id = buyers.id and price_id in ${LIVE_PRICES}) as prices
      from buyer_groups buyers
     order by lower(buyers.name)`)

const Exception = z.object({ place: z.string(), price: z.number() })

/** Its durations with a price of their own, by name, for the audit log. In paise. */
export const readExceptions = (db: Queries, id: string): Promise<z.output<typeof Exception>[]> =>
  db.rows(sql(Exception)`
    select product.name || ', ' || price.duration as place, own.paise as price
      from group_prices own
      join prices price on price.id = own.price_id
      join products product on product.id = price.product_id
     where own.group_id = ${id}
     order by place`)

/** How the audit log names it. */
export const groupNames: AuditNaming = {
  rows: sql`select buyer_groups.id, name, '', null::bigint from wanted join buyer_groups using (id)`,
}
