/** Messages that guard the store, in tests about others. */
import { sql, type Queries } from '../../server/platform/database/database.ts'

/** As if they had been sent before anybody had a phone or a chat, as they would be in a store that runs. */
export async function passOverSecurity(db: Queries): Promise<void> {
  await db.run(sql`
    update outbox_messages set spread_at = created_at where kind = 'admin.security' and spread_at is null`)
}
