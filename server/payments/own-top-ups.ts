/** A buyer's top-up requests, as that buyer sees them. */
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { Rupees } from '../../contract/amounts.ts'
import { Moment } from '../../contract/fields.ts'
import { Wish } from '../../contract/orders.ts'
import { OwnTopUp } from '../../contract/payments.ts'
import { wishOf } from '../orders/wishes.ts'
import { sql, type Queries, type Sql } from '../platform/database/database.ts'
import { offerOf, sentFrom } from './payment-rows.ts'
import { ReasonInWords } from '../../contract/top-up-reasons.ts'

/** The reason that a buyer reads when the request was removed before a review. */
const REMOVED_REASON = 'Cancelled by the store'

const OwnRow = z.extend(
  z.omit(OwnTopUp, { address: true, meta: true, checked: true, then: true, asked: true, takenBack: true }),
  {
    planId: z.nullable(z.string()),
    address: z.string(),
    reason: ReasonInWords,
    removedAt: z.nullable(Moment),
    then: z.nullable(Wish),
    asked: z.nullable(Rupees),
    takenBack: z.nullable(z.string()),
  },
)

/** @returns the user's requests, newest first */
export function listOwnTopUps(db: Queries, userId: string): Promise<OwnTopUp[]> {
  return readOwn(db, sql`request.user_id = ${userId}`)
}

export async function readOwnTopUp(db: Queries, id: string): Promise<OwnTopUp> {
  const [request] = await readOwn(db, sql`request.id = ${id}`)
  if (!request) throw new Refusal('NOT_FOUND')
  return request
}

async function readOwn(db: Queries, condition: Sql): Promise<OwnTopUp[]> {
  const rows = await db.rows(sql(OwnRow)`
    select request.id as _id, 'add_money' as type, request.status, request.amount_paise as amount,
           request.credit_paise as credited,
           request.plan_id, request.utr, request.phone as payer_name, request.address, request.reason,
           request.created_at, request.decided_at, hidden.hidden_at as removed_at,
           request.asked_paise as asked, request.taken_back, ${wishOf(sql`request.id`)} as "then"
      from topup_requests request
      left join hidden_payments hidden on hidden.payment_id = request.id
     where ${condition}
     order by request.created_at desc, request.id desc`)
  return rows.map(toOwnTopUp)
}

function toOwnTopUp({
  planId,
  address,
  removedAt,
  then,
  asked,
  takenBack,
  ...request
}: z.output<typeof OwnRow>): OwnTopUp {
  // Shows a removed request as rejected, because no admin will review it
  const closed = request.status === 'pending' && removedAt !== null
  return {
    ...request,
    ...(closed && { status: 'rejected' as const, reason: REMOVED_REASON }),
    decidedAt: request.decidedAt ?? removedAt,
    ...sentFrom(address),
    ...offerOf(planId, request.credited),
    ...(then && { then }),
    ...(asked !== null && { asked }),
    ...(takenBack !== null && { takenBack: true as const }),
  }
}
