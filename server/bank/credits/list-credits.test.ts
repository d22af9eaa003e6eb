import { expect, test } from 'vitest'
import { anAdmin } from '../../../test/worlds/admins.ts'
import { confirmed, credited } from '../../../test/worlds/bank.ts'
import { shopForFile } from '../../../test/shop-for-file.ts'

const shop = await shopForFile()

test('a colleague who may not credit money does not learn the references of unclaimed money', async () => {
  const { creditId, utr } = await credited(shop, { vpa: 'ravi@okaxis' })
  for (const role of ['support', 'read-only'] as const) {
    const { browser } = await anAdmin(shop, role)
    const { body } = await browser.get('/bank/credits?state=unclaimed')
    expect(body.credits).toMatchObject([{ _id: creditId, amount: 100, refs: ['••••••'] }])
    expect(JSON.stringify(body)).not.toContain(utr)
    for (const guess of [utr, utr.slice(0, -1), utr.slice(3)])
      expect((await browser.api.bank.credits({ search: guess })).total, `${role} searches ${guess}`).toBe(0)
  }
  const { browser: cashier } = await anAdmin(shop, 'payments')
  expect((await cashier.api.bank.credits({ search: utr })).credits).toMatchObject([{ refs: [utr] }])
})

test('the reference of money that has paid for a top-up is shown to all who see the list', async () => {
  const { id, utr } = await confirmed(shop)
  await shop.owner.api.payments.approve({ id })
  const { browser } = await anAdmin(shop, 'support')
  await expect
    .poll(async () => (await browser.api.bank.credits({ search: utr })).credits, { timeout: 5_000 })
    .toMatchObject([{ refs: [utr], state: 'matched' }])
})
