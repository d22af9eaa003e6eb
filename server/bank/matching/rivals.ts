import { claimsOf } from '../../payments/same-transfer.ts'
import { lockTopUp } from '../../payments/top-ups.ts'
import { sql } from '../../platform/database/database.ts'
import { enqueue } from '../../platform/outbox.ts'
import { raiseAlarm } from '../credits/alarms.ts'
import type { Core } from './matches.ts'

/** Notes a second claim of a transfer. It has a transaction of its own, because the refusal rolled the claim's back. */
export async function noteRival({ db, clock, events }: Core, utr: string, userId: string): Promise<void> {
  const noted = await db.transaction(async (tx) => {
    const now = clock.now()
    const isAnothers = sql`claim.status in ('pending', 'approved') and claim.user_id <> ${userId}`
    const claim = await tx.text(claimsOf(sql`${utr}::text`, isAnothers))
    // Waits for a running decision that has not seen this claim, so that the statement below reads its match
    if (!claim || !(await lockTopUp(tx, claim))) return false
    const isNew = await tx.run(sql`
      insert into bank_rival_claims (utr, user_id, topup_id, at) values (${utr}, ${userId}, ${claim}, ${now})
      on conflict (utr, user_id) do update set topup_id = excluded.topup_id, at = excluded.at
      where bank_rival_claims.topup_id <> excluded.topup_id`)
    const creditId = await tx.text(sql`
      select credit_id from bank_matches
       where topup_id = ${claim} and how = 'auto' and released_at is null`)
    if (creditId) await raiseAlarm(tx, 'rival-after-automatic', { creditId, topUpId: claim }, now)
    else if (isNew > 0) enqueue(tx, { kind: 'payment.claimed-twice', subjectId: claim, now })
    return isNew > 0
  })
  if (noted) events.publish({ to: 'admins', name: 'bank', data: {} })
}
