import { expect, test } from 'vitest'
import { atTime, dayOf } from '../../contract/india.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../contract/time.ts'
import { ask, send, withPush } from '../../test/worlds/push-shop.ts'
import { OWNER, type Shop } from '../../test/worlds/shop.ts'
import type { PushService } from '../../test/worlds/mailboxes.ts'
import { sql } from '../platform/database/database.ts'
import { tellWaiting } from './tell-owner.ts'

/** Lets time pass and looks. @returns the titles of what came then */
const lookerOf =
  ({ store }: Shop, { arrived }: PushService) =>
  async (ms: number) => {
    await send(store)
    arrived.length = 0
    store.clock.advance(ms)
    await tellWaiting(store.db, store.clock.now())
    await send(store)
    return arrived.map(({ message }) => message['title'])
  }

/** @returns how long it is until this time of the day in India */
function msTo({ store: { clock } }: Shop, time: string): number {
  const ms = atTime(dayOf(clock.now()), time).getTime() - clock.now().getTime()
  return ms > 0 ? ms : ms + DAY_MS
}

test('a top-up that waits for longer than usual is told once more, and all of an hour in one message', () =>
  withPush(async ({ shop, buyer, push }) => {
    shop.store.clock.advance(msTo(shop, '09:00'))
    await shop.owner.api.sessions.adminLogin(OWNER)
    const look = lookerOf(shop, push)
    await ask(buyer)
    expect(await look(59 * MINUTE_MS)).toEqual([])
    expect(await look(MINUTE_MS)).toEqual(['1 top-up waits for longer than usual'])
    const late = [await ask(buyer, 200), await ask(buyer, 300)]
    expect(await look(59 * MINUTE_MS), 'the first one is not told again').toEqual([])
    expect(await look(MINUTE_MS)).toEqual(['2 top-ups wait for longer than usual'])
    expect(push.arrived[0]?.message).toMatchObject({ path: '/admin/payment-manager' })
    expect(push.arrived[0]?.message['body']).toContain('₹500')
    expect(await look(2 * HOUR_MS)).toEqual([])
    for (const { payment } of late) await shop.owner.api.payments.reject({ id: payment._id, reason: 'No money' })
    await ask(buyer)
    await shop.owner.api.payments.approve({ id: (await ask(buyer, 700)).payment._id })
    expect(await look(HOUR_MS), 'only what still waits').toEqual(['1 top-up waits for longer than usual'])
  }))

test('a top-up that an admin has removed from the queue is not counted', () =>
  withPush(async ({ shop, buyer, push }) => {
    shop.store.clock.advance(msTo(shop, '09:00'))
    await shop.owner.api.sessions.adminLogin(OWNER)
    const look = lookerOf(shop, push)
    const [, { payment }] = [await ask(buyer), await ask(buyer, 200)]
    await shop.owner.api.payments.remove({ id: payment._id })
    expect(await look(HOUR_MS)).toEqual(['1 top-up waits for longer than usual'])
    expect(push.arrived[0]?.message['body']).toContain('₹500 in all')
  }))

test('a reminder is written once, however often its job runs, and is not sent an hour later', () =>
  withPush(async ({ shop, buyer, push }) => {
    const { store } = shop
    store.clock.advance(msTo(shop, '09:00'))
    await ask(buyer)
    await send(store)
    store.clock.advance(HOUR_MS)
    await Promise.all(Array.from({ length: 8 }, () => tellWaiting(store.db, store.clock.now())))
    expect(await store.db.texts(sql`select data ->> 'count' from outbox_messages where data ? 'until'`)).toEqual(['1'])
    store.clock.advance(HOUR_MS)
    push.arrived.length = 0
    await send(store)
    expect(push.arrived).toEqual([])
  }))

test('usual is the wait of the last decisions, and 15 minutes at least; nobody is told by night', () =>
  withPush(async ({ shop, buyer, push }) => {
    shop.store.clock.advance(msTo(shop, '09:00'))
    const look = lookerOf(shop, push)
    const approve = async (times: number, afterMs: number) => {
      for (let nth = 0; nth < times; nth++) {
        const { payment } = await ask(buyer)
        shop.store.clock.advance(afterMs)
        await shop.owner.api.payments.approve({ id: payment._id })
      }
    }
    await approve(5, MINUTE_MS)
    const { payment } = await ask(buyer)
    expect(await look(14 * MINUTE_MS)).toEqual([])
    expect(await look(MINUTE_MS)).toHaveLength(1)
    await shop.owner.api.payments.approve({ id: payment._id })
    // Half of all have waited for up to 15 minutes, and half for 40 or more
    await approve(6, 40 * MINUTE_MS)
    await ask(buyer)
    expect(await look(27 * MINUTE_MS)).toEqual([])
    expect(await look(MINUTE_MS)).toHaveLength(1)
    shop.store.clock.advance(msTo(shop, '21:50'))
    await ask(buyer)
    expect(await look(30 * MINUTE_MS)).toEqual([])
    expect(await look(msTo(shop, '08:00'))).toHaveLength(1)
  }))
