/** A claim with what an admin needs to answer it: the facts, and what each rule would give back. */
import * as z from 'zod/mini'
import { api } from '../../contract/api.ts'
import { PaidFrom, type ClaimDetails } from '../../contract/claims.ts'
import { mayCall } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { Moment } from '../../contract/fields.ts'
import { toRupees, type Paise } from '../../contract/money.ts'
import { endingOf } from '../keys/ending.ts'
import { sql, type Database, type Sql } from '../platform/database/database.ts'
import { keep, keyOf } from '../platform/database/search.ts'
import type { Call } from '../platform/http/http.ts'
import { InPaise } from '../platform/in-paise.ts'
import type { Services } from '../platform/services.ts'
import { readSettings } from '../settings/settings.ts'
import { readClaim } from './answer-claim.ts'
import { leftOf, sumsOf, timeOf } from './refund-sums.ts'

const Facts = z.object({
  keyId: z.string(),
  sealed: z.instanceof(Buffer),
  duration: z.string(),
  unit: InPaise,
  ofOrder: InPaise,
  quantity: z.number(),
  assignedAt: z.date(),
  expiresAt: z.date(),
  reportedAt: z.date(),
  batchId: z.nullable(z.string()),
  batchAt: z.nullable(Moment),
  recalledAt: z.nullable(Moment),
  ofBuyer: z.number(),
  replaced: z.number(),
  refunded: z.number(),
  boughtKeys: z.number(),
  replacedBefore: z.number(),
})

/** A role that may call one of these works with keys, so it sees the claimed key whole. */
const MAY_ACT = [api.claims.reject, api.claims.recall]

/** True for a claim that speaks against its batch. */
const COUNTS = sql`other.status <> 'withdrawn' and other.reason <> 'recalled'`

/** @throws Refusal NOT_FOUND */
export async function readClaimDetails(
  { db, sealer }: Services,
  id: string,
  { isProven, admin, now }: Pick<Call<'admin'>, 'isProven' | 'admin' | 'now'>,
): Promise<ClaimDetails> {
  const [claim, facts, store, settings, paidFrom] = await Promise.all([
    readClaim(db, id),
    readFacts(db, id),
    readRate(db, sql`true`),
    readSettings(db),
    readPaidFrom(db, id),
  ])
  if (!facts) throw new Refusal('NOT_FOUND')
  const { batchId, batchAt, recalledAt, expiresAt } = facts
  const sums = sumsOf(facts, settings.refundFee)
  const { left, whole } = timeOf(facts)
  const ofBatch = batchId === null ? null : await readRate(db, sql`batch_id = ${batchId}`)
  const text = sealer.open('key', facts.keyId, facts.sealed)
  const isWhole = isProven && MAY_ACT.some((call) => mayCall(call, admin.role))
  return {
    ...claim,
    key: isWhole ? text : `…${endingOf(text)}`,
    isWhole,
    evidence: {
      assignedAt: facts.assignedAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      quantity: facts.quantity,
      batch: ofBatch === null || batchAt === null ? null : { ...ofBatch, createdAt: batchAt, recalledAt },
      store,
      replacedBefore: facts.replacedBefore,
      buyer: { claims: facts.ofBuyer, replaced: facts.replaced, refunded: facts.refunded, keys: facts.boughtKeys },
      paidFrom,
    },
    offers: { full: rupees(sums.full), unused: rupees(sums.unused), terms: rupees(sums.terms) },
    left: toRupees(leftOf(facts)),
    share: left / whole,
    fee: toRupees(settings.refundFee),
    canKeepEnd: expiresAt > now,
  }
}

const rupees = (amount: Paise | null): number | null => (amount === null ? null : toRupees(amount))

function readFacts(db: Database, id: string) {
  return db.maybe(sql(Facts)`
    select key.id as key_id, key.sealed, sale.duration, sale.unit_paise as unit,
           sale.amount_paise - sale.refunded_paise as of_order, sale.quantity, key.assigned_at,
           key.expires_at, claim.created_at as reported_at, claim.batch_id, batch.created_at as batch_at,
           batch.recalled_at,
           own.claims as of_buyer, own.replaced, own.refunded,
           (select coalesce(sum(quantity), 0)::bigint from orders where user_id = claim.user_id) as bought_keys,
           (with recursive chain as (
              select key.replaces as id where key.replaces is not null
              union all
              select bad.replaces from chain join license_keys bad using (id) where bad.replaces is not null)
            select count(*) from chain) as replaced_before
      from key_claims claim
      join license_keys key on key.id = claim.key_id
      join orders sale on sale.id = claim.order_id
      left join key_batches batch on batch.id = claim.batch_id
     cross join lateral (
           select count(*) as claims, count(*) filter (where other.status = 'replaced') as replaced,
                  count(*) filter (where other.status = 'refunded') as refunded
             from key_claims other where other.user_id = claim.user_id and ${COUNTS}) own
     where claim.id = ${id}`)
}

/** How many keys of these batches were claimed, and sold. Over very many claims the figures may be seconds old. */
async function readRate(db: Database, which: Sql): Promise<{ claims: number; sold: number }> {
  const statement = sql(() => z.object({ claims: z.number(), sold: z.number(), read: z.number() }))`
    select count(*) as claims, coalesce(sum(times), 0)::bigint as read,
           (select coalesce(sum(sold), 0)::bigint from batch_counters where ${which}) as sold
      from (select count(*) as times from key_claims other where ${which} and ${COUNTS} group by key_id) claimed`
  const { claims, sold } = await keep(db, keyOf(statement), async () => {
    const value = await db.one(statement)
    return { value, rows: value.read }
  })
  return { claims, sold }
}

const readPaidFrom = (db: Database, claimId: string): Promise<PaidFrom[]> =>
  db.rows(sql(PaidFrom)`
    select lot.source, -entry.amount_paise as amount, lot.expires_at, request.taken_back is not null as is_taken_back
      from wallet_movements movement
      join wallet_entries entry on entry.movement_id = movement.id
      join wallet_lots lot on lot.id = entry.lot_id
      left join wallet_movements credited on credited.id = lot.movement_id
      left join topup_requests request on request.id = credited.topup_id
     where movement.id = (select order_id from key_claims where id = ${claimId})
     order by entry.id`)
