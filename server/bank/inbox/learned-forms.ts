/**
 * Wordings that only this store knows. Ten proven payments and no contradiction let an owner decide that one counts as
 * an alert, under the same limits as those that a release knows. The whole text must be the wording's, so a payer who
 * imitates one makes another. One contradiction ends it for good.
 */
import * as z from 'zod/mini'
import { BankForm, type bankAlerts } from '../../../contract/bank-alerts.ts'
import { Refusal } from '../../../contract/errors.ts'
import { audit } from '../../audit/audit.ts'
import { sql, type Queries, type Sql, type Transaction } from '../../platform/database/database.ts'
import type { Call } from '../../platform/http/http.ts'
import type { Sealer } from '../../platform/secrets/sealing.ts'
import type { Services } from '../../platform/services.ts'
import { raiseAlarm } from '../credits/alarms.ts'
import { lockRecording } from '../credits/record-credits.ts'
import { isCertain } from '../reading/alerts/form-of.ts'
import type { AlertReading } from '../reading/alerts/read-alert.ts'

export interface Received {
  now: Date
  reading: AlertReading
}

const FORMS_SHOWN = 50
const EXAMPLES_KEPT = 10
const PROVEN_MIN = 10

/** @returns what a message in a wording that no release knows says of money */
export function saidBy({ reading, now }: Received) {
  const { form } = 'form' in reading ? reading : {}
  const said = 'credit' in reading ? reading.credit : reading.outcome === 'trial' ? reading.said : undefined
  const { accountId, bank, refs: [ref] = [], amountPaise, day } = said ?? {}
  if (!form || !accountId || ref === undefined) return []
  const senderId = 'senderId' in reading ? reading.senderId : null
  return [{ form: form.text, accountId, bank: bank ?? '', ref, amountPaise, day, senderId: senderId ?? null, now }]
}

/** What a wording is known by. An added sender has wordings of its own, which are never learned. */
export const formKey = (
  sealer: Sealer,
  { bank, senderId, form }: { bank: string; senderId: string | null; form: string },
) => sealer.fingerprint(['bank form', bank, ...(senderId === null ? [] : [senderId]), form].join(' '))

/** @returns the messages, with those in a wording that the owner lets count as alerts of one that a release knows */
export async function withLearned<T extends Received>(
  tx: Transaction,
  sealer: Sealer,
  received: readonly T[],
): Promise<T[]> {
  const asked = received.map((message) => {
    const [said] = message.reading.outcome === 'proposed' ? saidBy(message) : []
    return said?.senderId === null && isCertain(said.form) ? formKey(sealer, said) : undefined
  })
  const keys = asked.filter((key) => key !== undefined)
  if (keys.length === 0) return [...received]
  // A statement that is being recorded may end one
  await lockRecording(tx)
  const learned = await tx.texts(sql`
    select encode(form_key, 'hex') from bank_forms where learned_at is not null and form_key = any(${keys}::bytea[])`)
  return received.map((message, at) => {
    const { reading } = message
    const moment = 'form' in reading ? reading.form?.moment : undefined
    if (!learned.includes(asked[at]?.toString('hex') ?? '') || !moment || !('credit' in reading)) return message
    return { ...message, reading: { ...reading, outcome: 'credit', credit: { ...reading.credit, ...moment } } }
  })
}

interface Judged {
  ref: string
  formId: string
  isRight: boolean
}

/** Ends learned wordings by which a message said what a statement denies, and tells. */
export async function endContradicted(tx: Transaction, judged: readonly Judged[], now: Date): Promise<void> {
  const wrong = judged.filter(({ isRight }) => !isRight)
  const ended = await tx.texts(sql`
    update bank_forms set learned_at = null, ended_at = ${now}
     where learned_at is not null and id = any(${wrong.map(({ formId }) => formId)}::uuid[]) returning id`)
  for (const { ref } of wrong.filter(({ formId }) => ended.includes(formId))) {
    const creditId = await tx.text(sql`select credit_id from bank_credit_refs where ref = ${ref}`)
    await raiseAlarm(tx, 'wording-ended', { creditId: creditId ?? null }, now)
  }
}

/** Keeps only the latest right readings of each wording. */
export async function keepExamples(tx: Transaction, judged: readonly Judged[]): Promise<void> {
  const [wrong, forms] = [judged.filter(({ isRight }) => !isRight), judged.map(({ formId }) => formId)]
  await tx.run(sql`
    delete from bank_readings
     where judged_at is not null and form_id = any(${forms}::uuid[])
       and (ref = any(${wrong.map(({ ref }) => ref)}::text[])
            or (account_id, ref) not in (
              select account_id, ref
                from (select account_id, ref, row_number() over (partition by form_id order by day desc, ref) as nth
                        from bank_readings where judged_at is not null and form_id = any(${forms}::uuid[])) ranked
               where nth <= ${EXAMPLES_KEPT}))`)
}

const FormRow = z.extend(z.omit(BankForm, { text: true, mayLearn: true }), {
  sealed: z.instanceof(Buffer),
  isProven: z.boolean(),
})

const readForms = async (db: Queries, sealer: Sealer, which: Sql): Promise<BankForm[]> => {
  const rows = await db.rows(sql(FormRow)`
    select id as _id, bank, text_sealed as sealed, seen, proven, contradicted, seen_at, learned_at, ended_at,
           proven >= ${PROVEN_MIN} and contradicted = 0 and sender_id is null and ended_at is null as is_proven,
           (select coalesce(jsonb_agg(jsonb_build_object('amount', amount_paise, 'day', day,
                                                         'ref', right(ref, 3)) order by day desc, ref), '[]')
              from bank_readings where form_id = form.id and judged_at is not null) as examples
      from bank_forms form where ${which}
     order by learned_at is null, seen desc, id limit ${FORMS_SHOWN}`)
  return rows.map(({ sealed, isProven, ...row }) => {
    const text = sealer.open('bank-form', row._id, sealed)
    return { ...row, text, mayLearn: isProven && isCertain(text) }
  })
}

/** Lists wordings: the learned ones first, then those seen most often. */
export const listForms = async (db: Queries, sealer: Sealer): Promise<{ forms: BankForm[] }> => ({
  forms: await readForms(db, sealer, sql`true`),
})

/** @throws Refusal STEP_UP_REQUIRED, NOT_FOUND, and INVALID_INPUT for a wording that is not proven */
export async function learnForm(
  { db, events, sealer }: Services,
  { id, learned }: z.output<(typeof bankAlerts.learnForm)['input']>,
  by: Call<'admin'>,
): Promise<BankForm> {
  if (learned) by.requireProof()
  const after = await db.transaction(async (tx) => {
    await lockRecording(tx)
    const [before] = await readForms(tx, sealer, sql`id = ${id}`)
    if (!before) throw new Refusal('NOT_FOUND')
    const say = ['Statements must have confirmed this wording {count} times first.', { count: PROVEN_MIN }] as const
    if (learned && !before.mayLearn) throw new Refusal('INVALID_INPUT', { say })
    if (learned === (before.learnedAt !== null)) return before
    await tx.run(sql`update bank_forms set learned_at = ${learned ? by.now : null} where id = ${id}`)
    const action = learned ? 'bank.learn-wording' : 'bank.forget-wording'
    await audit(tx, by, { action, subject: `${before.bank} (${id})` })
    return (await readForms(tx, sealer, sql`id = ${id}`))[0] ?? before
  })
  events.publish({ to: 'admins', name: 'bank', data: {} })
  return after
}
