import { createECDH } from 'node:crypto'
import { getEventListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { startPushService, type PushService } from '../../test/worlds/mailboxes.ts'
import { anAdmin } from '../../test/worlds/admins.ts'
import { alertOf, phone } from '../../test/worlds/phones.ts'
import { nextUtr, openShop, OWNER, PASSWORD, type Buyer, type Shop } from '../../test/worlds/shop.ts'
import { withStore, type TestStore } from '../../test/store.ts'
import { AlarmKind } from '../../contract/bank-shapes.ts'
import { tellSilentPhones } from '../bank/phones/silent-phones.ts'
import { raiseAlarm, switchOff } from '../bank/credits/alarms.ts'
import { storeJobs } from '../operations/jobs.ts'
import { sql } from '../platform/database/database.ts'
import { runDueJobs } from '../platform/jobs.ts'
import { remind } from '../reminders/remind.ts'
import { afterQuiet } from './spread.ts'
import { healthJob, tellHealth } from './tell-health.ts'
import { sendDue, startMessages } from './worker.ts'

const send = ({ app }: TestStore) => sendDue(app.services, app.reach)
const request = (buyer: Buyer, amount = 500) =>
  buyer.api.payments.addMoney({ amount, utr: nextUtr(), payerName: '9876543210' })

/** A shop with push on, an owner and a buyer who have each turned it on in their browser. */
async function withPush(work: (given: { shop: Shop; buyer: Buyer; push: PushService; to: string }) => Promise<void>) {
  const push = await startPushService()
  try {
    await withStore(
      async (store) => {
        const shop = await openShop(store)
        await shop.owner.api.messages.saveChannel({ name: 'push', isOn: true })
        const buyer = await shop.buyer()
        await shop.owner.api.messages.subscribe(push.subscribe())
        const own = push.subscribe()
        await buyer.api.messages.subscribe(own)
        await work({ shop, buyer, push, to: new URL(own.endpoint).pathname })
      },
      { testOrigins: [push.origin] },
    )
  } finally {
    await push.stop()
  }
}

const cleanUp = ({ db, clock }: TestStore) =>
  runDueJobs(
    db,
    storeJobs(db, () => Promise.resolve({ broken: [], warnings: [] })),
    clock,
  )

const states = (store: TestStore) =>
  store.db.rows(sql(z.object({ state: z.string(), attempts: z.number(), error: z.nullable(z.string()) }))`
    select state, attempts, error from outbox_deliveries order by created_at, id`)

test('the owner is told of a request, and the buyer of the decision, each in their own browser', () =>
  withPush(async ({ shop, buyer, push, to }) => {
    const { payment } = await request(buyer)
    await send(shop.store)
    expect(push.arrived).toHaveLength(1)
    expect(push.arrived[0]?.message).toMatchObject({
      title: `₹500 from ${buyer.username}`,
      path: `/admin/payment-manager?request=${payment._id}`,
    })

    await shop.owner.api.payments.approve({ id: payment._id })
    await send(shop.store)
    expect(push.arrived.map(({ path }) => path === to)).toEqual([false, true])
    expect(push.arrived[1]?.message).toMatchObject({ title: '₹500 added to your wallet' })
  }))

test('a rejection says its reason', () =>
  withPush(async ({ shop, buyer, push }) => {
    const { payment } = await request(buyer)
    await shop.owner.api.payments.reject({ id: payment._id, reason: 'UTR not found' })
    await send(shop.store)
    // The request is decided, so the owner needs no message
    expect(push.arrived.map(({ message }) => message['body'])).toEqual(['UTR not found'])
    expect((await states(shop.store)).map(({ state }) => state)).toEqual(['sent'])
  }))

test('a message holds no full UTR, phone, e-mail or balance', () =>
  withPush(async ({ shop, buyer, push }) => {
    const utr = nextUtr()
    const { payment } = await buyer.api.payments.addMoney({ amount: 500, utr, payerName: '9876543210' })
    await send(shop.store)
    await shop.owner.api.payments.approve({ id: payment._id })
    await send(shop.store)
    const said = JSON.stringify(push.arrived)
    expect(said).toContain(utr.slice(-4))
    for (const secret of [utr, '9876543210', buyer.email, 'balance']) expect(said).not.toContain(secret)
  }))

test('a request that is refused leaves no message', () =>
  withPush(async ({ shop, buyer, push }) => {
    const utr = nextUtr()
    await buyer.api.payments.addMoney({ amount: 500, utr, payerName: '9876543210' })
    await expect(buyer.api.payments.addMoney({ amount: 500, utr, payerName: '9876543210' })).rejects.toThrow()
    await send(shop.store)
    expect(push.arrived).toHaveLength(1)
  }))

test('three requests are told one by one, and the rest of the moment as one with the sum', () =>
  withPush(async ({ shop, buyer, push }) => {
    for (const amount of [100, 200, 300, 400, 500]) await request(buyer, amount)
    await send(shop.store)
    expect(push.arrived).toHaveLength(3)
    shop.store.clock.advance(15_000)
    await send(shop.store)
    expect(push.arrived).toHaveLength(4)
    expect(push.arrived[3]?.message).toMatchObject({ title: '2 new top-up requests' })
    expect(push.arrived[3]?.message['body']).toContain('₹900')
  }))

test('a request that is decided before it is told holds up no other', () =>
  withPush(async ({ shop, buyer, push }) => {
    for (const amount of [100, 200, 300]) await request(buyer, amount)
    await send(shop.store)
    const overtaken = await request(await shop.buyer(), 400)
    await request(buyer, 500)
    await send(shop.store)
    expect(push.arrived).toHaveLength(3)
    await shop.owner.api.payments.approve({ id: overtaken.payment._id })
    shop.store.clock.advance(15_000)
    await send(shop.store)
    expect(push.arrived.at(-1)?.message).toMatchObject({ title: `₹500 from ${buyer.username}` })
  }))

test('hundreds of messages that reach nobody hold up no other', () =>
  withPush(async ({ shop, buyer, push }) => {
    const { _id } = await (await shop.buyer()).api.sessions.me({})
    await shop.store.db.run(sql`
      insert into outbox_messages (id, kind, user_id, not_before, created_at)
      select gen_random_uuid(), 'topup.approved', ${_id}, ${shop.store.clock.now()}, ${shop.store.clock.now()}
        from generate_series(1, 250)`)
    shop.store.clock.advance(1_000)
    await request(buyer)
    await send(shop.store)
    expect(push.arrived).toHaveLength(1)
  }))

test('a message of a newer version waits for a node that knows it', () =>
  withPush(async ({ shop, buyer }) => {
    const { db, clock } = shop.store
    const now = clock.now()
    await db.run(sql`
      insert into outbox_messages (id, kind, user_id, not_before, spread_at, created_at)
      select gen_random_uuid(), 'of.tomorrow', ${buyer.id}, ${now}, case when n = 2 then ${now}::timestamptz end, ${now}
        from generate_series(1, 2) as n`)
    await db.run(sql`
      insert into outbox_deliveries (id, message_id, channel, target, next_at, created_at)
      select gen_random_uuid(), message.id, 'push', push.id::text, ${now}, ${now}
        from outbox_messages message, push_subscriptions push
       where spread_at is not null and push.user_id = ${buyer.id}`)
    await send(shop.store)
    expect(await db.count(sql`select count(*) from outbox_messages where spread_at is null`)).toBe(1)
    expect(await db.count(sql`select count(*) from outbox_deliveries where state = 'waiting' and attempts = 0`)).toBe(1)
  }))

test('what happened while all channels were off is not sent later', () =>
  withPush(async ({ shop, buyer, push }) => {
    await shop.owner.api.messages.saveChannel({ name: 'push', isOn: false })
    await request(buyer)
    await shop.owner.api.messages.saveChannel({ name: 'push', isOn: true })
    await send(shop.store)
    expect(push.arrived).toEqual([])
  }))

test('what waits for longer than sent messages are kept is deleted, and sent no more', () =>
  withPush(async ({ shop, buyer, push, to }) => {
    const { store, owner } = shop
    push.moods.set(to, 503)
    await owner.api.payments.approve({ id: (await request(buyer)).payment._id })
    await send(store)
    await owner.api.messages.saveChannel({ name: 'push', isOn: false })
    push.moods.clear()
    store.clock.advance(31 * 24 * 3_600_000)
    await cleanUp(store)
    await owner.api.sessions.adminLogin(OWNER)
    await owner.api.messages.saveChannel({ name: 'push', isOn: true })
    await send(store)
    expect([push.arrived, await states(store)]).toEqual([[], []])
  }))

test('a browser that was logged out gets nothing, and nothing after its next login', () =>
  withPush(async ({ shop, buyer, push }) => {
    const { payment } = await request(buyer)
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
      await request(await shop.buyer(), 400)
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
    await shop.owner.api.payments.approve({ id: (await request(buyer)).payment._id })
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
    const first = await request(buyer)
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
    const second = await request(buyer)
    await shop.owner.api.payments.approve({ id: second.payment._id })
    await send(shop.store)
    const third = await request(buyer)
    await shop.owner.api.payments.approve({ id: third.payment._id })
    await send(shop.store)
    expect((await states(shop.store)).filter(({ state }) => state === 'dead')).toHaveLength(1)
  }))

test('an address that hangs is tried less and less often, and given up after eight tries', () =>
  withPush(async ({ shop, buyer }) => {
    const { app, clock } = shop.store
    const { payment } = await request(buyer)
    await shop.owner.api.payments.approve({ id: payment._id })
    let calls = 0
    const call = () => ((calls += 1), Promise.reject(new Error('No answer within 10 s')))
    const hanging = { ...app.reach, outbound: { ...app.reach.outbound, call } }
    const triedAfterS: number[] = []
    for (let s = 0, pause = 1; s <= 32 * 3_600; s += pause) {
      const before = calls
      await sendDue(app.services, hanging)
      if (calls > before) triedAfterS.push(s)
      pause = s < 60 ? 1 : s < 3_600 ? 30 : 600
      clock.advance(pause * 1_000)
    }
    const [first, second = 0, third = 0, ...others] = triedAfterS
    expect([first, others.length]).toEqual([0, 5])
    expect(second).toBeGreaterThanOrEqual(4)
    expect(third - second).toBeGreaterThanOrEqual(240)
    expect(await states(shop.store)).toMatchObject([{ state: 'dead', attempts: 8, error: 'No answer within 10 s' }])
  }))

test('while nothing is there to be asked, a push message waits without a try', () =>
  withPush(async ({ shop, buyer, push }) => {
    await shop.owner.api.payments.approve({ id: (await request(buyer)).payment._id })
    await push.stop()
    await send(shop.store)
    expect(await states(shop.store)).toMatchObject([{ state: 'waiting', attempts: 0 }])
  }))

test('two workers send each message once', () =>
  withPush(async ({ shop, buyer, push }) => {
    for (let count = 0; count < 3; count += 1) await request(buyer, 100 + count)
    await Promise.all([send(shop.store), send(shop.store), send(shop.store)])
    expect(push.arrived).toHaveLength(3)
    expect(new Set(push.arrived.map(({ topic }) => topic)).size).toBe(3)
  }))

test('a worker that is woken again and again keeps nothing of it, and ends when the store does', () =>
  withStore(async ({ app }) => {
    const { services, reach } = app
    const stopping = new AbortController()
    let wake = () => {}
    const events: typeof services.events = {
      ...services.events,
      subscribe(listener) {
        wake = () => listener({ to: 'admins', name: 'payment' }, true)
        return () => {}
      },
    }
    const ended = startMessages({ ...services, events, ended: stopping.signal }, reach, () => {})
    for (let n = 0; n < 20; n++) {
      await sleep(10)
      wake()
    }
    expect(getEventListeners(stopping.signal, 'abort')).toHaveLength(1)
    stopping.abort()
    await ended
  }))

test('a worker that dies between sending and noting leaves a message that is sent again under its id', () =>
  withPush(async ({ shop, buyer, push }) => {
    await request(buyer)
    await send(shop.store)
    // As the dying worker left it
    await shop.store.db.run(sql`
      update outbox_deliveries set state = 'waiting', sent_at = null,
             leased_until = ${new Date(shop.store.clock.now().getTime() + 120_000)}`)
    await send(shop.store)
    expect(push.arrived).toHaveLength(1)
    shop.store.clock.advance(121_000)
    await send(shop.store)
    expect(push.arrived.map(({ topic }) => topic)).toEqual([push.arrived[0]?.topic, push.arrived[0]?.topic])
  }))

test('what waits for a buyer’s phone is not sent to another buyer who takes the phone over', () =>
  withPush(async ({ shop, buyer, push }) => {
    const phone = push.subscribe()
    const path = new URL(phone.endpoint).pathname
    await buyer.api.messages.subscribe(phone)
    push.moods.set(path, 503)
    await shop.owner.api.payments.approve({ id: (await request(buyer)).payment._id })
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
    const { payment } = await request(buyer)
    await shop.owner.api.payments.approve({ id: payment._id })
    await send(shop.store)
    expect(push.arrived).toEqual([])
  }))

test('owners hear once that the store has a problem, again after twelve hours, and once that it is well', () =>
  withPush(async ({ shop, push }) => {
    const { db, clock } = shop.store
    const after = async (hours: number, healthy: boolean) => {
      clock.advance(hours * 3_600_000)
      await tellHealth(db, healthy, clock.now())
      await send(shop.store)
    }
    await after(1, true)
    for (const hours of [1, 1, 10, 1]) await after(hours, false)
    await after(1, true)
    await after(1, true)
    expect(push.arrived.map(({ message }) => message['title'])).toEqual([
      'Your store has a problem',
      'Your store has a problem',
      'Your store is healthy again',
    ])
  }))

test('a warning is told when it appears, once a week while it lasts, and not each time that it flickers', () =>
  withPush(async ({ shop, push }) => {
    const { db, clock } = shop.store
    let warnings: string[] = []
    const job = healthJob(db, () => Promise.resolve({ ok: true, warnings }))
    const after = async (hours: number, found: string[]) => {
      clock.advance(hours * 3_600_000)
      warnings = found
      push.arrived.length = 0
      await runDueJobs(db, [job], clock)
      await send(shop.store)
      return push.arrived.map(({ message }) => message['title'])
    }
    const late = (hours: number) => [`Last backup: ${hours}.5 hours ago.`]
    const said = ['Your store has a warning']
    expect(await after(1, [])).toEqual([])
    expect([await after(1, late(30)), await after(1, late(31)), await after(24, late(55))]).toEqual([said, [], []])
    const both = [...late(56), 'All backups are on this machine. Set BACKUP_COPY_TO to a place elsewhere.']
    expect([await after(1, both), await after(0.1, late(1)), await after(0.1, both)]).toEqual([said, [], []])
    expect([await after(1, both), await after(1, both)]).toEqual([said, []])
    expect([await after(7 * 24 - 2, both), await after(1, both)]).toEqual([[], said])
  }))

test('each alarm of the bank is told at once, and what follows within the hour as one', () =>
  withPush(async ({ shop, push }) => {
    const { db, clock } = shop.store
    const topUps: string[] = []
    for (const buyer of [await shop.buyer(), await shop.buyer()])
      for (let each = 0; each < 2; each += 1) topUps.push((await request(buyer)).payment._id)
    await send(shop.store)
    clock.advance(60_000)
    await send(shop.store)
    const raise = (kind: AlarmKind, topUpId = null as string | null) =>
      db.transaction((tx) => raiseAlarm(tx, kind, { topUpId }, clock.now()))
    const more = async (few: string[]) => {
      for (const topUpId of few) await raise('approved-without-money', topUpId)
    }
    const told = async (minutes = 0) => {
      clock.advance(minutes * 60_000)
      push.arrived.length = 0
      await send(shop.store)
      return push.arrived.map(({ message }) => message['title'])
    }
    const kinds = AlarmKind.options.filter((kind) => kind !== 'automation-off')
    for (const kind of kinds) {
      await raise(kind)
      expect(await told(), kind).toEqual(['Bank alarm'])
      expect(push.arrived[0]?.message).toMatchObject({ path: '/admin/payment-manager' })
    }
    await more(topUps.slice(0, 2))
    expect([await told(59), await told(1), await told(60)]).toEqual([[], ['3 bank alarms'], []])

    await more(topUps.slice(2))
    for (const { _id: id } of (await shop.owner.api.bank.alarms({ open: true })).alarms)
      await shop.owner.api.bank.closeAlarm({ id, note: 'Seen' })
    expect([await told(), await told(60)]).toEqual([[], []])

    const off = () => db.transaction((tx) => switchOff(tx, 'sources-differ', clock.now()))
    await off()
    expect(await told()).toEqual([])
    await db.run(sql`update bank_rules set mode = 'auto'`)
    await off()
    expect(await told()).toEqual(['Automatic approval turned itself off'])
    expect(push.arrived[0]?.message['body']).toBe(
      'Alert and statement differ for money that was approved. New requests wait for your approval.',
    )
  }))

test('a phone that is silent for a day while buyers pay is told once a silence, and not when it was heard again', () =>
  withPush(async ({ shop, buyer, push }) => {
    const { db, clock } = shop.store
    const [one, other] = [await phone(shop), await phone(shop)]
    const told = async (hours: number) => {
      clock.advance(hours * 3_600_000)
      push.arrived.length = 0
      await tellSilentPhones(db, clock.now())
      await send(shop.store)
      return push.arrived.map(({ message }) => message['title']).filter((title) => /silent/.test(title as string))
    }
    await one.say(alertOf({}))
    expect(await told(25), 'nobody pays').toEqual([])
    await request(buyer)
    expect(await told(0)).toEqual(['2 phones are silent'])
    expect(push.arrived.at(-1)?.message).toMatchObject({ path: '/admin/settings/bank' })
    expect([await told(0.5), await told(1), await told(1)]).toEqual([[], ['2 phones are silent'], []])

    await one.say(alertOf({}))
    await db.run(
      sql`update bank_devices set paused_at = ${clock.now()}, paused_why = 'by-admin' where id = ${other.id}`,
    )
    expect(await told(23)).toEqual([])
    await request(buyer)
    // An app's own test doesn't show that SMS arrive
    await one.say('Test', 'Test')
    expect(await told(2)).toEqual(['A phone is silent'])
  }))

test('a test tells the newest real event of its kind, and never makes a link that is for its reader alone', () =>
  withPush(async ({ shop, buyer, push }) => {
    const { messages } = shop.owner.api
    const { db, clock } = shop.store
    const tried = (kind: Parameters<typeof messages.testChannel>[0]['kind']) =>
      messages.testChannel({ name: 'push', kind })
    expect(await tried('health.red')).toMatchObject({
      state: 'dropped',
      error: 'Nothing of this kind has happened yet.',
    })
    await tellHealth(db, false, clock.now())
    await request(buyer)
    expect([await tried('health.red'), await tried('topup.requested')]).toMatchObject([
      { state: 'sent' },
      { state: 'sent' },
    ])
    expect(push.arrived.map(({ message }) => message['title'])).toEqual([
      'Your store has a problem',
      `₹500 from ${buyer.username}`,
    ])
    await db.run(sql`
      insert into outbox_messages (id, kind, user_id, data, not_before, created_at)
      values (${crypto.randomUUID()}, 'account.reset', ${buyer.id}, '{}', ${clock.now()}, ${clock.now()})`)
    expect(await tried('account.reset')).toMatchObject({ state: 'dropped' })
    await messages.saveChannel({ name: 'push', isOn: false })
    expect(await shop.owner.post('/messages/channels/push/test', { kind: 'health.red' })).toMatchObject({
      status: 409,
      body: { code: 'CHANNEL_OFF' },
    })
  }))

test.each([
  ['21:59', undefined],
  ['22:00', '08:00'],
  ['03:30', '08:00'],
  ['07:59', '08:00'],
  ['08:00', undefined],
])('a quiet message of %s in India waits until %s', (at, until) => {
  const morning = afterQuiet(new Date(`2026-07-01T${at}:00+05:30`))
  const day = at > '20' ? '02' : '01'
  expect(morning).toEqual(until === undefined ? undefined : new Date(`2026-07-${day}T${until}:00+05:30`))
})
