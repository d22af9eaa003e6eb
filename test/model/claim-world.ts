/** What a store holds of claims, read with as little knowledge of its ways as possible. Money is paise. */
import * as z from 'zod/mini'
import { sql, type Database } from '../../server/platform/database/database.ts'

const Claim = z.object({
  id: z.string(),
  userId: z.string(),
  keyId: z.string(),
  status: z.string(),
  refund: z.nullable(z.number()),
  rule: z.nullable(z.string()),
  unit: z.number(),
  /** What was left of the key's time at the report, of the whole, in ms. */
  leftMs: z.number(),
})
const Key = z.object({ id: z.string(), userId: z.nullable(z.string()), batchId: z.nullable(z.string()) })
const Batch = z.object({ id: z.string(), isRecalled: z.boolean() })
const Share = z.object({ orderId: z.string(), lotId: z.string(), amount: z.number(), isRefund: z.boolean() })

export interface ClaimWorld {
  /** Newest first. */
  claims: z.output<typeof Claim>[]
  /** Newest sale first. */
  keys: z.output<typeof Key>[]
  batches: z.output<typeof Batch>[]
  /** What each purchase took from which lot, in its order, and what refunds gave back. */
  shares: z.output<typeof Share>[]
}

export async function readClaimWorld(db: Database): Promise<ClaimWorld> {
  const [claims, keys, batches, shares] = await Promise.all([
    db.rows(sql(Claim)`
      select claim.id, claim.user_id as "userId", claim.key_id as "keyId", claim.status, claim.refund_paise as refund,
             claim.rule, orders.unit_paise as unit,
             greatest(0, round(extract(epoch from key.expires_at - claim.created_at) * 1000))::bigint as "leftMs"
        from key_claims claim join orders on orders.id = claim.order_id join license_keys key on key.id = claim.key_id
       order by claim.created_at desc, claim.number desc`),
    db.rows(sql(Key)`
      select id, assigned_to as "userId", batch_id as "batchId" from license_keys order by assigned_at desc, seq`),
    db.rows(sql(Batch)`select id, recalled_at is not null as "isRecalled" from key_batches order by created_at, id`),
    db.rows(sql(Share)`
      select movement.order_id as "orderId", entry.lot_id as "lotId", abs(entry.amount_paise) as amount,
             movement.kind = 'refund' as "isRefund"
        from wallet_movements movement join wallet_entries entry on entry.movement_id = movement.id
       where movement.order_id is not null
       order by entry.id`),
  ])
  return { claims, keys, batches, shares }
}
