import { expect, test } from 'vitest'
import { untilBlocked } from '../../test/blocked.ts'
import { withStore, type Answer } from '../../test/store.ts'
import { nextUtr, openShop } from '../../test/worlds/shop.ts'
import { sql } from '../platform/database/database.ts'

// Seen to fail with `for update` in plans.ts: the request refers to the plan, waits for it, and gets 503
test('a plan that is being changed holds up no request for it', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const { _id: planId } = await shop.owner.api.payments.createPlan({ amount: 100, bonus: 120 })
    const buyer = await shop.buyer()
    let change: Promise<Answer> | undefined

    await store.db.transaction(async (tx) => {
      await tx.run(sql`select from audit_head for update`)
      change = shop.owner.put(`/payments/topup-plans/${planId}`, { bonus: 110 })
      await untilBlocked(store.db)
      const claim = { amount: 100, utr: nextUtr(), payerName: '9876543210', meta: { offer: true, planId } }
      expect(await buyer.post('/payments/add-money', claim)).toMatchObject({
        status: 201,
        body: { payment: { credited: 120 } },
      })
    })

    expect((await change)?.status).toBe(200)
  }))
