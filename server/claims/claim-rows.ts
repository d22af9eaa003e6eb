/** Claims as buyers and admins read them. */
import type { AuditNaming } from '../audit/audit-names.ts'
import { Claim, OwnClaim } from '../../contract/claims.ts'
import { CLAIM_ANSWER_MS } from '../../contract/limits.ts'
import { sql, type Queries, type Sql } from '../platform/database/database.ts'

/** As people read it: "C-1042". */
export const numberOf = (number: number): string => `C-${number}`

const OWN_COLUMNS = sql`
  claim.id as _id, 'C-' || claim.number as number, claim.key_id, claim.order_id, claim.reason, claim.note, claim.status,
  claim.answer, claim.created_at, claim.created_at + ${`${CLAIM_ANSWER_MS} ms`}::interval as answer_by,
  claim.decided_at, claim.refund_paise as refunded`

/** @param which selects rows of `claim`, with their order and page */
export const readOwnClaims = (db: Queries, which: Sql): Promise<OwnClaim[]> =>
  db.rows(sql(OwnClaim)`select ${OWN_COLUMNS} from key_claims claim ${which}`)

/**
 * @param page selects rows of `key_claims claim`, with their page
 * @param order the order of the rows
 */
export const readClaims = (db: Queries, page: Sql, order: Sql): Promise<Claim[]> =>
  db.rows(sql(Claim)`
    select ${OWN_COLUMNS}, json_build_object('_id', buyer.id, 'username', buyer.username) as buyer,
           json_build_object('_id', sale.product_id, 'name', sale.product_name) as product_id, sale.duration,
           sale.unit_paise as unit_price,
           case when claim.batch_id is not null
                then json_build_object('_id', claim.batch_id, 'supplier', coalesce(batch.supplier, '')) end as batch,
           opener.username as opened_by, decider.username as decided_by, claim.rule, claim.replacement_id
      from (select claim.* from key_claims claim ${page}) claim
      join orders sale on sale.id = claim.order_id
      join users buyer on buyer.id = claim.user_id
      left join key_batches batch on batch.id = claim.batch_id
      left join admins opener on opener.id = claim.opened_by
      left join admins decider on decider.id = claim.decided_by
     order by ${order}`)

/** How the audit log names it. */
export const claimNames: AuditNaming = {
  rows: sql`select claim.id, 'C-' || claim.number, buyer.username, null::bigint
              from wanted join key_claims claim using (id) join users buyer on buyer.id = claim.user_id`,
}
