import { expect, test } from 'vitest'
import { withStore } from '../../../test/store.ts'
import { account } from '../../../test/worlds/bank.ts'
import { phone } from '../../../test/worlds/phones.ts'
import { nextUtr, openShop, type Shop } from '../../../test/worlds/shop.ts'
import type { Database } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { followPayments } from './follow-payments.ts'

/** @returns a database that counts what it has answered. A question on its way could still see what comes next */
function counting(db: Database): { db: Database; answered: () => number } {
  let answered = 0
  const counted =
    <Args extends unknown[], T>(work: (...args: Args) => Promise<T>) =>
    (...args: Args): Promise<T> =>
      work(...args).finally(() => (answered += 1))
  return {
    db: { ...db, holds: counted(db.holds), rows: counted(db.rows), transaction: counted(db.transaction) },
    answered: () => answered,
  }
}

test('approvals of a moment make the bank look once, and without an account it asks only for that', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const { db, answered } = counting(store.db)
    const faults: unknown[] = []
    const { services } = store.app
    followPayments({ ...services, db }, (fault) => faults.push(fault))
    const approveMany = () => {
      for (let n = 0; n < 50; n++)
        for (const status of ['approved', 'pending'] as const)
          services.events.publish({ to: 'admins', name: 'payment', data: { id: newId(), status } })
    }

    approveMany()
    await expect.poll(answered).toBe(1)
    await account(shop)
    approveMany()
    // The account, the hints, and the credits
    await expect.poll(answered).toBe(1 + 3)
    expect(faults).toEqual([])
  }))

const pendingOf = async (shop: Shop, id: string) =>
  (await shop.owner.api.payments.list({ limit: 100 })).payments.find(({ _id }) => _id === id)

test('a hint of money supports one approval only, also when two are approved together', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const asked = async () => {
      const { payment } = await (
        await shop.buyer()
      ).api.payments.addMoney({
        amount: 7,
        utr: nextUtr(),
        payerName: '9876543210',
      })
      return payment._id
    }
    const [first, second, third] = [await asked(), await asked(), await asked()]
    const { say } = await phone(shop)
    await say('Payment received\nReceived ₹7 from RAVI', 'com.phonepe.app.business')
    expect((await pendingOf(shop, third))?.bank).toMatchObject({ verdict: 'hint', amount: 7 })

    await Promise.all([first, second].map((id) => shop.owner.api.payments.approve({ id })))
    await expect.poll(async () => (await pendingOf(shop, third))?.bank?.verdict).toBe('unseen')
  }))
