import { audit, type By } from '../audit/audit.ts'
import { sql, type Database } from '../platform/database/database.ts'
import { lockReferral } from './save-referral.ts'

/**
 * Deletes a code. Its row stays for the users who signed up with it, and its text can be used again.
 * @throws Refusal NOT_FOUND
 */
export async function removeReferral(db: Database, id: string, by: By): Promise<{ message: string }> {
  await db.transaction(async (tx) => {
    const { code } = await lockReferral(tx, id)
    await tx.run(sql`update referral_codes set deleted_at = ${by.now} where id = ${id}`)
    await audit(tx, by, { action: 'referral.remove', subject: `${code} (${id})`, before: { code } })
  })
  return { message: 'Referral code deleted' }
}
