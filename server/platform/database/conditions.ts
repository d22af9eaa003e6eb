/** Conditions that many features ask for. Each is written here alone (scripts/check-code.mjs). */
import { sql, type Sql } from './sql.ts'

/** True for a payment that no admin has removed from the lists. */
export const isListed = (id: Sql): Sql => sql`not exists (select from hidden_payments where payment_id = ${id})`

/** True for an account that is neither closed nor about to be. @param user names a row of `users` */
export const isOpenAccount = (user: Sql): Sql => sql`(${user}.deleted_at is null and ${user}.closes_at is null)`
