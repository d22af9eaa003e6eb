import { sql, type Database } from '../platform/database/database.ts'
import { keep } from '../platform/database/search.ts'

/** True while a top-up plan on offer gives more than its amount. */
export function readHasOffers(db: Database): Promise<boolean> {
  return db.holds(sql`
    select exists (select from topup_plans
                    where is_active and deleted_at is null and bonus_paise > amount_paise)`)
}

/** The same, up to a minute old, because every page of the store begins with it. */
export function showHasOffers(db: Database): Promise<boolean> {
  // `keep` caches only figures of many rows
  return keep(db, 'has offers', async () => ({ value: await readHasOffers(db), rows: Infinity }))
}
