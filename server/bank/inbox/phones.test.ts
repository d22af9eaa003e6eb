import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { withStore, type Answer } from '../../../test/store.ts'
import { shopForFile } from '../../../test/shop-for-file.ts'
import { imported } from '../../../test/worlds/bank.ts'
import { alertOf, pairing, phone, type Phone } from '../../../test/worlds/phones.ts'
import { nextUtr, openShop } from '../../../test/worlds/shop.ts'
import { sql } from '../../platform/database/database.ts'

const shop = await shopForFile()
const { store } = shop

const outcome = ({ status, body }: Answer) => [status, (body as { outcome?: string }).outcome]
const countSightings = async () =>
  (await store.db.one(sql(z.object({ n: z.number() }))`select count(*)::int as n from bank_sightings`)).n
const creditOf = async (ref: string) =>
  (await shop.owner.api.bank.credits({ search: ref })).credits.find(({ refs }) => refs.includes(ref))

/** Sends a body as some app does. */
const send = ({ token }: Phone, body: string, headers: Record<string, string>) =>
  shop.visitor().call('POST', '/bank/alerts', body, { authorization: `Bearer ${token}`, ...headers })

describe('the phone’s door', () => {
  test('makes one credit of one alert, whichever app sends it, from two phones, ten times', async () => {
    const [one, other] = [await phone(shop), await phone(shop)]
    const ref = nextUtr()
    const text = alertOf({ ref, amount: '1,250.50' })
    const form = new URLSearchParams({ from: 'VM-HDFCBK-S', content: text }).toString()

    const answers = [
      await one.say(text),
      await other.say(text),
      await send(one, text, { 'content-type': 'text/plain', 'x-alert-sender': 'VM-HDFCBK-S' }),
      await send(one, form, { 'content-type': 'application/x-www-form-urlencoded' }),
      await send(one, JSON.stringify({ sender: 'HDFCBK', message: text }), { 'content-type': 'application/json' }),
      ...(await Promise.all(Array.from({ length: 10 }, () => one.say(text)))),
    ]

    for (const answer of answers) expect(outcome(answer)).toEqual([200, 'credit'])
    expect(await creditOf(ref)).toMatchObject({ amount: 1250.5, proof: 'alert', state: 'unclaimed', sightings: 1 })
  })

  test('believes the network’s name of a sender, and not the SMS', async () => {
    const one = await phone(shop)
    const text = alertOf({})
    const sms = JSON.stringify({ from: 'VM-HDFCBK-S', text })
    const macroDroid = (sender: string) => ({ 'content-type': 'text/plain', 'x-alert-sender': sender })

    for (const sender of ['+919812345678', '', 'VM-HDFCBK-S'])
      expect((await send(one, sms, macroDroid(sender))).body, sender).not.toEqual({ outcome: 'credit' })
    for (const type of ['', 'application/octet-stream', 'x'])
      expect((await send(one, sms, { 'content-type': type })).body, type).not.toEqual({ outcome: 'credit' })
    expect(outcome(await send(one, text, macroDroid('VM-HDFCBK-S')))).toEqual([200, 'credit'])
  })

  test('says no more than the outcome', async () => {
    const { body } = await (await phone(shop)).say(alertOf({}))
    expect(Object.keys(body as object)).toEqual(['outcome'])
  })

  test('keeps nothing of a one-time code, a debit or an offer, and no text of what it refuses', async () => {
    const one = await phone(shop)
    const before = await countSightings()
    const ignored = [
      '482913 is OTP for txn of INR 500.00 at SHOP on HDFC Bank card ending 5678. DO NOT SHARE.',
      'Your A/c XX5678 debited by Rs. 1,172.06 on 20/11/26; REDBUS credited. RRN 632549915527.',
      'Get 50% cashback! Offer on HDFC Bank A/c XX5678, Rs.500 credited today',
      'Hi, when will you be home?',
      '',
    ]
    for (const text of ignored) expect(outcome(await one.say(text)), text).toEqual([200, 'ignored'])
    expect(await countSightings()).toBe(before)

    expect(outcome(await one.say(alertOf({}), '+919812345678'))).toEqual([200, 'refused'])
    expect(outcome(await one.say(alertOf({ tail: '0001' })))).toEqual([200, 'refused'])
    const { alerts } = await shop.owner.api.bank.unread({ outcome: 'refused' })
    const own = alerts.filter(({ device }) => device?._id === one.id)
    expect(own.map(({ why, text }) => [why, text])).toEqual([
      ['account', null],
      ['sender', null],
    ])
  })

  test('takes money that the store itself had sent for no payment', async () => {
    const one = await phone(shop)
    const ref = nextUtr()
    await imported(shop, one.account._id, [{ refs: [ref], amount: -100 }])

    expect(outcome(await one.say(alertOf({ ref })))).toEqual([200, 'credit'])
    expect(await creditOf(ref)).toMatchObject({ kind: 'reversal', proof: 'alert' })
  })

  test('takes the bank’s own text after a stranger’s copy of it was refused', async () => {
    const one = await phone(shop)
    const text = alertOf({})

    expect(outcome(await one.say(text, '9812345678'))).toEqual([200, 'refused'])
    expect(outcome(await one.say(text))).toEqual([200, 'credit'])
  })

  test('shows an unread text to owners and payments admins, and lists a hint', async () => {
    const one = await phone(shop)
    const text = 'HDFC Bank: Rs 500 has come into a/c ending 5678 via UPI, ref 632545103000, 20 Nov'

    expect(outcome(await one.say(text))).toEqual([200, 'unread'])
    const { alerts } = await shop.owner.api.bank.unread({ outcome: 'unread' })
    expect(alerts[0]).toMatchObject({ text, amount: 500, why: 'no template', device: { _id: one.id } })
    expect(
      outcome(
        await send(one, '{"from":"com.phonepe.app.business","content":"Payment received\\nReceived ₹7 from RAVI"}', {}),
      ),
    ).toEqual([200, 'hint'])
  })

  test('refuses a body above 8 kB, a stranger before the body, and a compressed body', async () => {
    const one = await phone(shop)
    const fits = `${alertOf({})}${' '.repeat(8_192 - alertOf({}).length)}`

    expect((await send(one, fits, { 'content-type': 'text/plain', 'x-alert-sender': 'HDFCBK' })).status).toBe(200)
    expect((await send(one, `${fits} `, { 'content-type': 'text/plain' })).status).toBe(413)
    expect((await send(one, 'x', { 'content-encoding': 'gzip' })).status).toBe(415)
    for (const authorization of ['', 'Bearer ', 'Bearer wrong', `Basic ${one.token}`, `Bearer ${one.token}x`])
      expect(
        await shop.visitor().call('POST', '/bank/alerts', 'x'.repeat(9_000), { authorization }),
        authorization,
      ).toMatchObject({ status: 401, body: { code: 'DEVICE_TOKEN_INVALID' } })
    expect((await shop.owner.post('/bank/alerts', {})).status).toBe(401)
  })

  test('opens nothing else', async () => {
    const { token } = await phone(shop)
    for (const path of ['/bank/credits', '/bank/devices', '/payments', '/auth/me', '/metrics'])
      expect(
        (await shop.visitor().call('GET', path, undefined, { authorization: `Bearer ${token}` })).status,
        path,
      ).toBeGreaterThanOrEqual(401)
  })

  test('answers no nonsense with 5xx', async () => {
    const one = await phone(shop)
    const bodies = [
      '{',
      '[]',
      'null',
      '"x"',
      '{"text":null}',
      '{"text":{"a":1},"from":[]}',
      '%%%=%zz',
      '\0\0',
      '{"__proto__":{"text":"x"}}',
      '{"text":"\\ud800 Rs.5 credited A/c XX5678","from":"HDFCBK"}',
      `{"text":"${'('.repeat(4_000)}`,
      'a=1&text=%ff%fe',
      alertOf({}).slice(0, 60),
    ]
    const types = [
      'application/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'x',
      '',
    ]
    const statuses = new Set<number>()
    for (const body of bodies)
      for (const type of types) statuses.add((await send(one, body, { 'content-type': type })).status)

    expect([...statuses]).toEqual([200])
  })

  test('pauses at 300 alerts a minute a phone', async () => {
    await withStore(
      async (store) => {
        const shop = await openShop(store)
        const one = await phone(shop)
        const statuses = await Promise.all(Array.from({ length: 305 }, () => one.say('hello')))
        expect(statuses.filter(({ status }) => status === 429)).toHaveLength(5)
      },
      { rateLimitScale: 1 },
    )
  })
})

describe('a credit from an alert', () => {
  test('waits as “an alert says” until a statement proves it', async () => {
    const one = await phone(shop)
    const ref = nextUtr()
    await one.say(alertOf({ ref, amount: '300' }))
    expect(await creditOf(ref)).toMatchObject({ proof: 'alert', amount: 300 })

    await imported(shop, one.account._id, [{ refs: [ref], amount: 300 }])
    expect(await creditOf(ref)).toMatchObject({ proof: 'statement', state: 'unclaimed' })
  })

  test('that says another amount than a statement proves nothing, and is marked', async () => {
    const one = await phone(shop)
    const ref = nextUtr()
    await imported(shop, one.account._id, [{ refs: [ref], amount: 1 }])

    expect(outcome(await one.say(alertOf({ ref, amount: '2,000' })))).toEqual([200, 'credit'])
    expect(await creditOf(ref)).toMatchObject({ amount: 1, state: 'differs' })
  })

  test('approves a request by itself where the owner trusts the phone', async () => {
    const one = await phone(shop)
    await shop.owner.api.bank.saveRules({
      mode: 'auto',
      trusts: 'phone',
      perRequest: 2_000,
      perBuyerDay: 5_000,
      perDay: 25_000,
      unprovenMax: 10_000,
    })
    const buyer = await shop.buyer()
    const utr = nextUtr()
    await buyer.api.payments.addMoney({ amount: 500, utr, payerName: '9876543210' })

    await one.say(alertOf({ ref: utr, amount: '500.00' }))

    const { payments } = await shop.owner.api.payments.list({ search: utr })
    expect(payments).toMatchObject([{ status: 'approved', decidedHow: 'bank' }])
    expect((await shop.owner.api.bank.rules({})).unproven).toBe(500)
  })
})

describe('a phone', () => {
  test('is connected with a code that works once and for ten minutes', async () => {
    await phone(shop)
    const [known] = (await shop.owner.api.bank.accounts({})).accounts
    const code = await pairing(shop, known!)

    const { body } = await shop.visitor().post('/bank/devices/pair', { code })
    expect(body).toMatchObject({ device: { name: 'Till' }, token: expect.stringMatching(/^[\w-]{43}$/) as string })
    expect(await shop.visitor().post('/bank/devices/pair', { code })).toMatchObject({
      status: 400,
      body: { code: 'PAIRING_INVALID' },
    })

    const late = await pairing(shop, known!)
    store.clock.advance(10 * 60_000)
    expect((await shop.visitor().post('/bank/devices/pair', { code: late })).status).toBe(400)
  })

  test('has its token stored as a hash alone', async () => {
    const { token, id } = await phone(shop)
    const row = await store.db.one(sql(z.object({ row: z.string(), hash: z.instanceof(Buffer) }))`
      select device::text as row, token_hash as hash from bank_devices device where id = ${id}`)

    expect(row.row).not.toContain(token)
    expect(row.hash).toEqual(createHash('sha256').update(token).digest())
  })

  test('that is paused is heard and ignored, and one that is disconnected is turned away', async () => {
    const one = await phone(shop)
    await shop.owner.api.bank.updateDevice({ id: one.id, paused: true })
    expect(outcome(await one.say(alertOf({})))).toEqual([200, 'ignored'])

    await shop.owner.api.bank.updateDevice({ id: one.id, paused: false })
    expect(outcome(await one.say(alertOf({})))).toEqual([200, 'credit'])

    expect(await shop.owner.api.bank.updateDevice({ id: one.id, ended: true })).toMatchObject({
      endedAt: expect.any(String) as string,
    })
    expect((await one.say(alertOf({}))).status).toBe(401)
  })

  test('is invited only where PUBLIC_URL says https', async () => {
    await withStore(
      async (store) => {
        const shop = await openShop(store)
        const own = await shop.owner.api.bank.createAccount({
          bank: 'HDFC',
          label: 'Till',
          tail: '5678',
          feedsStore: true,
        })
        const { code, url } = await shop.owner.api.bank.invite({ name: 'Till', accountIds: [own._id] })

        expect(url).toBe(`https://store.example/phone#${code}`)
        const { token, url: door } = await shop.visitor().api.bank.pair({ code })
        expect(door).toBe('https://store.example/api/bank/alerts')
        expect(await shop.owner.api.bank.devices({})).toMatchObject({
          devices: [{ name: 'Till', accounts: [{ label: 'Till' }], lastSeenAt: null }],
          hasHttps: true,
        })
        await shop.visitor().call('POST', '/bank/alerts', 'test', { authorization: `Bearer ${token}` })
        expect((await shop.owner.api.bank.devices({})).devices[0]?.reachedAt).not.toBeNull()
      },
      { publicOrigin: 'https://store.example' },
    )
  })
})
