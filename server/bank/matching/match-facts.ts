/** Reads what a decision needs: requests, the credits under their UTRs, and the facts about both. */
import * as z from 'zod/mini'
import { CreditKind, Proof, RuleMode, RuleTrust } from '../../../contract/bank-shapes.ts'
import { PaymentStatus } from '../../../contract/payments.ts'
import { DAY_MS } from '../../../contract/time.ts'
import { isClaimed } from '../../payments/same-transfer.ts'
import { IS_PROPOSED, IS_TAKEN } from '../credits/credit-states.ts'
import { isListed, mayAct } from '../../platform/database/conditions.ts'
import { columns, sql, type Queries, type Sql } from '../../platform/database/database.ts'
import { dayOf, startOfDay } from '../../../contract/india.ts'

const PairRow = z.object({
  requestId: z.string(),
  userId: z.string(),
  status: PaymentStatus,
  utr: z.string(),
  requestPaise: z.number(),
  creditedPaise: z.number(),
  createdAt: z.date(),
  decidedAt: z.nullable(z.date()),
  decidedBy: z.nullable(z.string()),
  isOpen: z.boolean(),
  isContested: z.boolean(),
  creditId: z.string(),
  accountId: z.string(),
  refs: z.array(z.string()),
  creditPaise: z.number(),
  day: z.string(),
  at: z.nullable(z.date()),
  kind: CreditKind,
  proof: Proof,
  differs: z.boolean(),
  isTaken: z.boolean(),
  feedsStore: z.boolean(),
  isOfAnother: z.boolean(),
  firstSeenAt: z.date(),
  isProposed: z.boolean(),
  payerName: z.string(),
  payerSealed: z.nullable(z.instanceof(Buffer)),
  payerKey: z.nullable(z.instanceof(Buffer)),
})

/** A request, and the credit that has its UTR or may belong to it. */
export type Pair = ReturnType<typeof toPair>

/** Requests beside the credits that have their UTR as one of their references. */
export const SAME_REFERENCE = sql`
  topup_requests request
  join bank_credit_refs reference on reference.ref = request.utr
  join bank_credits credit on credit.id = reference.credit_id`

/** True for a pending `request` that is in the lists and whose buyer's account is open. */
const IS_OPEN = sql`
  request.status = 'pending'
  and ${isListed(sql`request.id`)}
  and exists (select from users where users.id = request.user_id and ${mayAct(sql`users`)})`

/** True for a credit that only alerts report, and that a proven statement of its whole day lacks. */
const IS_DISPROVEN = sql`
  credit.proof = 'alert'
  and exists (select from bank_imports file
               where file.account_id = credit.account_id and file.balances = 'proven'
                 and credit.day >= file.covers_from and credit.day < file.covers_to)`

/** True if the `credit` has another reference than the `request`, and a `claim` on that reference was approved. */
export const isPaidFor = (which: Sql): Sql => sql`
  exists (select from bank_credit_refs same where same.credit_id = credit.id and same.ref <> request.utr
             and ${isClaimed(sql`same.ref`, sql`claim.status = 'approved' and ${which}`)})`

/** @param from tables that name a `request` and a `credit` */
export async function readPairs(db: Queries, from: Sql, condition: Sql): Promise<Pair[]> {
  const rows = await db.rows(sql(PairRow)`
    select request.id as request_id, request.user_id, request.status, request.utr,
           request.amount_paise as request_paise, request.credit_paise as credited_paise,
           request.created_at,
           request.decided_at, request.decided_by, (${IS_OPEN}) as is_open,
           exists (select from bank_rival_claims rival
                    where (rival.topup_id = request.id or rival.utr = request.utr) and rival.user_id <> request.user_id)
             or ${isClaimed(sql`request.utr`, sql`claim.status = 'rejected' and claim.id <> request.id`)}
             as is_contested,
           credit.id as credit_id, credit.account_id,
           array(select ref from bank_credit_refs where credit_id = credit.id order by ref) as refs,
           credit.amount_paise as credit_paise, credit.day::text as day, credit.at, credit.kind, credit.proof,
           credit.differs or (${IS_DISPROVEN}) as differs,
           ${IS_TAKEN} or ${isPaidFor(sql`claim.id <> request.id`)} as is_taken,
           account.feeds_store and account.closed_at is null as feeds_store,
           credit.payer_key is not null and exists (
             select from bank_credits other
               join bank_matches match on match.credit_id = other.id and match.released_at is null
               join topup_requests paid on paid.id = match.topup_id
              where other.payer_key = credit.payer_key and paid.user_id <> request.user_id) as is_of_another,
           credit.first_seen_at, ${IS_PROPOSED} as is_proposed, credit.payer_name,
           credit.payer_sealed, credit.payer_key
      from ${from}
      join bank_accounts account on account.id = credit.account_id
     where ${condition}
     order by request.created_at, request.id, credit.id`)
  return rows.map(toPair)
}

/** Puts a row's columns into a request and a credit, each with its own id and amount. */
function toPair({ requestId, requestPaise, creditedPaise, creditId, creditPaise, ...row }: z.output<typeof PairRow>) {
  return {
    request: { ...row, id: requestId, amountPaise: requestPaise, creditPaise: creditedPaise },
    credit: { ...row, id: creditId, amountPaise: creditPaise },
  }
}

/** What an owner lets the store approve, and how much of it is used: credit, in paise. */
const RulesRow = z.object({
  mode: RuleMode,
  trusts: RuleTrust,
  perRequest: z.number(),
  perBuyerDay: z.number(),
  perDay: z.number(),
  unprovenMax: z.number(),
  today: z.number(),
  unproven: z.number(),
  /** From this amount on, an alert alone approves nothing; null for never. */
  carefulAbove: z.nullable(z.number()),
  knownAfterDays: z.number(),
  offWhy: z.nullable(z.string()),
})
export type RulesNow = z.output<typeof RulesRow>
export type Automation = Omit<RulesNow, 'knownAfterDays' | 'offWhy'>

/** @param lock holds the row until the transaction ends, so that limits are read and used by one decision at a time */
export function readRules(db: Queries, now: Date, lock = false): Promise<RulesNow> {
  return db.one(sql(RulesRow)`
    select mode, trusts, per_request_paise as per_request, per_buyer_day_paise as per_buyer_day,
           per_day_paise as per_day, unproven_max_paise as unproven_max,
           case when day >= ${dayOf(now)}::date then day_paise else 0 end as today, unproven_paise as unproven,
           known_after_days, off_why, (select careful_above_paise from settings) as careful_above
      from bank_rules ${lock ? sql`for update` : sql``}`)
}

const MISSES_COUNT_FOR_DAYS = 7

/** What the store knows of a buyer. */
const BuyerRow = z.object({
  requestId: z.string(),
  /** Credited automatically today, in paise. */
  today: z.number(),
  /** A credit that a statement or report proves has paid for this buyer, long enough ago. */
  isKnown: z.boolean(),
  /** Nothing of this buyer was approved yet. */
  isFirst: z.boolean(),
  /** The credit's payer has paid for this buyer before. */
  knowsPayer: z.boolean(),
  /** This buyer's other requests of seven days that were rejected, or whose money was not seen. */
  misses: z.number(),
  /** This buyer once claimed money that then paid for somebody else. */
  claimedOthers: z.boolean(),
})
export type BuyerRecord = Omit<z.output<typeof BuyerRow>, 'requestId'>

/** @returns the facts about each pair's buyer, by the request's id */
export async function readBuyers(
  db: Queries,
  pairs: readonly { request: Pick<Pair['request'], 'id' | 'userId'>; credit: Pick<Pair['credit'], 'payerKey'> }[],
  rules: RulesNow,
  now: Date,
): Promise<Map<string, BuyerRecord>> {
  const proven = new Date(now.getTime() - rules.knownAfterDays * DAY_MS)
  const today = startOfDay(now)
  const counted = new Date(now.getTime() - MISSES_COUNT_FOR_DAYS * DAY_MS)
  const buyers = pairs.map(({ request: { id: requestId, userId }, credit: { payerKey } }) => {
    return { requestId, userId, payerKey }
  })
  const rows = await db.rows(sql(BuyerRow)`
    select request_id, matched.*,
           not exists (select from topup_requests other
                        where other.user_id = buyer.user_id and other.status = 'approved') as is_first,
           (select count(*) from topup_requests other
             where other.user_id = buyer.user_id and other.id <> request_id and other.created_at > ${counted}
               and (other.status = 'rejected'
                    or other.status = 'pending'
                       and not exists (select from bank_credit_refs join bank_credits credit on credit.id = credit_id
                                        where ref = other.utr and not ${IS_PROPOSED}))) as misses,
           exists (select from topup_requests other
                     join bank_credit_refs on ref = other.utr
                     join bank_matches match using (credit_id)
                     join topup_requests paid on paid.id = match.topup_id
                    where other.user_id = buyer.user_id and other.status = 'rejected'
                      and match.released_at is null and paid.user_id <> buyer.user_id) as claimed_others
      from ${columns(buyers, 'request_id uuid, user_id uuid, payer_key bytea')} as buyer
     cross join lateral (
       select coalesce(sum(paid.credit_paise) filter (where match.how = 'auto' and match.made_at >= ${today}),
                       0)::bigint as today,
              coalesce(bool_or(used.proof in ('report', 'statement') and match.made_at <= ${proven}), false)
                as is_known,
              coalesce(bool_or(used.payer_key = buyer.payer_key), false) as knows_payer
         from bank_matches match
         join topup_requests paid on paid.id = match.topup_id
         join bank_credits used on used.id = match.credit_id
        where paid.user_id = buyer.user_id and match.released_at is null) matched`)
  return new Map(rows.map(({ requestId, ...buyer }) => [requestId, buyer]))
}
