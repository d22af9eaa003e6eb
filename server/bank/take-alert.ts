/**
 * What becomes of a message at the phone's door. The same text is the same sighting, whichever phone sends it and
 * however often, and the same reference is the same credit. So a repeat of any age does nothing.
 */
import * as z from 'zod/mini'
import type { AlertOutcome } from '../../contract/bank-phones.ts'
import { sql, type Transaction } from '../platform/database/database.ts'
import type { Call, CallingDevice, SentText } from '../platform/http/http.ts'
import { newId } from '../platform/ids.ts'
import type { Services } from '../platform/services.ts'
import { alertMessage } from './alert-message.ts'
import { readAlert, type AlertedCredit, type AlertReading } from './read-alert.ts'
import { recordCredits } from './record-credits.ts'
import { settle } from './settle.ts'
import { oneLine } from './statement-cells.ts'

const HINT_WITHIN_MS = 15 * 60_000

const Account = z.object({ id: z.string(), bank: z.string(), tail: z.string() })
const Id = z.object({ id: z.string() })

interface Heard {
  device: CallingDevice
  text: string
  now: Date
}

/** @returns what became of it, and never more, because a stolen token must not ask the store anything */
export async function takeAlert(services: Services, sent: SentText, call: Call): Promise<AlertOutcome> {
  const { db, events } = services
  const { device, now } = call
  if (!device) throw new Error('Only a phone can send alerts')
  const message = alertMessage(sent.text, sent.contentType, sent.sender)
  const accounts = await db.rows(
    Account,
    sql`
    select account.id, bank, tail from bank_device_accounts join bank_accounts account on account.id = account_id
     where device_id = ${device.id} and closed_at is null
     order by account.created_at, account.id`,
  )
  const reading: AlertReading = device.isPaused
    ? { outcome: 'ignored', why: 'paused' }
    : readAlert(message, accounts, now)
  const heard = { device, text: oneLine(message.text), now }
  const isNew = await db.transaction(async (tx) => {
    const noted = reading.outcome !== 'ignored' && (await note(tx, services, heard, reading))
    await tx.run(sql`update bank_devices set last_seen_at = greatest(last_seen_at, ${now}) where id = ${device.id}`)
    return noted
  })
  events.publish({ to: 'admins', name: 'bank', data: {} })
  if (isNew && reading.outcome === 'credit')
    await settle(services, reading.credit.refs).catch((err: unknown) => {
      // The job settles it within a minute, and the phone must not send it again
      call.log.warn({ err }, 'an alert was not settled')
    })
  return reading.outcome
}

/** @returns false when it was seen before */
async function note(
  tx: Transaction,
  { sealer }: Services,
  heard: Heard,
  reading: Exclude<AlertReading, { outcome: 'ignored' }>,
): Promise<boolean> {
  const { outcome } = reading
  // A refused copy of a text, from anybody, must not hide the bank's own
  const kind = outcome === 'refused' || outcome === 'unread' ? outcome : 'read'
  const sourceKey = sealer.fingerprint(`bank alert ${kind} ${heard.text}`)
  const known = await tx.maybe(Id, sql`select id from bank_sightings where source_key = ${sourceKey}`)
  if (known) return false
  const seen = 'credit' in reading ? reading.credit : undefined
  const told = await creditOf(tx, sealer, heard, reading)
  const made = await tx.run(sql`
    insert into bank_sightings (id, source_key, device_id, credit_id, outcome, why, account_id, amount_paise, day, at,
                                text_sealed, seen_at)
    values (${newId()}, ${sourceKey}, ${heard.device.id}, ${told.creditId}::uuid,
            ${outcome === 'hint' && told.creditId ? 'credit' : outcome}, ${told.why},
            ${seen ? seen.accountId : outcome === 'unread' ? reading.accountId : null}::uuid,
            ${seen ? seen.amountPaise : outcome === 'unread' ? reading.amountPaise : null}::bigint,
            ${seen?.day ?? null}::date, ${seen?.at ?? null}::timestamptz,
            ${outcome === 'unread' ? sealer.seal(heard.text) : null}::bytea, ${heard.now})
    on conflict (source_key) do nothing`)
  return made > 0
}

interface Told {
  creditId: string | null
  why: string | null
}

async function creditOf(
  tx: Transaction,
  sealer: Services['sealer'],
  { device, now }: Heard,
  reading: Exclude<AlertReading, { outcome: 'ignored' }>,
): Promise<Told> {
  if (!('credit' in reading)) return { creditId: null, why: reading.why }
  const { credit } = reading
  if (reading.outcome === 'hint') {
    const creditId = await hinted(tx, device, credit)
    return { creditId, why: creditId === null ? 'no reference' : 'hint' }
  }
  if (credit.accountId === null) throw new Error('A credit has an account')
  const { bank: _, accountId, ...seen } = credit
  const [recorded] = await recordCredits(tx, { accountId, importId: null, deviceId: device.id, sealer, now }, [
    { ...seen, kind: 'payment', proof: 'alert', lineKey: null, line: null },
  ])
  if (!recorded) throw new Error('Nothing was recorded')
  return { creditId: recorded.creditId, why: recorded.agrees ? null : 'differs' }
}

/** @returns the one credit that a hint can mean; null when there is none, or several */
async function hinted(tx: Transaction, device: CallingDevice, { accountId, amountPaise, at, day }: AlertedCredit) {
  const [from, to] = [-HINT_WITHIN_MS, HINT_WITHIN_MS].map((by) => at && new Date(at.getTime() + by))
  const found = await tx.rows(
    Id,
    sql`
    select id from bank_credits
     where amount_paise = ${amountPaise}
       and (account_id = ${accountId}::uuid
            or ${accountId === null} and account_id in (select account_id from bank_device_accounts
                                                         where device_id = ${device.id}))
       and (at between ${from ?? null}::timestamptz and ${to ?? null}::timestamptz
            or (at is null or ${at === null}) and day = ${day}::date)
     limit 2`,
  )
  return found.length === 1 ? (found[0]?.id ?? null) : null
}
