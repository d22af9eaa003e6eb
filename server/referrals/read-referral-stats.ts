import * as z from 'zod/mini'
import type { referrals } from '../../contract/referrals.ts'
import { literal, sql, type Queries } from '../platform/database/database.ts'

const TOP_CODES = 5

const Counts = z.object({ totalCodes: z.number(), activeCodes: z.number(), totalUsage: z.number() })
const Top = z.object({ _id: z.string(), code: z.string(), usageCount: z.number(), maxUsage: z.nullable(z.number()) })

type Stats = z.output<(typeof referrals.stats)['output']>

/** Counts over the codes that were not deleted, and the most used of the active ones. */
export async function readReferralStats(db: Queries): Promise<Stats> {
  const [counts, topCodes] = await Promise.all([
    db.one(sql(Counts)`
      select count(*) as total_codes, count(*) filter (where is_active) as active_codes,
             coalesce(sum(usage_count), 0) as total_usage
        from referral_codes
       where deleted_at is null`),
    db.rows(sql(Top)`
      select id as _id, code, usage_count, max_usage
        from referral_codes
       where deleted_at is null and is_active
       order by usage_count desc, created_at, id
       limit ${literal(TOP_CODES)}`),
  ])
  return { ...counts, topCodes }
}
