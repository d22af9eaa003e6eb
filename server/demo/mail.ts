/** Turns e-mail on in the demo: its buyers confirm their addresses, and read what the store tells them. */
import type { Api } from '../../contract/api.ts'
import type { Client } from '../../contract/client.ts'
import { DAY_MS } from '../../contract/time.ts'
import { startOfDay } from '../../contract/india.ts'
import type { Reach } from '../messages/channels/reach.ts'
import { sendDue } from '../messages/worker.ts'
import type { Services } from '../platform/services.ts'
import { remind } from '../reminders/remind.ts'
import type { DemoMail } from '../messages/channels/email.ts'

/** The parts of a store that send messages. */
export interface Sending {
  services: Services
  reach: Reach
}

interface Mailing {
  app: Sending
  mails: DemoMail[]
  owner: Client<Api>
  buyers: ReadonlyMap<string, Client<Api>>
}

const REMINDERS_FROM_MS = 10 * 3_600_000

/** Reminders come by mail only to who wants that. */
const BY_MAIL = ['key.ending', 'credit.lapsing'] as const

/** @returns the last moment at which reminders of a day began */
export function lastReminders(now: Date): Date {
  const today = startOfDay(now).getTime() + REMINDERS_FROM_MS
  return new Date(today > now.getTime() ? today - DAY_MS : today)
}

export async function openMail({ app, mails, owner, buyers }: Mailing): Promise<void> {
  await owner.messages.saveChannel({ name: 'email', isOn: true, host: '127.0.0.1', port: 25, from: 'store@example.in' })
  for (const buyer of buyers.values()) {
    await buyer.sessions.proveEmail({})
    await sendDue(app.services, app.reach)
    const { email } = await buyer.sessions.me({})
    // The owner may have been sent something as well
    const text = mails.find(({ to }) => to === email)?.text
    await buyer.sessions.emailProven({ token: text?.match(/#([\w-]+)/)?.[1] ?? '' })
    await buyer.messages.choose({ choices: BY_MAIL.map((kind) => ({ kind, channel: 'email', on: true })) })
  }
  mails.length = 0
}

/** Sends what waits, and the reminders of the last morning. */
export async function tellToday({ services, reach }: Sending): Promise<void> {
  await remind(services.db, lastReminders(services.clock.now()))
  await sendDue(services, reach)
}
