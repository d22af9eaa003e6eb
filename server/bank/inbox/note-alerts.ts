/** Records alerts: each sighting, and the credit that it reports. */
import * as z from 'zod/mini'
import { columns, sql, type Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Sealer } from '../../platform/secrets/sealing.ts'
import type { AlertedCredit, AlertMessage, AlertReading } from '../reading/alerts/read-alert.ts'
import { noteHeard } from './heard.ts'
import { withLearned } from './learned-forms.ts'
import { noteReadings } from './readings.ts'
import { newHints } from './same-hint.ts'
import { noteSteps, type SetupStep } from './setup-steps.ts'
import { recordCredits, type SeenCredit } from '../credits/record-credits.ts'
import { kindsBesideDebits, noteDebits } from '../credits/statement-credits.ts'

const HINT_WITHIN_MS = 15 * 60_000

const Key = z.object({ key: z.instanceof(Buffer) })

/** An alert with its text in one line. */
export interface ReceivedAlert extends AlertMessage {
  deviceId: string
  now: Date
  step: SetupStep
  reading: AlertReading
}

type ReadAlert = ReceivedAlert & { reading: Exclude<AlertReading, { outcome: 'ignored' | 'trial' }> }
type Fresh = ReadAlert & { key: Buffer; textKey: Buffer | null; seenAt: Date }
/** What happened to an alert. */
interface AlertResult {
  creditId: string | null
  why: string | null
}

/** @returns for each, in order, what it counts as, and false if it was seen before or records nothing */
export async function noteAlerts(
  tx: Transaction,
  sealer: Sealer,
  heard: readonly ReceivedAlert[],
): Promise<{ reading: AlertReading; isNew: boolean }[]> {
  const received = await withLearned(tx, sealer, heard)
  const left = received.flatMap(({ reading }) => (reading.outcome === 'ignored' ? (reading.left ?? []) : []))
  if (left.length > 0) await noteDebits(tx, sealer, left)
  const keyed = received.map((one) =>
    isRecorded(one) ? { ...one, ...keysOf(sealer, one), seenAt: one.now } : undefined,
  )
  const known = await readSightings(
    tx,
    keyed.flatMap((one) => one?.key ?? []),
  )
  const hints: ReadonlySet<unknown> = await newHints(
    tx,
    keyed.filter((one): one is Fresh & { textKey: Buffer } => one !== undefined && one.textKey !== null),
  )
  const fresh = keyed.filter((one): one is Fresh => {
    if (!one || known.has(one.key.toString('hex'))) return false
    if (one.textKey !== null && !hints.has(one)) return false
    known.add(one.key.toString('hex'))
    return true
  })
  const noted = await insertSightings(tx, sealer, fresh, await recordAlerts(tx, sealer, fresh))
  await noteReadings(tx, sealer, received)
  noteHeard(tx, sealer, received)
  await noteSteps(tx, received)
  return received.map(({ reading }, at) => {
    const one = keyed[at]
    return { reading, isNew: fresh.some((each) => each === one) && noted.has(one?.key.toString('hex') ?? '') }
  })
}

const isRecorded = (heard: ReceivedAlert): heard is ReadAlert => !['ignored', 'trial'].includes(heard.reading.outcome)

function keysOf(sealer: Sealer, alert: ReadAlert): Pick<Fresh, 'key' | 'textKey'> {
  const { reading, text, sender, stampedAt, now } = alert
  const { outcome } = reading
  if (outcome === 'hint') {
    const of = `${reading.credit.accountId ?? sender} ${text}`
    const moment = (stampedAt ?? now).toISOString()
    return { key: sealer.fingerprint(`bank hint ${moment} ${of}`), textKey: sealer.fingerprint(`bank hint ${of}`) }
  }
  // Anybody can send a copy that is refused. It must not make the bank's own text a repeat
  const kind = outcome === 'credit' ? 'read' : outcome
  return { key: sealer.fingerprint(`bank alert ${kind} ${text}`), textKey: null }
}

async function readSightings(tx: Transaction, keys: readonly Buffer[]): Promise<Set<string>> {
  const rows = await tx.rows(
    sql(Key)`select source_key as key from bank_sightings where source_key = any(${keys}::bytea[])`,
  )
  return new Set(rows.map(({ key }) => key.toString('hex')))
}

async function insertSightings(
  tx: Transaction,
  sealer: Sealer,
  fresh: readonly Fresh[],
  results: ReadonlyMap<Fresh, AlertResult>,
): Promise<Set<string>> {
  if (fresh.length === 0) return new Set()
  const rows = fresh.map((heard) => {
    const { reading, key, textKey, deviceId, text, stampedAt, now } = heard
    const { creditId = null, why = null } = results.get(heard) ?? {}
    const seen = 'credit' in reading ? reading.credit : undefined
    const { day, at } = seen ?? {}
    const unread = reading.outcome === 'unread' ? reading : undefined
    const outcome = reading.outcome === 'hint' && creditId !== null ? 'credit' : reading.outcome
    const accountId = seen?.accountId ?? unread?.accountId ?? null
    const amountPaise = seen?.amountPaise ?? unread?.amountPaise ?? null
    const id = newId()
    const sealed = unread || reading.outcome === 'proposed' ? sealer.seal('bank-sighting', id, text) : null
    const stamp = textKey && stampedAt
    const source = { id, key, textKey, stamp, deviceId, now }
    return { ...source, creditId, outcome, why, accountId, amountPaise, day, at, sealed }
  })
  const made = await tx.rows(sql(Key)`
    insert into bank_sightings (id, source_key, device_id, credit_id, outcome, why, account_id, amount_paise, day, at,
                                text_sealed, seen_at, text_key, stamped_at)
    select * from ${columns(
      rows,
      `id uuid, key bytea, device_id uuid, credit_id uuid, outcome text, why text,
        account_id uuid, amount_paise bigint, day date, at timestamptz, sealed bytea, now timestamptz, text_key bytea,
        stamp timestamptz`,
    )} as sighting
    on conflict (source_key) do nothing
    returning source_key as key`)
  return new Set(made.map(({ key }) => key.toString('hex')))
}

/** Records alerts of money, those of one phone and account together. */
async function recordAlerts(
  tx: Transaction,
  sealer: Sealer,
  fresh: readonly Fresh[],
): Promise<Map<Fresh, AlertResult>> {
  const results = new Map<Fresh, AlertResult>()
  const groups = new Map<string, { heard: Fresh; credit: AlertedCredit; accountId: string }[]>()
  for (const heard of fresh) {
    const { reading, deviceId } = heard
    if (!('credit' in reading)) results.set(heard, { creditId: null, why: reading.why })
    else if (reading.outcome !== 'hint') {
      const { credit } = reading
      const { accountId } = credit
      if (accountId === null) throw new Error('A credit has an account')
      const name = `${deviceId} ${accountId} ${reading.outcome}`
      groups.set(name, [...(groups.get(name) ?? []), { heard, credit, accountId }])
    }
  }
  for (const group of groups.values()) {
    const [first] = group
    if (!first) continue
    const { accountId, heard } = first
    const source = { accountId, importId: null, deviceId: heard.deviceId, sealer, now: heard.now }
    const kindOf = await kindsBesideDebits(
      tx,
      source,
      group.map(({ credit }) => credit),
    )
    const seen = group.map(({ credit: { bank: _, accountId: __, ...credit } }): SeenCredit => {
      const kind = kindOf({ ...credit, kind: 'payment' })
      return {
        ...credit,
        kind,
        proof: heard.reading.outcome === 'proposed' ? 'none' : 'alert',
        lineKey: null,
        line: null,
      }
    })
    const recorded = await recordCredits(tx, source, seen)
    for (const [nth, { heard: one }] of group.entries()) {
      const { creditId = null, agrees = true } = recorded[nth] ?? {}
      results.set(one, { creditId, why: agrees ? (one.reading.why ?? null) : 'differs' })
    }
  }
  // After the credits, because a hint may point to one of them
  for (const heard of fresh) {
    const { reading, deviceId } = heard
    if (reading.outcome !== 'hint') continue
    const creditId = await hinted(tx, deviceId, reading.credit)
    results.set(heard, { creditId, why: creditId === null ? (reading.why ?? 'no reference') : 'hint' })
  }
  return results
}

/** @returns the only credit that a hint can point to; null if there is none, or several */
async function hinted(tx: Transaction, deviceId: string, { accountId, amountPaise, at, day }: AlertedCredit) {
  const [from, to] = [-HINT_WITHIN_MS, HINT_WITHIN_MS].map((by) => at && new Date(at.getTime() + by))
  const found = await tx.texts(sql`
    select id from bank_credits
     where amount_paise = ${amountPaise}
       and (account_id = ${accountId}::uuid
            or ${accountId === null} and account_id in (select account_id from bank_device_accounts
                                                         where device_id = ${deviceId}))
       and (at between ${from ?? null}::timestamptz and ${to ?? null}::timestamptz
            or (at is null or ${at === null}) and day = ${day}::date)
     limit 2`)
  return found.length === 1 ? (found[0] ?? null) : null
}
