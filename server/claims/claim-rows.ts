/** Claims as buyers and admins read them. */
import * as z from 'zod/mini'
import type { AuditNaming } from '../audit/audit-names.ts'
import { ClaimReason, ClaimStatus, RefundRule, type Claim, type OwnClaim } from '../../contract/claims.ts'
import { CLAIM_ANSWER_MS } from '../../contract/limits.ts'
import { paise, toRupees } from '../../contract/money.ts'
import { sql, type Queries, type Sql } from '../platform/database/database.ts'

/** As people read it: "C-1042". */
export const numberOf = (number: number): string => `C-${number}`

const OwnRow = z.object({
  id: z.string(),
  number: z.number(),
  keyId: z.string(),
  reason: ClaimReason,
  note: z.string(),
  status: ClaimStatus,
  answer: z.nullable(z.string()),
  createdAt: z.date(),
  decidedAt: z.nullable(z.date()),
  refunded: z.nullable(z.number()),
})

const OWN_COLUMNS = sql`
  claim.id, claim.number, claim.key_id, claim.reason, claim.note, claim.status, claim.answer,
  claim.created_at, claim.decided_at, claim.refund_paise as refunded`

const Row = z.extend(OwnRow, {
  orderId: z.string(),
  userId: z.string(),
  username: z.string(),
  productId: z.string(),
  productName: z.string(),
  duration: z.string(),
  unitPrice: z.number(),
  batchId: z.nullable(z.string()),
  supplier: z.nullable(z.string()),
  openedBy: z.nullable(z.string()),
  decidedBy: z.nullable(z.string()),
  rule: z.nullable(RefundRule),
  replacementId: z.nullable(z.string()),
})

/** @param which selects rows of `claim`, with their order and page */
export async function readOwnClaims(db: Queries, which: Sql): Promise<OwnClaim[]> {
  const rows = await db.rows(OwnRow, sql`select ${OWN_COLUMNS} from key_claims claim ${which}`)
  return rows.map(toOwnClaim)
}

/** @param page selects rows of `key_claims claim`, with their page @param order the order of the rows */
export async function readClaims(db: Queries, page: Sql, order: Sql): Promise<Claim[]> {
  const rows = await db.rows(
    Row,
    sql`
    select ${OWN_COLUMNS}, claim.order_id, claim.user_id, buyer.username,
           sale.product_id, sale.product_name, sale.duration,
           sale.unit_paise as unit_price, claim.batch_id, batch.supplier, opener.username as opened_by,
           decider.username as decided_by, claim.rule, claim.replacement_id
      from (select claim.* from key_claims claim ${page}) claim
      join orders sale on sale.id = claim.order_id
      join users buyer on buyer.id = claim.user_id
      left join key_batches batch on batch.id = claim.batch_id
      left join admins opener on opener.id = claim.opened_by
      left join admins decider on decider.id = claim.decided_by
     order by ${order}`,
  )
  return rows.map((row) => ({
    ...toOwnClaim(row),
    orderId: row.orderId,
    buyer: { _id: row.userId, username: row.username },
    productId: { _id: row.productId, name: row.productName },
    duration: row.duration,
    unitPrice: toRupees(paise(row.unitPrice)),
    batch: row.batchId === null ? null : { _id: row.batchId, supplier: row.supplier ?? '' },
    openedBy: row.openedBy,
    decidedBy: row.decidedBy,
    rule: row.rule,
    replacementId: row.replacementId,
  }))
}

function toOwnClaim(row: z.output<typeof OwnRow>): OwnClaim {
  return {
    _id: row.id,
    number: numberOf(row.number),
    keyId: row.keyId,
    reason: row.reason,
    note: row.note,
    status: row.status,
    answer: row.answer,
    createdAt: row.createdAt.toISOString(),
    answerBy: new Date(row.createdAt.getTime() + CLAIM_ANSWER_MS).toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
    refunded: row.refunded === null ? null : toRupees(paise(row.refunded)),
  }
}

/** How the audit log names it. */
export const claimNames: AuditNaming = {
  rows: sql`select claim.id, 'C-' || claim.number, buyer.username, null::bigint
              from wanted join key_claims claim using (id) join users buyer on buyer.id = claim.user_id`,
}
