/** What becomes of a buyer's top-up requests when the account closes. */
import { ACCOUNT_CLOSED } from '../../contract/top-up-reasons.ts'
import { isListed } from '../platform/database/conditions.ts'
import { sql, type Queries, type Transaction } from '../platform/database/database.ts'

/**
 * Rejects the pending requests of a buyer whose account is being closed, because they can no longer be credited.
 * The wallet must be locked in this transaction, which holds off new requests. A request that was removed from the
 * lists stays pending, because its UTR stays claimed.
 * @returns their ids
 */
export async function rejectAllPending(
  tx: Transaction,
  userId: string,
  { adminId, now }: { adminId: string | null; now: Date },
): Promise<string[]> {
  const isOpen = sql`user_id = ${userId} and status = 'pending'`
  // Runs on its own, because a statement that waits for a row's lock sees removals as they were before
  await tx.run(sql`select from topup_requests where ${isOpen} order by id for no key update`)
  return tx.texts(sql`
    update topup_requests request
       set status = 'rejected', reason = ${ACCOUNT_CLOSED}, decided_at = ${now}, decided_by = ${adminId}
     where ${isOpen}
       and ${isListed(sql`request.id`)}
    returning id`)
}

/** True if the user has a pending request. */
export function hasOpenRequest(db: Queries, userId: string): Promise<boolean> {
  return db.holds(sql`
    select exists (select from topup_requests request
                    where request.user_id = ${userId} and request.status = 'pending'
                      and ${isListed(sql`request.id`)})`)
}

/** Erases phones and addresses of requests that were rejected before a moment. @returns how many */
export function erasePayersOfRejected(db: Queries, before: Date): Promise<number> {
  return db.run(sql`
    update topup_requests set phone = '', address = ''
     where status = 'rejected' and (phone <> '' or address <> '') and decided_at < ${before}`)
}

/** Erases phone and address of a buyer who closes the account. The UTRs stay, because they explain money. */
export async function erasePayer(tx: Transaction, userId: string): Promise<void> {
  await tx.run(sql`
    update topup_requests set phone = '', address = '' where user_id = ${userId} and (phone <> '' or address <> '')`)
}
