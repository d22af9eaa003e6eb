/**
 * How far the setup of a phone has come. Any message shows that the address is right. An SMS of the owner shows that
 * the app hears SMS, and one of the bank that it hears the bank.
 */
import * as z from 'zod/mini'
import { bankKey } from '../../../contract/banks.ts'
import type { bankPhones } from '../../../contract/bank-phones.ts'
import { columns, sql, type Transaction } from '../../platform/database/database.ts'
import type { Call } from '../../platform/http/http.ts'
import type { Sealer } from '../../platform/secrets/sealing.ts'
import type { Services } from '../../platform/services.ts'
import { APPS } from '../reading/alerts/wordings.ts'
import { banksOf, withFloor } from '../phones/devices.ts'
import { bankOf, type AddedSender } from '../reading/alerts/read-alert.ts'
import { registeredName } from './senders.ts'

export type SetupStep = 'reached' | 'sms' | 'bank'

/** What the owner sends as an SMS from another phone. The app's filter lets its first word through. */
export const testWords = (sealer: Sealer, deviceId: string): string =>
  `credited ${1_000 + (sealer.fingerprint(`bank test ${deviceId}`).readUInt16BE() % 9_000)}`

interface Known {
  accounts: readonly { bank: string }[]
  added: readonly AddedSender[]
  /** See `testWords`. */
  test: string
}

export function stepOf(
  { text, sender }: { text: string; sender: string },
  { accounts, added, test }: Known,
): SetupStep {
  if (text.toLowerCase() === test) return 'sms'
  const isBanks =
    Object.hasOwn(APPS, sender.trim()) ||
    accounts.some(({ bank }) => bankKey(bank) === (bankOf(sender) ?? '')) ||
    added.some(({ header }) => header === registeredName(sender))
  return isBanks ? 'bank' : 'reached'
}

interface Reached {
  deviceId: string
  step: SetupStep
  now: Date
}

/** Keeps when each step was reached last. A phone's last word is its last SMS: an app's own test shows no SMS. */
export async function noteSteps(tx: Transaction, received: readonly Reached[]): Promise<void> {
  await tx.run(sql`
    update bank_devices device
       set reached_at = coalesce(reached_at, heard.at), sms_at = greatest(sms_at, heard.sms),
           bank_at = greatest(bank_at, heard.bank), last_seen_at = greatest(last_seen_at, heard.sms, heard.bank)
      from (select device_id, min(now) as at, max(now) filter (where step = 'sms') as sms,
                   max(now) filter (where step = 'bank') as bank
              from ${columns(received, 'device_id uuid, step text, now timestamptz')} as message
             group by device_id order by device_id) heard
     where device.id = heard.device_id`)
}

const Row = z.object({ reached: z.boolean(), sms: z.boolean(), bank: z.boolean(), banks: z.array(z.string()) })

/** For the phone itself, which has only its token. */
export async function readSteps(
  { db, sealer }: Services,
  { device }: Call,
): Promise<z.output<typeof bankPhones.steps.output>> {
  if (!device) throw new Error('Only a phone asks for its own setup')
  const row = await db.one(sql(Row)`
    select reached_at is not null as reached, sms_at is not null as sms, bank_at is not null as bank,
           ${banksOf(sql`bank_devices.id`)} as banks
      from bank_devices where id = ${device.id}`)
  return { test: testWords(sealer, device.id), ...withFloor(row) }
}
