import { expect, test } from 'vitest'
import { REJECT_REASONS } from '../../../contract/review-requests.ts'
import { untilBlocked } from '../../../test/blocked.ts'
import { givenAlert, givenDevice } from '../../../test/worlds/alerts.ts'
import { account, imported } from '../../../test/worlds/bank.ts'
import { anAdmin } from '../../../test/worlds/admins.ts'
import { BOT_TOKEN, startTelegram } from '../../../test/worlds/mailboxes.ts'
import { nextUtr, openShop, OWNER, type Buyer, type Shop } from '../../../test/worlds/shop.ts'
import * as z from 'zod/mini'
import { sql } from '../../platform/database/database.ts'
import { withStore } from '../../../test/store.ts'
import { pollTelegram } from './poll-telegram.ts'
import { sendDue } from '../worker.ts'
import { passOverSecurity } from '../../../test/worlds/told.ts'

async function send({ app, db }: Shop['store']) {
  await passOverSecurity(db)
  await sendDue(app.services, app.reach)
}
const request = (buyer: Buyer, amount = 500, utr = nextUtr()) =>
  buyer.api.payments.addMoney({ amount, utr, payerName: `98${utr.slice(-8)}` })
const balanceOf = async (buyer: Buyer) => (await buyer.api.sessions.me()).balance

interface Chat {
  shop: Shop
  telegram: Awaited<ReturnType<typeof startTelegram>>
  /** Somebody taps a button with this text under the newest message. */
  tap(text: string, who?: { chat?: number; from?: number; language?: string }): Promise<void>
  /** Links another admin's chat. */
  link(admin: Shop['owner'], chat: number): Promise<void>
}

interface Said {
  chat_id: number | string
  text?: string
  reply_markup?: { inline_keyboard: { text: string; callback_data?: string }[][] }
}

/** A shop whose owner may decide by taps in chat 7. */
async function withTaps(work: (given: Chat) => Promise<void>) {
  const telegram = await startTelegram()
  try {
    await withStore(
      async (store) => {
        const shop = await openShop(store)
        await shop.owner.api.messages.saveChannel({
          name: 'telegram',
          isOn: true,
          botToken: BOT_TOKEN,
          decide: true,
        })
        let update = 0
        const poll = () => pollTelegram(store.app.services, store.app.reach, 'one')
        const said = (chat: number) =>
          telegram.sent
            .map(({ parameters }) => parameters as unknown as Said)
            .findLast(({ chat_id, reply_markup }) => Number(chat_id) === chat && reply_markup)
        const link = async (admin: Shop['owner'], chat: number) => {
          const { code } = await admin.api.messages.linkTelegram({})
          const message = { text: code, chat: { id: chat, type: 'private' }, from: { id: chat } }
          telegram.updates.push({ update_id: (update += 1), message })
          await poll()
        }
        await link(shop.owner, 7)
        await work({
          shop,
          telegram,
          link,
          async tap(text, { chat = 7, from = chat, language } = {}) {
            const button = said(chat)
              ?.reply_markup?.inline_keyboard.flat()
              .find((each) => each.text === text)
            telegram.updates.push({
              update_id: (update += 1),
              callback_query: {
                id: String(update),
                data: button?.callback_data ?? 'a button that is not there',
                from: { id: from, language_code: language },
                message: { message_id: 1, chat: { id: chat, type: 'private' } },
              },
            })
            await poll()
          },
        })
      },
      { telegramUrl: telegram.url, testOrigins: [telegram.url] },
    )
  } finally {
    await telegram.stop()
  }
}

const textsOf = ({ telegram }: Pick<Chat, 'telegram'>, method = 'editMessageText') =>
  telegram.sent
    .filter(({ method: each }) => each === method)
    .map(({ parameters }) => (parameters as unknown as Said).text ?? '')
const buttonsIn = ({ telegram }: Pick<Chat, 'telegram'>) =>
  (
    (telegram.sent.findLast(({ method }) => method !== 'answerCallbackQuery')?.parameters ?? {}) as unknown as Said
  ).reply_markup?.inline_keyboard
    .flat()
    .map(({ text }) => text)
const statusOf = async (shop: Shop, id: string) =>
  (await shop.owner.api.payments.list({})).payments.find(({ _id }) => _id === id)?.status

test('two taps approve a request as the panel does, the message is edited, and a third tap changes nothing', () =>
  withTaps(async (chat) => {
    const { shop, tap, telegram } = chat
    const buyer = await shop.buyer()
    const { payment } = await request(buyer)
    await send(shop.store)
    expect(buttonsIn(chat)).toEqual(['Approve', 'Reject'])
    await tap('Approve')
    expect(await statusOf(shop, payment._id)).toBe('pending')
    expect(textsOf(chat).at(-1)).toContain(`Approve ₹500 from ${buyer.username}?`)
    await tap('Yes, approve')
    expect(await statusOf(shop, payment._id)).toBe('approved')
    expect(textsOf(chat).at(-1)).toBe(`Approved by you: ₹500 added to the wallet of ${buyer.username}.`)
    expect(buttonsIn(chat)).toEqual([])
    expect(await balanceOf(buyer)).toBe(500)
    // Telegram gives the same tap again after a crash
    const taps = telegram.updates.filter((update) => 'callback_query' in update)
    for (const old of taps) telegram.updates.push({ ...old, update_id: 1_000 + telegram.updates.length })
    await pollTelegram(shop.store.app.services, shop.store.app.reach, 'one')
    expect(await balanceOf(buyer)).toBe(500)
    const audited = await shop.store.db.rows(sql(z.object({ after: z.string() }))`
      select after::text as after from audit_entries where action = 'payment.approve'`)
    expect(audited).toHaveLength(1)
    expect(audited[0]?.after).toContain('"by": "telegram"')
  }))

test('an admin who reads Hindi decides in Hindi, and the reason is told in both', () =>
  withTaps(async (chat) => {
    const { shop, tap } = chat
    await shop.store.db.run(sql`update admins set language = 'hi'`)
    const buyer = await shop.buyer()
    const { payment } = await request(buyer)
    await send(shop.store)
    expect(buttonsIn(chat)).toEqual(['मंज़ूर करें', 'रिजेक्ट करें'])
    await tap('मंज़ूर करें')
    expect(textsOf(chat).at(-1)).toContain(`${buyer.username} से ₹500: मंज़ूर करें?`)
    expect(buttonsIn(chat)).toEqual(['हाँ, मंज़ूर करें', 'वापस'])
    await tap('वापस')
    await tap('रिजेक्ट करें')
    const [, told = ''] = textsOf(chat).at(-1)?.split('\n') ?? []
    expect(told).toBe(`वह कारण चुनें जो ${buyer.username} को दिखेगा।`)
    await tap(buttonsIn(chat)?.[0] ?? '')
    expect(textsOf(chat).at(-1)).toMatch(/^आपने रिजेक्ट किया: .* “\P{Script=Latin}+UTR\P{Script=Latin}+”$/u)
    const { payments } = await shop.owner.api.payments.list({ status: 'rejected' })
    expect(payments).toMatchObject([{ _id: payment._id, reason: REJECT_REASONS[0] }])
    await tap('मंज़ूर करें', { from: 9, language: 'hi' })
    expect(textsOf(chat, 'answerCallbackQuery').at(-1)).toMatch(/^\P{Script=Latin}+$/u)
  }))

test('when one admin has decided, in a chat or in the panel, the other chats say so and have no buttons', () =>
  withTaps(async (chat) => {
    const { shop, telegram, tap, link } = chat
    const { browser: other } = await anAdmin(shop, 'payments')
    await link(other, 8)
    const buyer = await shop.buyer()
    await request(buyer)
    await send(shop.store)
    await tap('Approve')
    await tap('Yes, approve')
    await send(shop.store)
    const edits = () =>
      telegram.sent
        .filter(({ method, parameters }) => method === 'editMessageText' && parameters['chat_id'] === '8')
        .map(({ parameters: { text, reply_markup, message_id } }) => ({ text, reply_markup, message_id }))
    const asked = telegram.sent.findIndex(
      ({ method, parameters }) => method === 'sendMessage' && parameters['chat_id'] === '8',
    )
    const noButtons = { inline_keyboard: [] }
    const approved = `Approved by ${OWNER.username}: ₹500 added to the wallet of ${buyer.username}.`
    expect(edits()).toEqual([{ text: approved, reply_markup: noButtons, message_id: asked + 1 }])

    const { payment } = await request(buyer, 600)
    await send(shop.store)
    await shop.owner.api.payments.reject({ id: payment._id, reason: 'UTR not found' })
    await send(shop.store)
    await send(shop.store)
    const rejected = `Rejected by ${OWNER.username}: ₹600 from ${buyer.username}. “UTR not found”`
    expect(
      edits()
        .slice(1)
        .map(({ text }) => text),
    ).toEqual([rejected])
  }))

test('a tap rejects with one of four reasons, or goes back', () =>
  withTaps(async (chat) => {
    const { shop, tap } = chat
    const buyer = await shop.buyer()
    const { payment } = await request(buyer)
    await send(shop.store)
    await tap('Reject')
    expect(buttonsIn(chat)).toEqual([...REJECT_REASONS, 'Back'])
    await tap('Back')
    expect(buttonsIn(chat)).toEqual(['Approve', 'Reject'])
    await tap('Reject')
    await tap(REJECT_REASONS[1])
    expect(await statusOf(shop, payment._id)).toBe('rejected')
    expect(await buyer.api.payments.mine()).toMatchObject([{ reason: REJECT_REASONS[1] }])
  }))

test('nobody else’s tap counts, and none of an admin who is disabled or has another role', () =>
  withTaps(async (chat) => {
    const { shop, tap, link, telegram } = chat
    const { admin: clerk, browser } = await anAdmin(shop, 'payments')
    await link(browser, 8)
    const buyer = await shop.buyer()
    const { payment } = await request(buyer)
    await send(shop.store)
    await tap('Approve')
    telegram.sent.splice(
      0,
      telegram.sent.findLastIndex(({ parameters }) => Number(parameters['chat_id']) === 7),
    )
    await tap('Yes, approve', { chat: 7, from: 9 })
    await tap('Approve', { chat: 8, from: 7 })
    await shop.owner.api.admins.update({ id: clerk._id, role: 'stock' })
    await tap('Approve', { chat: 8 })
    await shop.owner.api.admins.update({ id: clerk._id, role: 'payments' })
    await shop.owner.api.admins.update({ id: clerk._id, disabled: true })
    await tap('Approve', { chat: 8 })
    expect(await statusOf(shop, payment._id)).toBe('pending')
    expect(
      textsOf(chat, 'answerCallbackQuery').filter((text) => text.startsWith('You can’t use this button')),
    ).toHaveLength(4)
  }))

test('a tap that waits for a lock finds what has changed: a second claim, or another role of its admin', () =>
  withTaps(async ({ shop, tap, link }) => {
    const { admin: clerk, browser } = await anAdmin(shop, 'payments')
    await link(browser, 8)
    const { db } = shop.store
    const rival = await shop.buyer()
    const changes = [
      (utr: string) => rival.post('/payments/add-money', { amount: 500, utr, payerName: '9876543210' }),
      () => shop.owner.api.admins.update({ id: clerk._id, role: 'stock' }),
    ]
    for (const change of changes) {
      const [buyer, utr] = [await shop.buyer(), nextUtr()]
      const { payment } = await request(buyer, 500, utr)
      await send(shop.store)
      await tap('Approve', { chat: 8 })
      let tapped: Promise<void> | undefined
      await db.transaction(async (tx) => {
        await tx.run(sql`select from wallets where user_id = ${buyer.id} for update`)
        tapped = tap('Yes, approve', { chat: 8 })
        await untilBlocked(db)
        await change(utr)
      })
      await tapped
      expect(await statusOf(shop, payment._id)).toBe('pending')
      shop.store.clock.advance(16_000)
    }
  }))

test('a chat ends with its admin’s password, standing and role, also when those come back', () =>
  withTaps(async (chat) => {
    const { shop, tap, link } = chat
    const { admin: clerk, browser } = await anAdmin(shop, 'payments')
    const { changePassword } = browser.api.admins
    const newPassword = 'another long password'
    const update = (change: object) => shop.owner.api.admins.update({ id: clerk._id, ...change })
    const changes = [
      () => changePassword({ currentPassword: OWNER.password, newPassword }),
      () => update({ password: OWNER.password }),
      () => update({ disabled: true }).then(() => update({ disabled: false })),
      () => update({ role: 'stock' }).then(() => update({ role: 'payments' })),
    ]
    for (const change of changes) {
      const { payment } = await request(await shop.buyer())
      await link(browser, 8)
      await send(shop.store)
      await tap('Approve', { chat: 8 })
      await change()
      await tap('Yes, approve', { chat: 8 })
      expect(textsOf(chat, 'answerCallbackQuery').at(-1)).toMatch(/^You can’t use this button/)
      await shop.owner.api.payments.reject({ id: payment._id, reason: 'Not yours' })
      shop.store.clock.advance(16_000)
      if (change !== changes[0])
        await browser.api.sessions.adminLogin({ username: clerk.username, password: OWNER.password })
    }
  }))

test('a crash between the tap and the decision decides nothing, and the same tap asks again', () =>
  withTaps(async (chat) => {
    const { shop, tap, telegram } = chat
    const buyer = await shop.buyer()
    const { payment } = await request(buyer)
    await send(shop.store)
    await tap('Approve')
    // As the dying node left it: the button is used, and nothing else has happened
    const { db, app, clock } = shop.store
    await db.run(sql`update telegram_taps set used_at = ${clock.now()}`)
    await tap('Yes, approve')
    expect(await statusOf(shop, payment._id)).toBe('pending')
    expect(buttonsIn(chat)).toEqual(['Approve', 'Reject'])
    // Its answer gets lost on the way, and the request is decided all the same
    await tap('Approve')
    telegram.refuse.set('7', { error_code: 500, description: 'Internal Server Error' })
    await tap('Yes, approve')
    telegram.refuse.clear()
    expect(await statusOf(shop, payment._id)).toBe('approved')
    await pollTelegram(app.services, app.reach, 'one')
    expect(await balanceOf(buyer)).toBe(500)
  }))

test('of two admins who tap at once one decides, and the other reads who did', () =>
  withTaps(async (chat) => {
    const { shop, tap, link } = chat
    const { browser } = await anAdmin(shop, 'payments')
    await link(browser, 8)
    const buyer = await shop.buyer()
    await request(buyer)
    await send(shop.store)
    for (const each of [7, 8]) await tap('Approve', { chat: each })
    await Promise.all([tap('Yes, approve', { chat: 7 }), tap('Yes, approve', { chat: 8 })])
    expect(await balanceOf(buyer)).toBe(500)
    // Both polls got both taps, and the one that did not decide may edit last
    const said = [7, 8].map((to) =>
      chat.telegram.sent
        .filter(({ method, parameters }) => method === 'editMessageText' && Number(parameters['chat_id']) === to)
        .map(({ parameters }) => parameters['text'])
        .join('\n'),
    )
    expect(said.filter((texts) => /^Approved by you/m.test(texts))).toHaveLength(1)
    expect(said.filter((texts) => /^Approved by (owner|admin)/m.test(texts))).toHaveLength(1)
  }))

test('no buttons where a tap may not decide: a large amount, a sign of trouble, the day’s limit, or the switch', () =>
  withTaps(async (chat) => {
    const { shop, tap } = chat
    const told = async (buyer: Buyer, amount: number, utr = nextUtr()) => {
      const { payment } = await buyer.api.payments.addMoney({ amount, utr, payerName: `98${utr.slice(-8)}` })
      await send(shop.store)
      shop.store.clock.advance(16_000)
      return payment
    }
    const buyer = await shop.buyer()
    await told(buyer, 1_001)
    expect(buttonsIn(chat)).toEqual([])
    await told(buyer, 500, 'AXB2611201234567')
    expect(buttonsIn(chat)).toEqual([])
    await shop.owner.api.messages.saveChannel({ name: 'telegram', decidePerDay: 1_200 })
    await told(buyer, 700)
    await tap('Approve')
    await tap('Yes, approve')
    const second = await told(buyer, 700)
    expect(buttonsIn(chat)).toEqual([])
    await shop.owner.api.messages.saveChannel({ name: 'telegram', decidePerDay: 10_000 })
    await told(buyer, 600)
    await tap('Approve')
    await shop.owner.api.messages.saveChannel({ name: 'telegram', decide: false })
    await tap('Yes, approve')
    expect(textsOf(chat, 'answerCallbackQuery').at(-1)).toBe('Approving and rejecting in Telegram is off.')
    expect(await statusOf(shop, second._id)).toBe('pending')
    expect(await shop.owner.put('/messages/channels/telegram', { decide: true, decideUpTo: 10_000.01 })).toMatchObject({
      status: 400,
    })
  }))

test('a large request that an alert alone shows is approved at no door but by a person, alone', () =>
  withTaps(async (chat) => {
    const { shop, tap } = chat
    await shop.owner.api.settings.saveStore({ carefulAbove: 400 })
    const { _id: accountId } = await account(shop)
    const utr = nextUtr()
    const { payment } = await request(await shop.buyer(), 500, utr)
    await givenAlert(shop.store, {
      accountId,
      deviceId: await givenDevice(shop.store.db, accountId),
      ref: utr,
      amount: 500,
    })
    await send(shop.store)
    const id = payment._id
    // Telegram
    expect(buttonsIn(chat)).not.toContain('Approve')
    await tap('Approve')
    expect(await statusOf(shop, id)).toBe('pending')
    // Several at once
    const { payments } = await shop.owner.api.payments.list({ status: 'pending' })
    expect(payments).toMatchObject([{ _id: id, large: true, bank: { verdict: 'alert', proof: 'alert' } }])
    const refused = await shop.owner.put(`/payments/${id}/approve`, { onlyConfirmed: true })
    expect(refused.body).toMatchObject({ code: 'NOT_CONFIRMED' })
    // A statement shows it, and each door is open
    await imported(shop, accountId, [{ refs: [utr], amount: 500 }])
    await shop.owner.api.payments.approve({ id, onlyConfirmed: true })
    expect(await statusOf(shop, id)).toBe('approved')
  }))
