/**
 * Keeps what messages without a template said, until a statement proves or contradicts it. Counts them by wording, so
 * that a release can add the ones that are right. An added sender is proven by it, or ended.
 */
import * as z from 'zod/mini'
import { BankForm } from '../../../contract/bank-alerts.ts'
import { columns, sql, type Queries, type Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Sealer } from '../../platform/secrets/sealing.ts'
import { lockRecording, type Source } from '../credits/record-credits.ts'
import type { Statement } from '../reading/statements/statement.ts'
import { formOf } from '../reading/alerts/form-of.ts'
import type { AlertedCredit, AlertReading } from '../reading/alerts/read-alert.ts'

interface Received {
  text: string
  now: Date
  reading: AlertReading
}

const FORMS_SHOWN = 50

/** @returns what a message says of money, if it is one to be counted */
function saidBy({ reading }: Received): (AlertedCredit & { senderId: string | null }) | undefined {
  if (reading.outcome === 'trial') return reading.said && { ...reading.said, senderId: reading.senderId }
  return reading.outcome === 'proposed' ? { ...reading.credit, senderId: reading.senderId ?? null } : undefined
}

/** Money counts once, by its first message. It counts for no other wording, and not after a statement has shown it. */
export async function noteReadings(tx: Transaction, sealer: Sealer, received: readonly Received[]): Promise<void> {
  const told = received.flatMap((message) => {
    const said = saidBy(message)
    const ref = said?.refs[0]
    return said && said.accountId !== null && ref !== undefined ? [{ ...message, said, ref }] : []
  })
  // Two phones may forward the same messages in another order
  if (told.length > 0) await lockRecording(tx)
  for (const { said, ref, text, now } of told) {
    const form = formOf(text)
    const id = newId()
    await tx.run(sql`
      with form as (
        insert into bank_forms (id, form_key, bank, text_sealed, seen, seen_at)
        select ${id}::uuid, ${sealer.fingerprint(`bank form ${said.bank} ${form}`)}::bytea, ${said.bank}::text,
               ${sealer.seal('bank-form', id, form)}::bytea, 1, ${now}::timestamptz
         where not exists (select from bank_readings where account_id = ${said.accountId} and ref = ${ref})
           and not exists (select from bank_credit_refs join bank_credits on id = credit_id
                            where ref = ${ref} and proof = 'statement')
        on conflict (form_key) do update set seen = bank_forms.seen + 1, seen_at = excluded.seen_at
        returning id)
      insert into bank_readings (account_id, ref, form_id, sender_id, amount_paise, day, seen_at)
      select ${said.accountId}::uuid, ${ref}::text, id, ${said.senderId}::uuid, ${said.amountPaise}::bigint,
             ${said.day}::date, ${now}::timestamptz
        from form`)
  }
}

const Judged = z.object({
  ref: z.string(),
  formId: z.string(),
  senderId: z.nullable(z.string()),
  isRight: z.boolean(),
})

/** Call it after the statement's credits were recorded. Only a proven statement says anything. */
export async function judgeReadings(tx: Transaction, { accountId, now }: Source, statement: Statement): Promise<void> {
  if (statement.balances !== 'proven') return
  const covered = statement.covers
    ? sql`reading.day >= ${statement.covers.from}::date and reading.day < ${statement.covers.to}::date`
    : sql`false`
  const judged = await tx.rows(sql(Judged)`
    select ref, form_id, sender_id,
           coalesce(credit.amount_paise = reading.amount_paise and credit.account_id = reading.account_id, false)
             as is_right
      from bank_readings reading
      left join (select ref, amount_paise, account_id from bank_credit_refs
                   join bank_credits on id = credit_id and proof = 'statement') credit using (ref)
     where reading.account_id = ${accountId} and (credit.ref is not null or ${covered})
     order by form_id, ref`)
  if (judged.length === 0) return
  await tx.run(sql`
    delete from bank_readings
     where account_id = ${accountId} and ref = any(${judged.map(({ ref }) => ref)}::text[])`)
  await tx.run(sql`
    update bank_forms form set proven = proven + of.right, contradicted = contradicted + of.wrong
      from (select form_id, count(*) filter (where is_right) as right, count(*) filter (where not is_right) as wrong
              from ${columns(judged, 'form_id uuid, is_right boolean')} as judged
             group by form_id) of
     where form.id = of.form_id`)
  const sendersOf = (wanted: boolean): string[] =>
    judged.flatMap(({ senderId, isRight }) => (isRight === wanted && senderId !== null ? [senderId] : []))
  await tx.run(sql`
    update bank_senders set proven_at = ${now} where id = any(${sendersOf(true)}::uuid[]) and proven_at is null`)
  await tx.run(sql`
    update bank_senders set ended_at = ${now}, ended_why = 'contradicted'
     where id = any(${sendersOf(false)}::uuid[]) and ended_at is null`)
}

const FormRow = z.extend(z.omit(BankForm, { text: true }), { sealed: z.instanceof(Buffer) })

/** The wordings seen most often first. */
export async function listForms(db: Queries, sealer: Sealer): Promise<{ forms: BankForm[] }> {
  const rows = await db.rows(sql(FormRow)`
    select id as _id, bank, text_sealed as sealed, seen, proven, contradicted, seen_at
      from bank_forms order by seen desc, id limit ${FORMS_SHOWN}`)
  return {
    forms: rows.map(({ sealed, ...row }) => ({ ...row, text: sealer.open('bank-form', row._id, sealed) })),
  }
}
