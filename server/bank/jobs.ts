/** What the bank inbox does by the clock. */
import { DAY_MS, MINUTE_MS } from '../../contract/time.ts'
import { literal, sql, type Database } from '../platform/database/database.ts'
import { FORGOTTEN_AT_ONCE, inSteps, readJobs, type Job } from '../platform/jobs.ts'
import type { Core } from './matching/matches.ts'
import { switchOff } from './credits/alarms.ts'
import { forgetHeard } from './inbox/heard.ts'
import { tellSilentPhones } from './phones/silent-phones.ts'
import { settleLeft } from './matching/follow-payments.ts'

const MATCH_JOB = 'match-credits'
const PAYER_DAYS = 180
const UNREAD_DAYS = 30
/** Keeps messages and lines that became no credit for this long. A request comes within days of its money. */
const TOLD_DAYS = 180

export function bankJobs(services: Core): Job[] {
  const soon = (now: Date, ms: number): Date => new Date(now.getTime() + ms)
  return [
    { name: MATCH_JOB, nextAfter: (now) => soon(now, MINUTE_MS), run: (now) => matchLeft(services, now) },
    {
      name: 'forget-payers',
      nextAfter: (now) => soon(now, DAY_MS),
      run: (now, signal) => forgetPayers(services.db, now, signal),
    },
  ]
}

async function matchLeft(services: Core, now: Date) {
  await forgetHeard(services.db, now)
  await tellSilentPhones(services.db, now)
  const last = (await readJobs(services.db)).find(({ name }) => name === MATCH_JOB)?.finishedAt
  return settleLeft(services, last ?? undefined)
}

/** Erases who has paid, and texts that were not understood, at the end of the terms in docs/privacy.md. */
async function forgetPayers(
  db: Database,
  now: Date,
  signal: AbortSignal,
): Promise<{ payers: number; texts: number; told: number }> {
  const before = (days: number): Date => new Date(now.getTime() - days * DAY_MS)
  const payers = await inSteps(signal, () =>
    db.run(sql`
    update bank_credits
       set payer_name = '', payer_sealed = null, note = '',
           payer_key = case when exists (select from bank_matches where credit_id = bank_credits.id) then payer_key end
     where id in (
       select credit.id from bank_credits credit
        where (credit.payer_name <> '' or credit.payer_sealed is not null or credit.note <> '')
          and credit.first_seen_at < ${before(PAYER_DAYS)}
          and not exists (select from bank_matches where credit_id = credit.id and made_at >= ${before(PAYER_DAYS)})
        limit ${literal(FORGOTTEN_AT_ONCE)})`),
  )
  const texts = await db.run(sql`
    update bank_sightings set text_sealed = null where text_sealed is not null and seen_at < ${before(UNREAD_DAYS)}`)
  await db.run(sql`delete from bank_readings where seen_at < ${before(TOLD_DAYS)}`)
  const told = await inSteps(signal, () =>
    db.run(sql`
      delete from bank_sightings where id in (
        select id from bank_sightings
         where credit_id is null and seen_at < ${before(TOLD_DAYS)} limit ${literal(FORGOTTEN_AT_ONCE)})`),
  )
  return { payers, texts, told }
}

/** Turns automatic approval off when the nightly check finds a broken invariant. @param marks of all */
export async function switchOffIfBroken(db: Database, marks: readonly string[], now: Date): Promise<void> {
  if (!marks.includes('bank')) return
  await db.transaction((tx) => switchOff(tx, 'records-broken', now))
}
