import { lockTopUps } from '../../payments/top-ups.ts'
import { raiseAlarm } from '../credits/alarms.ts'
import { readRules } from './match-facts.ts'
import { insertMatches, readLocked, type Candidate, type Core, type NewMatch } from './matches.ts'

/** Notes which money paid for requests that an admin approved, or that the bank shows another amount. */
export async function matchApproved(
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
