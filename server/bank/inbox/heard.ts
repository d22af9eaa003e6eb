/** What phones have sent lately, so that an owner sees why a message did not count. */
import * as z from 'zod/mini'
import { BankHeard } from '../../../contract/bank-alerts.ts'
import { AlertOutcome } from '../../../contract/bank-phones.ts'
import { bankKey } from '../../../contract/banks.ts'
import { Refusal } from '../../../contract/errors.ts'
import { dayAfter, dayOf } from '../../../contract/india.ts'
import { DAY_MS } from '../../../contract/time.ts'
import { columns, sql, type Database, type Queries, type Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Sealer } from '../../platform/secrets/sealing.ts'
import { bankOf, type AlertMessage, type AlertReading } from '../reading/alerts/read-alert.ts'
import { isCode } from '../reading/alerts/read-parts.ts'
import { lookAlike, registeredName } from './senders.ts'

const HEARD_MAX = 200
const COUNTED_DAYS = 30
const SENDER_KEPT = 60
/** A sender in the register's form, or an app's package. Anything else may be a person. */
const NO_PERSON = /^[A-Z]{2}-[A-Z0-9]{3,9}(?:-[A-Z])?$|^[a-z]\w*(?:\.\w+)+$/

interface HeardMessage extends AlertMessage {
  deviceId: string
  now: Date
  reading: Pick<AlertReading, 'outcome'> & { why?: string | null; accountId?: string | null | undefined }
}

const isNamed = ({ sender, text }: HeardMessage): boolean =>
  (NO_PERSON.test(sender) || bankOf(sender) !== undefined) && !isCode(text)

/** Keeps only a count of private messages and one-time codes. */
export function noteHeard(tx: Transaction, sealer: Sealer, received: readonly HeardMessage[]): void {
  const shown = received.filter(isNamed).map((message) => {
    const id = newId()
    return {
      ...message,
      ...message.reading,
      id,
      sender: message.sender.slice(0, SENDER_KEPT),
      heardAt: message.now,
      textSealed: sealedText(sealer, id, message),
      accountId: accountToAddTo(message),
    }
  })
  if (shown.length > 0)
    void tx.send(sql`
      insert into bank_heard (id, device_id, sender, outcome, why, stamped_at, heard_at, text_sealed, account_id)
      select * from ${columns(
        shown,
        `id uuid, device_id uuid, sender text, outcome text, why text,
          stamped_at timestamptz, heard_at timestamptz, text_sealed bytea, account_id uuid`,
      )} as heard`)
  const counted = received.map(({ deviceId, now, reading: { outcome } }) => ({ deviceId, day: dayOf(now), outcome }))
  void tx.send(sql`
    insert into bank_heard_days (device_id, day, outcome, count)
    select device_id, day, outcome, count(*)
      from ${columns(counted, 'device_id uuid, day date, outcome text')} as heard
     group by device_id, day, outcome order by device_id, day, outcome
    on conflict (device_id, day, outcome) do update set count = bank_heard_days.count + excluded.count`)
}

/** The account whose owner may add this sender. */
const accountToAddTo = ({ reading: { outcome, accountId = null }, sender }: HeardMessage): string | null =>
  outcome === 'refused' && registeredName(sender) !== undefined ? accountId : null

/** The text of a message that was read is kept in its sighting. */
const sealedText = (sealer: Sealer, id: string, { reading: { outcome }, text }: HeardMessage): Buffer | null =>
  outcome === 'credit' ? null : sealer.seal('bank-heard', id, text.replaceAll(/\p{Nd}/gu, '#'))

const Row = z.extend(z.omit(BankHeard, { text: true, add: true }), {
  id: z.string(),
  sealed: z.nullable(z.instanceof(Buffer)),
  accountId: z.nullable(z.string()),
})

/** @throws Refusal NOT_FOUND */
export async function listHeard(
  { db, sealer }: { db: Queries; sealer: Sealer },
  { id }: { id: string },
  now: Date,
): Promise<{ heard: BankHeard[]; counts: { day: string; outcome: AlertOutcome; count: number }[] }> {
  const device = await db.text(sql`select id from bank_devices where id = ${id}`)
  if (!device) throw new Refusal('NOT_FOUND')
  const rows = await db.rows(sql(Row)`
    select id, heard_at as at, sender, outcome, why, stamped_at, text_sealed as sealed,
           case when not exists (select from bank_senders added
                                  where added.account_id = bank_heard.account_id and ended_at is null
                                    and sender like '__-' || header || '%')
                then account_id end as account_id
      from bank_heard where device_id = ${id} and heard_at > ${new Date(now.getTime() - DAY_MS)}
     order by heard_at desc, id desc limit ${HEARD_MAX}`)
  const banks = await db.texts(sql`
    select bank from bank_accounts join bank_device_accounts on account_id = id where device_id = ${device}`)
  const own = banks.flatMap((bank) => bankKey(bank) ?? [])
  const counts = await db.rows(sql(() => z.object({ day: z.string(), outcome: AlertOutcome, count: z.number() }))`
    select day::text as day, outcome, count from bank_heard_days
     where device_id = ${id} and day > ${dayAfter(dayOf(now), -COUNTED_DAYS)}::date order by day desc, outcome`)
  return {
    heard: rows.map(({ id: messageId, sealed, accountId, ...row }) => ({
      ...row,
      text: sealed && sealer.open('bank-heard', messageId, sealed),
      add: accountId === null ? null : addition(accountId, registeredName(row.sender) ?? '', own),
    })),
    counts,
  }
}

/** Real sender names differ by one letter, so a similar name proves nothing. The owner only reads of it. */
const addition = (accountId: string, header: string, banks: readonly string[]): BankHeard['add'] => ({
  accountId,
  header,
  looksLike: lookAlike(header, banks) ?? null,
})

/** Erases messages after a day, those above 200 of a phone, and counts after 30 days. */
export async function forgetHeard(db: Database, now: Date): Promise<void> {
  await db.run(sql`
    delete from bank_heard where heard_at <= ${new Date(now.getTime() - DAY_MS)} or id in (
      select id from (select id, row_number() over (partition by device_id order by heard_at desc, id desc) as nth
                        from bank_heard) ranked where nth > ${HEARD_MAX})`)
  await db.run(sql`delete from bank_heard_days where day <= ${dayAfter(dayOf(now), -COUNTED_DAYS)}::date`)
}
