/**
 * A clock that was three years ahead for a while, as after a flat battery or a wrong time server, and was corrected.
 * What is written in between must not stop the store until that time comes.
 */
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../contract/time.ts'
import { readBooks } from '../server/books/read-books.ts'
import { closeDays } from '../server/books/close-days.ts'
import { dayOf } from '../contract/india.ts'
import { featureJobs } from '../server/features.ts'
import { sendDue } from '../server/messages/worker.ts'
import { storeJobs } from '../server/operations/jobs.ts'
import { sql } from '../server/platform/database/database.ts'
import { readJobs, runDueJobs, type Job } from '../server/platform/jobs.ts'
import type { TestStore } from './store.ts'
import { ask, send, states, withPush } from './worlds/push-shop.ts'
import { logIn, openShop, OWNER, PASSWORD } from './worlds/shop.ts'
import { withStore } from './store.ts'

const AHEAD_MS = 3 * 365 * DAY_MS

const jobsOf = ({ app, db }: TestStore): Job[] => [
  ...featureJobs(app.services),
  ...storeJobs(db, () => Promise.resolve({ broken: [], warnings: [] })),
]

// Seen to fail without `latest` in take: no job runs for three years
test('every job goes on at once, and none runs twice because two nodes differ by half an hour', () =>
  withStore(async (store) => {
    const { db, clock } = store
    const idle = jobsOf(store).map((job) => ({ ...job, run: () => Promise.resolve({}) }))
    const runs = async () => {
      const before = clock.now()
      await runDueJobs(db, idle, clock)
      return (await readJobs(db)).filter(({ startedAt }) => startedAt?.getTime() === before.getTime()).length
    }
    clock.advance(AHEAD_MS)
    expect(await runs()).toBe(idle.length)
    clock.advance(-AHEAD_MS)
    expect(await runs(), 'put right').toBe(idle.length)
    for (const { nextAt } of await readJobs(db))
      expect(nextAt.getTime()).toBeLessThanOrEqual(clock.now().getTime() + 25 * HOUR_MS)
    clock.advance(-HOUR_MS / 2)
    expect(await runs(), 'on a node that is behind').toBe(0)
  }))

// Seen to fail without `isDue`: the message is sent in three years
test('messages that wait for their next try, and for the morning, are sent', () =>
  withPush(async ({ shop, buyer }) => {
    const { app, clock, db } = shop.store
    const { payment } = await ask(buyer)
    await shop.owner.api.payments.approve({ id: payment._id })
    clock.advance(AHEAD_MS)
    const call = () => Promise.reject(new Error('No answer within 10 s'))
    await sendDue(app.services, { ...app.reach, outbound: { ...app.reach.outbound, call } })
    expect((await states(shop.store)).map(({ state }) => state)).toContain('waiting')
    await db.run(sql`update outbox_deliveries set leased_until = ${clock.now()} where state = 'waiting'`)
    clock.advance(-AHEAD_MS)
    await send(shop.store)
    expect((await states(shop.store)).map(({ state }) => state)).not.toContain('waiting')
  }))

// Seen to fail without msSince: the buyer waits for three years, and the proof lasts as long
test('a device can be reset, and a proof of that time is none', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const { username, post } = await shop.buyer()
    await post('/auth/logout')
    store.clock.advance(AHEAD_MS)
    expect((await logIn(store.browser(), username)).status).toBe(200)
    const owner = store.browser()
    await owner.post('/admin/login', { ...OWNER, canProve: true })
    expect((await owner.post('/admin/step-up', { password: OWNER.password })).status).toBe(200)
    const rename = () => owner.put('/settings/upi', { upiId: 'other@okaxis' })
    store.clock.advance(-AHEAD_MS)

    expect((await rename()).body).toMatchObject({ code: 'STEP_UP_REQUIRED' })
    const again = await store.browser().post('/auth/reset-device-lock', { username, password: PASSWORD })
    expect(again.status).toBe(200)
  }))

// Seen to fail without `reopen`: three years of days are closed without their sales
test('the books of days to come are open again', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const { db, clock } = store
    const today = dayOf(clock.now())
    const { _id: productId } = await shop.product({ stock: 4 })
    const buyer = await shop.buyer({ balance: 500 })
    const buy = () => buyer.api.orders.place({ productId, duration: '10 Days', quantity: 1 })
    await buy()
    clock.advance(AHEAD_MS)
    await closeDays(db, clock.now())
    clock.advance(MINUTE_MS - AHEAD_MS)
    await buy()
    await closeDays(db, clock.now())
    const { total } = await readBooks(db, { from: today, to: today, by: 'day' })
    expect(total.sold).toBe(200)
    const closed = await db.one(sql(z.object({ ahead: z.number() }))`
      select count(*) as ahead from book_days where day > ${today}::date`)
    expect(closed.ahead).toBe(0)
  }))
