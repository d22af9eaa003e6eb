/**
 * Brings requests and bank credits together, after the commit of either. The last to commit sees both, so no lock
 * spans an import and a request. The job does what a dying node left undone.
 */
import * as z from 'zod/mini'
import { numbersIn } from '../../payments/same-transfer.ts'
import { lockTopUps } from '../../payments/top-ups.ts'
import { columns, sql, type Sql, type Transaction } from '../../platform/database/database.ts'
import { enqueue } from '../../platform/outbox.ts'
import type { Services } from '../../platform/services.ts'
import { hasAccounts } from '../credits/accounts.ts'
import { raiseAlarm } from '../credits/alarms.ts'
import { allowedBy, approveByRules } from './approve-by-rules.ts'
import { readRules, SAME_REFERENCE, type RulesNow } from './match-facts.ts'
import { CandidateRow, insertMatches, readLocked, type Core, type NewMatch, type Candidate } from './matches.ts'
import { findHints } from './payment-bank.ts'

interface Settled {
  /** Requests approved now, by the store's rules. */
  approved: number
  /** Requests that were approved before, and whose money is now found. */
  found: number
  alarms: number
}

/** Settles what has one of these references. @param before rules that a statement itself has just turned off */
export function settle(services: Core, refs: readonly string[], before?: RulesNow): Promise<Settled> {
  return settleThose(services, sql`request.utr = any(${refs}::text[])`, before)
}

/**
 * Looks for the money of each request that this node takes or approves, at once for those of a moment. A failure is
 * only logged: the job does the rest within a minute.
 */
export function followPayments(services: Core & Pick<Services, 'ended'>, onError: (error: unknown) => void): void {
  const { db, ended } = services
  let waiting = new Map<string, 'pending' | 'approved'>()
  const look = async () => {
    const ids = [...waiting.keys()]
    const approved = ids.filter((id) => waiting.get(id) === 'approved')
    waiting = new Map()
    if (ended.aborted || !(await hasAccounts(db))) return
    await explainHints(services, approved)
    await settleThose(services, sql`request.id = any(${ids}::uuid[])`)
  }
  services.events.subscribe(({ to, name, data }, isOwn) => {
    if (!isOwn || to !== 'admins' || name !== 'payment') return
    if (data?.status !== 'pending' && data?.status !== 'approved') return
    // The events of a moment come in one turn
    if (waiting.size === 0) queueMicrotask(() => void look().catch((error: unknown) => ended.aborted || onError(error)))
    waiting.set(data.id, data.status)
  })
}

const RECENT_MS = 2 * 24 * 3_600_000

/**
 * Settles what a node left that died between a commit and its settling.
 * @param lastAt when this was done before. A store that was off looks back to then
 */
export function settleLeft(services: Core, lastAt: Date = services.clock.now()): Promise<Settled> {
  const since = new Date(lastAt.getTime() - RECENT_MS)
  return settleThose(
    services,
    sql`(request.status = 'pending' or credit.first_seen_at > ${since} or request.decided_at > ${since})`,
  )
}

async function settleThose(services: Core, which: Sql, before?: RulesNow): Promise<Settled> {
  const { db, clock } = services
  const read = (tx: Transaction) =>
    tx.rows(
      CandidateRow,
      sql`
    select request.id as request_id, credit.id as credit_id, request.user_id,
           credit.payer_key, request.status = 'pending' as is_pending
      from ${SAME_REFERENCE}
     where ${which} and request.status in ('pending', 'approved')
       and not exists (select from bank_matches where topup_id = request.id and released_at is null)
     order by request.created_at, request.id`,
    )
  const found = await db.transaction(read, { readsFirst: true, onePlan: true })
  const settled: Settled = { approved: 0, found: 0, alarms: 0 }
  if (found.length === 0) return settled
  const { mode } = allowedBy(await readRules(db, clock.now()), before)
  const candidates = found.filter(({ isPending }) => !isPending || mode !== 'propose')
  for (const batch of inBatches(candidates.filter(({ isPending }) => isPending)))
    settled.approved += await retryEach(batch, (those) => approveByRules(services, those, before))
  for (const batch of inBatches(candidates.filter(({ isPending }) => !isPending)))
    await retryEach(batch, async (those) => {
      const { found, alarms } = await matchApproved(services, those)
      settled.found += found
      settled.alarms += alarms
      return 0
    })
  return settled
}

/** Does a batch. If that fails, does each of it for itself, so that one fault stops no other. */
async function retryEach(
  batch: readonly Candidate[],
  work: (batch: readonly Candidate[]) => Promise<number>,
): Promise<number> {
  if (batch.length === 1) return work(batch)
  try {
    return await work(batch)
  } catch {
    let done = 0
    const faults: unknown[] = []
    for (const one of batch) {
      done += await work([one]).catch((fault: unknown) => {
        if (faults.push(fault) > FAULTS_MAX) throw fault
        return 0
      })
    }
    if (faults.length > 0) throw faults[0]
    return done
  }
}

/** More faults than these are the database's, not the requests'. */
const FAULTS_MAX = 2
const AT_ONCE = 64

/** No two of one buyer, credit or payer together: what is decided of one changes what is known of the other. */
function inBatches(candidates: readonly Candidate[]): Candidate[][] {
  const batches: Candidate[][] = []
  for (let left = candidates; left.length > 0;) {
    const taken = new Set<string>()
    const batch: Candidate[] = []
    const rest: Candidate[] = []
    for (const one of left) {
      const marks = [one.userId, one.creditId, one.payerKey?.toString('hex') ?? one.creditId]
      const fits = batch.length < AT_ONCE && marks.every((mark) => !taken.has(mark))
      ;(fits ? batch : rest).push(one)
      if (fits) for (const mark of marks) taken.add(mark)
    }
    batches.push(batch)
    left = rest
  }
  return batches
}

/** Notes which money paid for requests that an admin approved, or that the bank shows another amount. */
async function matchApproved(
  { db, clock }: Core,
  candidates: readonly Candidate[],
): Promise<{ found: number; alarms: number }> {
  return db.transaction(async (tx) => {
    const now = clock.now()
    const ids = candidates.map(({ requestId }) => requestId)
    await lockTopUps(tx, ids)
    await readRules(tx, now, true)
    let alarms = 0
    const matches: NewMatch[] = []
    for (const { request, credit } of await readLocked(tx, candidates)) {
      if (request.status !== 'approved' || !credit.feedsStore || credit.isTaken || credit.isProposed) continue
      const about = { creditId: credit.id, topUpId: request.id }
      if (credit.amountPaise !== request.amountPaise) {
        if (await raiseAlarm(tx, 'amount-after-approval', about, now)) alarms += 1
      } else if (credit.kind === 'payment') {
        const wasThere = request.decidedAt !== null && credit.firstSeenAt <= request.decidedAt
        const how = wasThere ? 'approved' : 'afterwards'
        matches.push({ pair: { request, credit }, how, adminId: request.decidedBy })
      }
    }
    return { found: (await insertMatches(tx, matches, now)).size, alarms }
  })
}

/** Closes the one hint that each approved request had, so that it supports no second one. */
async function explainHints({ db }: Core, requestIds: readonly string[]): Promise<void> {
  const hints = [...(await findHints(db, requestIds)).values()].filter(({ hintId }) => hintId !== null)
  if (hints.length === 0) return
  await db.run(sql`
    update bank_sightings set explained_by = request.id
      from ${columns(hints, 'request_id uuid, hint_id uuid')} as hint
      join topup_requests request on request.id = hint.request_id
     where bank_sightings.id = hint.hint_id and explained_by is null
       and not exists (select from bank_credit_refs where ref = request.utr)`)
}

/** Notes a second claim of a transfer, in a transaction of its own: the refusal has undone the first one. */
export async function noteRival({ db, clock, events }: Core, utr: string, userId: string): Promise<void> {
  const noted = await db.transaction(async (tx) => {
    const now = clock.now()
    const claim = await tx.maybe(
      z.object({ id: z.string() }),
      sql`
      select id from topup_requests
       where (utr = ${utr} or reference_numbers(utr) && ${numbersIn(sql`${utr}::text`)})
         and status in ('pending', 'approved') and user_id <> ${userId}
       limit 1`,
    )
    if (!claim) return false
    const isNew = await tx.run(sql`
      insert into bank_rival_claims (utr, user_id, topup_id, at) values (${utr}, ${userId}, ${claim.id}, ${now})
      on conflict (utr, user_id) do update set topup_id = excluded.topup_id, at = excluded.at
      where bank_rival_claims.topup_id <> excluded.topup_id`)
    const match = await tx.maybe(
      z.object({ creditId: z.string() }),
      sql`
      select credit_id from bank_matches
       where topup_id = ${claim.id} and how = 'auto' and released_at is null`,
    )
    if (match) await raiseAlarm(tx, 'rival-after-automatic', { ...match, topUpId: claim.id }, now)
    else if (isNew > 0) enqueue(tx, { kind: 'payment.claimed-twice', subjectId: claim.id, now })
    return isNew > 0
  })
  if (noted) events.publish({ to: 'admins', name: 'bank', data: {} })
}
