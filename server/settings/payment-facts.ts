/** What buyers see of payments beside the settings. Other features own these tables, and this only counts in them. */
import * as z from 'zod/mini'
import { dayOf } from '../../contract/india.ts'
import { DAY_MS } from '../../contract/time.ts'
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

/**
 * True while a phone's alerts approve any buyer's requests, the limits have room, and one was read within a day: an
 * alert in a known wording, for an account of the store.
 */
export function readCheckedOnArrival(db: Database, now: Date): Promise<boolean> {
  return db.holds(sql`
    select exists (select from bank_rules
                    where mode = 'auto' and trusts = 'phone' and unproven_paise < unproven_max_paise
                      and (day < ${dayOf(now)}::date or day_paise < per_day_paise))
           and exists (select from bank_sightings alert
                         join bank_devices device on device.id = alert.device_id
                         join bank_accounts account on account.id = alert.account_id
                        where alert.outcome = 'credit' and alert.why is distinct from 'hint'
                          and alert.seen_at > ${new Date(now.getTime() - DAY_MS)}
                          and device.ended_at is null and device.paused_at is null
                          and account.feeds_store and account.closed_at is null)`)
}

/** True while a top-up plan on offer gives more than its amount. */
export function readHasOffers(db: Database): Promise<boolean> {
  return db.holds(sql`
    select exists (select from topup_plans
                    where is_active and deleted_at is null and bonus_paise > amount_paise)`)
}
