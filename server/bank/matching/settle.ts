/**
 * Brings requests and bank credits together, after the commit of either. The last to commit sees both, so no lock
 * spans an import and a request. `follow-payments.ts` starts it for requests, and does what a dying node left undone.
 */
import { sql, type Sql, type Transaction } from '../../platform/database/database.ts'
import { IS_PAID } from '../credits/credit-states.ts'
import { allowedBy, approveByRules } from './approve-by-rules.ts'
import { matchApproved } from './match-approved.ts'
import { readRules, SAME_REFERENCE, type RulesNow } from './match-facts.ts'
import { CandidateRow, type Core, type Candidate } from './matches.ts'

export interface Settled {
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

/** @param which requests, or credits under their references */
export async function settleThose(services: Core, which: Sql, before?: RulesNow): Promise<Settled> {
  const { db, clock } = services
  const read = (tx: Transaction) =>
    tx.rows(sql(CandidateRow)`
    select request.id as request_id, credit.id as credit_id, request.user_id,
           credit.payer_key, request.status = 'pending' as is_pending
      from ${SAME_REFERENCE}
     where ${which} and request.status in ('pending', 'approved')
       and not ${IS_PAID}
     order by request.created_at, request.id`)
  const found = await db.transaction(read, { readsFirst: true, onePlan: true })
  const settled: Settled = { approved: 0, found: 0, alarms: 0 }
  if (found.length === 0) return settled
  const { mode } = allowedBy(await readRules(db, clock.now()), before)
  const candidates = found.filter(({ isPending }) => !isPending || mode !== 'propose')
  for (const batch of inBatches(candidates.filter(({ isPending }) => isPending)))
    await retryEach(batch, async (those) => {
      settled.approved += await approveByRules(services, those, before)
    })
  for (const batch of inBatches(candidates.filter(({ isPending }) => !isPending)))
    await retryEach(batch, async (those) => {
      const { found, alarms } = await matchApproved(services, those)
      settled.found += found
      settled.alarms += alarms
    })
  return settled
}

/** Does a batch. If it fails, does each candidate alone, so that one fault stops no other. */
async function retryEach(batch: readonly Candidate[], work: (batch: readonly Candidate[]) => Promise<void>) {
  try {
    await work(batch)
  } catch (first) {
    if (batch.length === 1) throw first
    const faults: unknown[] = []
    for (const one of batch)
      await work([one]).catch((fault: unknown) => {
        if (faults.push(fault) > FAULTS_MAX) throw fault
      })
    if (faults.length > 0) throw faults[0]
  }
}

/** More faults than these are the database's, not the requests'. */
const FAULTS_MAX = 2
const AT_ONCE = 64

/** Puts two of one buyer, credit or payer into different batches, because one decision changes the other's facts. */
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
