/**
 * What tells that two references are of one transfer.
 *
 * A transfer by UPI or IMPS has twelve digits, and on some statements its bank's letters before them: whoever writes other
 * letters, or none, speaks of the same transfer. So letters count for nothing, and two references are of one transfer when
 * the last twelve digits of either stand together anywhere in the other, whichever came first: else twelve digits in the
 * middle of a reference that looks like NEFT or RTGS would be paid a second time. That any twelve are in both would be too
 * little: a bank's references of one day begin alike. A reference of fewer digits is compared by all of them: so few stand
 * inside many an honest one. With fewer than six, the letters are compared as well.
 *
 * To an admin who checks a claim by eye, O looks like 0, I and L like 1, S like 5, B like 8, Z like 2, G like 6. So each
 * reading counts: such letters may be digits, and may be letters as well; a bank's first four are letters in one reading.
 * That joins no more honest references than digits do that happen to be the same.
 *
 * Honest ones that are refused are rare enough to ask the store: of two banks, with the same running number on the same day.
 */
import { sql, type Sql } from '../platform/database/database.ts'

/** An array of every number in a reference; those of one transfer have one in common. */
export const numbersIn = (utr: Sql): Sql => sql`reference_numbers(${utr})`

/**
 * Whether any request, under the name of `claim`, for which the condition holds is of this reference's transfer: for each way
 * in which it can be, a look into an index.
 */
export function isClaimed(utr: Sql, condition: Sql): Sql {
  // There are a few at most. Asked for the first of them alone, the planner would read the table, in the belief to meet it soon
  const claims = (isSame: Sql) => sql`(select count(*) from topup_requests claim where ${isSame} and ${condition}) > 0`
  return sql`
    (${claims(sql`claim.utr = any(${numbersIn(utr)})`)}
     or ${claims(sql`reference_ends(claim.utr) && ${numbersIn(utr)} and claim.utr !~ '^[0-9]{12}$'`)}
     or ${claims(sql`reference_numbers(claim.utr) && reference_ends(${utr}) and claim.utr !~ '^[0-9]{12}$'`)})`
}
