/** Names the ids in the audit log as they are called today. */
import * as z from 'zod/mini'
import { AUDIT_KINDS } from '../../contract/audit.ts'
import { formatRupees, paise, toRupees } from '../../contract/money.ts'
import type { AuditName } from '../../contract/reports.ts'
import { sql, type Queries } from '../platform/database/database.ts'

const ID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g

const Row = z.object({
  id: z.string(),
  kind: z.enum(AUDIT_KINDS),
  name: z.string(),
  detail: z.string(),
  paise: z.nullable(z.number()),
})

/** @param texts that may contain ids. Deleted rows get no name, so the entry's own words remain. */
export async function nameIds(db: Queries, texts: readonly string[]): Promise<Record<string, AuditName>> {
  const ids = [...new Set(texts.flatMap((text) => text.match(ID) ?? []))]
  if (ids.length === 0) return {}
  const rows = await db.rows(
    Row,
    sql`
    with wanted as materialized (select unnest(${ids}::uuid[]) as id)
    select users.id, 'user' as kind, username as name,
           case when deleted_at is null then email else '' end as detail, null::bigint as paise
      from wanted join users using (id)
    union all
    select admins.id, 'admin', username, '', null from wanted join admins using (id)
    union all
    select products.id, 'product', name, '', null from wanted join products using (id)
    union all
    select price.id, 'price', product.name || ', ' || price.duration, '', null
      from wanted join prices price using (id) join products product on product.id = price.product_id
    union all
    select referral_codes.id, 'referral', code, description, null from wanted join referral_codes using (id)
    union all
    select topup_plans.id, 'plan', '', '', bonus_paise from wanted join topup_plans using (id)
    union all
    select request.id, 'request', buyer.username, request.utr, request.amount_paise
      from wanted join topup_requests request using (id) join users buyer on buyer.id = request.user_id
    union all
    select sale.id, 'order', sale.product_name || ', ' || sale.duration, buyer.username, sale.amount_paise
      from wanted join orders sale using (id) join users buyer on buyer.id = sale.user_id
    union all
    select batch.id, 'batch', batch.supplier, product.name || ', ' || price.duration, null
      from wanted join key_batches batch using (id)
      join prices price on price.id = batch.price_id join products product on product.id = price.product_id
    union all
    select claim.id, 'claim', 'C-' || claim.number, buyer.username, null
      from wanted join key_claims claim using (id) join users buyer on buyer.id = claim.user_id`,
  )
  return Object.fromEntries(rows.map((row) => [row.id, wordsOf(row)]))
}

function wordsOf({ kind, name, detail, paise: amount }: z.output<typeof Row>): AuditName {
  const rupees = amount === null ? '' : formatRupees(toRupees(paise(amount)))
  if (kind === 'plan') return { kind, name: `Plan of ${rupees}`, detail }
  if (kind === 'request') return { kind, name: `Top-up of ${rupees} by ${name}`, detail }
  if (kind === 'order') return { kind, name: `${name} for ${rupees}`, detail }
  if (kind === 'batch') return { kind, name: `Batch from ${name === '' ? detail : name}`, detail }
  return { kind, name, detail }
}
