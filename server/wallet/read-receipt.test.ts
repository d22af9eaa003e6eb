import { expect, test } from 'vitest'
import { anAdmin } from '../../test/worlds/admins.ts'
import { shopForFile } from '../../test/shop-for-file.ts'
import { nextUtr, OWNER } from '../../test/worlds/shop.ts'

const shop = await shopForFile()
const { owner } = shop
const duration = '10 Days'

const bought = async () => {
  const buyer = await shop.buyer({ balance: 300 })
  const { _id: productId } = await shop.product({ stock: 2 })
  const { order, keys } = await buyer.api.orders.place({ productId, duration, quantity: 2 })
  return { buyer, id: order._id, name: keys[0]?.productId.name }
}

test('a purchase says what was bought, and a top-up what was paid and its UTR', async () => {
  const { buyer, id, name } = await bought()
  expect(await buyer.api.wallet.receipt({ id })).toEqual({
    _id: id,
    kind: 'purchase',
    at: shop.store.clock.now().toISOString(),
    buyer: buyer.username,
    what: `${name} (${duration})`,
    quantity: 2,
    amount: 200,
    credited: 200,
    refunded: 0,
    utr: '',
  })
  const plan = await owner.api.payments.createPlan({ amount: 500, bonus: 600 })
  const utr = nextUtr()
  const meta = { offer: true, planId: plan._id }
  await owner.api.settings.saveUpi({ upiId: 'shop@okaxis', payeeName: 'RAMESH KUMAR' })
  const { payment } = await buyer.api.payments.addMoney({ amount: 500, utr, payerName: '9876543210', meta })
  const { _id } = payment
  expect((await buyer.get(`/receipts/${_id}`)).status, 'while it is pending').toBe(404)
  await owner.api.payments.approve({ id: _id })
  expect(await buyer.api.wallet.receipt({ id: _id })).toMatchObject({
    kind: 'topup',
    amount: 500,
    credited: 600,
    utr,
    paidTo: { upiId: 'shop@okaxis', name: 'RAMESH KUMAR' },
  })
  await owner.api.bank.takeBack({ id: _id, reason: 'Another buyer’s' })
  expect((await buyer.get(`/receipts/${_id}`)).status, 'when it was taken back').toBe(404)
})

test('another buyer’s is as none, and a visitor’s link is worthless', async () => {
  const { id } = await bought()
  const other = await shop.buyer()
  const [strange, none] = [await other.get(`/receipts/${id}`), await other.get(`/receipts/${crypto.randomUUID()}`)]
  expect([strange.status, strange.body]).toEqual([none.status, none.body])
  expect(strange.status).toBe(404)
  expect((await shop.visitor().get(`/receipts/${id}`)).status).toBe(401)
  expect((await other.get('/receipts/1')).status).toBe(400)
})

test('admins read all by their role; one who is a buyer too, without the role, reads only the own', async () => {
  const { buyer, id } = await bought()
  for (const [role, status] of [
    ['owner', 200],
    ['payments', 200],
    ['support', 200],
    ['read-only', 200],
    ['stock', 403],
  ] as const) {
    const { admin, browser } = await anAdmin(shop, role)
    expect([role, (await browser.get(`/receipts/${id}`)).status]).toEqual([role, status])
    if (role !== 'stock') continue
    const both = await shop.buyer()
    await both.api.sessions.adminLogin({ username: admin.username, password: OWNER.password })
    expect((await both.get(`/receipts/${id}`)).status).toBe(404)
    await buyer.api.sessions.adminLogin({ username: admin.username, password: OWNER.password })
    expect((await buyer.get(`/receipts/${id}`)).status).toBe(200)
  }
})
