/** Two nodes, and the other ends of their messages in this process, so that a killed node takes none of them along. */
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { sql, type Database } from '../server/platform/database/database.ts'
import {
  BOT_TOKEN,
  startMailServer,
  startPushService,
  startTelegram,
  type MailServer,
  type PushService,
  type Telegram,
} from '../test/worlds/mailboxes.ts'
import { seedShop, type DrillBuyer } from './seed.ts'
import { send } from './send.ts'
import { logInAdmin, startNodes, type StoreProcess } from './store-process.ts'

export interface MessageBuyer extends DrillBuyer {
  /** The push service's address for them. */
  path: string
}

export interface MessageWorld {
  db: Database
  nodes: readonly StoreProcess[]
  /** The node that people call; the other one may be killed. */
  callOn(node: StoreProcess): void
  /** Waits until every call on this node is answered. */
  answeredBy(node: StoreProcess): Promise<number>
  push: PushService
  telegram: Telegram
  /** The current mail server. A drill replaces it. */
  mail: MailServer
  /** Every mail that arrived, also at servers that are gone. */
  mails(): { id: string; at: number }[]
  startMail(): Promise<void>
  buyers: readonly MessageBuyer[]
  /** @returns the request, and how long the caller waited */
  request(buyer: MessageBuyer): Promise<{ id: string; tookMs: number }>
  /** @returns when it was answered */
  decide(id: string, verdict: 'approve' | 'reject'): Promise<number>
  close(): Promise<void>
}

const CHAT = 7
const POLL_MS = 1_000
const BUSY_MS = 200

const Requested = z.object({ payment: z.object({ _id: z.string() }) })

export async function openMessageWorld(buyerCount: number, directories: string[]): Promise<MessageWorld> {
  const [push, telegram, firstMail] = await Promise.all([startPushService(), startTelegram(POLL_MS), startMailServer()])
  const environment = {
    OUTBOUND_TEST_ORIGINS: push.origin,
    TELEGRAM_API_URL: telegram.url,
    PUBLIC_URL: 'http://127.0.0.1',
  }
  const { first, nodes, stop } = await startNodes({ directories, environment })
  const db = first.database()
  const shop = await seedShop(db, await first.sealer(), { buyers: buyerCount, keys: 1, balancePaise: 100 })
  await db.run(sql`update users set email_proven_at = now()`)
  let called = first
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const underway = new Map<number, number>()
  const call = async (method: string, at: string, cookie: string, body: object = {}) => {
    for (;;) {
      const { port } = called
      underway.set(port, (underway.get(port) ?? 0) + 1)
      const answer = await send({ port, method, path: `/api${at}`, cookie, body: JSON.stringify(body), agent })
      underway.set(port, (underway.get(port) ?? 0) - 1)
      if (answer.status < 300) return answer
      // A store that has too much to do says so, and people try again
      if (answer.status !== 503) throw new Error(`${method} ${at} got ${answer.status}: ${answer.text.slice(0, 200)}`)
      await sleep(BUSY_MS)
    }
  }
  const cookie = await logInAdmin(first)
  const world = { mail: firstMail }
  const past: MailServer[] = []
  await call('PUT', '/settings/upi', cookie, { upiId: 'shop@okaxis', paymentEnabled: true })
  const mailbox = { host: '127.0.0.1', port: firstMail.port, from: 'shop@example.in' }
  await call('PUT', '/messages/channels/email', cookie, { isOn: true, ...mailbox })
  await call('PUT', '/messages/channels/push', cookie, { isOn: true })
  await call('PUT', '/messages/channels/telegram', cookie, { isOn: true, botToken: BOT_TOKEN })
  await linkChat(
    telegram,
    z.object({ code: z.string() }).parse(JSON.parse((await call('POST', '/messages/telegram', cookie)).text)).code,
  )
  const buyers: MessageBuyer[] = []
  for (const buyer of shop.buyers) {
    const subscription = push.subscribe()
    await call('POST', '/messages/push', buyer.cookie, subscription)
    buyers.push({ ...buyer, path: new URL(subscription.endpoint).pathname })
  }
  let utr = 300_000_000_000

  return Object.assign(world, {
    db,
    nodes,
    callOn: (node: StoreProcess) => void (called = node),
    answeredBy: ({ port }: StoreProcess) => until(() => (underway.get(port) ?? 0) === 0, 60_000, 'The last answer'),
    push,
    telegram,
    mails: () =>
      [...past, world.mail].flatMap(({ arrived, at }) =>
        arrived.map(({ messageId = '' }, n) => ({ id: /[\w-]{36}/.exec(messageId)?.[0] ?? '', at: at[n] ?? 0 })),
      ),
    async startMail() {
      past.push(world.mail)
      world.mail = await startMailServer(firstMail.port)
    },
    buyers,
    async request(buyer: MessageBuyer) {
      const began = performance.now()
      const body = { amount: 500, utr: String((utr += 1)), payerName: '9876543210' }
      const { text } = await call('POST', '/payments/add-money', buyer.cookie, body)
      return { id: Requested.parse(JSON.parse(text)).payment._id, tookMs: performance.now() - began }
    },
    async decide(id: string, verdict: 'approve' | 'reject') {
      await call('PUT', `/payments/${id}/${verdict}`, cookie)
      return Date.now()
    },
    async close() {
      agent.destroy()
      await db.close()
      await stop()
      await Promise.all([push.stop(), telegram.stop(), world.mail.stop()])
    },
  })
}

async function linkChat(telegram: Telegram, code: string): Promise<void> {
  const message = { text: code, chat: { id: CHAT, type: 'private' }, from: { id: CHAT } }
  telegram.updates.push({ update_id: 1, message })
  await until(() => telegram.sent.length > 0, 30_000)
}

/** @throws when it does not become true in time */
export async function until(isSo: () => boolean | Promise<boolean>, withinMs: number, what = 'It'): Promise<number> {
  const began = performance.now()
  while (!(await isSo())) {
    if (performance.now() - began > withinMs) throw new Error(`${what} did not happen within ${withinMs} ms`)
    await sleep(50)
  }
  return performance.now() - began
}
