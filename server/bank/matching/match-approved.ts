import { lockTopUps } from '../../payments/top-ups.ts'
import { raiseAlarm } from '../credits/alarms.ts'
import { readRules } from './match-facts.ts'
import { insertMatches, readLocked, type Candidate, type Core, type NewMatch } from './matches.ts'

/** Notes which money paid for requests that an admin approved, or what speaks against it. */
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
      const isPaid = credit.kind === 'payment' && credit.amountPaise === request.amountPaise
      const alarm = credit.kind === 'payment' ? 'amount-after-approval' : 'taken-back-by-bank'
      if ((!isPaid || credit.differs) && (await raiseAlarm(tx, alarm, about, now))) alarms += 1
      if (isPaid) {
        const wasThere = request.decidedAt !== null && credit.firstSeenAt <= request.decidedAt
        const how = wasThere ? 'approved' : 'afterwards'
        matches.push({ pair: { request, credit }, how, adminId: request.decidedBy })
      }
    }
    return { found: (await insertMatches(tx, matches, now)).size, alarms }
  })
}
