/**
 * Everything that the store sends is searched for secrets: push messages as their browsers decrypt them, mails as they
 * travel with their headers, and what Telegram is asked for.
 */
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Language } from '../../contract/languages.ts'
import { KIND_NAMES } from '../../contract/message-kinds.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../contract/time.ts'
import { tellSilentPhones } from '../../server/bank/phones/silent-phones.ts'
import { raiseAlarm, switchOff } from '../../server/bank/credits/alarms.ts'
import { tellDue } from '../../server/claims/tell-due.ts'
import { watchStock } from '../../server/forecast/watch-stock.ts'
import { tellDay, tellSales } from '../../server/messages/tell-owner.ts'
import { healthJob, tellHealth } from '../../server/messages/tell-health.ts'
import { pollTelegram } from '../../server/messages/telegram/poll-telegram.ts'
import { vapidKeys } from '../../server/messages/channels/push.ts'
import { tellEndingLinks } from '../../server/messages/telegram/telegram-links.ts'
import { sendDue } from '../../server/messages/worker.ts'
import { renewalJobs } from '../../server/renewals/renew.ts'
import { remind } from '../../server/reminders/remind.ts'
import { sql } from '../../server/platform/database/database.ts'
import { enqueue } from '../../server/platform/outbox.ts'
import { tellTrouble } from '../../server/supply/telling/trouble.ts'
import { gradeBuyers } from '../../server/users/grade-buyers.ts'
import { keepUsersLanguage } from '../../server/users/access/accounts.ts'
import { withStore, type TestStore } from '../store.ts'
import { BOT_TOKEN, startMailServer, startPushService, startTelegram } from '../worlds/mailboxes.ts'
import { nextUtr, openShop, type Shop } from '../worlds/shop.ts'
import { kindsIn, plant, type Canary } from './canary.ts'

/** A product’s name in each language. A message has that of its reader. */
const ENGLISH = 'Quillfeather'
const HINDI = 'मोरपंख'
const KindRow = z.object({ kind: z.string() })
const DURATION = '10 Days'
const SMTP_PASSWORD = 'Canary/c0ffee & SMTP password'
/** Whole links, which a mail on its way may break. Only its reader may have one: it stands in that mail alone. */
const SECRET_LINK = /\/(?:reset-password|confirm-email)#([\w-]{43})/g

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
async function tellAll(world: World, canary: Canary, language: Language): Promise<void> {
  const { shop, push } = world
  const { buyer, ids, secrets } = canary
  const { db, clock } = shop.store
  await keepUsersLanguage(db, ids.user, language)
  await shop.owner.api.catalogue.update({ id: ids.product, nameHi: HINDI })
  await buyer.api.sessions.proveEmail({})
  await send(shop.store)
  await db.run(sql`update users set email_proven_at = ${clock.now()} where id = ${ids.user}`)
  await buyer.api.messages.subscribe(push.subscribe())
  const kinds = ['key.ending', 'credit.lapsing', 'group.changed'] as const
  await buyer.api.messages.choose({ choices: kinds.map((kind) => ({ kind, channel: 'email', on: true })) })
  await shop.owner.api.users.setReseller({ id: ids.user, on: true })
  const form = { name: 'C4NARY/website', canBuy: true, days: 30, password: secrets.password } as const
  Object.assign(secrets, { token: (await buyer.api.sessions.makeToken(form)).token, 'name of a token': form.name })
  await tellOfTopUps(world, canary)
  await tellOfStock(world, canary)
  await tellOfClaims(world, canary)
  await tellOfYear(world)
  await tellOfFriend(world, canary)
  await tellOfSupplier(world)
  await tellOfGroup(world)
  const sold = await tellOfRival(world, canary)
  for (const isHealthy of [false, true]) await tellHealth(db, isHealthy, clock.now())
  const warned = { ok: true, warnings: ['No backup yet. Make one: npm run backup'] }
  await healthJob(db, () => Promise.resolve(warned)).run(clock.now(), new AbortController().signal)
  await db.run(sql`update bank_rules set mode = 'auto'`)
  await db.transaction(async (tx) => {
    await raiseAlarm(tx, 'approved-without-money', { topUpId: ids.pending }, clock.now())
    await switchOff(tx, 'sources-differ', clock.now())
  })
  await db.run(sql`update bank_devices set last_seen_at = ${new Date(clock.now().getTime() - 30 * DAY_MS)}`)
  await tellSilentPhones(db, clock.now())
  await shop.visitor().post('/auth/forgot-password', { email: secrets['e-mail'] })
  await buyer.api.sessions.logout()
  const elsewhere = shop.visitor()
  await elsewhere.api.sessions.login({ username: secrets.username, password: secrets.password })
  const newPassword = (secrets['new password'] = `${secrets.password} anew`)
  await elsewhere.api.sessions.changePassword({ currentPassword: secrets.password, newPassword })
  await send(shop.store)
  // The key of ten days ends tomorrow, and credit, too
  await db.run(sql`update wallet_lots set expires_at = ${new Date(clock.now().getTime() + 10 * DAY_MS)}`)
  clock.advance(9 * DAY_MS)
  await db.run(sql`
    update telegram_links set expires_at = ${new Date(clock.now().getTime() + 2 * DAY_MS)} where chat_id is not null`)
  await tellEndingLinks(db, clock.now())
  await elsewhere.api.sessions.login({ username: secrets.username, password: newPassword })
  const runRenewals = () => renewalJobs(shop.store.app.services)[0]?.run(clock.now(), new AbortController().signal)
  for (let hours = 0; hours < 24; hours += 3) {
    await remind(db, clock.now())
    await runRenewals()
    await elsewhere.api.orders.place({ ...sold, duration: DURATION, quantity: 1 })
    clock.advance(MINUTE_MS)
    await tellSales(db, clock.now())
    await tellDay(db, clock.now())
    await send(shop.store)
    clock.advance(3 * HOUR_MS - MINUTE_MS)
  }
  await runRenewals()
  await send(shop.store)
}

async function tellOfTopUps({ shop }: World, { buyer, ids, secrets }: Canary): Promise<void> {
  const { owner, store } = shop
  await owner.api.payments.approve({ id: ids.pending })
  const request = (amount: number, utr: string) =>
    buyer.api.payments.addMoney({ amount, utr, payerName: secrets.phone })
  secrets['UTR of a request'] = nextUtr()
  const { payment } = await request(300, secrets['UTR of a request'])
  await send(store)
  await owner.api.payments.reject({ id: payment._id, reason: 'UTR not found' })
  await request(301, nextUtr())
  await send(store)
}

/** In the morning. */
async function tellOfGroup({ shop: { owner, store } }: World): Promise<void> {
  await owner.api.groups.create({ name: 'Gold', percentOff: 0, fromSpent: 1, prices: [] })
  await gradeBuyers(store.app.services, { now: store.clock.now(), falls: false }, new AbortController().signal)
}

/** The books of a whole year are not made here (server/books/turnover.test.ts). */
async function tellOfYear({ shop: { store } }: World): Promise<void> {
  const data = { year: 2026, percent: 80, line: 20_00_000 }
  await store.db.transaction(async (tx) =>
    enqueue(tx, { kind: 'books.turnover', data, dedupe: 'books.turnover:2026:80', now: store.clock.now() }),
  )
  await send(store)
}

/** Only a bank's statement would bring it (server/referrals/invites/pay.test.ts). */
async function tellOfFriend({ shop: { store } }: World, { ids }: Canary): Promise<void> {
  const now = store.clock.now()
  const goneAfter = new Date(now.getTime() + 60 * DAY_MS)
  await store.db.transaction(async (tx) =>
    enqueue(tx, { kind: 'invite.earned', userId: ids.user, data: { amount: 2_500 }, goneAfter, now }),
  )
  await send(store)
}

async function tellOfSupplier({ shop: { owner, store } }: World): Promise<void> {
  const secret = `chaabi_${'c'.repeat(43)}`
  const form = { name: 'Wholesale Keys', address: 'https://keys.example', secret, dayMax: 500 }
  const { _id: id } = await owner.api.supply.addLink(form)
  await store.db.transaction(async (tx) => tellTrouble(tx, id, { why: 'known-key', number: 1001 }, store.clock.now()))
  await send(store)
}

/** Another buyer claims the payment, and the owner wants to hear of sales. @returns what can be bought */
async function tellOfRival({ shop }: World, { buyer, secrets }: Canary): Promise<{ productId: string }> {
  const { owner } = shop
  const utr = (secrets['UTR of two'] = nextUtr())
  await buyer.api.payments.addMoney({ amount: 302, utr, payerName: secrets.phone })
  await (await shop.buyer()).post('/payments/add-money', { amount: 302, utr, payerName: secrets.phone })
  await owner.api.messages.choose({ choices: [{ kind: 'sale.placed', channel: 'push', on: true }], as: 'admin' })
  const prices = [{ duration: DURATION, price: 1 }]
  const { _id: productId } = await owner.api.catalogue.create({ name: `${ENGLISH} of the day`, nameHi: HINDI, prices })
  const keys = Array.from({ length: 8 }, (_, n) => (secrets[`key ${n} of the day`] = `C4NARY/day ${n}&=<key>`))
  await owner.api.keys.add({ productId, duration: DURATION, keys })
  await send(shop.store)
  return { productId }
}

/** The answer to a reported key comes late, and its batch is recalled. */
async function tellOfClaims({ shop }: World, { buyer, ids }: Canary): Promise<void> {
  const { owner, store } = shop
  const [claim] = await buyer.api.claims.mine()
  await store.db.run(sql`update key_claims set created_at = ${new Date(store.clock.now().getTime() - 2 * DAY_MS)}`)
  await tellDue(store.db, store.clock.now())
  store.clock.advance(HOUR_MS)
  await send(store)
  await owner.api.claims.reject({ id: claim?._id ?? '', answer: 'It works here.' })
  await owner.api.claims.recall({ id: ids.batch, note: 'Used before', openClaims: true })
  await send(store)
}

/** One product runs low and one out; one comes back for who waits, and one is bought for who waits. */
async function tellOfStock({ shop }: World, { buyer, secrets, ids }: Canary): Promise<void> {
  const { owner, store } = shop
  const keyOf = (name: string) => (secrets[name] = `C4NARY/${name}&=<key>`)
  const product = async (name: string, stock: number) => {
    const prices = [{ duration: DURATION, price: 100, lowStockBelow: stock }]
    const { _id: productId } = await owner.api.catalogue.create({ name: `${ENGLISH} ${name}`, nameHi: HINDI, prices })
    const keys = Array.from({ length: stock }, (_, n) => keyOf(`${name} ${n}`))
    if (stock > 0) await owner.api.keys.add({ productId, duration: DURATION, keys })
    return { productId, duration: DURATION }
  }
  const [low, out, back, bought] = await Promise.all([
    product('low', 2),
    product('out', 1),
    product('back', 0),
    product('bought', 0),
  ])
  await watchStock(store.db, store.clock.now())
  for (const each of [low, out]) {
    const { keys } = await buyer.api.orders.place({ ...each, quantity: 1 })
    await buyer.api.renewals.make({ keyId: keys[0]?._id ?? '', repeat: each === low })
  }
  await watchStock(store.db, store.clock.now())
  await owner.api.waiting.saveSettings({ autoBuy: true })
  await buyer.api.waiting.wait(back)
  await buyer.api.waiting.wait({ ...bought, autoMax: 100 })
  const missing = await product('missing', 0)
  const { _id: id } = await buyer.api.waiting.wait(missing)
  await store.db.transaction(async (tx) => {
    await tx.run(sql`update waiting_places set fetch_until = now(), fetch_end = 'supplier' where id = ${id}`)
    enqueue(tx, { kind: 'fetch.ended', userId: ids.user, subjectId: id, now: store.clock.now() })
  })
  await owner.api.keys.add({ ...back, keys: [keyOf('back')] })
  await owner.api.keys.add({ ...bought, keys: [keyOf('bought')] })
  const then = { ...back, quantity: 9, expectedPrice: 100 }
  const wish = await buyer.api.payments.addMoney({ amount: 100, utr: nextUtr(), payerName: secrets.phone, then })
  await owner.api.payments.approve({ id: wish.payment._id })
  await send(store)
}

/** Runs a store that tells its buyer and its owner of everything. */
async function withAllTold(
  language: Language,
  look: (told: World & { canary: Canary; letters: string[]; elsewhere: string[] }) => Promise<void> | void,
): Promise<void> {
  const [push, mail, telegram] = await Promise.all([startPushService(), startMailServer(), startTelegram()])
  try {
    await withStore(
      async (store) => {
        const world = { shop: await openShop(store), push, mail, telegram }
        await store.db.run(sql`update admins set language = ${language}`)
        await turnAllOn(world)
        const canary = await plant(world.shop)
        await tellAll(world, canary, language)
        const told = await store.db.rows(sql(KindRow)`
          select distinct kind from outbox_messages message
            join outbox_deliveries delivery on delivery.message_id = message.id and delivery.state = 'sent'`)
        expect(told.map(({ kind }) => kind).toSorted()).toEqual(KIND_NAMES.toSorted())
        const letters = mail.arrived.map(({ text, html, subject, headerLines }, n) =>
          JSON.stringify([mail.raw[n], text, html, subject, headerLines]),
        )
        const elsewhere = [...push.arrived, ...telegram.sent].map((sent) => JSON.stringify(sent))
        await look({ ...world, canary, letters, elsewhere })
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
}

test('no message holds a secret', () =>
  withAllTold('en', async ({ shop, mail, canary, letters, elsewhere }) => {
    const { privateKey } = await vapidKeys(shop.store.db, shop.store.app.services.sealer)
    const secrets: Canary['secrets'] = { ...canary.secrets, device: canary.secrets.device || 'no device at all' }
    /** Admins' messages name the buyer, and a mail goes to an address. */
    const found = (text: string, may: readonly string[]) => [
      ...kindsIn(text, secrets).filter((kind) => !may.includes(kind)),
      ...[privateKey, SMTP_PASSWORD, BOT_TOKEN].filter((secret) => text.includes(secret)),
    ]
    expect(letters.flatMap((text) => found(text, ['e-mail', 'username']))).toEqual([])
    expect(elsewhere.flatMap((text) => found(text, ['username']))).toEqual([])
    const said = elsewhere.join('').match(/UTR ending in \d+/g)
    expect(said).toContain(`UTR ending in ${secrets['UTR of a request']?.slice(-4)}`)
    const tokens = letters.map((text) => [...new Set([...text.matchAll(SECRET_LINK)].map(([, token]) => token))])
    expect(tokens.filter((each) => each.length > 0)).toHaveLength(2)
    for (const [token = ''] of tokens.filter((each) => each.length > 0)) {
      expect(letters.filter((text) => text.includes(token))).toHaveLength(1)
      expect(elsewhere.join('')).not.toContain(token)
    }
    // A buyer who reads English gets nothing in Hindi
    expect(mail.arrived.filter(({ subject, text }) => IN_HINDI.test(`${subject}${text}`))).toEqual([])
    expect(mail.arrived.some(({ subject }) => subject?.includes(ENGLISH))).toBe(true)
  }))

test('every kind of message is in Hindi for who reads it, and for buyers with the product’s Hindi name', () =>
  withAllTold('hi', async ({ mail, push, telegram, shop: { store } }) => {
    const expectHindi = (text: string, known: ReadonlySet<string>) => {
      const words = text.replaceAll(/https?:\/\/\S+/g, '').match(/[A-Za-z]{2,}/g) ?? []
      expect([text, words.filter((word) => !known.has(word)), IN_HINDI.test(text)]).toEqual([text, [], true])
    }
    // Admins read the names of people and products as they are in the panel
    const named = await store.db.rows(sql(z.object({ name: z.string() }))`
      select username as name from users union select username from admins union select name from products
      union select name from supply_links`)
    const known = new Set([
      ...LATIN,
      ...(named
        .map(({ name }) => name)
        .join(' ')
        .match(/[A-Za-z]{2,}/g) ?? []),
    ])
    for (const { subject = '', text = '', html, to } of mail.arrived) {
      const isToStore = JSON.stringify(to).includes('shop@example.in')
      expectHindi(`${subject} ${text}`, isToStore ? known : LATIN)
      expect([subject, IN_HINDI.test(subject), String(html).includes('lang="hi"')]).toEqual([subject, true, true])
    }
    expect(mail.arrived.some(({ subject }) => subject?.includes(HINDI))).toBe(true)

    const texts = [
      ...push.arrived.map(({ message: { title, body } }) => `${title} ${body}`),
      ...telegram.sent.flatMap(({ parameters: { text, reply_markup: markup } }) =>
        typeof text === 'string' ? [text, ...labelsIn(markup)] : [],
      ),
    ]
    expect(texts.length).toBeGreaterThan(KIND_NAMES.length)
    for (const text of texts) expectHindi(text, known)
    expect(push.arrived.filter(({ message: { lang } }) => lang !== 'hi')).toEqual([])
  }))

const Keyboard = z.object({ inline_keyboard: z.array(z.array(z.object({ text: z.string() }))) })
const labelsIn = (markup: unknown): string[] =>
  (Keyboard.safeParse(markup).data?.inline_keyboard ?? []).flat().map(({ text }) => text)

const IN_HINDI = /\p{Script=Devanagari}/u
/** What stays in Latin letters: names, "key", and what the owner wrote to the buyer. */
const LATIN = new Set([
  'Chaabi',
  'Gold',
  'UPI',
  'UTR',
  'key',
  'keys',
  'Key',
  'My',
  'It',
  'works',
  'here',
  'not',
  'found',
  'am',
  'pm',
  'Telegram',
  'SMS',
])
