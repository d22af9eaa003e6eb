/** Lists the jobs that the store runs by the clock. */
import { ADMIN_SESSION_LONGEST_MS, DEVICE_COOKIE_MS, USER_SESSION_LONGEST_MS } from '../../contract/limits.ts'
import { DAY_MS, MINUTE_MS } from '../../contract/time.ts'
import { switchOffIfBroken } from '../bank/jobs.ts'
import { literal, sql, type Database } from '../platform/database/database.ts'
import { eraseAdminTraces, forgetAdminSessions } from '../admins/admin-sessions.ts'
import { inSteps, type Job } from '../platform/jobs.ts'
import { forgetCounters } from '../platform/rate-limits.ts'
import { erasePayersOfRejected } from '../payments/leaving-buyer.ts'
import { closeDueAccounts } from '../privacy/close-due-accounts.ts'
import { forgetChanges } from '../users/change-user.ts'
import { forgetEmailProofs } from '../users/email-proofs.ts'
import { forgetOpenings } from '../users/access/account-openings.ts'
import { forgetResetLinks } from '../users/access/reset-links.ts'
import { forgetUnproven } from '../wallet/allowance.ts'
import { forgetCodes } from '../wallet/code-batches.ts'
import { forgetTokens } from '../users/access/tokens.ts'
import { eraseUserTraces, forgetUserSessions } from '../users/access/user-sessions.ts'
import { forgetErased } from '../messages/own-messages.ts'
import { forgetSubscriptions } from '../messages/channels/push.ts'
import { forgetNotes } from '../messages/telegram/telegram-notes.ts'
import { tellEndingLinks } from '../messages/telegram/telegram-links.ts'
import { forgetTaps } from '../messages/telegram/telegram-taps.ts'
import { forgetMessages } from '../platform/outbox.ts'
import { forgetReasons } from '../referrals/invites/proof.ts'
import { remind } from '../reminders/remind.ts'
import { CHECK_JOB, type Examination } from '../reports/health-report.ts'
import { forgetOrders } from '../supply/demand.ts'
import { settleDue } from '../wallet/read-wallets.ts'

/** 3 o'clock in India, because few buy then. */
const NIGHT_MS = 21.5 * 60 * MINUTE_MS
const WALLETS_AT_ONCE = 200
const WALLETS_MAX = 20_000
/** Ended sessions are kept while their cookies can come back, and a day more, to tell why they ended. */
const FORGET_MARGIN_MS = DAY_MS

/** Buyers may ask for this long why a request was rejected. */
const PHONE_OF_REJECTED_DAYS = 90
/** Links last half an hour. Their rows stay this long, because they tell whose they were. */
const RESET_LINK_DAYS = 1
/** An inviter may ask for this long why a friend did not count. */
const INVITE_REASON_DAYS = 180
/** The store asks for a week. The rest is for questions of people. */
const OPENING_DAYS = 90
/** What a token was called, and when it was used, after its end. */
const TOKEN_DAYS_KEPT = 90
/** Unused redeem codes, after the end of their batch. */
const CODE_DAYS = 90

/** @param checkStore checks the store until the signal aborts */
export function storeJobs(db: Database, checkStore: (now: Date, signal: AbortSignal) => Promise<Examination>): Job[] {
  return [
    {
      name: 'post-lapses',
      nextAfter: (now) => soon(now, MINUTE_MS),
      run: (now, signal) => postExpired(db, now, signal),
    },
    { name: 'remind', nextAfter: (now) => soon(now, 10 * MINUTE_MS), run: (now) => remind(db, now) },
    {
      name: 'tell-ending-links',
      nextAfter: (now) => soon(now, 60 * MINUTE_MS),
      run: (now) => tellEndingLinks(db, now),
    },
    { name: 'clean-up', nextAfter: (now) => soon(now, 60 * MINUTE_MS), run: (now, signal) => cleanUp(db, now, signal) },
    { name: 'close-accounts', nextAfter: (now) => soon(now, 60 * MINUTE_MS), run: (now) => closeDueAccounts(db, now) },
    { name: 'forget', nextAfter: nextNight, run: (now) => forget(db, now) },
    {
      name: CHECK_JOB,
      nextAfter: nextNight,
      run: async (now, signal) => {
        const found = await checkStore(now, signal)
        await switchOffIfBroken(db, found.marks ?? [], now)
        return found
      },
    },
  ]
}

const soon = (now: Date, ms: number): Date => new Date(now.getTime() + ms)

export function nextNight(now: Date): Date {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS + NIGHT_MS
  return new Date(today > now.getTime() ? today : today + DAY_MS)
}

/** Records expired credit for wallets nobody has opened, so that reports are correct. */
async function postExpired(db: Database, now: Date, signal: AbortSignal): Promise<{ wallets: number }> {
  let wallets = 0
  while (wallets < WALLETS_MAX && !signal.aborted) {
    const due = await db.texts(sql`
      select user_id from wallets where next_lapse_at <= ${now}
       order by next_lapse_at limit ${literal(WALLETS_AT_ONCE)}`)
    await settleDue(db, due, now)
    wallets += due.length
    if (due.length < WALLETS_AT_ONCE) break
  }
  return { wallets }
}

/** The log of messages shows these. */
const SENT_KEPT_MS = 30 * DAY_MS
const DEAD_KEPT_MS = 90 * DAY_MS
/** A button works for a day, and what it approved counts for a day more. */
const TAPS_KEPT_MS = 3 * DAY_MS

/** What a supplier refused. */
const REFUSED_KEPT_MS = 30 * DAY_MS

/** A call is tried again within minutes, or not at all. */
const CHANGES_KEPT_MS = 7 * DAY_MS

/**
 * Deletes rows that nobody needs any more. A session's address and browser go with it. A step that fails does not stop
 * the others.
 * @throws AggregateError at the end, with all failures
 */
async function cleanUp(db: Database, now: Date, signal: AbortSignal): Promise<{ sessions: number; counters: number }> {
  const before = (ageMs: number) => new Date(now.getTime() - ageMs)
  const errors: unknown[] = []
  const attempt = (forgetSome: () => Promise<number>) =>
    inSteps(signal, forgetSome).catch((error: unknown) => {
      errors.push(error)
      return 0
    })
  const ofUsers = { before: before(USER_SESSION_LONGEST_MS + FORGET_MARGIN_MS), known: before(DEVICE_COOKIE_MS) }
  const users = await attempt(() => forgetUserSessions(db, ofUsers))
  await attempt(() => eraseUserTraces(db, ofUsers.before))
  const ofAdmins = { before: before(ADMIN_SESSION_LONGEST_MS + FORGET_MARGIN_MS), known: before(DEVICE_COOKIE_MS) }
  const admins = await attempt(() => forgetAdminSessions(db, ofAdmins))
  await attempt(() => eraseAdminTraces(db, ofAdmins.before))
  await attempt(() => forgetChanges(db, before(CHANGES_KEPT_MS)))
  await attempt(() => forgetUnproven(db, now))
  await attempt(() => forgetCodes(db, before(CODE_DAYS * DAY_MS)))
  await attempt(() => forgetMessages(db, { sent: before(SENT_KEPT_MS), dead: before(DEAD_KEPT_MS) }))
  await attempt(() => forgetSubscriptions(db))
  await attempt(() => forgetErased(db))
  await attempt(() => forgetTaps(db, before(TAPS_KEPT_MS)))
  await attempt(() => forgetNotes(db, before(SENT_KEPT_MS)))
  await attempt(() => forgetOrders(db, before(REFUSED_KEPT_MS)))
  const counters = await attempt(() => forgetCounters(db, now))
  if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('; '))
  return { sessions: users + admins, counters }
}

/** Erases personal data at the end of the terms in docs/privacy.md. */
async function forget(db: Database, now: Date): Promise<{ phones: number; resetLinks: number }> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const phones = await erasePayersOfRejected(db, before(PHONE_OF_REJECTED_DAYS))
  const resetLinks = await forgetResetLinks(db, before(RESET_LINK_DAYS))
  await forgetReasons(db, before(INVITE_REASON_DAYS))
  await forgetOpenings(db, before(OPENING_DAYS))
  await forgetTokens(db, before(TOKEN_DAYS_KEPT))
  await forgetEmailProofs(db, before(RESET_LINK_DAYS))
  return { phones, resetLinks }
}
