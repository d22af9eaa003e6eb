/**
 * Everything that the store sends is searched for secrets: push messages as their browsers decrypt them, mails as they
 * travel with their headers, and what Telegram is asked for.
 */
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { tellHealth } from '../../server/messages/tell-health.ts'
import { pollTelegram } from '../../server/messages/poll-telegram.ts'
import { vapidKeys } from '../../server/messages/push.ts'
import { sendDue } from '../../server/messages/worker.ts'
import { remind } from '../../server/reminders/remind.ts'
import { sql } from '../../server/platform/database/database.ts'
import { withStore, type TestStore } from '../store.ts'
import { BOT_TOKEN, startMailServer, startPushService, startTelegram } from '../worlds/mailboxes.ts'
import { nextUtr, openShop, type Shop } from '../worlds/shop.ts'
import { kindsIn, plant, type Canary } from './canary.ts'

const KindRow = z.object({ kind: z.string() })
const TOLD = [
  'account.new-device',
  'account.proof',
  'account.reset',
  'credit.expiring',
  'health.red',
  'key.ending',
  'topup.approved',
  'topup.rejected',
  'topup.requested',
]
const DAY_MS = 24 * 3_600_000
const SMTP_PASSWORD = 'Canary/c0ffee & SMTP password'
/** Links that only the reader of the mail may have. Each stands in its own mail, and nowhere else. */
const SECRET_LINK = /\/(?:reset-password|confirm-email)#([\w-]+)/g

interface World {
  shop: Shop
  push: Awaited<ReturnType<typeof startPushService>>
  mail: Awaited<ReturnType<typeof startMailServer>>
  telegram: Awaited<ReturnType<typeof startTelegram>>
}

const send = ({ app }: TestStore) => sendDue(app.services, app.reach)

async function turnAllOn({ shop, push, mail, telegram }: World): Promise<void> {
  const { messages } = shop.owner.api
  const { port } = mail
  const server = { host: '127.0.0.1', port, from: 'shop@example.in', password: SMTP_PASSWORD }
  await messages.saveChannel({ name: 'email', isOn: true, ...server })
  await messages.saveChannel({ name: 'push', isOn: true })
  await messages.saveChannel({ name: 'telegram', isOn: true, botToken: BOT_TOKEN, decide: true })
  await messages.subscribe(push.subscribe())
  const { code } = await messages.linkTelegram({})
  telegram.updates.push({ update_id: 1, message: { text: code, chat: { id: 7, type: 'private' }, from: { id: 7 } } })
  await pollTelegram(shop.store.app.services, shop.store.app.reach, 'one')
}

/** Makes the store tell of all that it can tell a buyer and an admin. */
async function tellAll({ shop, push }: World, { buyer, ids, secrets }: Canary): Promise<void> {
  const { store, owner } = shop
  const { db, clock } = store
  await buyer.api.sessions.proveEmail({})
  await send(store)
  await db.run(sql`update users set email_proven_at = ${clock.now()} where id = ${ids.user}`)
  await buyer.api.messages.subscribe(push.subscribe())
  await owner.api.payments.approve({ id: ids.pending })
  const { payment } = await buyer.api.payments.addMoney({ amount: 300, utr: nextUtr(), payerName: secrets.phone })
  await send(store)
  await owner.api.payments.reject({ id: payment._id, reason: 'UTR not found' })
  await buyer.api.payments.addMoney({ amount: 301, utr: nextUtr(), payerName: secrets.phone })
  await shop.visitor().post('/auth/forgot-password', { email: secrets['e-mail'] })
  await send(store)
  await tellHealth(db, false, clock.now())
  await send(store)
  const kinds = ['key.ending', 'credit.expiring'] as const
  await buyer.api.messages.choose({ choices: kinds.map((kind) => ({ kind, channel: 'email', on: true })) })
  await buyer.api.sessions.logout()
  await shop.visitor().api.sessions.login({ username: secrets.username, password: secrets.password })
  await send(store)
  // The key of ten days ends tomorrow, and credit, too
  await db.run(sql`update wallet_lots set expires_at = ${new Date(clock.now().getTime() + 10 * DAY_MS)}`)
  clock.advance(9 * DAY_MS)
  for (let hours = 0; hours < 24; hours += 6) {
    await remind(db, clock.now())
    clock.advance(6 * 3_600_000)
    await send(store)
  }
}

test('no message holds a secret', async () => {
  const [push, mail, telegram] = await Promise.all([startPushService(), startMailServer(), startTelegram()])
  try {
    await withStore(
      async (store) => {
        const world = { shop: await openShop(store), push, mail, telegram }
        await turnAllOn(world)
        const canary = await plant(world.shop)
        await tellAll(world, canary)

        const letters = mail.arrived.map(({ text, html, subject, headerLines }, n) =>
          JSON.stringify([mail.raw[n], text, html, subject, headerLines]),
        )
        const elsewhere = [...push.arrived, ...telegram.sent].map((sent) => JSON.stringify(sent))
        const told = await store.db.rows(
          KindRow,
          sql`
          select distinct kind from outbox_messages message
            join outbox_deliveries delivery on delivery.message_id = message.id and delivery.state = 'sent'`,
        )
        expect(told.map(({ kind }) => kind).toSorted()).toEqual(TOLD)

        const { privateKey } = await vapidKeys(store.db, store.app.services.sealer)
        const secrets = { ...canary.secrets, device: canary.secrets.device || 'no device at all' }
        /** Admins are told whose request it is, and a mail goes to an address. */
        const found = (text: string, may: readonly string[]) => [
          ...kindsIn(text, secrets).filter((kind) => !may.includes(kind)),
          ...[privateKey, SMTP_PASSWORD, BOT_TOKEN].filter((secret) => text.includes(secret)),
        ]
        expect(letters.flatMap((text) => found(text, ['e-mail', 'username']))).toEqual([])
        expect(elsewhere.flatMap((text) => found(text, ['username']))).toEqual([])
        const tokens = letters.map((text) => [...new Set([...text.matchAll(SECRET_LINK)].map(([, token]) => token))])
        expect(tokens.filter((each) => each.length > 0)).toHaveLength(2)
        for (const [token = ''] of tokens.filter((each) => each.length > 0)) {
          expect(letters.filter((text) => text.includes(token))).toHaveLength(1)
          expect(elsewhere.join('')).not.toContain(token)
        }
      },
      {
        publicOrigin: 'http://shop.example',
        telegramUrl: telegram.url,
        testOrigins: [telegram.url, push.origin],
        trustProxy: true,
      },
    )
  } finally {
    await Promise.all([push.stop(), mail.stop(), telegram.stop()])
  }
})
