/** What the bank says about pending requests, for the admin who reviews them. */
import * as z from 'zod/mini'
import { Rupees } from '../../../contract/amounts.ts'
import { PaymentBank } from '../../../contract/payment-signs.ts'
import { indianDay } from '../../platform/database/indian-day.ts'
import { readRivalClaims } from '../../payments/risk-signals.ts'
import { numbersIn } from '../../payments/same-transfer.ts'
import { sql, type Queries, type Sql } from '../../platform/database/database.ts'
import { withoutNulls } from '../../platform/database/rows.ts'
import { hasAccounts, readSeenTo } from '../credits/accounts.ts'
import { IS_MATCHED } from '../credits/credit-states.ts'
import { isInTime, judge } from './decide-match.ts'
import { readPairs, SAME_REFERENCE, type Pair } from './match-facts.ts'

/** @returns what the bank shows for each id that is a pending request; nothing if the store has no bank account */
export async function readPaymentBank(db: Queries, ids: readonly string[]): Promise<Map<string, PaymentBank>> {
  const found = new Map<string, PaymentBank>()
  if (ids.length === 0 || !(await hasAccounts(db))) return found
  const rest = () => ids.filter((id) => !found.has(id))
  const pending = () => sql`request.id = any(${rest()}::uuid[]) and request.status = 'pending'`
  for (const pair of await readPairs(db, SAME_REFERENCE, pending())) found.set(pair.request.id, shown(pair))
  if (rest().length > 0)
    for (const pair of await readPairs(db, ALIKE, pending()))
      if (judge(pair.request, pair.credit).verdict === 'hint') found.set(pair.request.id, shown(pair))
  for (const [id, hint] of await readHints(db, rest())) found.set(id, hint)
  const seenTo = await readSeenTo(db)
  for (const id of rest()) found.set(id, { verdict: 'unseen', ...(seenTo !== undefined && { seenTo }) })
  await addRivals(db, found)
  return found
}

/** Credits whose reference is another way to write a request's UTR. */
const ALIKE = sql`
  topup_requests request
  join bank_credit_refs reference on reference.ref = any(${numbersIn(sql`request.utr`)})
                                 and reference.ref <> request.utr
  join bank_credits credit on credit.id = reference.credit_id`

function shown({ request, credit }: Pair): PaymentBank {
  return z.decode(PaymentBank, {
    ...judge(request, credit),
    creditId: credit.id,
    amount: credit.amountPaise,
    at: credit.at?.toISOString() ?? credit.day,
    ...(credit.payerName !== '' && { payer: credit.payerName }),
    proof: credit.proof,
  })
}

const HintRow = z.object({
  requestId: z.string(),
  createdAt: z.date(),
  creditId: z.nullable(z.string()),
  amount: Rupees,
  day: z.string(),
  at: z.nullable(z.date()),
  proof: z.nullable(z.enum(['none', 'alert', 'report', 'statement'])),
  hintId: z.nullable(z.string()),
})

/** Finds money of the same amount without a reference. If several fit, none is chosen. */
export async function findHints(db: Queries, ids: readonly string[]): Promise<Map<string, z.output<typeof HintRow>>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows(sql(HintRow)`
    select request.id as request_id, request.created_at, seen.*
      from topup_requests request
      join lateral (
        select credit.id as credit_id, credit.amount_paise as amount, credit.day::text as day, credit.at,
               credit.proof, null::uuid as hint_id
          from bank_credits credit join bank_accounts account on account.id = credit.account_id
         where credit.amount_paise = request.amount_paise and credit.line_key is not null and credit.kind = 'payment'
           and credit.set_aside_at is null and not credit.differs and account.feeds_store and account.closed_at is null
           and not ${IS_MATCHED}
        union all
        select null, hint.amount_paise, coalesce(hint.day, ${indianDay(sql`hint.seen_at`)})::text,
               hint.at, 'none', hint.id
          from bank_sightings hint
         where hint.outcome = 'hint' and hint.explained_by is null and hint.amount_paise = request.amount_paise
           -- A payment app names no account: then it is one of those that its phone speaks for
           and exists (select from bank_accounts account
                        where account.feeds_store and account.closed_at is null
                          and (account.id = hint.account_id
                               or hint.account_id is null
                                  and account.id in (select account_id from bank_device_accounts
                                                      where device_id = hint.device_id)))) seen on true
     where request.id = any(${ids}::uuid[])`)
  const inTime = rows.filter((row) => isInTime(row.createdAt, row))
  const isOnly = (row: (typeof rows)[number]) => inTime.every((one) => one === row || one.requestId !== row.requestId)
  return new Map(inTime.filter(isOnly).map((row) => [row.requestId, row]))
}

async function readHints(db: Queries, ids: readonly string[]): Promise<[string, PaymentBank][]> {
  return [...(await findHints(db, ids))].map(([id, { creditId, amount, at, day, proof }]) => [
    id,
    {
      verdict: 'hint',
      why: 'No reference',
      ...withoutNulls({ creditId, amount, at: at?.toISOString() ?? day, proof }),
    },
  ])
}

async function addRivals(db: Queries, found: Map<string, PaymentBank>): Promise<void> {
  const contested = new Map([...found].filter(([, { verdict }]) => verdict === 'rivals'))
  const claims = await readRivalClaims(db, [...contested.keys()])
  for (const [id, bank] of contested) {
    const rivals = claims.get(id) ?? []
    const why = rivals.length === 0 && { why: 'A request with this UTR was rejected before' }
    found.set(id, { ...bank, rivals, ...why })
  }
}

/** @returns the pending requests that the bank confirms, oldest first, by one of these credits */
export async function findConfirmed(db: Queries, credits: Sql = sql`true`): Promise<Pair[]> {
  const mayBe = sql`request.status = 'pending' and credit.proof in ('report', 'statement')
                    and credit.amount_paise = request.amount_paise and ${credits}`
  const pairs = await readPairs(db, SAME_REFERENCE, mayBe)
  return pairs.filter(({ request, credit }) => judge(request, credit).verdict === 'confirmed')
}
