/** What a bank credit is, in SQL. Each is written here alone (scripts/check-code.mjs). */
import { sql } from '../../platform/database/database.ts'

/** True for a `credit` that is only read by the parts of a message. No decision of the store's own relies on it. */
export const IS_PROPOSED = sql`(credit.proof = 'none' and credit.import_id is null)`

/** The match of a `credit`, if it pays for a request and was not taken back. */
export const MATCH_OF_CREDIT = sql`bank_matches match on match.credit_id = credit.id and match.released_at is null`

/** True for a `credit` that pays for a request. */
export const IS_MATCHED = sql`exists (select from bank_matches where credit_id = credit.id and released_at is null)`

/** True for a `request` that a credit pays for. */
export const IS_PAID = sql`exists (select from bank_matches where topup_id = request.id and released_at is null)`

/** True for a `credit` that has its use: it pays for a request, or is no top-up. */
export const IS_TAKEN = sql`(credit.set_aside_at is not null or ${IS_MATCHED})`
