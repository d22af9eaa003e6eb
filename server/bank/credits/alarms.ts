/** Alarms: what an admin must check. Some turn automatic approval off. */
import * as z from 'zod/mini'
import { BankAlarm, type AlarmKind, type OffReason, type PauseReason } from '../../../contract/bank-shapes.ts'
import type { bank } from '../../../contract/bank.ts'
import { Refusal } from '../../../contract/errors.ts'
import { PAGE_SIZE_MAX } from '../../../contract/limits.ts'
import { HOUR_MS, MINUTE_MS } from '../../../contract/time.ts'
import { audit } from '../../audit/audit.ts'
import { sql, type Database, type Queries, type Sql, type Transaction } from '../../platform/database/database.ts'
import type { Call } from '../../platform/http/http.ts'
import { newId } from '../../platform/ids.ts'
import { enqueue } from '../../platform/outbox.ts'

interface About {
  creditId?: string | null
  topUpId?: string | null
  deviceId?: string | null
}

/** Raises an alarm unless there is one of the same kind and subject. @returns true for a new one */
export async function raiseAlarm(
  tx: Transaction,
  kind: AlarmKind,
  { creditId = null, topUpId = null, deviceId = null }: About,
  now: Date,
): Promise<boolean> {
  const isSame = sql`credit_id is not distinct from ${creditId}::uuid
                     and topup_id is not distinct from ${topUpId}::uuid`
  const isUp = kind === 'automation-off' ? sql`closed_at is null` : sql`true`
  const raised = await tx.run(sql`
    insert into bank_alarms (id, kind, credit_id, topup_id, device_id, at)
    select ${newId()}, ${kind}, ${creditId}, ${topUpId}, ${deviceId}, ${now}
     where not exists (select from bank_alarms where kind = ${kind} and ${isSame} and ${isUp})`)
  if (raised > 0) await tellAlarm(tx, kind, now)
  return raised > 0
}

/** A message that is due within this time may be sent before this alarm is counted in it. Then there is another one. */
const MARGIN_MS = MINUTE_MS

/** The first alarm is sent right away. Those of the hour after it are sent together at its end. */
async function tellAlarm(tx: Transaction, alarm: AlarmKind, now: Date): Promise<void> {
  const kind = alarm === 'automation-off' ? 'bank.automation-off' : 'bank.alarm'
  const { last } = await tx.one(sql(() => z.object({ last: z.nullable(z.date()) }))`
    select max(not_before) as last from outbox_messages
     where kind = ${kind} and data->>'alarm' = ${alarm} and not_before > ${new Date(now.getTime() - HOUR_MS)}`)
  if (last && last.getTime() > now.getTime() + MARGIN_MS) return
  const notBefore = last ? new Date(last.getTime() + HOUR_MS) : now
  enqueue(tx, { kind, data: { alarm }, notBefore, now })
}

/** Turns automatic approval off until an owner turns it on again. Does nothing when it is off. */
export async function switchOff(tx: Transaction, why: OffReason, now: Date): Promise<void> {
  const switched = await tx.run(sql`update bank_rules set mode = 'propose', off_why = ${why} where mode <> 'propose'`)
  if (switched > 0) await raiseAlarm(tx, 'automation-off', {}, now)
}

/** Pauses the phones whose alerts reported a credit, and the one that reports now. */
export async function pauseAlertsOf(
  tx: Transaction,
  creditId: string,
  { deviceId, now }: { deviceId?: string | null; now: Date },
  why: PauseReason,
): Promise<void> {
  await tx.run(sql`
    update bank_devices set paused_at = ${now}, paused_why = ${why}
     where paused_at is null and ended_at is null
       and (id = ${deviceId ?? null}::uuid
            or id in (select device_id from bank_sightings where credit_id = ${creditId} and device_id is not null
                                                        and outcome = 'credit'))`)
}

/** Turns automatic approval off in a restored store, because its owner may have turned it off after the backup. */
export async function waitForOwner(tx: Transaction, now: Date): Promise<void> {
  await switchOff(tx, 'restored', now)
  await tx.run(sql`
    update bank_devices set paused_at = ${now}, paused_why = 'restored' where paused_at is null and ended_at is null`)
}

const readAlarms = (db: Queries, which: Sql): Promise<BankAlarm[]> =>
  db.rows(sql(BankAlarm)`
    select id as _id, kind, at, credit_id, topup_id as top_up_id, device_id, closed_at from bank_alarms ${which}`)

export async function listAlarms(
  db: Database,
  { limit = PAGE_SIZE_MAX, skip = 0, open }: z.output<(typeof bank.alarms)['input']>,
): Promise<{ alarms: BankAlarm[]; total: number }> {
  const wanted = open ? sql`closed_at is null` : sql`true`
  const [alarms, total] = await Promise.all([
    readAlarms(db, sql`where ${wanted} order by closed_at is not null, at desc, id desc limit ${limit} offset ${skip}`),
    db.count(sql`select count(*) from bank_alarms where ${wanted}`),
  ])
  return { alarms, total }
}

/** @throws Refusal NOT_FOUND for an alarm that is not open */
export async function closeAlarm(
  db: Database,
  { id, note }: { id: string; note: string },
  by: Call<'admin'>,
): Promise<BankAlarm> {
  return db.transaction(async (tx) => {
    const closed = await tx.run(sql`
      update bank_alarms set closed_at = ${by.now}, closed_by = ${by.admin.id}, note = ${note}
       where id = ${id} and closed_at is null`)
    const [alarm] = await readAlarms(tx, sql`where id = ${id}`)
    if (closed === 0 || !alarm) throw new Refusal('NOT_FOUND')
    await audit(tx, by, { action: 'bank.close-alarm', subject: `${alarm.kind} (${id})`, after: { note } })
    return alarm
  })
}
