import type { MyData } from '../../contract/privacy.ts'
import { OwnPurchase } from '../../contract/sales-book.ts'
import { sql, type Queries } from '../platform/database/database.ts'
import { inPages } from '../platform/database/in-pages.ts'

/** Lists what a buyer bought, newest first, for that buyer. */
export function listOwnPurchases(db: Queries, userId: string): AsyncGenerator<MyData['purchases'][number]> {
  return inPages((page) =>
    db.rows(sql(OwnPurchase)`
      select id as _id, product_name, duration, quantity, unit_paise as unit_price, amount_paise as amount,
             refunded_paise as refunded, created_at
        from orders where user_id = ${userId} and ${page}`),
  )
}
