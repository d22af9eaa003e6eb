/**
 * Decides whether two UTRs are the same transfer.
 *
 * A transfer by UPI or IMPS has twelve digits, and some statements put the bank's letters before them. So letters
 * are ignored. Two UTRs match if the last twelve digits of one appear anywhere in the other, whichever came first.
 * Otherwise twelve digits inside a UTR that looks like NEFT or RTGS would be paid a second time. A match of any
 * twelve digits would be too loose, because a bank's UTRs of one day begin alike. A UTR with fewer digits is
 * compared by all of them, because so few appear in many honest ones. With fewer than six, the letters are compared
 * as well.
 *
 * An admin who compares by eye takes O, D and Q for 0, I, J and L for 1, Z for 2, E for 3, A for 4, S for 5, G for 6,
 * T and Y for 7, B for 8; and B for 6, G and Q for 9, T for 1. So each reading counts, with such letters as digits and
 * as letters. In some readings a bank's first four stay letters. This joins no more honest UTRs than equal digits do.
 *
 * It can refuse an honest one: of two banks, with the same running number on the same day. That is rare enough to
 * ask support.
 */
import { Refusal } from '../../contract/errors.ts'
import { sql, type Sql, type Transaction } from '../platform/database/database.ts'

/** Returns an array of every number in a UTR. UTRs of one transfer share one. */
export const numbersIn = (utr: Sql): Sql => sql`reference_numbers(${utr})`

/** Conditions under which a row `claim` is a request for this UTR's transfer. Each is one index look-up. */
const sameTransfer = (utr: Sql): readonly Sql[] => [
  sql`claim.utr = any(${numbersIn(utr)})`,
  sql`reference_ends(claim.utr) && ${numbersIn(utr)} and claim.utr !~ '^[0-9]{12}$'`,
  sql`reference_numbers(claim.utr) && reference_ends(${utr}) and claim.utr !~ '^[0-9]{12}$'`,
]

/** Selects the ids of those that also meet the condition. */
export const claimsOf = (utr: Sql, condition: Sql): Sql =>
  sameTransfer(utr)
    .map((isSame) => sql`select claim.id from topup_requests claim where ${isSame} and ${condition}`)
    .reduce((all, next) => sql`${all} union all ${next}`)

/** True if there are any. */
export function isClaimed(utr: Sql, condition: Sql): Sql {
  // Counts them all, because there are a few at most. With `exists` the planner would read the whole table
  const counted = sameTransfer(utr).map(
    (isSame) => sql`(select count(*) from topup_requests claim where ${isSame} and ${condition}) > 0`,
  )
  return sql`(${counted.reduce((all, next) => sql`${all} or ${next}`)})`
}

/**
 * Holds off every other claim of these UTRs until the transaction ends.
 * @throws Refusal UTR_ALREADY_USED when a pending or approved request has one of their transfers
 */
export async function claimTransfer(tx: Transaction, ...utrs: readonly string[]): Promise<void> {
  const reference = sql`reference.utr`
  const references = sql`unnest(${utrs}::text[]) as reference (utr)`
  // Locks each number, because no index sees that two spellings are one. Takes the locks in one order against deadlocks
  await tx.run(sql`
    select pg_advisory_xact_lock(hashtextextended(number, 0))
      from (select distinct number
              from ${references}, unnest(${numbersIn(reference)}) as number order by number) as numbers`)
  const used = await tx.holds(sql`
    select coalesce(bool_or(${isClaimed(reference, sql`claim.status in ('pending', 'approved')`)}), false)
      from ${references}`)
  if (used) throw utrAlreadyUsed()
}

export function utrAlreadyUsed(): Refusal {
  return new Refusal('UTR_ALREADY_USED', { fields: { utr: 'This UTR has already been submitted.' } })
}
