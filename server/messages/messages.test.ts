import { expect, test } from 'vitest'
import { ask, cleanUp, send, states, withPush } from '../../test/worlds/push-shop.ts'
import { nextUtr, OWNER } from '../../test/worlds/shop.ts'
import { sql } from '../platform/database/database.ts'

test('the owner is told of a request, and the buyer of the decision, each in their own browser', () =>
  withPush(async ({ shop, buyer, push, to }) => {
    const { payment } = await ask(buyer)
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
    const { payment } = await ask(buyer)
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
    for (const amount of [100, 200, 300, 400, 500]) await ask(buyer, amount)
    await send(shop.store)
    expect(push.arrived).toHaveLength(3)
    shop.store.clock.advance(15_000)
    await send(shop.store)
    expect(push.arrived).toHaveLength(4)
    expect(push.arrived[3]?.message).toMatchObject({ title: '2 new top-up requests' })
    expect(push.arrived[3]?.message['body']).toContain('₹900')
  }))

test.each(['approve', 'remove'] as const)('a request that an admin has ended (%s) holds up no other', (end) =>
  withPush(async ({ shop, buyer, push }) => {
    for (const amount of [100, 200, 300]) await ask(buyer, amount)
    await send(shop.store)
    const overtaken = await ask(await shop.buyer(), 400)
    await ask(buyer, 500)
    await send(shop.store)
    expect(push.arrived).toHaveLength(3)
    await shop.owner.api.payments[end]({ id: overtaken.payment._id })
    shop.store.clock.advance(15_000)
    await send(shop.store)
    expect(push.arrived.at(-1)?.message).toMatchObject({ title: `₹500 from ${buyer.username}` })
  }),
)

test('hundreds of messages that reach nobody hold up no other', () =>
  withPush(async ({ shop, buyer, push }) => {
    const { _id } = await (await shop.buyer()).api.sessions.me({})
    await shop.store.db.run(sql`
      insert into outbox_messages (id, kind, user_id, not_before, created_at)
      select gen_random_uuid(), 'topup.approved', ${_id}, ${shop.store.clock.now()}, ${shop.store.clock.now()}
        from generate_series(1, 250)`)
    shop.store.clock.advance(1_000)
    await ask(buyer)
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
    // Beside it, owners hear of the phone that gets messages now
    expect(
      await db.count(sql`select count(*) from outbox_messages where kind = 'of.tomorrow' and spread_at is null`),
    ).toBe(1)
    expect(
      await db.count(sql`
        select count(*) from outbox_deliveries delivery join outbox_messages message on message.id = message_id
         where kind = 'of.tomorrow' and state = 'waiting' and attempts = 0`),
    ).toBe(1)
  }))

test('what happened while all channels were off is not sent later', () =>
  withPush(async ({ shop, buyer, push }) => {
    await shop.owner.api.messages.saveChannel({ name: 'push', isOn: false })
    await ask(buyer)
    await shop.owner.api.messages.saveChannel({ name: 'push', isOn: true })
    await send(shop.store)
    expect(push.arrived).toEqual([])
  }))

test('what waits for longer than sent messages are kept is deleted, and sent no more', () =>
  withPush(async ({ shop, buyer, push, to }) => {
    const { store, owner } = shop
    push.moods.set(to, 503)
    await owner.api.payments.approve({ id: (await ask(buyer)).payment._id })
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
