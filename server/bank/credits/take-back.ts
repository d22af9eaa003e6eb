/** Takes back a top-up if its money was another buyer's or never came. */
import * as z from 'zod/mini'
import { Refusal } from '../../../contract/errors.ts'
import { add, formatRupees, negate, paise, toRupees } from '../../../contract/money.ts'
import type { Payment } from '../../../contract/payments.ts'
import { DAY_MS } from '../../../contract/time.ts'
import { audit } from '../../audit/audit.ts'
import { decide } from '../../payments/decide-top-up.ts'
import { takenBack, withdrawApproval } from '../../payments/file-for-buyer.ts'
import { readPayments } from '../../payments/payment-rows.ts'
import { lockTopUp } from '../../payments/top-ups.ts'
import { sql, type Transaction } from '../../platform/database/database.ts'
import type { Call } from '../../platform/http/http.ts'
import type { Services } from '../../platform/services.ts'
import { lockWallet } from '../../wallet/ledger.ts'
import { reverseTopUp } from '../../wallet/reverse-top-up.ts'
import { switchOff } from './alarms.ts'

/** If this many automatic approvals are taken back within a day, automation turns off. */
const TAKEN_BACK_MAX = 2

/**
 * Takes what is left of the credit, records the rest as a loss, and frees the UTR, and money that the bank has shown.
 * @param utr `never-came` marks the next claim of the UTR
 * @throws Refusal STEP_UP_REQUIRED, NOT_FOUND, NOTHING_TO_TAKE_BACK for a request that is not approved
 */
export async function takeBack(
  services: Services,
  { id, reason, utr }: { id: string; reason: string; utr: 'free' | 'never-came' },
  by: Call<'admin'>,
): Promise<{ payment: Payment; taken: number; loss: number }> {
  by.requireProof()
  const [{ payment, userId, taken, loss }] = await decide(services, async (tx) => {
    const buyerId = await tx.text(sql`select user_id from topup_requests where id = ${id}`)
    if (!buyerId) throw new Refusal('NOT_FOUND')
    await lockWallet(tx, buyerId, by.now)
    const request = await lockTopUp(tx, id)
    await tx.run(sql`select from bank_rules for update`)
    const match = await lockMatch(tx, id)
    if (request?.status !== 'approved') throw new Refusal('NOTHING_TO_TAKE_BACK')
    const taken = await reverseTopUp(tx, {
      topupId: id,
      userId: request.userId,
      paid: request.amount,
      description: takenBack(reason),
      adminId: by.admin.id,
      now: by.now,
    })
    const loss = add(request.credit, negate(taken))
    if (match) await release(tx, match, { reason, loss, by })
    await withdrawApproval(tx, id, { reason, utr, loss }, by)
    const [payment] = await readPayments(tx, [id])
    if (!payment) throw new Refusal('NOT_FOUND')
    const who = payment.userId?.username ?? 'a closed account'
    await audit(tx, by, {
      action: 'payment.take-back',
      subject: `Top-up of ${formatRupees(toRupees(request.amount))} by ${who} (${id})`,
      before: { status: 'approved' },
      after: { status: 'rejected', reason, utr, taken: toRupees(taken), loss: toRupees(loss) },
    })
    return [{ payment, userId: request.userId, taken, loss }]
  })
  services.events.publish({ to: { user: userId }, name: 'balance' })
  services.events.publish({ to: 'admins', name: 'bank', data: {} })
  return { payment, taken: toRupees(taken), loss: toRupees(loss) }
}

const MatchRow = z.object({ id: z.string(), isAutomatic: z.boolean(), unproven: z.number() })

function lockMatch(tx: Transaction, topUpId: string): Promise<z.output<typeof MatchRow> | undefined> {
  return tx.maybe(sql(MatchRow)`
    select match.id, match.how = 'auto' as is_automatic,
           case when match.how = 'auto' and credit.proof = 'alert' then request.credit_paise else 0 end as unproven
      from bank_matches match
      join bank_credits credit on credit.id = match.credit_id
      join topup_requests request on request.id = match.topup_id
     where match.topup_id = ${topUpId} and match.released_at is null
       for update of match, credit`)
}

async function release(
  tx: Transaction,
  match: z.output<typeof MatchRow>,
  { reason, loss, by: { admin, now } }: { reason: string; loss: number; by: Call<'admin'> },
): Promise<void> {
  await tx.run(sql`
    update bank_matches
       set released_at = ${now}, released_by = ${admin.id}, released_why = ${reason}, loss_paise = ${paise(loss)}
     where id = ${match.id}`)
  if (match.unproven > 0) await tx.run(sql`update bank_rules set unproven_paise = unproven_paise - ${match.unproven}`)
  if (!match.isAutomatic) return
  const taken = await tx.count(sql`
    select count(*) from bank_matches
     where how = 'auto' and released_at > ${new Date(now.getTime() - DAY_MS)}`)
  if (taken >= TAKEN_BACK_MAX) await switchOff(tx, 'taken-back-twice', now)
}
