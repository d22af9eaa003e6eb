import { expect, test } from 'vitest'
import { BOT_TOKEN, startTelegram } from '../../../test/worlds/mailboxes.ts'
import { anAdmin } from '../../../test/worlds/admins.ts'
import { nextUtr, openShop, OWNER, type Buyer } from '../../../test/worlds/shop.ts'
import { withStore, type Browser, type TestStore } from '../../../test/store.ts'
import { pollTelegram } from './poll-telegram.ts'
import { tellEndingLinks } from './telegram-links.ts'
import { sendDue } from '../worker.ts'
import { passOverSecurity } from '../../../test/worlds/told.ts'

async function send({ app, db }: TestStore) {
  await passOverSecurity(db)
  await sendDue(app.services, app.reach)
}
const request = (buyer: Buyer, amount = 500) =>
  buyer.api.payments.addMoney({ amount, utr: nextUtr(), payerName: '9876543210' })

test('a linked chat is told of a request; a wrong code, a group and a blocked bot end in nothing', async () => {
  const telegram = await startTelegram()
  try {
    await withStore(
      async (store) => {
        const shop = await openShop(store)
        await shop.owner.api.messages.saveChannel({ name: 'telegram', isOn: true, botToken: BOT_TOKEN })
        const { code } = await shop.owner.api.messages.linkTelegram({})
        const writes = [
          { text: '00000000000', chat: { id: 7, type: 'private' } },
          { text: code, chat: { id: -9, type: 'group' } },
          { text: `/start ${code}`, chat: { id: 7, type: 'private' } },
          { text: code, chat: { id: 8, type: 'private' } },
        ]
        for (const [n, write] of writes.entries())
          telegram.updates.push({ update_id: n + 1, message: { ...write, from: { id: 7 } } })
        expect(await pollTelegram(store.app.services, store.app.reach, 'one')).toBe(true)
        expect(await pollTelegram(store.app.services, store.app.reach, 'two')).toBe(false)
        expect(await pollTelegram(store.app.services, store.app.reach, 'one')).toBe(true)
        expect(telegram.sent.splice(0).map(({ parameters }) => parameters['chat_id'])).toEqual([7])
        const buyer = await shop.buyer()
        await request(buyer)
        await send(store)
        expect(telegram.sent).toHaveLength(1)
        expect(telegram.sent[0]?.parameters).toMatchObject({ chat_id: '7' })
        expect(String(telegram.sent[0]?.parameters['text'])).toContain(`₹500 from ${buyer.username}`)

        telegram.refuse.set('7', { error_code: 429, description: 'Slow down', parameters: { retry_after: 60 } })
        await request(buyer, 501)
        await send(store)
        store.clock.advance(30_000)
        telegram.refuse.clear()
        await send(store)
        expect(telegram.sent).toHaveLength(1)
        store.clock.advance(31_000)
        await send(store)
        expect(telegram.sent).toHaveLength(2)

        telegram.refuse.set('7', { error_code: 403, description: 'Forbidden: bot was blocked by the user' })
        await request(buyer, 502)
        await send(store)
        telegram.refuse.clear()
        await request(buyer, 503)
        await send(store)
        expect(telegram.sent).toHaveLength(2)
      },
      { telegramUrl: telegram.url, testOrigins: [telegram.url] },
    )
  } finally {
    await telegram.stop()
  }
})

test('a linked chat is shown with its end, told of it a week and a day before, and renewed in the panel', async () => {
  const telegram = await startTelegram()
  try {
    await withStore(
      async (store) => {
        const shop = await openShop(store)
        const { db, clock, app } = store
        const { messages, sessions } = shop.owner.api
        const DAYS = 24 * 3_600_000
        await messages.saveChannel({ name: 'telegram', isOn: true, botToken: BOT_TOKEN })
        const { browser: other } = await anAdmin(shop)
        const link = async (who: Browser, id: number) => {
          const { code } = await who.api.messages.linkTelegram({})
          const update_id = telegram.updates.length + 1
          telegram.updates.push({
            update_id,
            message: { text: code, chat: { id, type: 'private' }, from: { id } },
          })
          await pollTelegram(app.services, app.reach, 'one')
        }
        const endsAt = async () => (await messages.channels()).chat?.expiresAt
        const end = () => new Date(clock.now().getTime() + 90 * DAYS).toISOString()
        expect(await messages.channels()).not.toHaveProperty('chat')
        await link(shop.owner, 7)
        const first = end()
        expect(await endsAt()).toBe(first)
        clock.advance(DAYS)
        await sessions.adminLogin(OWNER)
        await other.api.sessions.adminLogin({ username: OWNER.username, password: OWNER.password })
        await link(other, 7)
        expect(await endsAt()).toBe(end())
        telegram.sent.length = 0

        const told: string[] = []
        for (let days = 0; days < 92; days += 1) {
          clock.advance(DAYS)
          await tellEndingLinks(db, clock.now())
          await send(store)
          told.push(...telegram.sent.splice(0).map(({ parameters }) => `${days + 1} ${String(parameters['text'])}`))
        }
        expect(told.map((text) => text.split('\n')[0])).toEqual([
          '83 Your Telegram link ends soon',
          '89 Your Telegram link ends soon',
        ])
        await sessions.adminLogin(OWNER)
        expect(Date.parse((await endsAt()) ?? '')).toBeLessThan(clock.now().getTime())
        expect((await shop.owner.put('/messages/telegram')).status).toBe(404)

        await link(shop.owner, 7)
        clock.advance(84 * DAYS)
        await sessions.adminLogin(OWNER)
        await tellEndingLinks(db, clock.now())
        expect(await messages.renewTelegram({})).toMatchObject({ expiresAt: end() })
        telegram.sent.length = 0
        await send(store)
        expect(telegram.sent).toEqual([])
      },
      { telegramUrl: telegram.url, testOrigins: [telegram.url] },
    )
  } finally {
    await telegram.stop()
  }
})

test('that another program reads the same bot is shown while it does, although messages go out', async () => {
  const telegram = await startTelegram()
  try {
    await withStore(
      async (store) => {
        const shop = await openShop(store)
        await shop.owner.api.messages.saveChannel({ name: 'telegram', isOn: true, botToken: BOT_TOKEN })
        const { code } = await shop.owner.api.messages.linkTelegram({})
        const poll = () => pollTelegram(store.app.services, store.app.reach, 'one')
        const shown = async () => {
          const { channels } = await shop.owner.api.messages.channels()
          return channels.find(({ name }) => name === 'telegram')?.error
        }
        telegram.updates.push({
          update_id: 1,
          message: { text: code, chat: { id: 7, type: 'private' }, from: { id: 7 } },
        })
        await poll()
        telegram.refuse.set('getUpdates', { error_code: 409, description: 'Conflict: terminated by other getUpdates' })
        expect([await poll(), await shown()]).toEqual([false, expect.stringContaining('Another program reads')])
        await request(await shop.buyer())
        await send(store)
        expect([telegram.sent.length, await shown()]).toEqual([2, expect.stringContaining('Another program reads')])
        telegram.refuse.clear()
        expect([await poll(), await shown()]).toEqual([true, null])
      },
      { telegramUrl: telegram.url, testOrigins: [telegram.url] },
    )
  } finally {
    await telegram.stop()
  }
})

test('strangers who flood the bot with long or odd messages keep nobody from linking a chat', async () => {
  const telegram = await startTelegram()
  try {
    await withStore(
      async (store) => {
        const shop = await openShop(store)
        await shop.owner.api.messages.saveChannel({ name: 'telegram', isOn: true, botToken: BOT_TOKEN })
        const { code } = await shop.owner.api.messages.linkTelegram({})
        const chat = (id: number) => ({ chat: { id, type: 'private' }, from: { id } })
        const entities = Array.from({ length: 100 }, () => ({
          type: 'text_link',
          url: `https://x.y/${'z'.repeat(2_000)}`,
        }))
        const long = Array.from({ length: 24 }, () => ({ ...chat(66), text: '\u{1F600}'.repeat(2_048), entities }))
        for (const message of [{ text: 7 }, { chat: 'nobody' }, ...long, { ...chat(7), text: code }])
          telegram.updates.push({ update_id: telegram.updates.length + 1, message })
        telegram.updates.splice(2, 0, { update_id: 2.5, callback_query: { id: 1, from: 'x' } })
        for (let poll = 0; poll < 5; poll += 1) await pollTelegram(store.app.services, store.app.reach, 'one')
        expect(telegram.sent.map(({ parameters }) => parameters['chat_id'])).toEqual([7])
      },
      { telegramUrl: telegram.url, testOrigins: [telegram.url] },
    )
  } finally {
    await telegram.stop()
  }
})
