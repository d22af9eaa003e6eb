import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { unproven } from '../../test/worlds/admins.ts'
import { account, imported } from '../../test/worlds/bank.ts'
import { nextUtr } from '../../test/worlds/shop.ts'
import { shopForFile } from '../../test/shop-for-file.ts'
import { inTheBooks } from '../../test/users.ts'
import { sql } from '../platform/database/database.ts'

const shop = await shopForFile()
const { owner } = shop

const ask = async (amount: number, more: object = {}) => {
  const buyer = await shop.buyer()
  const utr = nextUtr()
  const { payment } = await buyer.api.payments.addMoney({ amount, utr, payerName: '9876543210', ...more })
  return { buyer, id: payment._id, utr }
}
const approve = (id: string, body: object) => owner.put(`/payments/${id}/approve`, body)
const less = { amount: 450, reason: 'You paid 450', expected: 500 }

test('less than asked for is credited, and the buyer reads both amounts and why', async () => {
  const { buyer, id } = await ask(500)

  const paid = await owner.api.payments.approve({ id, ...less })

  expect(paid).toMatchObject({ status: 'approved', amount: 450, asked: 500, reason: 'You paid 450' })
  expect((await buyer.api.sessions.me({}))?.balance).toBe(450)
  const [own] = await buyer.api.payments.mine({})
  expect(own).toMatchObject({ status: 'approved', amount: 450, credited: 450, asked: 500, reason: 'You paid 450' })
  const { after } = await shop.store.db.one(sql(z.object({ after: z.unknown() }))`
    select after from audit_entries where action = 'payment.approve' order by seq desc limit 1`)
  expect(after).toEqual({ status: 'approved', credited: 450, asked: 500, reason: 'You paid 450' })
  await inTheBooks(shop)
})

test('the credit is the plan’s for the new amount, and without a plan that gives more the amount alone', async () => {
  const plan = await owner.api.payments.createPlan({ amount: 700, bonus: 900 })
  const small = await owner.api.payments.createPlan({ amount: 650, bonus: 700 })
  const off = await owner.api.payments.createPlan({ amount: 600, bonus: 800, isActive: false })
  const slip = await owner.api.payments.createPlan({ amount: 640, bonus: 64 })
  const meta = { offer: true, planId: plan._id }
  const ends = async (amount: number) => {
    const { buyer, id } = await ask(700, { meta })
    const paid = await owner.api.payments.approve({ id, amount, reason: 'As paid', expected: 700 })
    return [(await buyer.api.sessions.me({}))?.balance, paid.meta?.planId]
  }
  expect(await ends(650)).toEqual([700, small._id])
  expect(await ends(600)).toEqual([600, undefined])
  expect(await ends(699.99)).toEqual([699.99, undefined])
  expect(await ends(640)).toEqual([640, undefined])
  for (const { _id } of [plan, small, off, slip]) await owner.api.payments.removePlan({ id: _id })
  await inTheBooks(shop)
})

test('what is half given, the same, out of range, seen differently or reviewed already changes nothing', async () => {
  const { buyer, id } = await ask(500)
  for (const body of [
    { amount: 450 },
    { amount: 450, reason: 'Why' },
    { ...less, reason: ' ' },
    { ...less, amount: 500 },
    { ...less, amount: 0.5 },
    { ...less, amount: 1e12 },
    { ...less, amount: -5 },
  ])
    expect([body, (await approve(id, body)).status]).toEqual([body, 400])
  expect((await approve(id, { ...less, expected: 400 })).body.code).toBe('AMOUNT_CHANGED')
  expect((await approve(id, { ...less, onlyConfirmed: true })).body.code).toBe('NOT_CONFIRMED')
  expect((await buyer.api.payments.mine({}))[0]).toMatchObject({ status: 'pending', amount: 500 })
  await owner.api.payments.approve({ id })
  expect((await approve(id, less)).body.code).toBe('NOT_PENDING')
  expect((await buyer.api.sessions.me({}))?.balance).toBe(500)
  await inTheBooks(shop)
})

test('the new amount, and not the old one, counts against what an admin may credit unproven', async () => {
  const { id } = await ask(500)
  const admin = await unproven(shop)
  const answer = await admin.put(`/payments/${id}/approve`, { amount: 10_001, reason: 'As paid', expected: 500 })
  expect(answer.body.code).toBe('STEP_UP_REQUIRED')
})

test('two admins at once, one with the asked amount and one with another: one of them credits', async () => {
  for (let round = 0; round < 10; round++) {
    const { buyer, id } = await ask(500)
    const answers = await Promise.all([approve(id, {}), approve(id, less)])
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409'])
    const credited = answers[0].status === 200 ? 500 : 450
    expect((await buyer.api.sessions.me({}))?.balance).toBe(credited)
  }
  await inTheBooks(shop)
})

test('a statement that shows the new amount confirms the approval afterwards', async () => {
  const { id, utr } = await ask(500)
  await owner.api.payments.approve({ id, ...less })
  await imported(shop, (await account(shop))._id, [{ refs: [utr], amount: 450 }])
  await expect
    .poll(() =>
      shop.store.db.rows(sql(z.object({ how: z.string() }))`select how from bank_matches where topup_id = ${id}`),
    )
    .toEqual([{ how: 'approved' }])
  await inTheBooks(shop)
})
