import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../contract/time.ts'
import { givenCredit } from '../../../test/worlds/given.ts'
import { openShop } from '../../../test/worlds/shop.ts'
import { withStore } from '../../../test/store.ts'
import { spreadMessages, type OutboxMessage } from '../../platform/outbox.ts'
import { remind } from '../../reminders/remind.ts'
import { describe } from '../words.ts'

test('a buyer reads when keys and credit end, and not of a key once a newer one is there', () =>
  withStore(async (store) => {
    const { db, clock } = store
    const shop = await openShop(store)
    await shop.owner.api.messages.saveChannel({ name: 'push', isOn: true })
    const buyer = await shop.buyer({ balance: 100 })
    const product = await shop.product({ name: 'Nova Pass', prices: { '10 Days': 10 }, stock: 2 })
    const buy = () => buyer.api.orders.place({ productId: product._id, duration: '10 Days', quantity: 1 })
    await buy()
    const now = clock.now()
    await givenCredit(db, buyer.id, { rupees: 40, expiresAt: new Date(now.getTime() + 10 * DAY_MS), now })

    const [key] = await buyer.api.keys.mine({})
    clock.advance(9 * DAY_MS)
    // Of this day in India, one of these is in the daytime
    for (const hours of [-12, -6, 0, 6]) await remind(db, new Date(clock.now().getTime() + hours * HOUR_MS))
    clock.advance(7 * HOUR_MS)
    const messages: OutboxMessage[] = []
    await spreadMessages(db, clock.now(), (_, message) => {
      if (/ending|lapsing/.test(message.kind)) messages.push(message)
      return Promise.resolve({ targets: [] })
    })
    const words = () =>
      Promise.all(
        messages.map((message) => describe(store.app.services, message, new Date(now.getTime() + 9 * DAY_MS))),
      )

    expect(await words()).toMatchObject([
      {
        title: 'Nova Pass (10 Days) expires soon',
        path: `/my-key?key=${key?._id}`,
        body: expect.stringMatching(/^It expires on \d+ \w+/),
      },
      { title: '₹40 in your wallet expires soon', path: '/buy' },
    ])
    await buyer.api.sessions.login({ username: buyer.username, password: 'a long buyer password' })
    await buy()
    expect((await words())[0]).toEqual({ gone: 'A newer key was bought' })
  }))
