import { createECDH } from 'node:crypto'
import { expect, test } from 'vitest'
import { ask, cleanUp, send, states, withPush } from '../../test/worlds/push-shop.ts'
import { anAdmin } from '../../test/worlds/admins.ts'
import { OWNER, PASSWORD } from '../../test/worlds/shop.ts'
import { sql } from '../platform/database/database.ts'
import { remind } from '../reminders/remind.ts'

test('a browser that was logged out gets nothing, and nothing after its next login', () =>
  withPush(async ({ shop, buyer, push }) => {
    const { payment } = await ask(buyer)
    await send(shop.store)
    await buyer.api.sessions.logout()
    await buyer.api.sessions.login({ username: buyer.username, password: 'a long buyer password' })
    await shop.owner.api.payments.approve({ id: payment._id })
    await send(shop.store)
    expect(push.arrived).toHaveLength(1)
  }))

test('an admin’s phone stays on over the end of a session and the next login, until a logout or another’s login', () =>
  withPush(async ({ shop, push }) => {
    const { owner, store } = shop
    const mine = push.subscribe()
    await owner.api.messages.subscribe(mine)
    const isOn = async () => (await owner.api.messages.pushHere({ endpoint: mine.endpoint })).isOn
    const told = async () => {
      push.arrived.length = 0
      store.clock.advance(20_000)
      await ask(await shop.buyer(), 400)
      await send(store)
      return push.arrived.some(({ path }) => path === new URL(mine.endpoint).pathname)
    }
    store.clock.advance(13 * 3_600_000)
    expect((await owner.get('/admin/check')).status).toBe(401)
    expect(await told()).toBe(true)
    await owner.api.sessions.adminLogin(OWNER)
    expect([await isOn(), await told()]).toEqual([true, true])

    // The cookie is gone after a week, and the rows of old sessions a day later
    store.clock.advance(9 * 24 * 3_600_000)
    await cleanUp(store)
    expect(await told()).toBe(true)
    await owner.api.sessions.adminLogin(OWNER)
    expect([await isOn(), await told()]).toEqual([true, true])

    const { admin } = await anAdmin(shop, 'payments')
    await owner.api.sessions.adminLogin({ username: admin.username, password: OWNER.password })
    expect([await isOn(), await told()]).toEqual([false, false])
    await owner.api.sessions.adminLogin(OWNER)
    expect([await isOn(), await told()]).toEqual([false, false])

    await owner.api.messages.subscribe(mine)
    expect([await isOn(), await told()]).toEqual([true, true])
    await owner.api.sessions.adminLogout()
    await owner.api.sessions.adminLogin(OWNER)
    expect([await isOn(), await told()]).toEqual([false, false])
  }))

test('a key of 60 days is reminded of on the phone, long after the session; another buyer’s login there ends it', () =>
  withPush(async ({ shop, buyer, push, to }) => {
    const { store } = shop
    const DAYS = 24 * 3_600_000
    const own = { endpoint: `${push.origin}${to}` }
    const product = await shop.product({ prices: { '60 Days': 1 }, stock: 1 })
    await shop.owner.api.payments.approve({ id: (await ask(buyer)).payment._id })
    await buyer.api.orders.place({ productId: product._id, duration: '60 Days', quantity: 1 })
    await send(store)
    store.clock.advance(8 * DAYS)
    await buyer.api.sessions.login({ username: buyer.username, password: PASSWORD })
    expect(await buyer.api.messages.pushHere(own)).toEqual({ isOn: true })
    push.arrived.length = 0
    for (let half = 0; half < 2 * 52; half += 1) {
      store.clock.advance(DAYS / 2)
      await remind(store.db, store.clock.now())
      await cleanUp(store)
      await send(store)
    }
    const reminders = push.arrived.filter(({ path }) => path === to)
    expect(reminders.map(({ message }) => message['title'])).toEqual(
      Array(2).fill(`${product.name} (60 Days) expires soon`),
    )
    const traces = await store.db.count(sql`
      select count(*) from user_sessions where user_id = ${buyer.id} and address <> ''`)
    expect(traces).toBe(0)

    await buyer.api.sessions.login({ username: buyer.username, password: PASSWORD })
    expect(await buyer.api.messages.pushHere(own)).toEqual({ isOn: true })
    const other = await shop.buyer()
    await other.api.sessions.logout()
    await buyer.api.sessions.login({ username: other.username, password: PASSWORD })
    const kept = await store.db.count(sql`select count(*) from push_subscriptions where user_id is not null`)
    expect(kept).toBe(0)
  }))

test('a browser that is gone is forgotten, and a service that is busy is asked again later under the same topic', () =>
  withPush(async ({ shop, buyer, push, to }) => {
    push.moods.set(to, 503)
    const first = await ask(buyer)
    await shop.owner.api.payments.approve({ id: first.payment._id })
    await send(shop.store)
    expect(await states(shop.store)).toContainEqual({
      state: 'waiting',
      attempts: 1,
      error: 'The push service answered 503',
    })
    push.moods.delete(to)
    shop.store.clock.advance(7_000)
    await send(shop.store)
    expect(push.arrived.at(-1)?.path).toBe(to)

    push.moods.set(to, 410)
    const second = await ask(buyer)
    await shop.owner.api.payments.approve({ id: second.payment._id })
    await send(shop.store)
    const third = await ask(buyer)
    await shop.owner.api.payments.approve({ id: third.payment._id })
    await send(shop.store)
    expect((await states(shop.store)).filter(({ state }) => state === 'dead')).toHaveLength(1)
  }))

test('what waits for a buyer’s phone is not sent to another buyer who takes the phone over', () =>
  withPush(async ({ shop, buyer, push }) => {
    const phone = push.subscribe()
    const path = new URL(phone.endpoint).pathname
    await buyer.api.messages.subscribe(phone)
    push.moods.set(path, 503)
    await shop.owner.api.payments.approve({ id: (await ask(buyer)).payment._id })
    await send(shop.store)
    await buyer.api.sessions.logout()
    // Without the cookie by which the phone was known
    const other = await shop.buyer()
    await other.api.messages.subscribe(phone)
    push.moods.clear()
    shop.store.clock.advance(7_000)
    await send(shop.store)
    expect(push.arrived.filter((each) => each.path === path)).toEqual([])
    expect(await states(shop.store)).toContainEqual({ state: 'dropped', attempts: 2, error: 'No longer wanted here' })
  }))

test('a push service that a stranger makes up is not called', () =>
  withPush(async ({ buyer, push }) => {
    const { keys } = push.subscribe()
    for (const endpoint of [
      'https://127.0.0.1/push',
      'http://fcm.googleapis.com/fcm/send/x',
      'https://fcm.googleapis.com.evil.example/x',
      'https://fcm.googleapis.com:8443/x',
      'https://user@fcm.googleapis.com/x',
      'https://push.services.mozilla.com.evil.example/x',
      'https://evilpush.apple.com.example/',
      `http://localhost:${new URL(push.origin).port}/push`,
    ])
      expect(await buyer.post('/messages/push', { endpoint, keys })).toMatchObject({
        status: 400,
        body: { code: 'PUSH_HOST_REFUSED' },
      })
  }))

test.each([
  ['a key that is no key', { p256dh: 'AA' }],
  ['a key that is no point of the curve', { p256dh: Buffer.alloc(65, 4).toString('base64url') }],
  ['a compressed point', { p256dh: createECDH('prime256v1').generateKeys('base64url', 'compressed') }],
  ['a secret of another length', { auth: 'AA' }],
])('a browser with %s is refused in words', (_, wrong) =>
  withPush(async ({ buyer, push }) => {
    const { endpoint, keys } = push.subscribe()
    const message = 'The browser gave a key that can’t be used. Reload the page and try again.'
    expect(await buyer.post('/messages/push', { endpoint, keys: { ...keys, ...wrong } })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', message, fields: { keys: message } },
    })
    expect(await buyer.api.messages.pushHere({ endpoint })).toEqual({ isOn: false })
  }),
)

test('who turns a kind off gets no more of it', () =>
  withPush(async ({ shop, buyer, push }) => {
    const { choices } = await buyer.api.messages.choose({
      choices: [{ kind: 'topup.approved', channel: 'push', on: false }],
    })
    expect(choices).toContainEqual({ kind: 'topup.approved', channel: 'push', on: false })
    const { payment } = await ask(buyer)
    await shop.owner.api.payments.approve({ id: payment._id })
    await send(shop.store)
    expect(push.arrived).toEqual([])
  }))
