/** What phones have sent lately, so that an owner sees why a message did not count. */
import * as z from 'zod/mini'
import { AlertOutcome, type BankHeard } from '../../../contract/bank-phones.ts'
import { Refusal } from '../../../contract/errors.ts'
import { dayAfter, dayOf } from '../../../contract/india.ts'
import { DAY_MS } from '../../../contract/time.ts'
import { sql, type Database, type Queries, type Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Sealer } from '../../platform/secrets/sealing.ts'
import { bankOf, type AlertReading } from './read-alert.ts'
import { isCode } from './read-parts.ts'

const HEARD_MAX = 200
const COUNTED_DAYS = 30
const SENDER_KEPT = 60
/** A sender in the register's form, or an app's package. Anything else may be a person. */
const NO_PERSON = /^[A-Z]{2}-[A-Z0-9]{3,9}(?:-[A-Z])?$|^[a-z]\w*(?:\.\w+)+$/

export interface HeardMessage {
  deviceId: string
  text: string
  sender: string
  stampedAt: Date | null
  now: Date
  reading: Pick<AlertReading, 'outcome'> & { why?: string | null }
}

const isNamed = ({ sender, text }: HeardMessage): boolean =>
  (NO_PERSON.test(sender) || bankOf(sender) !== undefined) && !isCode(text)

/** Of people's messages and one-time codes it keeps nothing but a count. */
export function noteHeard(tx: Transaction, sealer: Sealer, received: readonly HeardMessage[]): void {
  const shown = received.filter(isNamed)
  if (shown.length > 0)
    void tx.send(sql`
      insert into bank_heard (id, device_id, sender, outcome, why, stamped_at, heard_at, text_sealed)
      select * from unnest(${shown.map(() => newId())}::uuid[], ${shown.map(({ deviceId }) => deviceId)}::uuid[],
                           ${shown.map(({ sender }) => sender.slice(0, SENDER_KEPT))}::text[],
                           ${shown.map(({ reading }) => reading.outcome)}::text[],
                           ${shown.map(({ reading }) => reading.why ?? null)}::text[],
                           ${shown.map(({ stampedAt }) => stampedAt)}::timestamptz[],
                           ${shown.map(({ now }) => now)}::timestamptz[],
                           ${shown.map((message) => sealedText(sealer, message))}::bytea[])`)
  void tx.send(sql`
    insert into bank_heard_days (device_id, day, outcome, count)
    select device_id, day, outcome, count(*)
      from unnest(${received.map(({ deviceId }) => deviceId)}::uuid[],
                  ${received.map(({ now }) => dayOf(now))}::date[],
                  ${received.map(({ reading }) => reading.outcome)}::text[]) as heard (device_id, day, outcome)
     group by device_id, day, outcome order by device_id, day, outcome
    on conflict (device_id, day, outcome) do update set count = bank_heard_days.count + excluded.count`)
}

/** What was read stands elsewhere. */
const sealedText = (sealer: Sealer, { reading: { outcome }, text }: HeardMessage): Buffer | null =>
  outcome === 'credit' ? null : sealer.seal(text.replaceAll(/\p{Nd}/gu, '#'))

const Row = z.object({
  at: z.date(),
  sender: z.string(),
  outcome: AlertOutcome,
  why: z.nullable(z.string()),
  stampedAt: z.nullable(z.date()),
  sealed: z.nullable(z.instanceof(Buffer)),
})

/** @throws Refusal NOT_FOUND */
export async function listHeard(
  { db, sealer }: { db: Queries; sealer: Sealer },
  { id }: { id: string },
  now: Date,
): Promise<{ heard: BankHeard[]; counts: { day: string; outcome: AlertOutcome; count: number }[] }> {
  const device = await db.maybe(z.object({ id: z.string() }), sql`select id from bank_devices where id = ${id}`)
  if (!device) throw new Refusal('NOT_FOUND')
  const rows = await db.rows(
    Row,
    sql`
    select heard_at as at, sender, outcome, why, stamped_at, text_sealed as sealed
      from bank_heard where device_id = ${id} and heard_at > ${new Date(now.getTime() - DAY_MS)}
     order by heard_at desc, id desc limit ${HEARD_MAX}`,
  )
  const counts = await db.rows(
    z.object({ day: z.string(), outcome: AlertOutcome, count: z.number() }),
    sql`
    select day::text as day, outcome, count from bank_heard_days
     where device_id = ${id} and day > ${dayAfter(dayOf(now), -COUNTED_DAYS)}::date order by day desc, outcome`,
  )
  return {
    heard: rows.map(({ at, stampedAt, sealed, ...row }) => ({
      ...row,
      at: at.toISOString(),
      stampedAt: stampedAt?.toISOString() ?? null,
      text: sealed && sealer.open(sealed),
    })),
    counts,
  }
}

/** Erases messages after a day, those above 200 of a phone, and counts after 30 days. */
export async function forgetHeard(db: Database, now: Date): Promise<void> {
  await db.run(sql`
    delete from bank_heard where heard_at <= ${new Date(now.getTime() - DAY_MS)} or id in (
      select id from (select id, row_number() over (partition by device_id order by heard_at desc, id desc) as nth
                        from bank_heard) ranked where nth > ${HEARD_MAX})`)
  await db.run(sql`delete from bank_heard_days where day <= ${dayAfter(dayOf(now), -COUNTED_DAYS)}::date`)
}
