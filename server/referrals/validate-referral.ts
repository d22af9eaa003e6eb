import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { sql, type Queries } from '../platform/database/database.ts'

const Row = z.object({ code: z.string(), description: z.string(), usedUp: z.boolean() })

/**
 * Refuses a code that can't be used to sign up now.
 * @param code in upper case
 * @throws Refusal REFERRAL_NOT_FOUND, also for one that is switched off, or REFERRAL_USED_UP
 */
export async function validateReferral(
  db: Queries,
  code: string,
): Promise<{ valid: true; code: string; description: string }> {
  const found = await db.maybe(sql(Row)`
    select code, description, coalesce(usage_count >= max_usage, false) as used_up
      from referral_codes
     where code = ${code} and deleted_at is null and is_active`)
  if (!found) throw new Refusal('REFERRAL_NOT_FOUND')
  if (found.usedUp) throw new Refusal('REFERRAL_USED_UP')
  return { valid: true, code: found.code, description: found.description }
}
