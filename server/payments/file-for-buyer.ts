/** Lets an admin act for a buyer: file a request for money that came, or take an approval back. */
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { paise, type Paise } from '../../contract/money.ts'
import { isOpenAccount } from '../platform/database/conditions.ts'
import { sql, violates, type Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { readSettings } from '../settings/settings.ts'
import { lockWallet } from '../wallet/ledger.ts'
import { reverseTopUp } from '../wallet/reverse-top-up.ts'
import { claimTransfer, utrAlreadyUsed } from './same-transfer.ts'

/**
 * Files a pending request for money that has come, at the store's terms of today. Locks the buyer's wallet.
 * @param phone empty when the buyer gave none
 * @throws Refusal NOT_FOUND for a buyer without an open account, UTR_ALREADY_USED for a reference that is claimed
 */
export async function fileForBuyer(
  tx: Transaction,
  wanted: { userId: string; amount: Paise; refs: readonly string[]; utr: string; phone?: string },
  { admin, now }: { admin: { id: string }; now: Date },
): Promise<string> {
  const { userId, amount, refs, utr, phone = '' } = wanted
  await lockWallet(tx, userId, now)
  if (!(await tx.holds(sql`select ${isOpenAccount(sql`users`)} from users where id = ${userId}`)))
    throw new Refusal('NOT_FOUND')
  await claimTransfer(tx, ...refs)
  const { topupValidityDays } = await readSettings(tx)
  const id = newId(now)
  await tx
    .run(
      sql`
    insert into topup_requests (id, user_id, amount_paise, credit_paise, plan_id, validity_days, validity_fixed, utr,
                                phone, address, created_at, filed_by)
    values (${id}, ${userId}, ${amount}, ${amount}, null, ${topupValidityDays}, true, ${utr}, ${phone}, '', ${now},
            ${admin.id})`,
    )
    .catch((error: unknown) => {
      throw violates(error, 'topup_requests_live_utr') ? utrAlreadyUsed() : error
    })
  return id
}

/**
 * Makes an approved request a rejected one, whose UTR can be claimed again. The request must be locked in this
 * transaction. No bank holds its money any more. A block that came from the bank's hold stays.
 * @param utr after `never-came` the next claim is marked
 * @param loss what could not be taken back
 */
export async function withdrawApproval(
  tx: Transaction,
  id: string,
  { reason, utr, loss }: { reason: string; utr: 'free' | 'never-came'; loss: Paise },
  { admin, now }: { admin: { id: string }; now: Date },
): Promise<void> {
  await tx.run(sql`
    update topup_requests
       set status = 'rejected', reason = ${reason}, decided_at = ${now}, decided_by = ${admin.id},
           taken_back = ${utr}, loss_paise = ${loss}, held_at = null, held_by = null, held_note = null
     where id = ${id} and status = 'approved'`)
}

const TakenBack = z.object({ id: z.string(), userId: z.string(), paid: z.number(), reason: z.string() })

/**
 * Takes refunds of what an approval paid that was taken back, which makes its loss smaller. Call it after every refund,
 * in its transaction, with the buyers' wallets locked.
 */
export async function takeRefundsBack(
  tx: Transaction,
  userIds: readonly string[],
  { admin, now }: { admin: { id: string }; now: Date },
): Promise<void> {
  const requests = await tx.rows(sql(TakenBack)`
    select id, user_id, amount_paise as paid, coalesce(reason, '') as reason from topup_requests
     where user_id = any(${userIds}::uuid[]) and taken_back is not null and loss_paise > 0
     order by id for no key update`)
  for (const { id, userId, paid, reason } of requests) {
    const cause = { topupId: id, userId, paid: paise(paid), adminId: admin.id, now }
    const taken = await reverseTopUp(tx, { ...cause, description: takenBack(reason) })
    if (taken > 0) await tx.run(sql`update topup_requests set loss_paise = loss_paise - ${taken} where id = ${id}`)
  }
}

/** What the history says of it. */
export const takenBack = (reason: string): string => `Top-up taken back: ${reason}`
