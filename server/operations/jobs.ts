/** What the store does by the clock. */
import * as z from 'zod/mini'
import { ADMIN_SESSION_LONGEST_MS, DEVICE_COOKIE_MS, USER_SESSION_LONGEST_MS } from '../../contract/limits.ts'
import { literal, sql, type Database, type Sql } from '../platform/database/database.ts'
import type { Job } from '../platform/jobs.ts'
import { erasePayersOfRejected } from '../payments/top-ups.ts'
import { closeDueAccounts } from '../privacy/close-due-accounts.ts'
import { forgetResetLinks } from '../users/reset-links.ts'
import { forgetUnproven } from '../users/unproven-adjustments.ts'
import { CHECK_JOB, type Examination } from '../reports/health-report.ts'
import { settleDue } from '../wallet/read-wallets.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** 3 o'clock in India, when few buy. */
const NIGHT_MS = 21.5 * 60 * MINUTE_MS
const WALLETS_AT_ONCE = 200
const WALLETS_MAX = 20_000
/** Why a session ended is told for as long as its cookie can come back, and a margin. */
const FORGET_MARGIN_MS = DAY_MS

/** As long as a buyer may ask why a request was rejected. */
const PHONE_OF_REJECTED_DAYS = 90
/** A link lasts half an hour; its row tells whose it was, and no longer than this. */
const RESET_LINK_DAYS = 1

/** @param checkStore looks at the books and at what keeps them in order, until the signal aborts */
export function storeJobs(db: Database, checkStore: (now: Date, signal: AbortSignal) => Promise<Examination>): Job[] {
  return [
    {
      name: 'post-lapses',
      nextAfter: (now) => soon(now, MINUTE_MS),
      run: (now, signal) => postLapses(db, now, signal),
    },
    { name: 'clean-up', nextAfter: (now) => soon(now, 60 * MINUTE_MS), run: (now, signal) => cleanUp(db, now, signal) },
    { name: 'close-accounts', nextAfter: (now) => soon(now, 60 * MINUTE_MS), run: (now) => closeDueAccounts(db, now) },
    { name: 'forget', nextAfter: nextNight, run: (now) => forget(db, now) },
    { name: CHECK_JOB, nextAfter: nextNight, run: checkStore },
  ]
}

const soon = (now: Date, ms: number): Date => new Date(now.getTime() + ms)

export function nextNight(now: Date): Date {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS + NIGHT_MS
  return new Date(today > now.getTime() ? today : today + DAY_MS)
}

/** Posts lapses of wallets that nobody has looked at, so that reports say what is so. */
async function postLapses(db: Database, now: Date, signal: AbortSignal): Promise<{ wallets: number }> {
  let wallets = 0
  while (wallets < WALLETS_MAX && !signal.aborted) {
    const due = await db.rows(
      z.object({ userId: z.string() }),
      sql`
      select user_id as "userId" from wallets where next_lapse_at <= ${now} order by next_lapse_at limit ${literal(WALLETS_AT_ONCE)}`,
    )
    await settleDue(
      db,
      due.map((wallet) => wallet.userId),
      now,
    )
    wallets += due.length
    if (due.length < WALLETS_AT_ONCE) break
  }
  return { wallets }
}

/** A call is tried again within minutes, or not at all. */
const CHANGES_KEPT_MS = 7 * DAY_MS

/** So many are deleted in far less than a statement may take. */
const ROWS_AT_ONCE = 5_000

/**
 * Forgets what nobody can ask for any more: with a session go the address and browser that it was used from. What cannot be
 * cleaned does not keep the rest from it.
 * @throws AggregateError afterwards, of what has failed
 */
async function cleanUp(db: Database, now: Date, signal: AbortSignal): Promise<{ sessions: number; counters: number }> {
  const before = (ageMs: number) => sql`created_at < ${new Date(now.getTime() - ageMs)}`
  const errors: unknown[] = []
  const attempt = (work: Promise<number>) =>
    work.catch((error: unknown) => {
      errors.push(error)
      return 0
    })
  const remove = (table: Sql, isOver: Sql) => attempt(deleteInSteps(db, { table, isOver, signal }))
  const users = await remove(sql`user_sessions`, before(USER_SESSION_LONGEST_MS + FORGET_MARGIN_MS))
  const ofAdmins = before(ADMIN_SESSION_LONGEST_MS + FORGET_MARGIN_MS)
  const admins = await remove(sql`admin_sessions`, sql`${ofAdmins} and not ${knowsDevice(now)}`)
  await attempt(eraseAdminTraces(db, ofAdmins))
  await remove(sql`user_changes`, before(CHANGES_KEPT_MS))
  await attempt(forgetUnproven(db, now))
  const counters = await remove(sql`rate_limits`, sql`expire < ${now.getTime()}`)
  if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('; '))
  return { sessions: users + admins, counters }
}

/**
 * Whether an admin's session is the last of its browser, which is known by it for as long as the browser keeps its cookie
 * (sessions/known-devices.ts).
 */
const knowsDevice = (now: Date): Sql => sql`
  (device_hash is not null
   and created_at >= ${new Date(now.getTime() - DEVICE_COOKIE_MS)}
   and not exists (select from admin_sessions newer
                    where newer.admin_id = admin_sessions.admin_id and newer.device_hash = admin_sessions.device_hash
                      and (newer.created_at, newer.id) > (admin_sessions.created_at, admin_sessions.id)))`

/** Of an old session only the browser is remembered, not from where it was used. */
function eraseAdminTraces(db: Database, isOld: Sql): Promise<number> {
  return db.run(sql`
    update admin_sessions set address = '', user_agent = '' where ${isOld} and (address <> '' or user_agent <> '')`)
}

interface Removal {
  table: Sql
  isOver: Sql
  signal: AbortSignal
}

/** @returns how many rows were deleted, each step of them for good */
async function deleteInSteps(db: Database, { table, isOver, signal }: Removal): Promise<number> {
  for (let deleted = 0; ;) {
    // Looked at twice: a counter that was begun anew meanwhile is not over
    const rows = await db.run(sql`
      delete from ${table}
       where ${isOver}
         and ctid = any(array(select ctid from ${table} where ${isOver} limit ${literal(ROWS_AT_ONCE)}))`)
    deleted += rows
    if (rows < ROWS_AT_ONCE || signal.aborted) return deleted
  }
}

/** Erases what has been kept for as long as docs/privacy.md says. */
async function forget(db: Database, now: Date): Promise<{ phones: number; resetLinks: number }> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const phones = await erasePayersOfRejected(db, before(PHONE_OF_REJECTED_DAYS))
  const resetLinks = await forgetResetLinks(db, before(RESET_LINK_DAYS))
  return { phones, resetLinks }
}
