/** Turns e-mail on in the demo: its buyers confirm their addresses, and read what the store tells them. */
import type { Api } from '../../contract/api.ts'
import type { Client } from '../../contract/client.ts'
import type { App } from '../app.ts'
import { sendDue } from '../messages/worker.ts'
import { remind } from '../reminders/remind.ts'
import type { DemoMailbox } from './mailbox.ts'

interface DemoMail {
  app: Pick<App, 'services' | 'reach'>
  mailbox: DemoMailbox
  owner: Client<Api>
  buyers: ReadonlyMap<string, Client<Api>>
}

const DAY_MS = 24 * 3_600_000
const INDIA_MS = 5.5 * 3_600_000
const REMINDERS_FROM_MS = 10 * 3_600_000

/** Reminders come by mail only to who wants that. */
const BY_MAIL = ['key.ending', 'credit.lapsing'] as const

/** @returns the last moment at which reminders of a day began */
export function lastReminders(now: Date): Date {
  const from = REMINDERS_FROM_MS - INDIA_MS
  return new Date(Math.floor((now.getTime() - from) / DAY_MS) * DAY_MS + from)
}

export async function openMail({ app, mailbox, owner, buyers }: DemoMail): Promise<void> {
  const { port, mails } = mailbox
  await owner.messages.saveChannel({ name: 'email', isOn: true, host: '127.0.0.1', port, from: 'store@example.in' })
  for (const buyer of buyers.values()) {
    await buyer.sessions.proveEmail({})
    await sendDue(app.services, app.reach)
    await buyer.sessions.emailProven({ token: mails[0]?.text.match(/#([\w-]+)/)?.[1] ?? '' })
    await buyer.messages.choose({ choices: BY_MAIL.map((kind) => ({ kind, channel: 'email', on: true })) })
  }
  mails.length = 0
}

/** Sends what waits, and the reminders of the last morning. */
export async function tellToday({ services, reach }: Pick<App, 'services' | 'reach'>): Promise<void> {
  await remind(services.db, lastReminders(services.clock.now()))
  await sendDue(services, reach)
}
