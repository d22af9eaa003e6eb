import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import {
  startMailServer,
  startPushService,
  startSilentServer,
  startStrippedServer,
} from '../../../test/worlds/mailboxes.ts'
import { nextUtr, openShop, PASSWORD, type Buyer, type Shop } from '../../../test/worlds/shop.ts'
import { TEST_NOW, withStore, type TestStore } from '../../../test/store.ts'
import { sql } from '../../platform/database/database.ts'
import { forgetErased } from '../own-messages.ts'
import { sendDue } from '../worker.ts'
import { passOverSecurity } from '../../../test/worlds/told.ts'

async function send({ app, db }: TestStore) {
  await passOverSecurity(db)
  await sendDue(app.services, app.reach)
}
const request = (buyer: Buyer, amount = 500) =>
  buyer.api.payments.addMoney({ amount, utr: nextUtr(), payerName: '9876543210' })

const states = (store: TestStore) =>
  store.db.rows(sql(z.object({ state: z.string(), attempts: z.number(), error: z.nullable(z.string()) }))`
    select state, attempts, error from outbox_deliveries order by created_at, id`)

async function withMail(
  work: (given: { shop: Shop; mail: Awaited<ReturnType<typeof startMailServer>> }) => Promise<void>,
) {
  const mail = await startMailServer()
  try {
    await withStore(
      async (store) => {
        const shop = await openShop(store)
        await shop.owner.api.messages.saveChannel({
          name: 'email',
          isOn: true,
          host: '127.0.0.1',
          port: mail.port,
          from: 'shop@example.in',
        })
        await work({ shop, mail })
      },
      { publicOrigin: 'http://shop.example' },
    )
  } finally {
    await mail.stop()
  }
}

const prove = (store: TestStore, buyer: Buyer) =>
  store.db.run(sql`update users set email_proven_at = ${store.clock.now()} where id = ${buyer.id}`)

test('a decision goes to a proven address, and to no other', () =>
  withMail(async ({ shop, mail }) => {
    const [proven, other] = [await shop.buyer(), await shop.buyer()]
    await prove(shop.store, proven)
    for (const buyer of [proven, other]) {
      const { payment } = await request(buyer)
      await shop.owner.api.payments.reject({ id: payment._id, reason: '<b>UTR not found</b>' })
    }
    await send(shop.store)
    expect(mail.arrived).toHaveLength(1)
    const [letter] = mail.arrived
    expect(letter?.to).toMatchObject({ text: proven.email })
    expect(letter?.subject).toBe('Your top-up of ₹500 was rejected')
    expect(letter?.date?.toISOString(), 'by the store’s clock').toBe(TEST_NOW)
    expect(letter?.text).toContain('http://shop.example/wallet-history')
    expect(letter?.html).toContain('&#60;b&#62;UTR not found')
  }))

test('a mail is one frame with the store’s name, and a button instead of bare addresses', () =>
  withMail(async ({ shop, mail }) => {
    const buyer = await shop.buyer()
    await prove(shop.store, buyer)
    await shop.owner.api.settings.saveSite({ websiteName: 'Indore "Game" Keys', websiteTitle: 'Keys' })
    const { payment } = await request(buyer)
    await shop.owner.api.payments.approve({ id: payment._id })
    await send(shop.store)
    const html = String(mail.arrived[0]?.html)
    expect(html).toContain('Indore &#34;Game&#34; Keys</p>')
    const links = [...html.matchAll(/<a href="([^"]+)"[^>]*>([^<]+)<\/a>/g)].map(([, , shown]) => shown)
    expect(links).toEqual(['Open Indore &#34;Game&#34; Keys', 'No more emails like this'])
    expect(html.replaceAll(/"https?:[^"]*"/g, '""'), 'no address is read').not.toMatch(/https?:/)
    expect(html.match(/added to your wallet/g), 'the title is said once').toHaveLength(1)
  }))

test('a line break in a name or a reason adds no header to a mail', () =>
  withMail(async ({ shop, mail }) => {
    const buyer = await shop.buyer()
    await prove(shop.store, buyer)
    const evil = 'Chaabi\r\nBcc: thief@example.com\r\n\r\nHello'
    await shop.store.db.run(sql`update settings set website_name = ${evil}`)
    const { payment } = await request(buyer)
    await shop.owner.api.payments.reject({ id: payment._id })
    await shop.store.db.run(sql`update topup_requests set reason = ${evil}`)
    await send(shop.store)
    expect(mail.arrived).toHaveLength(1)
    expect(mail.arrived[0]?.headers.has('bcc')).toBe(false)
    expect(mail.raw[0]?.split('\r\n\r\n')[0]).not.toMatch(/^bcc:/im)
    expect(mail.rcpt).toEqual([buyer.email])
  }))

test('a mail server that is away is probed, and gets what waits when it is back', () =>
  withMail(async ({ shop, mail }) => {
    const buyer = await shop.buyer()
    await prove(shop.store, buyer)
    const { port } = mail
    await mail.stop()
    const { payment } = await request(buyer)
    await shop.owner.api.payments.approve({ id: payment._id })
    await send(shop.store)
    expect(await states(shop.store)).toMatchObject([{ state: 'waiting', attempts: 0 }])
    const { channels } = await shop.owner.api.messages.channels()
    expect(channels.find(({ name }) => name === 'email')?.error).toContain('ECONNREFUSED')

    const back = await startMailServer(port)
    shop.store.clock.advance(15_000)
    await send(shop.store)
    await back.stop()
    expect(back.arrived).toHaveLength(1)
  }))

test('a mail server that takes connections and says nothing holds up no phone, and gets each mail once', async () => {
  const push = await startPushService()
  const mail = await startMailServer()
  const { port } = mail
  await mail.stop()
  const silent = await startSilentServer(port)
  try {
    await withStore(
      async (store) => {
        const shop = await openShop(store)
        const { messages } = shop.owner.api
        await messages.saveChannel({ name: 'push', isOn: true })
        await messages.saveChannel({ name: 'email', isOn: true, host: '127.0.0.1', port, from: 'shop@example.in' })
        const buyer = await shop.buyer()
        await prove(store, buyer)
        await buyer.api.messages.subscribe(push.subscribe())
        await shop.owner.api.payments.approve({ id: (await request(buyer)).payment._id })
        let isOver = false
        const sending = send(store).then(() => (isOver = true))
        await expect.poll(() => push.arrived.length).toBe(1)
        expect(isOver).toBe(false)
        await silent.stop()
        await sending

        const stillSilent = await startSilentServer(port)
        store.clock.advance(15_000)
        const mailTimes = { connect: 100, greeting: 100, silence: 100, whole: 100 }
        await sendDue(store.app.services, { ...store.app.reach, mailTimes })
        await stillSilent.stop()
        const { channels } = await messages.channels()
        expect(channels.find(({ name }) => name === 'email')?.error).toMatch(
          /Greeting never received|Timeout|took too long/,
        )
        expect(await states(store)).toContainEqual(expect.objectContaining({ state: 'waiting', attempts: 2 }))

        const back = await startMailServer(port)
        for (let time = 0; time < 3; time += 1) {
          store.clock.advance(6 * 60_000)
          await send(store)
        }
        await back.stop()
        expect([back.arrived.length, push.arrived.length]).toEqual([1, 1])
      },
      { publicOrigin: 'http://shop.example', testOrigins: [push.origin] },
    )
  } finally {
    await Promise.all([push.stop(), silent.stop()])
  }
})

test('a mail server on another machine that offers no TLS gets neither mail nor password', () =>
  withMail(async ({ shop }) => {
    const said: string[] = []
    const { port, stop } = await startStrippedServer((line) => said.push(line))
    const buyer = await shop.buyer()
    await prove(shop.store, buyer)
    // On this machine, too, but no address of the loopback
    const far = { host: '0.0.0.0', port, user: 'shop', password: 'a-mailbox-password' }
    await shop.owner.api.messages.saveChannel({ name: 'email', ...far })
    await shop.owner.api.payments.approve({ id: (await request(buyer)).payment._id })
    await send(shop.store)
    await stop()
    expect(said.map((line) => line.split(' ')[0]).slice(0, 2)).toEqual(['EHLO', 'STARTTLS'])
    expect(said.join()).not.toMatch(/AUTH|MAIL/)
    expect(await states(shop.store)).toMatchObject([{ state: 'waiting', attempts: 0 }])
  }))

test('turning e-mail off and on keeps its login', () =>
  withMail(async ({ shop }) => {
    const { messages } = shop.owner.api
    await messages.saveChannel({ name: 'email', user: 'shop', password: 'a-mailbox-password' })
    for (const isOn of [false, true]) await messages.saveChannel({ name: 'email', isOn })
    const { channels } = await messages.channels()
    expect(channels.find(({ name }) => name === 'email')?.facts).toMatchObject({ user: 'shop' })
  }))

test('a mailbox that is full is tried again, and one that does not exist is not', () =>
  withMail(async ({ shop, mail }) => {
    const [full, gone] = [await shop.buyer(), await shop.buyer()]
    mail.refuse.set(full.email, 452).set(gone.email, 550)
    for (const buyer of [full, gone]) {
      await prove(shop.store, buyer)
      const { payment } = await request(buyer)
      await shop.owner.api.payments.approve({ id: payment._id })
    }
    await send(shop.store)
    expect((await states(shop.store)).map(({ state }) => state).sort()).toEqual(['dead', 'waiting'])
    const { deliveries } = await shop.owner.api.messages.log({})
    expect(deliveries.map(({ to }) => to)).toEqual([gone.username, full.username])
    expect(deliveries.map(({ error }) => error?.match(/<.*/)?.[0])).toEqual(['<…>: Not now', '<…>: Not now'])

    mail.refuse.clear()
    await shop.owner.api.messages.retry({ id: deliveries[0]?._id ?? '' })
    shop.store.clock.advance(10_000)
    await send(shop.store)
    expect(mail.arrived).toHaveLength(2)
  }))

/** The secret behind the # of the newest mail's link. */
const tokenIn = (mail: { text?: string | undefined } | undefined): string => mail?.text?.match(/#([\w-]+)/)?.[1] ?? ''

test('a buyer proves the address, and gets a new password by mail; nobody learns whose address it is', () =>
  withMail(async ({ shop, mail }) => {
    const [proven, unproven] = [await shop.buyer(), await shop.buyer()]
    await proven.api.sessions.proveEmail()
    await send(shop.store)
    expect(mail.arrived[0]?.to).toMatchObject({ text: proven.email })
    const token = tokenIn(mail.arrived[0])
    await shop.visitor().api.sessions.emailProven({ token })
    expect(await shop.visitor().post('/auth/email-proven', { token })).toMatchObject({ status: 200 })
    expect(await proven.api.sessions.me()).toMatchObject({ emailProven: true })

    const answers = []
    for (const email of [proven.email, unproven.email, 'nobody@example.in'])
      answers.push(await shop.visitor().post('/auth/forgot-password', { email }))
    expect(new Set(answers.map(({ status, body }) => JSON.stringify({ status, body }))).size).toBe(1)
    await expect.poll(() => send(shop.store).then(() => mail.arrived.length), { timeout: 10_000 }).toBe(2)
    expect(mail.arrived[1]?.to).toMatchObject({ text: proven.email })
    const newPassword = 'a password after the mail'
    await shop.visitor().api.sessions.resetPassword({ token: tokenIn(mail.arrived[1]), newPassword })

    await send(shop.store)
    expect(mail.arrived.slice(2).map(({ subject }) => subject)).toEqual(['Your password was changed'])
    const kept = await shop.store.db.rows(
      sql(z.object({ row: z.string() }))`select message::text as row from outbox_messages message`,
    )
    expect(JSON.stringify(kept)).not.toContain(token)
  }))

test('a link proves the address that it was sent to, and three mails a day are enough', () =>
  withMail(async ({ shop, mail }) => {
    const buyer = await shop.buyer()
    for (let count = 0; count < 3; count += 1) await buyer.api.sessions.proveEmail()
    expect(await buyer.post('/auth/prove-email')).toMatchObject({ status: 429 })
    await send(shop.store)
    expect(mail.arrived).toHaveLength(3)
    await shop.store.db.run(sql`update users set email = 'another@example.in' where id = ${buyer.id}`)
    expect(await shop.visitor().post('/auth/email-proven', { token: tokenIn(mail.arrived[0]) })).toMatchObject({
      status: 400,
    })
  }))

test('the password of the mailbox is kept encrypted and never answered', () =>
  withMail(async ({ shop, mail }) => {
    await shop.owner.api.messages.saveChannel({ name: 'email', user: 'shop', password: 'a-mailbox-password' })
    const answer = await shop.owner.get('/messages/channels')
    const kept = await shop.store.db.rows(
      sql(z.object({ row: z.string() }))`select channels::text as row from channels`,
    )
    const log = await shop.owner.get('/audit')
    for (const said of [answer.body, kept, log.body, mail.raw]) expect(JSON.stringify(said)).not.toContain('a-mailbox')
  }))

/** The one-click address in a mail's header. */
const oneClickIn = (raw: string | undefined): string =>
  raw?.replaceAll(/\r\n\s+/g, ' ').match(/^List-Unsubscribe: <http:\/\/shop\.example\/api([^>]+)>/m)?.[1] ?? ''

test('one click in the mail program ends mails of that kind, without a login; a forged link ends nothing', () =>
  withMail(async ({ shop, mail }) => {
    const [buyer, other] = [await shop.buyer(), await shop.buyer()]
    for (const each of [buyer, other]) await prove(shop.store, each)
    const decide = async (each: Buyer) => {
      await shop.owner.api.payments.approve({ id: (await request(each)).payment._id })
      await send(shop.store)
    }
    await decide(buyer)
    const path = oneClickIn(mail.raw[0])
    expect(mail.raw[0]).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    const click = (at: string) =>
      fetch(`${shop.store.url}/api${at}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      })
    for (const forged of [
      path.replace(buyer.id, other.id),
      path.replace('approved', 'rejected'),
      `${path.slice(0, -1)}${path.endsWith('A') ? 'E' : 'A'}`,
      '/messages/unsubscribe/x',
    ])
      expect((await click(forged)).status).toBe(400)
    await decide(other)
    expect(mail.arrived).toHaveLength(2)
    // Mail programs may send it twice
    for (let time = 0; time < 2; time += 1) expect((await click(path)).status).toBe(200)
    await decide(buyer)
    expect(mail.arrived).toHaveLength(2)
    const { payment } = await request(buyer)
    await shop.owner.api.payments.reject({ id: payment._id })
    await send(shop.store)
    expect(mail.arrived).toHaveLength(3)
  }))

test('who ends mails of a kind gets none that waits', () =>
  withMail(async ({ shop, mail }) => {
    const buyer = await shop.buyer()
    await prove(shop.store, buyer)
    mail.refuse.set(buyer.email, 452)
    await shop.owner.api.payments.approve({ id: (await request(buyer)).payment._id })
    await send(shop.store)
    await buyer.api.messages.choose({ choices: [{ kind: 'topup.approved', channel: 'email', on: false }] })
    mail.refuse.clear()
    shop.store.clock.advance(7_000)
    await send(shop.store)
    expect(mail.arrived).toEqual([])
    expect(await states(shop.store)).toEqual([{ state: 'dropped', attempts: 2, error: 'No longer wanted here' }])
  }))

test('a buyer is told of a new device and of a new password, and cannot be kept from it by a link', () =>
  withMail(async ({ shop, mail }) => {
    const buyer = await shop.buyer()
    await prove(shop.store, buyer)
    await buyer.api.sessions.logout()
    await buyer.api.sessions.login({ username: buyer.username, password: PASSWORD })
    await buyer.api.sessions.logout()
    await send(shop.store)
    expect(mail.arrived).toEqual([])
    const elsewhere = shop.visitor()
    await elsewhere.api.sessions.login({ username: buyer.username, password: PASSWORD })
    await elsewhere.api.sessions.changePassword({ currentPassword: PASSWORD, newPassword: 'another long password' })
    await send(shop.store)
    expect(mail.arrived.map(({ subject }) => subject)).toEqual([
      'A new device logged in to your account',
      'Your password was changed',
    ])
    expect(mail.raw.join('')).not.toContain('List-Unsubscribe')
  }))

test('who holds a buyer’s session turns off no mail that guards the account', () =>
  withMail(async ({ shop, mail }) => {
    const buyer = await shop.buyer()
    await prove(shop.store, buyer)
    const guards = ['account.password-changed', 'account.new-device', 'account.reset'] as const
    await buyer.api.messages.choose({ choices: guards.map((kind) => ({ kind, channel: 'email', on: false })) })
    await buyer.api.sessions.logout()
    const elsewhere = shop.visitor()
    await elsewhere.api.sessions.login({ username: buyer.username, password: PASSWORD })
    await elsewhere.api.sessions.changePassword({ currentPassword: PASSWORD, newPassword: 'another long password' })
    await elsewhere.api.sessions.forgotPassword({ email: buyer.email })
    await expect.poll(() => send(shop.store).then(() => mail.arrived.length), { timeout: 5_000 }).toBe(3)
    expect(mail.arrived.map(({ subject }) => subject)).toEqual([
      'A new device logged in to your account',
      'Your password was changed',
      'Choose a new password',
    ])
  }))

test('a buyer can read what is kept about messages, and it goes with the account', () =>
  withMail(async ({ shop, mail }) => {
    const buyer = await shop.buyer()
    await prove(shop.store, buyer)
    await shop.owner.api.payments.reject({ id: (await request(buyer)).payment._id })
    await send(shop.store)
    await buyer.api.messages.choose({ choices: [{ kind: 'topup.approved', channel: 'push', on: false }] })
    const { messages } = await buyer.api.privacy.myData()
    expect(messages).toMatchObject({
      sent: [{ kind: 'topup.rejected', channel: 'email', state: 'sent' }],
      choices: [{ kind: 'topup.approved', channel: 'push', on: false }],
      browsers: [],
    })
    await shop.owner.api.users.remove({ id: buyer.id })
    await forgetErased(shop.store.db)
    const left = await shop.store.db.count(sql`
      select (select count(*) from outbox_messages where user_id = ${buyer.id})
           + (select count(*) from message_choices where owner_id = ${buyer.id})
           + (select count(*) from email_proofs where user_id = ${buyer.id})`)
    expect(left).toBe(0)
    expect(mail.arrived).toHaveLength(1)
  }))
