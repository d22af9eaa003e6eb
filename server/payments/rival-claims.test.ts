import { expect, test } from 'vitest'
import { shopForFile } from '../../test/shop-for-file.ts'
import { nextUtr } from '../../test/worlds/shop.ts'

const shop = await shopForFile()

test('without a bank account, too, another buyer’s claim stands beside the first, pending or decided', async () => {
  const [first, second, third] = [await shop.buyer(), await shop.buyer(), await shop.buyer()]
  const claim = { amount: 100, utr: nextUtr(), payerName: '9876543210' }
  const listed = async () => (await shop.owner.api.payments.list({ search: claim.utr })).payments
  const { payment } = await first.api.payments.addMoney(claim)
  expect((await first.post('/payments/add-money', claim)).body.code).toBe('UTR_ALREADY_USED')
  expect(await listed(), 'one’s own is none').toMatchObject([{ _id: payment._id }])
  expect((await listed())[0]?.claimedBy).toBeUndefined()

  await second.post('/payments/add-money', claim)
  expect(await listed()).toMatchObject([{ claimedBy: [second.username], signs: { utrRejectedBefore: false } }])

  await shop.owner.api.payments.approve({ id: payment._id })
  await third.post('/payments/add-money', { ...claim, utr: `0000${claim.utr}` })
  expect(await listed()).toMatchObject([
    { status: 'approved', claimedBy: [second.username, third.username].toSorted() },
  ])
})
