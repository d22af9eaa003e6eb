/**
 * Payments as admins see them: one kind of row over three tables. A buyer's top-up request is add_money, an order
 * is buy_key, and an admin's balance change is add_money or deduct_money. Rows that an admin removed are listed in
 * hidden_payments, and stay in their tables.
 */
import * as z from 'zod/mini'
import { paise, toRupees } from '../../contract/money.ts'
import { PaymentStatus, type Payment } from '../../contract/payments.ts'
import { isUnusualUtr } from '../../contract/utr.ts'
import { sql, type Queries } from '../platform/database/database.ts'

const Row = z.object({
  id: z.string(),
  type: z.enum(['add_money', 'deduct_money', 'buy_key']),
  status: PaymentStatus,
  amount: z.number(),
  credit: z.nullable(z.number()),
  planId: z.nullable(z.string()),
  utr: z.string(),
  phone: z.string(),
  address: z.string(),
  reason: z.nullable(z.string()),
  productId: z.nullable(z.string()),
  productName: z.nullable(z.string()),
  duration: z.string(),
  userId: z.nullable(z.string()),
  username: z.nullable(z.string()),
  email: z.nullable(z.string()),
  decidedBy: z.nullable(z.string()),
  isByBank: z.boolean(),
  decidedAt: z.nullable(z.date()),
  createdAt: z.date(),
})

/**
 * @returns the payments with these ids, in their order; unknown ids are skipped. A closed account shows its
 *   pseudonym, as in the purchases
 */
export async function readPayments(db: Queries, ids: readonly string[]): Promise<Payment[]> {
  const rows = await db.rows(
    Row,
    sql`
    select line.id,
           case when topup.id is not null or movement.kind = 'admin_credit' then 'add_money'
                when movement.id is not null then 'deduct_money'
                else 'buy_key' end as type,
           coalesce(topup.status, 'approved') as status,
           abs(coalesce(topup.amount_paise, orders.amount_paise, movement.amount_paise)) as amount,
           topup.credit_paise as credit, topup.plan_id as "planId", coalesce(topup.utr, '') as utr,
           coalesce(topup.phone, '') as phone, coalesce(topup.address, '') as address, topup.reason,
           orders.product_id as "productId", orders.product_name as "productName",
           coalesce(orders.duration, '') as duration,
           buyer.id as "userId", buyer.username, buyer.email, decider.username as "decidedBy",
           coalesce(topup.status = 'approved' and topup.decided_by is null, false) as "isByBank",
           topup.decided_at as "decidedAt",
           coalesce(topup.created_at, orders.created_at, movement.created_at) as "createdAt"
      from unnest(${ids}::uuid[]) with ordinality as line (id, position)
      left join topup_requests topup on topup.id = line.id
      left join orders on orders.id = line.id
      -- A purchase's movement has its order's id
      left join wallet_movements movement on movement.id = line.id and movement.kind in ('admin_credit', 'admin_debit')
      left join users buyer on buyer.id = coalesce(topup.user_id, orders.user_id, movement.user_id)
      left join admins decider on decider.id = topup.decided_by
     where num_nonnulls(topup.id, orders.id, movement.id) > 0
     order by line.position`,
  )
  return rows.map(toPayment)
}

function toPayment(row: z.output<typeof Row>): Payment {
  const { userId, username, email, productId, productName, planId, credit, reason, decidedBy, decidedAt } = row
  return {
    _id: row.id,
    userId: userId === null ? null : { _id: userId, username: username ?? '', email: email ?? '' },
    productId: productId === null ? null : { _id: productId, name: productName ?? '' },
    type: row.type,
    status: row.status,
    amount: toRupees(paise(row.amount)),
    utr: row.utr,
    ...(row.utr !== '' && isUnusualUtr(row.utr) ? { unusual: true } : {}),
    payerName: row.phone,
    duration: row.duration,
    createdAt: row.createdAt.toISOString(),
    ...(reason === null ? {} : { reason }),
    ...(decidedBy === null ? {} : { decidedBy }),
    ...(row.isByBank ? { decidedHow: 'bank' } : {}),
    ...(decidedAt === null ? {} : { decidedAt: decidedAt.toISOString() }),
    ...sentFrom(row.address),
    ...offerOf(planId, credit),
  }
}

/** Returns the request's address, unless it was erased. */
export function sentFrom(address: string): { address?: string } {
  return address === '' ? {} : { address }
}

/** Returns the plan of a request, under the name that clients know. */
export function offerOf(
  planId: string | null,
  credit: number | null,
): { meta?: { offer: boolean; planId: string; bonus: number } } {
  if (planId === null || credit === null) return {}
  return { meta: { offer: true, planId, bonus: toRupees(paise(credit)) } }
}

/** True if an admin removed this payment from the lists. */
export async function isHidden(db: Queries, id: string): Promise<boolean> {
  const { hidden } = await db.one(
    z.object({ hidden: z.boolean() }),
    sql`select exists (select from hidden_payments where payment_id = ${id}) as hidden`,
  )
  return hidden
}
