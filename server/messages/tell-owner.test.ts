import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../contract/time.ts'
import { atTime, dayOf } from '../../contract/india.ts'
import { nextUtr, openShop, type Shop } from '../../test/worlds/shop.ts'
import { withStore } from '../../test/store.ts'
import { sql } from '../platform/database/database.ts'
import { ownerJobs, tellDay, tellSales } from './tell-owner.ts'
import { describe } from './words.ts'

const duration = '10 Days'

interface Given {
  shop: Shop
  now(): Date
  pass(ms: number): void
  /** Goes on to this time of the day in India, or of the next day. */
  goTo(time: string): void
  told(kind: string): Promise<{ title: string; body: string }[]>
}

const withShop = (work: (given: Given) => Promise<void>) =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const now = () => store.clock.now()
    await shop.owner.api.messages.saveChannel({ name: 'push', isOn: true })
    await work({
      shop,
      now,
      pass: (ms) => store.clock.advance(ms),
      goTo(time) {
        const today = atTime(dayOf(now()), time).getTime() - now().getTime()
        store.clock.advance(today > 0 ? today : today + DAY_MS)
      },
      async told(kind) {
        const Row = z.object({ subjectId: z.nullable(z.string()), data: z.record(z.string(), z.string()) })
        const rows = await store.db.rows(
          sql(Row)`select subject_id, data from outbox_messages where kind = ${kind} order by created_at, id`,
        )
        const words = rows.map((row) =>
          describe(
            store.app.services,
            { id: '', kind, userId: null, goneAfter: null, createdAt: now(), wasPutOff: false, ...row },
            now(),
          ),
        )
        return (await Promise.all(words)).map((said) => {
          if ('gone' in said) throw new Error(said.gone)
          return { title: said.title, body: said.body }
        })
      },
    })
  })

test('at nine in the evening the owner is told of the day, once, however many nodes look', () =>
  withShop(async ({ shop, now, pass, goTo, told }) => {
    goTo('20:30:00')
    await shop.owner.api.sessions.adminLogin({ username: 'owner', password: 'a long owner password' })
    const { _id: productId, name } = await shop.product({ stock: 3 })
    const buyer = await shop.buyer({ balance: 500 })
    await buyer.api.orders.place({ productId, duration, quantity: 2 })
    await buyer.api.payments.addMoney({ amount: 250, utr: nextUtr(), payerName: '9876543210' })
    const [day] = ownerJobs(shop.store.app.services)
    expect(day?.nextAfter(now())).toEqual(atTime(dayOf(now()), '21:00:00'))
    expect(await tellDay(shop.store.db, now())).toEqual({ told: false })

    goTo('21:00:00')
    await Promise.all([1, 2, 3].map(() => tellDay(shop.store.db, now())))
    expect(await told('day.summary')).toEqual([
      {
        title: 'Today: ₹200 in sales',
        body:
          '1 sale. ₹500 in top-ups. 1 new buyer. Waiting for you: 1 payment (₹250). ' +
          `Out of stock soon: ${name} (${duration}).`,
      },
    ])
    expect(day?.nextAfter(now())).toEqual(new Date(now().getTime() + DAY_MS))
    // A store that was off until the morning
    pass(12 * HOUR_MS)
    expect(await tellDay(shop.store.db, now())).toEqual({ told: false })
  }))

test('sales are told of only to who asks for it, the first at once, and those of ten minutes together', () =>
  withShop(async ({ shop, now, pass, goTo, told }) => {
    goTo('12:00:00')
    await shop.owner.api.sessions.adminLogin({ username: 'owner', password: 'a long owner password' })
    const [one, other] = [await shop.product({ stock: 9 }), await shop.product({ stock: 9 })]
    const buyer = await shop.buyer({ balance: 5_000 })
    const buy = ({ _id: productId }: { _id: string }, quantity = 1) =>
      buyer.api.orders.place({ productId, duration, quantity })
    const look = async (ms: number) => {
      pass(ms)
      return (await Promise.all([1, 2].map(() => tellSales(shop.store.db, now()))))[0]
    }
    await buy(one)
    await look(MINUTE_MS)
    expect(await told('sale.placed'), 'nobody asked').toEqual([])

    const choices = [{ kind: 'sale.placed', channel: 'push', on: true }] as const
    await shop.owner.api.messages.choose({ choices: [...choices], as: 'admin' })
    await look(30 * MINUTE_MS)
    expect(await told('sale.placed'), 'of before').toEqual([])
    await buy(one)
    await look(MINUTE_MS)
    expect(await told('sale.placed')).toEqual([{ title: '1 sale: ₹100', body: `1 × ${one.name} (${duration})` }])
    await buy(one)
    await buy(other, 3)
    await buy(other)
    await look(MINUTE_MS)
    expect(await told('sale.placed')).toHaveLength(1)
    await look(10 * MINUTE_MS)
    expect((await told('sale.placed')).slice(1)).toEqual([
      { title: '3 sales: ₹500', body: `4 × ${other.name} (${duration}), 1 × ${one.name} (${duration})` },
    ])
    expect(await look(10 * MINUTE_MS)).toEqual({ sales: 0 })

    goTo('23:00:00')
    await buyer.api.sessions.login({ username: buyer.username, password: 'a long buyer password' })
    await buy(one)
    await look(MINUTE_MS)
    expect(await told('sale.placed'), 'at night').toHaveLength(2)
    goTo('08:00:00')
    await look(MINUTE_MS)
    expect((await told('sale.placed')).slice(2)).toEqual([
      { title: '1 sale: ₹100', body: `1 × ${one.name} (${duration})` },
    ])
  }))

test('a second buyer with the same UTR is told of once, with the names of both and no UTR', () =>
  withShop(async ({ shop, told }) => {
    const [first, rival] = [await shop.buyer(), await shop.buyer()]
    const utr = nextUtr()
    const request = { amount: 500, utr, payerName: '9876543210' }
    await first.api.payments.addMoney(request)
    for (let n = 0; n < 2; n++)
      expect((await rival.post('/payments/add-money', request)).body).toMatchObject({ code: 'UTR_ALREADY_USED' })
    expect((await first.post('/payments/add-money', request)).status, 'an own repeat is no rival').toBe(409)
    const [said, ...others] = await told('payment.claimed-twice')
    expect(others).toEqual([])
    expect(said?.title).toBe(`${rival.username} also submitted ₹500 from ${first.username}`)
    expect(said?.body).toBe(
      `Both sent the same UTR. The request of ${first.username} waits for you. Find out who paid.`,
    )
    expect(JSON.stringify(said)).not.toContain(utr)
  }))
