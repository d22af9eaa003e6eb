/**
 * Keeps what messages without a template said, until a statement proves or contradicts it. Counts them by wording, so
 * that a release can add the ones that are right. An added sender is proven by it, or ended.
 */
import * as z from 'zod/mini'
import { columns, sql, type Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Sealer } from '../../platform/secrets/sealing.ts'
import { lockRecording, type Source } from '../credits/record-credits.ts'
import type { Statement } from '../reading/statements/statement.ts'
import { endContradicted, formKey, keepExamples, saidBy, type Received } from './learned-forms.ts'

/** Money counts once, by its first message. It counts for no other wording, and not after a statement has shown it. */
export async function noteReadings(tx: Transaction, sealer: Sealer, received: readonly Received[]): Promise<void> {
  const told = received.flatMap(saidBy)
  // Two phones may forward the same messages in another order
  if (told.length > 0) await lockRecording(tx)
  for (const said of told) {
    const { form, bank, accountId, ref, senderId, amountPaise, day, now } = said
    const id = newId()
    await tx.run(sql`
      with form as (
        insert into bank_forms (id, form_key, bank, text_sealed, seen, seen_at, sender_id)
        select ${id}::uuid, ${formKey(sealer, said)}::bytea, ${bank}::text,
               ${sealer.seal('bank-form', id, form)}::bytea, 1, ${now}::timestamptz, ${senderId}::uuid
         where not exists (select from bank_readings where account_id = ${accountId} and ref = ${ref})
           and not exists (select from bank_credit_refs join bank_credits on id = credit_id
                            where ref = ${ref} and proof = 'statement')
        on conflict (form_key) do update set seen = bank_forms.seen + 1, seen_at = excluded.seen_at
        returning id)
      insert into bank_readings (account_id, ref, form_id, sender_id, amount_paise, day, seen_at)
      select ${accountId}::uuid, ${ref}::text, id, ${senderId}::uuid, ${amountPaise}::bigint,
             ${day}::date, ${now}::timestamptz
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
           coalesce(credit.amount_paise = reading.amount_paise and credit.account_id = reading.account_id
                    and kind = 'payment' and proof = 'statement', false) as is_right
      from bank_readings reading
      left join (select ref, amount_paise, account_id, kind, proof from bank_credit_refs
                   join bank_credits credit on id = credit_id
                    -- Of money that an alert reported first, a statement with another sum leaves only a mark
                    and (proof = 'statement' or exists (select from bank_sightings differing
                                                         where differing.credit_id = credit.id
                                                           and why = 'differs' and import_id is not null))
                ) credit using (ref)
     where reading.account_id = ${accountId} and judged_at is null and (credit.ref is not null or ${covered})
     order by form_id, ref`)
  if (judged.length === 0) return
  const refs = judged.map(({ ref }) => ref)
  await tx.run(sql`
    update bank_readings set judged_at = ${now} where account_id = ${accountId} and ref = any(${refs}::text[])`)
  await tx.run(sql`
    update bank_forms form set proven = proven + of.right, contradicted = contradicted + of.wrong
      from (select form_id, count(*) filter (where is_right) as right, count(*) filter (where not is_right) as wrong
              from ${columns(judged, 'form_id uuid, is_right boolean')} as judged
             group by form_id) of
     where form.id = of.form_id`)
  await endContradicted(tx, judged, now)
  await keepExamples(tx, judged)
  const sendersOf = (wanted: boolean): string[] =>
    judged.flatMap(({ senderId, isRight }) => (isRight === wanted && senderId !== null ? [senderId] : []))
  await tx.run(sql`
    update bank_senders set proven_at = ${now} where id = any(${sendersOf(true)}::uuid[]) and proven_at is null`)
  await tx.run(sql`
    update bank_senders set ended_at = ${now}, ended_why = 'contradicted'
     where id = any(${sendersOf(false)}::uuid[]) and ended_at is null`)
}
