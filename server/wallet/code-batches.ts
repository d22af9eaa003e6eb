/** Batches of redeem codes, as admins make, list and end them. No text of a code is kept, nor in the audit log. */
import * as z from 'zod/mini'
import { CodeBatch, type codes } from '../../contract/codes.ts'
import { Refusal } from '../../contract/errors.ts'
import { dayAfter, dayOf, startOf } from '../../contract/india.ts'
import { CODE_DAYS_MAX } from '../../contract/limits.ts'
import { times, toRupees } from '../../contract/money.ts'
import { normaliseRedeemCode } from '../../contract/pasted.ts'
import { audit, type By, type ProvingBy } from '../audit/audit.ts'
import { columns, literal, sql, type Database, type Queries, type Transaction } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import { newId } from '../platform/ids.ts'
import { FORGOTTEN_AT_ONCE } from '../platform/jobs.ts'
import { allowCredit } from './allowance.ts'
import { hashOfCode, newCode } from './code-texts.ts'

type Wanted = z.output<(typeof codes.makeCodes)['input']>

/**
 * Makes a batch, and returns its codes this once.
 * @throws Refusal STEP_UP_REQUIRED for more than an admin may credit in a day, or INVALID_INPUT for a day that is over
 *   or too far away
 */
export async function makeCodes(
  db: Database,
  { count, codeUntil, ...wanted }: Wanted,
  by: ProvingBy & Pick<Call<'admin'>, 'isProven'>,
): Promise<z.output<(typeof codes.makeCodes)['output']>> {
  refuseOtherDays(codeUntil, by.now)
  const { name, amount, sold, creditDays } = wanted
  const id = newId()
  const texts = Array.from({ length: count }, newCode)
  const kept = texts.map((text) => ({ hash: hashOfCode(normaliseRedeemCode(text)) }))
  const batch = await db.transaction(async (tx) => {
    await allowCredit(tx, by, times(amount, count))
    await tx.run(sql`
      insert into code_batches (id, name, count, amount_paise, is_sold, code_until, credit_days, admin_id, created_at)
      values (${id}, ${name}, ${count}, ${amount}, ${sold}, ${startOf(dayAfter(codeUntil, 1))}, ${creditDays},
              ${by.admin.id}, ${by.now})`)
    await tx.run(sql`
      insert into redeem_codes (hash, batch_id, one_each)
      select hash, ${id}, ${!sold} from ${columns(kept, 'hash bytea')} as code`)
    const after = { name, count, amount: toRupees(amount), sold, codeUntil, creditDays }
    await audit(tx, by, { action: 'codes.create', subject: subjectOf({ _id: id, name }), after })
    return readBatch(tx, id)
  })
  return { batch, codes: texts }
}

function refuseOtherDays(codeUntil: string, now: Date): void {
  const today = dayOf(now)
  if (codeUntil >= today && codeUntil <= dayAfter(today, CODE_DAYS_MAX)) return
  throw new Refusal('INVALID_INPUT', { message: 'Choose a day within 2 years', field: 'codeUntil' })
}

/**
 * Ends what is unused of a batch. An ended one stays as it is.
 * @throws Refusal NOT_FOUND
 */
export function endCodes(db: Database, id: string, by: By): Promise<CodeBatch> {
  return db.transaction(async (tx) => {
    // Waits for those who are redeeming, so that the moment below comes after theirs
    const batch = await tx.maybe(sql(() => z.object({ isEnded: z.boolean() }))`
      select ended_at is not null as is_ended from code_batches where id = ${id} for no key update`)
    if (!batch) throw new Refusal('NOT_FOUND')
    if (batch.isEnded) return readBatch(tx, id)
    await tx.run(sql`
      update code_batches
         set ended_at = greatest(${by.now}, (select max(redeemed_at) from redeem_codes where batch_id = ${id}))
       where id = ${id}`)
    const ended = await readBatch(tx, id)
    const { count, used } = ended
    await audit(tx, by, { action: 'codes.end', subject: subjectOf(ended), after: { count, used } })
    return ended
  })
}

const subjectOf = ({ _id, name }: Pick<CodeBatch, '_id' | 'name'>): string => `${name} (${_id})`

/** Newest first. */
export const listBatches = (db: Queries): Promise<CodeBatch[]> => readBatches(db, null)

async function readBatch(tx: Transaction, id: string): Promise<CodeBatch> {
  const [batch] = await readBatches(tx, id)
  if (!batch) throw new Error(`Batch ${id} is not there`)
  return batch
}

const Row = z.extend(CodeBatch, { codeUntil: z.pipe(z.date(), z.transform(lastDay)) })

/** @param id null for all */
function readBatches(db: Queries, id: string | null): Promise<CodeBatch[]> {
  return db.rows(sql(Row)`
    select batch.id as _id, name, count, amount_paise as amount, is_sold as sold, code_until, credit_days, ended_at,
           (select count(*) from redeem_codes where batch_id = batch.id and user_id is not null) as used,
           json_build_object('username', admin.username) as created_by, batch.created_at
      from code_batches batch join admins admin on admin.id = batch.admin_id
     where batch.id = coalesce(${id}, batch.id)
     order by batch.created_at desc, batch.id desc`)
}

/** @returns the last day in India on which codes can be redeemed until this moment */
export function lastDay(codeUntil: Date): string {
  return dayAfter(dayOf(codeUntil), -1)
}

/** Deletes some unused codes of batches that ended before a moment. @returns how many */
export function forgetCodes(db: Queries, before: Date): Promise<number> {
  return db.run(sql`
    delete from redeem_codes where user_id is null and hash in (
      select code.hash
        from code_batches batch join redeem_codes code on code.batch_id = batch.id
       where least(batch.ended_at, batch.code_until) < ${before} and code.user_id is null
       limit ${literal(FORGOTTEN_AT_ONCE)})`)
}
