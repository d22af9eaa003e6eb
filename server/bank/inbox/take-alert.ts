/**
 * Takes a message that a phone forwards. The same text is the same sighting, whichever phone sends it and
 * however often, and the same reference is the same credit. So a repeat of any age does nothing.
 */
import * as z from 'zod/mini'
import type { AlertOutcome } from '../../../contract/bank-phones.ts'
import { coalesce } from '../../platform/load/coalesce.ts'
import { openGroupCommit } from '../../platform/database/group-commit.ts'
import { sql, type Queries } from '../../platform/database/database.ts'
import type { Call, SentText } from '../../platform/http/http.ts'
import type { Services } from '../../platform/services.ts'
import { alertMessage } from '../reading/alerts/alert-message.ts'
import { stepOf, testWords } from './setup-steps.ts'
import { noteAlerts, type ReceivedAlert } from './note-alerts.ts'
import { bankOf, readAlert } from '../reading/alerts/read-alert.ts'
import { readAdded, registeredName } from './senders.ts'
import { settle } from '../matching/settle.ts'
import { oneLine } from '../reading/cells.ts'

const Account = z.object({ id: z.string(), bank: z.string(), tail: z.string() })

/** Most senders are in the list of banks, so added ones are rarely looked up. */
const addedTo = async (db: Queries, sender: string, accounts: readonly { id: string }[]) =>
  bankOf(sender) === undefined && registeredName(sender) !== undefined
    ? readAdded(
        db,
        accounts.map(({ id }) => id),
      )
    : []

/**
 * Takes alerts. Those that arrive together share a transaction, because one recording waits for the other; and they
 * are settled together.
 * @returns what happened to one, and no more, because a stolen token must learn nothing from the store
 */
export function openAlertDoor(services: Services): (sent: SentText, call: Call) => Promise<AlertOutcome> {
  const { db, events } = services
  const notes = openGroupCommit<ReceivedAlert, Awaited<ReturnType<typeof noteAlerts>>[number]>({
    tooMany: 'too many alerts wait',
    ownerOf: () => '',
    commit: (received) => db.transaction((tx) => noteAlerts(tx, services.sealer, received), { onePlan: true }),
  })
  const settleSoon = coalesce(async (refs: readonly (readonly string[])[]) => {
    await settle(services, refs.flat())
    return refs.map(() => undefined)
  })
  return async (sent, { device, now, log }) => {
    if (!device) throw new Error('Only a phone can send alerts')
    const message = alertMessage(sent.text, sent.contentType, sent.sender)
    const accounts = await db.rows(sql(Account)`
      select account.id, bank, tail from bank_device_accounts join bank_accounts account on account.id = account_id
       where device_id = ${device.id} and closed_at is null
       order by account.created_at, account.id`)
    const { sender, stampedAt } = message
    const text = oneLine(message.text)
    const added = await addedTo(db, sender, accounts)
    const step = stepOf({ text, sender }, { accounts, added, test: testWords(services.sealer, device.id) })
    const read =
      device.isPaused || step === 'sms'
        ? ({ outcome: 'ignored', why: step === 'sms' ? 'test' : 'paused' } as const)
        : readAlert(message, accounts, now, added)
    const alert = { deviceId: device.id, text, sender, stampedAt, now, step, reading: read }
    const { reading, isNew } = await notes.place(alert, now)
    events.publish({ to: 'admins', name: 'bank', data: {} })
    if (isNew && reading.outcome === 'credit')
      await settleSoon(reading.credit.refs).catch((err: unknown) => {
        // The job settles it within a minute, and the phone must not send it again
        log.warn({ err }, 'an alert was not settled')
      })
    return reading.outcome
  }
}
