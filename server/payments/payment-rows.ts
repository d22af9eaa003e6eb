/**
 * Payments as admins see them: one kind of row over three tables. A buyer's top-up request is add_money, an order
 * is buy_key, and an admin's balance change is add_money or deduct_money. Rows that an admin removed are listed in
 * hidden_payments, and stay in their tables.
 */
import * as z from 'zod/mini'
import type { AuditNaming } from '../audit/audit-names.ts'
import { Rupees } from '../../contract/amounts.ts'
import { Moment } from '../../contract/fields.ts'
import { Wish } from '../../contract/orders.ts'
import { Payment } from '../../contract/payments.ts'
import { PaidTo } from '../../contract/upi.ts'
import { isUnusualUtr } from '../../contract/utr.ts'
import { wishOf } from '../orders/wishes.ts'
import { isListed, paidToOf } from '../platform/database/conditions.ts'
import { sql, type Queries } from '../platform/database/database.ts'
import { withoutNulls } from '../platform/database/rows.ts'
import { ReasonInWords } from '../../contract/top-up-reasons.ts'

const Row = z.extend(
  z.pick(Payment, {
    _id: true,
    userId: true,
    productId: true,
    type: true,
    status: true,
    amount: true,
    utr: true,
    payerName: true,
    duration: true,
    createdAt: true,
  }),
  {
    credit: z.nullable(Rupees),
    planId: z.nullable(z.string()),
    address: z.string(),
    reason: ReasonInWords,
    decidedBy: z.nullable(z.string()),
    isByBank: z.boolean(),
    decidedAt: z.nullable(Moment),
    then: z.nullable(Wish),
    asked: z.nullable(Rupees),
    loss: z.nullable(Rupees),
    paidTo: z.nullable(PaidTo),
    heldSince: z.nullable(Moment),
    heldBy: z.nullable(z.string()),
    heldNote: z.nullable(z.string()),
    codeOf: z.nullable(z.string()),
  },
)

/**
 * @returns the payments with these ids, in their order; unknown ids are skipped. A closed account shows its
 *   pseudonym, as in the purchases
 */
export async function readPayments(db: Queries, ids: readonly string[]): Promise<Payment[]> {
  const rows = await db.rows(sql(Row)`
    select line.id as _id,
           case when topup.id is not null or movement.kind = 'admin_credit' then 'add_money'
                when movement.id is not null then 'deduct_money'
                else 'buy_key' end as type,
           coalesce(topup.status, 'approved') as status,
           abs(coalesce(topup.amount_paise, orders.amount_paise, movement.amount_paise)) as amount,
           topup.credit_paise as credit, topup.plan_id, coalesce(topup.utr, '') as utr,
           coalesce(topup.phone, '') as payer_name, coalesce(topup.address, '') as address, topup.reason,
           case when orders.id is not null
                then json_build_object('_id', orders.product_id, 'name', orders.product_name) end as product_id,
           coalesce(orders.duration, '') as duration,
           case when buyer.id is not null
                then json_build_object('_id', buyer.id, 'username', buyer.username, 'email', buyer.email)
                 end as user_id,
           decider.username as decided_by,
           coalesce(topup.status = 'approved' and topup.decided_by is null, false) as is_by_bank,
           topup.decided_at, ${wishOf(sql`topup.id`)} as "then", topup.asked_paise as asked,
           topup.loss_paise as loss, ${paidToOf(sql`topup`)} as paid_to,
           topup.held_at as held_since, holder.username as held_by, topup.held_note, batch.name as code_of,
           coalesce(topup.created_at, orders.created_at, movement.created_at) as created_at
      from unnest(${ids}::uuid[]) with ordinality as line (id, position)
      left join topup_requests topup on topup.id = line.id
      left join orders on orders.id = line.id
      -- A purchase's movement has its order's id
      left join wallet_movements movement on movement.id = line.id and movement.kind in ('admin_credit', 'admin_debit')
      left join redeem_codes code on code.movement_id = movement.id
      left join code_batches batch on batch.id = code.batch_id
      left join users buyer on buyer.id = coalesce(topup.user_id, orders.user_id, movement.user_id)
      left join admins decider on decider.id = topup.decided_by
      left join admins holder on holder.id = topup.held_by
     where num_nonnulls(topup.id, orders.id, movement.id) > 0
     order by line.position`)
  return rows.map(toPayment)
}

function toPayment(row: z.output<typeof Row>): Payment {
  const { userId, productId, credit, planId, address, isByBank, loss, ...more } = row
  const { heldSince: since, heldBy, heldNote, ...rest } = more
  return {
    ...withoutNulls(rest),
    userId,
    productId,
    ...(rest.utr !== '' && isUnusualUtr(rest.utr) && { unusual: true }),
    ...(isByBank && { decidedHow: 'bank' as const }),
    ...(loss !== null && { takenBack: { loss } }),
    ...(since !== null && { held: { since, by: heldBy ?? '', note: heldNote ?? '' } }),
    ...sentFrom(address),
    ...offerOf(planId, credit),
  }
}

/** Returns the request's address, unless it was erased. */
export function sentFrom(address: string): { address?: string } {
  return address === '' ? {} : { address }
}

/** Returns the plan of a request, under the name that clients know. The credit is in rupees. */
export function offerOf(
  planId: string | null,
  credit: number | null,
): { meta?: { offer: boolean; planId: string; bonus: number } } {
  if (planId === null || credit === null) return {}
  return { meta: { offer: true, planId, bonus: credit } }
}

/** True if an admin removed this payment from the lists. */
export function isHidden(db: Queries, id: string): Promise<boolean> {
  return db.holds(sql`select not ${isListed(sql`${id}::uuid`)}`)
}

/** How the audit log names it. */
export const requestNames: AuditNaming = {
  rows: sql`select request.id, buyer.username, request.utr, request.amount_paise
              from wanted join topup_requests request using (id) join users buyer on buyer.id = request.user_id`,
  words: ({ name, rupees }) => `Top-up of ${rupees} by ${name}`,
}
