/** What a statement proves or disproves of earlier decisions: alerts that it lacks, and approvals without money. */
import * as z from 'zod/mini'
import { numbersIn } from '../../payments/same-transfer.ts'
import { sql, type Transaction } from '../../platform/database/database.ts'
import { IS_PAID, IS_PROPOSED, MATCH_OF_CREDIT } from '../credits/credit-states.ts'
import { isPaidFor } from '../matching/match-facts.ts'
import { pauseAlertsOf, raiseAlarm, switchOff } from '../credits/alarms.ts'
import { dayAfter, startOf } from '../../../contract/india.ts'
import type { Source } from '../credits/record-credits.ts'
import type { Statement } from '../reading/statements/statement.ts'

/** An approved request's money may have come this many days before the request. */
const DAYS_BEFORE_REQUEST = 3

/** Call it after the statement's credits were recorded. @returns how many alarms were raised */
export async function checkAgainst(tx: Transaction, source: Source, statement: Statement): Promise<number> {
  if (statement.balances !== 'proven' || !statement.covers) return 0
  const alerts = await findLackingAlerts(tx, source, statement.covers)
  return alerts + (await findApprovedWithoutMoney(tx, source.now))
}

const Lacking = z.object({ id: z.string(), topUpId: z.nullable(z.string()), deviceId: z.nullable(z.string()) })

async function findLackingAlerts(
  tx: Transaction,
  { accountId, now }: Source,
  covers: { from: string; to: string },
): Promise<number> {
  const lacking = await tx.rows(sql(Lacking)`
    select credit.id, match.topup_id as top_up_id,
           (select device_id from bank_sightings where credit_id = credit.id and device_id is not null limit 1)
             as device_id
      from bank_credits credit
      left join ${MATCH_OF_CREDIT}
     where credit.account_id = ${accountId} and credit.proof = 'alert' and credit.kind = 'payment'
       and credit.day >= ${covers.from}::date and credit.day < ${covers.to}::date`)
  let alarms = 0
  for (const { id, topUpId, deviceId } of lacking) {
    if (!(await raiseAlarm(tx, 'alert-not-in-statement', { creditId: id, topUpId, deviceId }, now))) continue
    alarms += 1
    await switchOff(tx, 'alert-disproven', now)
    await pauseAlertsOf(tx, id, { now }, 'alert-disproven')
  }
  return alarms
}

async function findApprovedWithoutMoney(tx: Transaction, now: Date): Promise<number> {
  let alarms = 0
  for (const { from, to } of await coveredByAll(tx)) {
    const approved = await tx.texts(sql`
      select request.id from topup_requests request
       where request.status = 'approved'
         and request.created_at >= ${startOf(dayAfter(from, DAYS_BEFORE_REQUEST))}
         and request.decided_at < ${startOf(to)}
         and not ${IS_PAID}
         and not exists (select from bank_alarms where topup_id = request.id and kind = 'approved-without-money')
         and not exists (select from bank_credit_refs join bank_credits credit on credit.id = credit_id
                          join bank_accounts account on account.id = account_id and account.feeds_store
                          where not ${IS_PROPOSED}
                            -- Money under another form of a UTR stays unclaimed until it is set aside
                            and (set_aside_at is null or set_aside_at > request.decided_at)
                            -- It pays for the first that was approved under one of its references
                            and not ${isPaidFor(sql`(claim.decided_at, claim.id) < (request.decided_at, request.id)`)}
                            -- What is wrong with money under the same UTR raises an alarm of its own
                            and (ref = request.utr
                                 or ref = any(${numbersIn(sql`request.utr`)}) and kind = 'payment'
                                    and not differs and credit.amount_paise = request.amount_paise))`)
    for (const topUpId of approved) if (await raiseAlarm(tx, 'approved-without-money', { topUpId }, now)) alarms += 1
  }
  return alarms
}

const Period = z.object({ from: z.string(), to: z.string() })

/** @returns the periods that proven statements of every account of the store cover without a gap */
const coveredByAll = (tx: Transaction): Promise<z.output<typeof Period>[]> =>
  tx.rows(sql(Period)`
    select lower(period)::text as from, (upper(period) - 1)::text as to
      from (select unnest(range_intersect_agg(covered)) as period
              from (select coalesce(range_agg(daterange(covers_from, covers_to, '[]'))
                                      filter (where file.id is not null), '{}') as covered
                      from bank_accounts account
                      left join bank_imports file on file.account_id = account.id and file.balances = 'proven'
                     where account.feeds_store and account.closed_at is null
                     group by account.id) of_account) of_all`)
