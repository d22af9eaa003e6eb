/** Money that arrived, as admins see it. */
import * as z from 'zod/mini'
import { BankCredit, type CreditState } from '../../../contract/bank-shapes.ts'
import type { bank } from '../../../contract/bank.ts'
import { Refusal } from '../../../contract/errors.ts'
import { PAYMENTS_PAGE_SIZE } from '../../../contract/limits.ts'
import { parseRupees } from '../../../contract/money.ts'
import { normaliseUtr } from '../../../contract/utr.ts'
import { allOf, planned, sql, type Queries, type Sql } from '../../platform/database/database.ts'
import { contains } from '../../platform/database/search.ts'
import type { Services } from '../../platform/services.ts'
import { IS_MATCHED, IS_PROPOSED, MATCH_OF_CREDIT } from './credit-states.ts'

const CreditRow = z.extend(z.omit(BankCredit, { account: true, payer: true, topUp: true }), {
  accountId: z.string(),
  label: z.string(),
  payerName: z.string(),
  payerSealed: z.nullable(z.instanceof(Buffer)),
  topUpId: z.nullable(z.string()),
  username: z.nullable(z.string()),
  paidFor: BankCredit.shape.payer.shape.paidFor,
})

/** A credit whose sources disagree is shown as that, whatever else it is. */
const STATE: Record<CreditState, Sql> = {
  differs: sql`credit.differs`,
  matched: sql`not credit.differs and ${IS_MATCHED}`,
  'set-aside': sql`not credit.differs and credit.set_aside_at is not null`,
  unclaimed: sql`not credit.differs and credit.set_aside_at is null and not ${IS_MATCHED}`,
}

type Search = z.output<(typeof bank.credits)['input']>

const HIDDEN_REF = '••••••'

/**
 * @param mayCredit shows every reference. Anyone who knows that of unclaimed money can claim it as a buyer, so others
 *   see and find those of matched money only.
 */
export async function listCredits(
  { db, sealer }: Services,
  { limit = PAYMENTS_PAGE_SIZE, skip = 0, ...search }: Search,
  mayCredit: boolean,
): Promise<{ credits: BankCredit[]; total: number }> {
  const wanted = conditionOf(search, mayCredit)
  const [credits, total] = await Promise.all([
    readCredits(
      { db, sealer },
      planned(sql`where ${wanted} order by credit.day desc, credit.id desc limit ${limit} offset ${skip}`),
    ),
    db.count(planned(sql`select count(*) from bank_credits credit where ${wanted}`)),
  ])
  const shown = ({ refs, ...credit }: BankCredit): BankCredit => ({
    ...credit,
    refs: mayCredit || credit.topUp ? refs : refs.map(() => HIDDEN_REF),
  })
  return { credits: credits.map(shown), total }
}

function conditionOf(
  { state, accountId, from, to, claimed, search }: Omit<Search, 'limit' | 'skip'>,
  mayCredit: boolean,
): Sql {
  const hasRequest = sql`exists (
    select from bank_credit_refs reference join topup_requests request on request.utr = reference.ref
     where reference.credit_id = credit.id and request.status = 'pending')`
  return allOf([
    // Shown only beside a request that it may pay for
    sql`not ${IS_PROPOSED}`,
    ...(state === undefined ? [] : [STATE[state]]),
    ...(accountId === undefined ? [] : [sql`credit.account_id = ${accountId}`]),
    ...(from === undefined ? [] : [sql`credit.day >= ${from}::date`]),
    ...(to === undefined ? [] : [sql`credit.day <= ${to}::date`]),
    ...(claimed === undefined ? [] : [claimed ? hasRequest : sql`not ${hasRequest}`]),
    ...(search ? [matching(search, mayCredit)] : []),
  ])
}

function matching(search: string, mayCredit: boolean): Sql {
  const utr = normaliseUtr(search)
  const amount = parseRupees(search.replace(/^₹\s*/, ''))
  const byRef = sql`exists (select from bank_credit_refs where credit_id = credit.id and ref like ${`%${utr}%`})
                      and (${mayCredit} or ${IS_MATCHED})`
  return sql`(${contains(sql`lower(credit.payer_name)`, search)}
              or ${/^[A-Z0-9]+$/.test(utr) ? byRef : sql`false`}
              or ${amount === undefined ? sql`false` : sql`credit.amount_paise = ${amount}`})`
}

/** @param which ends the statement: what is read, in which order */
async function readCredits(
  { db, sealer }: Pick<Services, 'sealer'> & { db: Queries },
  which: Sql,
): Promise<BankCredit[]> {
  const rows = await db.rows(sql(CreditRow)`
    select credit.id as _id, credit.amount_paise as amount, credit.day::text as day, credit.at,
           account.id as account_id, account.label,
           array(select ref from bank_credit_refs where credit_id = credit.id order by ref) as refs,
           payer_name, payer_sealed, note, proof, kind,
           case when ${STATE.differs} then 'differs' when ${STATE.matched} then 'matched'
                when ${STATE['set-aside']} then 'set-aside' else 'unclaimed' end as state,
           request.id as top_up_id, buyer.username,
           (select count(*) from bank_sightings where credit_id = credit.id) as sightings,
           array(select distinct rival_buyer.username
                   from bank_rival_claims rival
                   join bank_credit_refs reference on reference.ref = rival.utr
                   join users rival_buyer on rival_buyer.id = rival.user_id and rival_buyer.deleted_at is null
                  where reference.credit_id = credit.id order by 1) as rivals,
           coalesce((select jsonb_agg(distinct jsonb_build_object('_id', payee.id, 'username', payee.username))
                       from bank_credits other
                       join bank_matches paid on paid.credit_id = other.id and paid.released_at is null
                       join topup_requests paid_request on paid_request.id = paid.topup_id
                       join users payee on payee.id = paid_request.user_id and payee.deleted_at is null
                      where other.payer_key = credit.payer_key and other.id <> credit.id), '[]') as paid_for
      from bank_credits credit
      join bank_accounts account on account.id = credit.account_id
      left join ${MATCH_OF_CREDIT}
      left join topup_requests request on request.id = match.topup_id
      left join users buyer on buyer.id = request.user_id
      ${which}`)
  return rows.map(({ accountId, label, payerName, payerSealed, paidFor, topUpId, username, ...row }) => ({
    ...row,
    account: { _id: accountId, label },
    payer: { name: payerName, vpa: payerSealed && sealer.open('payer', row._id, payerSealed), paidFor },
    topUp: topUpId === null ? null : { _id: topUpId, username: username ?? '' },
  }))
}

/** @throws Refusal NOT_FOUND */
export async function readCredit(
  services: Pick<Services, 'sealer'> & { db: Queries },
  id: string,
): Promise<BankCredit> {
  const [credit] = await readCredits(services, sql`where credit.id = ${id}`)
  if (!credit) throw new Refusal('NOT_FOUND')
  return credit
}
