import * as z from 'zod/mini'
import { sql, type Database } from '../platform/database/database.ts'

const DECISIONS = 50
/** Fewer decisions say nothing about the next one. */
const DECISIONS_MIN = 5

const WaitRow = z.object({ decisions: z.number(), minutes: z.nullable(z.number()) })

/** Returns the median wait of the last 50 reviewed top-ups in minutes; undefined below 5. */
export async function readApprovalMinutes(db: Database): Promise<number | undefined> {
  const { decisions, minutes } = await db.one(sql(WaitRow)`
    select count(*) as decisions,
           percentile_cont(0.5) within group (order by extract(epoch from decided_at - created_at)) / 60 as minutes
      from (select decided_at, created_at
              from topup_requests
             where decided_at is not null
             order by decided_at desc
             limit ${DECISIONS}) latest`)
  return minutes === null || decisions < DECISIONS_MIN ? undefined : Math.max(1, Math.round(minutes))
}
