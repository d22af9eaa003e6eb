/** Suppliers with an API of their own, from the owner's form to the key on the shelf, with lost answers and crashes. */
import https from 'node:https'
import { describe, expect, test, vi } from 'vitest'
import { unproven } from '../../../test/worlds/admins.ts'
import { unique } from '../../../test/worlds/constants.ts'
import { DISGUISED } from '../../../test/worlds/disguised.ts'
import { OWNER } from '../../../test/worlds/shop.ts'
import { DURATION } from '../../../test/worlds/suppliers.ts'
import { SECRET, TEMPLATE, withOtherApi, type OtherApi } from '../../../test/worlds/other-api.ts'
import { sold, type Reply } from '../../../test/worlds/other-supplier.ts'
import { overhearing } from '../../../test/store.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../contract/time.ts'
import { prepared, sql } from '../../platform/database/database.ts'
import { createLog } from '../../platform/watching/log.ts'
import { orderWhatIsMissing } from '../demand.ts'
import { pauseEveryLink } from '../links.ts'
import { takeOrders } from '../take-orders.ts'

const REPEATS = { template: { repeats: true } }
const LEASE_MS = 31 * SECOND_MS
const orderIds = ({ store }: OtherApi) => store.db.texts(sql`select id from supply_orders order by created_at, id`)

/** Writes the order and marks it as sent, as a worker does that dies then. */
async function takeAndDie({ store, supplying }: OtherApi) {
  await orderWhatIsMissing(store.db, store.clock.now())
  await takeOrders(supplying, 8, store.clock.now())
}

/** A proof lasts for ten minutes. */
async function proveAgain({ shop: { owner } }: OtherApi) {
  await owner.api.sessions.adminLogin(OWNER)
  await owner.api.admins.stepUp({ password: OWNER.password })
}

describe('an order', () => {
  test('is sent as the template says, and its key comes into stock at its cost', () =>
    withOtherApi(async (given) => {
      given.answer(() => sold('THEIR-1'))
      await given.work()
      const [id] = await orderIds(given)
      expect(given.asked).toMatchObject([{ method: 'POST', url: '/buy', headers: { 'x-api-key': SECRET } }])
      expect(JSON.parse(given.asked[0]?.body ?? '')).toEqual({ item: 'NC-10D', ref: id })
      expect(await given.had()).toEqual(['THEIR-1'])
      const { batches } = await given.shop.owner.api.keys.batches({})
      expect(batches).toMatchObject([{ supplier: 'Key Depot', costPerKey: 80 }])
      expect(await given.linkNow()).toMatchObject({ kind: 'http', on: true, spentToday: 80 })
    }))

  test('without a price in the answer costs the most that a key may', () =>
    withOtherApi(
      async (given) => {
        await given.work()
        expect((await given.shop.owner.api.supply.orders({})).orders).toMatchObject([{ state: 'came', unitPrice: 100 }])
      },
      { template: { costAt: '' } },
    ))

  test('is for one key where the request does not say how many, and for ten where it does', () =>
    withOtherApi(
      async (given) => {
        await given.work()
        expect(await given.had()).toHaveLength(3)
        expect(given.asked).toHaveLength(3)
        const { api } = given.shop.owner
        await expect(api.supply.order({ priceId: given.priceId, quantity: 2 })).rejects.toMatchObject({
          fields: { quantity: 'This supplier sells one key at a time' },
        })
        await api.supply.changeApi({ id: given.link._id, body: '{"n": {quantity}}', keyAt: '/keys' })
        given.answer(({ body }) => {
          const { n } = JSON.parse(body) as { n: number }
          return { body: { keys: Array.from({ length: n }, () => unique('MANY-')) } }
        })
        await given.save({ keep: 15 })
        await given.work()
        expect(given.asked.slice(3).map(({ body }) => body)).toEqual(['{"n": 10}', '{"n": 2}'])
        expect(await given.had()).toHaveLength(15)
      },
      { keep: 3 },
    ))

  test('by GET has its values in the address', () =>
    withOtherApi(
      async (given) => {
        given.answer(() => ({ body: 'LINE-1\n' }))
        await given.save({ sku: 'A & B/ü' })
        await given.work()
        const [id] = await orderIds(given)
        expect(given.asked).toMatchObject([{ method: 'GET', url: `/of/A%20%26%20B%2F%C3%BC?ref=${id}`, body: '' }])
        expect(await given.had()).toEqual(['LINE-1'])
      },
      { path: '/of/{sku}?ref={order}', template: { method: 'GET', keyAt: '', costAt: '' } },
    ))

  test('of an admin is sent at once, and a buyer’s too, who pays when the key is here', () =>
    withOtherApi(
      async (given) => {
        const { api } = given.shop.owner
        await given.work()
        expect(given.asked).toEqual([])
        const wanted = { productId: given.productId, duration: DURATION, quantity: 1 }
        const buyer = await given.shop.buyer({ balance: 500 })
        const [price] = (await buyer.api.catalogue.list()).find(({ _id }) => _id === given.productId)?.prices ?? []
        expect(price?.fetch).toMatchObject({ upTo: 2 })
        await buyer.api.waiting.wait({ ...wanted, fetch: true, autoMax: 120 })
        await given.work()
        expect([(await buyer.api.keys.mine()).length, given.asked.length]).toEqual([1, 1])
        await api.supply.order({ priceId: given.priceId, quantity: 1 })
        await given.work()
        expect(await given.states()).toEqual(['came', 'came'])
      },
      { keep: 0, forBuyers: 2 },
    ))

  test('never goes above the day’s sum, nor above what a key may cost', () =>
    withOtherApi(
      async (given) => {
        given.answer(() => sold(unique('DEAR-'), 100.01))
        await given.work()
        expect(given.asked.length).toBeLessThanOrEqual(2)
        expect(await given.linkNow()).toMatchObject({ on: false, pausedWhy: 'price' })
        expect(await given.told()).toContain('above-cap')
      },
      { keep: 5, dayMax: 250 },
    ))
})

describe('what decides', () => {
  test('sold out: it rests for fifteen minutes, and then it is asked again', () =>
    withOtherApi(async (given) => {
      given.answer(() => ({ body: { error: 'SOLD_OUT' } }))
      await given.work()
      await given.pass(14 * MINUTE_MS)
      expect([await given.states(), await given.told()]).toEqual([['refused stock'], []])
      const { sources } = await given.shop.owner.api.supply.sources()
      expect(sources).toMatchObject([{ sku: 'NC-10D', rests: 'none' }])
      given.answer(() => sold('THEIR-1'))
      await given.pass(MINUTE_MS + SECOND_MS)
      expect([await given.states(), await given.had()]).toEqual([['came', 'refused stock'], ['THEIR-1']])
    }))

  test.each([400, 404, 410, 422])('%i: refused and told, and it rests until it is saved again', (status) =>
    withOtherApi(async (given) => {
      given.answer(() => ({ status, body: {} }))
      await given.work()
      await given.pass(HOUR_MS)
      expect([await given.states(), await given.told()]).toEqual([['refused request'], ['request']])
      expect((await given.shop.owner.api.supply.sources()).sources).toMatchObject([{ rests: 'request' }])
      given.answer(() => sold('THEIR-1'))
      await given.save({})
      await given.work()
      expect(await given.had()).toEqual(['THEIR-1'])
    }),
  )
})

const UNKNOWN: Record<string, Reply> = {
  'a lost answer': 'lost',
  'a failure': { status: 500, body: {} },
  'a refused secret': { status: 401, body: {} },
  'too many': { status: 429, body: {} },
  'a redirect': { status: 302, body: '', headers: { location: '/elsewhere' } },
  'something else': { body: { ok: true } },
  'too much': { body: `{"data":{"key":"AB-1"},"pad":"${'x'.repeat(300_000)}"}` },
}

describe('what is not known, where the same number may buy again', () => {
  test.each(Object.keys(UNKNOWN))(
    '%s: it is never sent twice; the supplier pauses, and a person says what came',
    (name) =>
      withOtherApi(async (given) => {
        given.answer(() => UNKNOWN[name] ?? 'lost')
        await given.work()
        expect(await given.states()).toEqual([expect.stringMatching(/^asked (silent|token|busy|unreadable) by hand$/)])
        expect(await given.linkNow()).toMatchObject({ on: false, pausedWhy: 'lost' })
        expect(await given.told()).toContain('lost')
        given.answer(() => sold(unique('AGAIN-')))
        for (const ms of [LEASE_MS, HOUR_MS, DAY_MS]) await given.pass(ms)
        await proveAgain(given)
        await given.shop.owner.api.supply.changeLink({ id: given.link._id, on: true })
        await given.save({ keep: 0 })
        for (const ms of [MINUTE_MS, 10 * MINUTE_MS]) await given.pass(ms)
        expect(given.asked).toHaveLength(1)
        await proveAgain(given)
        const { orders } = await given.shop.owner.api.supply.orders({ state: 'by-hand' })
        expect(orders).toMatchObject([{ number: 'S-1001', tries: 1 }])
        const settled = { id: orders[0]?._id ?? '', keys: ['BY-HAND-1'] }
        expect(await given.shop.owner.api.supply.settle(settled)).toMatchObject({
          state: 'came',
          came: 1,
          unitPrice: 100,
        })
        expect(await given.had()).toEqual(['BY-HAND-1'])
        await given.pass(HOUR_MS)
        expect(given.asked).toHaveLength(1)
      }),
  )

  test('after a crash between sending and the answer it is by hand, whether it was sent or not', () =>
    withOtherApi(async (given) => {
      await takeAndDie(given)
      await given.work()
      expect([await given.states(), given.asked]).toEqual([['asked'], []])
      await given.pass(LEASE_MS)
      expect(await given.states()).toEqual(['asked silent by hand'])
      expect(await given.linkNow()).toMatchObject({ on: false, pausedWhy: 'lost' })
      for (const ms of [LEASE_MS, HOUR_MS, DAY_MS]) await given.pass(ms)
      expect(given.asked).toEqual([])
      await proveAgain(given)
      const { _id: id } = (await given.shop.owner.api.supply.orders({ state: 'by-hand' })).orders[0] ?? { _id: '' }
      expect(await given.shop.owner.api.supply.settle({ id })).toMatchObject({ state: 'refused', why: 'by-hand' })
      await given.shop.owner.api.supply.changeLink({ id: given.link._id, on: true })
      await given.work()
      expect(await given.states()).toEqual(['came', 'refused by-hand'])
    }))

  test('a template that says from now on that numbers repeat sends nothing again that was sent before', () =>
    withOtherApi(async (given) => {
      const { api } = given.shop.owner
      given.answer(() => 'lost')
      await given.work()
      await api.supply.changeApi({ id: given.link._id, repeats: true })
      await api.supply.changeLink({ id: given.link._id, on: true })
      given.answer(() => sold(unique('NEW-')))
      for (const ms of [LEASE_MS, HOUR_MS]) await given.pass(ms)
      expect(await given.states()).toContain('asked silent by hand')
      const numbers = given.asked.map(({ body }) => (JSON.parse(body) as { ref: string }).ref)
      expect(new Set(numbers).size).toBe(numbers.length)
    }))

  test('a restored backup drops what waits, because it may have been sent since', () =>
    withOtherApi(async (given) => {
      await orderWhatIsMissing(given.store.db, given.store.clock.now())
      await given.store.db.transaction((tx) => pauseEveryLink(tx))
      expect(await given.states()).toEqual(['dropped unneeded'])
      await given.work()
      expect(given.asked).toEqual([])
      await given.shop.owner.api.supply.changeLink({ id: given.link._id, on: true })
      await given.work()
      expect(await given.states()).toEqual(['came', 'dropped unneeded'])
    }))
})

describe('what is not known, where the same number gets the same keys', () => {
  test.each(Object.keys(UNKNOWN))('%s: it is asked again under the same number', (name) =>
    withOtherApi(async (given) => {
      given.answer(() => UNKNOWN[name] ?? 'lost')
      await given.work()
      await given.pass(6 * SECOND_MS)
      given.answer(({ body }) => sold(`KEY-${(JSON.parse(body) as { ref: string }).ref}`))
      await given.pass(16 * SECOND_MS)
      const [id] = await orderIds(given)
      expect(given.asked.map(({ body }) => (JSON.parse(body) as { ref: string }).ref)).toEqual([id, id, id])
      expect([await given.states(), await given.had()]).toEqual([['came'], [`KEY-${id}`]])
      expect(await given.linkNow()).toMatchObject({ on: true })
    }, REPEATS),
  )

  test('one that is turned off is not asked, because that might buy, until it is on again', () =>
    withOtherApi(async (given) => {
      const { api } = given.shop.owner
      given.answer(() => 'lost')
      await given.work()
      await api.supply.changeLink({ id: given.link._id, on: false })
      for (const ms of [MINUTE_MS, 5 * MINUTE_MS, HOUR_MS]) await given.pass(ms)
      expect(given.asked).toHaveLength(1)
      await proveAgain(given)
      await api.supply.changeLink({ id: given.link._id, on: true })
      given.answer(() => sold('THEIR-1'))
      await given.pass(6 * MINUTE_MS)
      expect([given.asked.length, await given.had()]).toEqual([2, ['THEIR-1']])
    }, REPEATS))

  test('at another address nothing is asked again, because nobody there knows the number', () =>
    withOtherApi(async (given) => {
      const { api } = given.shop.owner
      given.answer(() => 'lost')
      await given.work()
      const { id, url } = { id: given.link._id, url: 'https://other.example/buy' }
      await expect(api.supply.changeApi({ id, url })).rejects.toMatchObject({
        fields: { secret: 'Enter the token again' },
      })
      await api.supply.changeApi({ id, url, secret: 'another' })
      expect(await given.states()).toEqual(['asked silent by hand'])
    }, REPEATS))

  test('three that are not answered keep it from being ordered at, and after half an hour it is told', () =>
    withOtherApi(
      async (given) => {
        given.answer(() => 'lost')
        await given.work()
        await given.save({ keep: 6 })
        await given.pass(MINUTE_MS)
        expect(await given.states()).toEqual(Array(3).fill('asked silent'))
        expect(await given.linkNow()).toMatchObject({ on: true, failing: 'silent' })
        for (let n = 0; n < 7; n++) await given.pass(5 * MINUTE_MS)
        expect(await given.told()).toEqual(['silent'])
        given.answer(({ body }) => sold((JSON.parse(body) as { ref: string }).ref))
        for (let n = 0; n < 2; n++) await given.pass(5 * MINUTE_MS)
        expect(await given.had()).toHaveLength(6)
      },
      { ...REPEATS, keep: 3 },
    ))
})

describe('the address', () => {
  const OF_TEMPLATES = [
    'https://10.0.0.1/{sku}',
    'https://{sku}.example/',
    'https://keys.example{sku}@evil.example/',
    'https://keys.example:{quantity}/',
    'https:{sku}//keys.example/',
    'https://here.example/buy',
  ]
  test('that is no public one is refused in every form, also after a good one, and nothing is called', () =>
    withOtherApi(
      async (given) => {
        const { supply } = given.shop.owner.api
        const calls = vi.spyOn(https, 'request')
        const form = { ...TEMPLATE, name: 'Odd', secret: SECRET, dayMax: 500 }
        const chaabi = { name: 'Odd too', secret: `chaabi_${'a'.repeat(43)}`, dayMax: 500 }
        const { _id: id } = await supply.addLink({ ...chaabi, address: new URL(given.url).origin })
        const refused = (field: string) => ({ code: 'URL_REFUSED', fields: { [field]: expect.any(String) as string } })
        for (const url of [...DISGUISED, ...OF_TEMPLATES]) {
          await expect(supply.addApi({ ...form, url }), url).rejects.toMatchObject(refused('url'))
          const change = { id: given.link._id, url, secret: SECRET }
          await expect(supply.changeApi(change), url).rejects.toMatchObject(refused('url'))
          await expect(supply.try({ ...TEMPLATE, url, answer: '{}' }), url).rejects.toMatchObject(refused('url'))
        }
        for (const address of [...DISGUISED, 'https://here.example', 'https://keys.example/shop']) {
          const { secret } = chaabi
          await expect(supply.addLink({ ...chaabi, address }), address).rejects.toMatchObject(refused('address'))
          await expect(supply.changeLink({ id, address, secret }), address).rejects.toMatchObject(refused('address'))
          await expect(supply.check({ address, secret }), address).rejects.toMatchObject(refused('address'))
        }
        expect([calls.mock.calls, given.asked]).toEqual([[], []])
        expect(DISGUISED.length).toBeGreaterThan(60)
        calls.mockRestore()
      },
      { keep: 0 },
    ))

  test('that has become a private one is not called, and the order is settled by hand', () =>
    withOtherApi(async (given) => {
      await given.store.db.run(sql`
        update supply_links set template = jsonb_set(template, '{url}', '"https://127.0.0.1/buy"')`)
      await given.work()
      expect(await given.linkNow()).toMatchObject({ on: false, pausedWhy: 'address' })
      expect([given.asked, await given.states()]).toEqual([[], ['asked address by hand']])
    }))

  test('a supplier of one kind takes nothing of the other', () =>
    withOtherApi(
      async (given) => {
        const { api } = given.shop.owner
        const id = given.link._id
        const token = `chaabi_${'a'.repeat(43)}`
        const missing = { code: 'NOT_FOUND' }
        await expect(api.supply.changeLink({ id, secret: token })).rejects.toMatchObject(missing)
        await expect(api.supply.changeLink({ id, address: 'https://b.example', secret: token })).rejects.toMatchObject(
          missing,
        )
        const chaabi = await api.supply.addLink({ name: 'C', address: 'https://c.example', secret: token, dayMax: 5 })
        await expect(api.supply.changeApi({ id: chaabi._id, noneIf: 'none' })).rejects.toMatchObject(missing)
        const source = { priceId: given.priceId, sku: 'X', max: 5, keep: 0 }
        await expect(api.supply.saveSku({ ...source, linkId: chaabi._id })).rejects.toMatchObject(missing)
      },
      { keep: 0 },
    ))
})

describe('a dry run', () => {
  const form = (url: string, answer = '') => ({ ...TEMPLATE, url, answer })

  test('shows the request with dots for the secret, and what is read out of an answer', () =>
    withOtherApi(
      async (given) => {
        const { api } = given.shop.owner
        const of = (answer: string) => api.supply.try(form(`${given.url}/buy/{sku}?n={quantity}`, answer))
        const { request, ...read } = await of('{"data": {"key": "NC-44-7F2K", "price": 80}}')
        expect(read).toEqual({ means: 'came', keys: 1, ends: '7F2K', cost: 80 })
        expect(request.replace(/[0-9a-f-]{36}/, 'NUMBER').split('\n')).toEqual([
          `POST ${given.url}/buy/SKU-1?n=1`,
          'content-type: application/json',
          'x-api-key: ••••••••',
          '',
          '{"item": "SKU-1", "ref": "NUMBER"}',
        ])
        expect(await of('{"data": {"key": ["AB-1", "AB-2"]}}')).toMatchObject({ means: 'came', keys: 2, ends: 'AB-1' })
        expect(await of('{"error": "SOLD_OUT"}')).toMatchObject({ means: 'refused', keys: 0 })
        expect(await of('{}')).toMatchObject({ means: 'unknown', keys: 0 })
        const fields = { headers: 'Write up to 8 headers like Name: value' }
        const odd = { ...form(given.url), headers: 'Oops' }
        await expect(api.supply.try(odd)).rejects.toMatchObject({ code: 'INVALID_INPUT', fields })
      },
      { keep: 0 },
    ))

  test('opens no connection and keeps nothing', () =>
    withOtherApi(
      async (given) => {
        const call = vi.spyOn(given.store.app.reach.outbound, 'call')
        const before = await given.store.db.count(sql`select count(*) from audit_entries`)
        const sample = form('https://keys.example/buy', '{"data": {"key": "AB-1"}}')
        await given.shop.owner.api.supply.try(sample)
        expect([call.mock.calls, given.asked]).toEqual([[], []])
        expect(await given.store.db.count(sql`select count(*) from audit_entries`)).toBe(before)
        expect(await (await unproven(given.shop)).post('/supply/links/try', sample)).toMatchObject({ status: 403 })
      },
      { keep: 0 },
    ))
})

test('the secret is in no answer, no log and no entry of the audit log, and sealed in the database', async () => {
  const heard: string[] = []
  const log = createLog('trace', { write: (line) => void heard.push(line) })
  await overhearing(
    ({ text }) => void heard.push(text),
    () =>
      withOtherApi(
        async (given) => {
          const { api } = given.shop.owner
          given.answer(() => 'lost')
          await given.work()
          await api.supply.changeApi({ id: given.link._id, secret: `${SECRET}-2`, noneIf: 'NOTHING' })
          await Promise.all([api.supply.links(), api.supply.orders({}), api.supply.sources()])
          await given.shop.owner.get('/admin/audit')
          for (const table of ['audit_entries', 'supply_links', 'supply_orders', 'outbox_messages'])
            heard.push(...(await given.store.db.texts(sql`select part::text from ${prepared(table)} as part`)))
          expect(given.asked).toMatchObject([{ headers: { 'x-api-key': SECRET } }])
        },
        { store: { log } },
      ),
  )
  expect(heard.length).toBeGreaterThan(20)
  expect(heard.filter((text) => text.includes(SECRET))).toEqual([])
})
