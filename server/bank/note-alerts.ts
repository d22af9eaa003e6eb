/** Writes down what alerts say: sightings, and the credits that they tell of. */
import * as z from 'zod/mini'
import { sql, type Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import type { Sealer } from '../platform/sealing.ts'
import type { AlertedCredit, AlertReading } from './read-alert.ts'
import { recordCredits } from './record-credits.ts'

const HINT_WITHIN_MS = 15 * 60_000

const Id = z.object({ id: z.string() })

export interface Heard {
  deviceId: string
  /** On one line. */
  text: string
  now: Date
  reading: Exclude<AlertReading, { outcome: 'ignored' }> | { outcome: 'ignored' }
}

type Told = Heard & { reading: Exclude<AlertReading, { outcome: 'ignored' }> }

/** @returns for each, in their order, false when it was seen before or leaves nothing */
export async function noteAlerts(tx: Transaction, sealer: Sealer, heard: readonly Heard[]): Promise<boolean[]> {
  const keys = heard.map((one) => (isTold(one) ? keyOf(sealer, one) : null))
  const known = new Set((await readSightings(tx, keys)).map((key) => key.toString('hex')))
  const isNew = keys.map((key) => {
    const name = key?.toString('hex')
    if (name === undefined || known.has(name)) return false
    known.add(name)
    return true
  })
  for (const [nth, one] of heard.entries()) {
    const key = keys[nth]
    if (isNew[nth] && key && isTold(one)) isNew[nth] = await note(tx, sealer, one, key)
  }
  const devices = new Map(heard.map(({ deviceId, now }) => [deviceId, now]))
  await tx.run(sql`
    update bank_devices set last_seen_at = greatest(last_seen_at, heard.at)
      from unnest(${[...devices.keys()]}::uuid[], ${[...devices.values()]}::timestamptz[]) as heard (id, at)
     where bank_devices.id = heard.id`)
  return isNew
}

const isTold = (heard: Heard): heard is Told => heard.reading.outcome !== 'ignored'

function keyOf(sealer: Sealer, { reading: { outcome }, text }: Told): Buffer {
  // A refused copy of a text, from anybody, must not hide the bank's own
  const kind = outcome === 'refused' || outcome === 'unread' ? outcome : 'read'
  return sealer.fingerprint(`bank alert ${kind} ${text}`)
}

async function readSightings(tx: Transaction, keys: readonly (Buffer | null)[]): Promise<Buffer[]> {
  const rows = await tx.rows(
    z.object({ key: z.instanceof(Buffer) }),
    sql`select source_key as key from bank_sightings where source_key = any(${keys}::bytea[])`,
  )
  return rows.map(({ key }) => key)
}

async function note(tx: Transaction, sealer: Sealer, heard: Told, sourceKey: Buffer): Promise<boolean> {
  const { reading, deviceId, now } = heard
  const { outcome } = reading
  const seen = 'credit' in reading ? reading.credit : undefined
  const told = await creditOf(tx, sealer, heard)
  const made = await tx.run(sql`
    insert into bank_sightings (id, source_key, device_id, credit_id, outcome, why, account_id, amount_paise, day, at,
                                text_sealed, seen_at)
    values (${newId()}, ${sourceKey}, ${deviceId}, ${told.creditId}::uuid,
            ${outcome === 'hint' && told.creditId ? 'credit' : outcome}, ${told.why},
            ${seen ? seen.accountId : outcome === 'unread' ? reading.accountId : null}::uuid,
            ${seen ? seen.amountPaise : outcome === 'unread' ? reading.amountPaise : null}::bigint,
            ${seen?.day ?? null}::date, ${seen?.at ?? null}::timestamptz,
            ${outcome === 'unread' ? sealer.seal(heard.text) : null}::bytea, ${now})
    on conflict (source_key) do nothing`)
  return made > 0
}

async function creditOf(
  tx: Transaction,
  sealer: Sealer,
  { deviceId, now, reading }: Told,
): Promise<{ creditId: string | null; why: string | null }> {
  if (!('credit' in reading)) return { creditId: null, why: reading.why }
  const { credit } = reading
  if (reading.outcome === 'hint') {
    const creditId = await hinted(tx, deviceId, credit)
    return { creditId, why: creditId === null ? 'no reference' : 'hint' }
  }
  if (credit.accountId === null) throw new Error('A credit has an account')
  const { bank: _, accountId, ...seen } = credit
  const [recorded] = await recordCredits(tx, { accountId, importId: null, deviceId, sealer, now }, [
    { ...seen, kind: 'payment', proof: 'alert', lineKey: null, line: null },
  ])
  if (!recorded) throw new Error('Nothing was recorded')
  return { creditId: recorded.creditId, why: recorded.agrees ? null : 'differs' }
}

/** @returns the one credit that a hint can mean; null when there is none, or several */
async function hinted(tx: Transaction, deviceId: string, { accountId, amountPaise, at, day }: AlertedCredit) {
  const [from, to] = [-HINT_WITHIN_MS, HINT_WITHIN_MS].map((by) => at && new Date(at.getTime() + by))
  const found = await tx.rows(
    Id,
    sql`
    select id from bank_credits
     where amount_paise = ${amountPaise}
       and (account_id = ${accountId}::uuid
            or ${accountId === null} and account_id in (select account_id from bank_device_accounts
                                                         where device_id = ${deviceId}))
       and (at between ${from ?? null}::timestamptz and ${to ?? null}::timestamptz
            or (at is null or ${at === null}) and day = ${day}::date)
     limit 2`,
  )
  return found.length === 1 ? (found[0]?.id ?? null) : null
}
