import { CLAIM_ANSWER_MS } from '../../contract/limits.ts'
import { HOUR_MS, MINUTE_MS } from '../../contract/time.ts'
import { sql, type Database } from '../platform/database/database.ts'
import type { Job } from '../platform/jobs.ts'
import { enqueue } from '../platform/outbox.ts'
import type { Services } from '../platform/services.ts'

const LOOK_MS = 10 * MINUTE_MS
/** Admins get a message this long before an answer is due. */
const TOLD_BEFORE_MS = 12 * HOUR_MS

export const claimJobs = ({ db }: Pick<Services, 'db'>): Job[] => [
  { name: 'tell-due-claims', nextAfter: (now) => new Date(now.getTime() + LOOK_MS), run: (now) => tellDue(db, now) },
]

/** Sends one message for all claims that are due soon. Tells each claim once, and leaves out those of a recall. */
export function tellDue(db: Database, now: Date): Promise<{ told: number }> {
  return db.transaction(async (tx) => {
    const due = await tx.texts(sql`
      update key_claims set due_told_at = ${now}
       where status = 'open' and opened_by is null and due_told_at is null
         and created_at <= ${new Date(now.getTime() - CLAIM_ANSWER_MS + TOLD_BEFORE_MS)}
      returning id`)
    const [first] = due
    if (first) enqueue(tx, { kind: 'claim.due', subjectId: first, data: { count: due.length }, now })
    return { told: due.length }
  })
}
