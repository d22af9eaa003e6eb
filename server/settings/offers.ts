import { sql, type Database } from '../platform/database/database.ts'

/** True while a top-up plan on offer gives more than its amount. */
export function readHasOffers(db: Database): Promise<boolean> {
  return db.holds(sql`
    select exists (select from topup_plans
                    where is_active and deleted_at is null and bonus_paise > amount_paise)`)
}
