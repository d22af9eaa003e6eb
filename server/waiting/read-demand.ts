import * as z from 'zod/mini'
import { PAGE_SIZE_MAX, RENEWALS_SOON_MS } from '../../contract/limits.ts'
import { Demand } from '../../contract/waiting.ts'
import { buyersPrice } from '../catalogue/pricing.ts'
import { sql, type Queries } from '../platform/database/database.ts'
import { boughtSince } from './places.ts'

const Row = z.extend(Demand, { total: z.number() })

/**
 * Counts the people who wait for each duration, and what those with enough money would pay, and the keys that renew
 * soon. Most people first.
 */
export async function readDemand(
  db: Queries,
  { limit = PAGE_SIZE_MAX, skip = 0 }: { limit?: number | undefined; skip?: number | undefined },
  now: Date,
): Promise<{ demand: Demand[]; total: number }> {
  const rows = await db.rows(sql(Row)`
    select product.id as product_id, product.name as product_name, price.duration, people, keys, ready, renewals,
           count(*) over () as total
      from (select price_id, sum(people)::bigint as people, sum(keys)::bigint as keys, sum(ready)::bigint as ready,
                   sum(renewals)::bigint as renewals
              from (
            select place.price_id, count(*) as people, sum(place.quantity) as keys,
                   coalesce(sum(cost.amount) filter (where wallet.balance_paise >= cost.amount), 0)::bigint as ready,
                   0 as renewals
              from waiting_places place
              join prices price on price.id = place.price_id
              join users buyer on buyer.id = place.user_id
              join wallets wallet on wallet.user_id = place.user_id
              left join custom_prices custom on custom.user_id = place.user_id and custom.price_id = price.id
             cross join lateral (
                   select ${buyersPrice(sql`place.quantity`, sql`buyer.group_id`)} * place.quantity as amount) cost
             where place.ended_at is null and not ${boughtSince}
             group by place.price_id
             union all
            select price_id, 0, 0, 0, sum(quantity) from renewals
             where ended_at is null and due_at < ${new Date(now.getTime() + RENEWALS_SOON_MS)}
             group by price_id) part
             group by price_id) wish
      join prices price on price.id = wish.price_id
      join products product on product.id = price.product_id
     order by people desc, renewals desc, product.name, price.position, price.id
    offset ${skip} limit ${limit}`)
  return {
    demand: rows.map(({ total: _, ...row }) => row),
    total: rows[0]?.total ?? 0,
  }
}
