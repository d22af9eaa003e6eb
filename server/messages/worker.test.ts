import { getEventListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ask, send, states, withPush } from '../../test/worlds/push-shop.ts'
import { withStore } from '../../test/store.ts'
import { sql } from '../platform/database/database.ts'
import { sendDue, startMessages } from './worker.ts'

test('an address that hangs is tried less and less often, and given up after eight tries', () =>
  withPush(async ({ shop, buyer }) => {
    const { app, clock } = shop.store
    const { payment } = await ask(buyer)
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
    await shop.owner.api.payments.approve({ id: (await ask(buyer)).payment._id })
    await push.stop()
    await send(shop.store)
    expect(await states(shop.store)).toMatchObject([{ state: 'waiting', attempts: 0 }])
  }))

test('two workers send each message once', () =>
  withPush(async ({ shop, buyer, push }) => {
    for (let count = 0; count < 3; count += 1) await ask(buyer, 100 + count)
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
    await ask(buyer)
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
