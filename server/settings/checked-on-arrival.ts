import { dayOf } from '../../contract/india.ts'
import { DAY_MS } from '../../contract/time.ts'
import { sql, type Database } from '../platform/database/database.ts'

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
