import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { shopForFile } from '../../../test/shop-for-file.ts'
import { statementOf } from '../../../test/worlds/bank.ts'
import { alertOf, phone } from '../../../test/worlds/phones.ts'
import { nextUtr } from '../../../test/worlds/shop.ts'
import { sql } from '../../platform/database/database.ts'
import { settleLeft } from '../matching/follow-payments.ts'

const shop = await shopForFile()
const { store, owner } = shop
const { bank, payments } = owner.api
const one = await phone(shop)

/** A wording that no template has. */
const unknown = (ref: string, amount: number) =>
  `HDFC: A/c XX5678 is credited with Rs.${amount}.00 by RAVI. UPI Ref No ${ref}. Avl Bal Rs.99.00`

const limits = { perRequest: 5_000, perBuyerDay: 5_000, perDay: 25_000, unprovenMax: 10_000 }
const allow = (mode: 'propose' | 'auto-known' | 'auto', trusts: 'statement' | 'phone' = 'phone') =>
  owner.api.bank.saveRules({ ...limits, mode, trusts })

async function ask(amount: number, utr = nextUtr()) {
  const { payment } = await (await shop.buyer()).api.payments.addMoney({ amount, utr, payerName: '9876543210' })
  const now = async () => (await payments.list({ limit: 100 })).payments.find(({ _id }) => _id === payment._id)
  return { id: payment._id, utr, amount, now }
}
const upload = (refs: string[], amount: number) =>
  bank.import({ accountId: one.account._id, text: statementOf([{ refs, amount }], { tail: '5678' }) })
const isOff = async () => (await bank.rules({})).offWhy !== null
const alarms = async () => (await bank.alarms({ open: true })).total

test.each(['propose', 'auto-known', 'auto'] as const)('a proposal approves nothing by itself: %s', async (mode) => {
  await allow(mode)
  const first = await ask(150)
  await one.say(unknown(first.utr, 150))
  const late = nextUtr()
  await one.say(unknown(late, 160))
  const second = await ask(160, late)
  await settleLeft(store.app.services)

  for (const request of [first, second])
    expect(await request.now()).toMatchObject({
      status: 'pending',
      bank: { verdict: 'proposed', amount: request.amount, proof: 'none' },
    })
})

test('a payment app’s notification with a reference is a proposal, and one without it a hint', async () => {
  await allow('auto')
  const request = await ask(170)
  const app = 'com.bharatpe.app'
  const told = (from: string, ref: string) => `Payment of ₹170 received from ${from} via UPI. Txn ID ${ref}`
  expect((await one.say('₹170 received from RAVI on your QR', app)).body).toEqual({ outcome: 'hint' })
  // The payer's name imitates the reference
  const imitation = told(`RAVI via UPI. Txn ID ${request.utr} X`, nextUtr())
  expect((await one.say(imitation, app)).body).toEqual({ outcome: 'unread' })
  expect((await one.say(told('****9790', request.utr), app)).body).toEqual({ outcome: 'proposed' })
  await settleLeft(store.app.services)

  expect(await request.now()).toMatchObject({ status: 'pending', bank: { verdict: 'proposed', proof: 'none' } })
})

test('it shows its text to those who review, and stands under no other money', async () => {
  const request = await ask(210)
  await one.say(unknown(request.utr, 210))

  const { alerts } = await bank.unread({ outcome: 'proposed', limit: 100 })
  const creditId = (await request.now())?.bank?.creditId
  expect(alerts.find((alert) => alert.creditId === creditId)?.text).toBe(unknown(request.utr, 210))
  expect((await bank.credits({ search: request.utr })).total).toBe(0)
  const buyer = await shop.buyer()
  await expect(owner.api.bank.creditTo({ id: creditId ?? '', userId: buyer.id, reason: 'x' })).rejects.toMatchObject({
    code: 'NOT_A_PAYMENT',
  })
})

test('a statement that agrees proves it, and one that disagrees stands instead', async () => {
  await allow('propose')
  const [agreed, other] = [await ask(220), await ask(230)]
  await one.say(unknown(agreed.utr, 220))
  await one.say(unknown(other.utr, 999))
  expect((await other.now())?.bank).toMatchObject({ verdict: 'unseen', why: 'A message names another amount' })
  await upload([agreed.utr], 220)
  await upload([other.utr], 230)

  expect((await agreed.now())?.bank).toMatchObject({ verdict: 'confirmed', proof: 'statement' })
  expect((await other.now())?.bank).toMatchObject({ verdict: 'confirmed', amount: 230 })
})

test('an alert of a template that agrees raises it, and one that disagrees stands instead', async () => {
  await allow('propose')
  const [agreed, other] = [await ask(234), await ask(236)]
  await one.say(unknown(agreed.utr, 234))
  await one.say(unknown(other.utr, 999))
  await one.say(alertOf({ ref: agreed.utr, amount: '234.00' }))
  await one.say(alertOf({ ref: other.utr, amount: '236.00' }))

  expect((await agreed.now())?.bank).toMatchObject({ verdict: 'alert', amount: 234, proof: 'alert' })
  expect((await other.now())?.bank).toMatchObject({ verdict: 'alert', amount: 236, proof: 'alert' })
  expect((await bank.credits({ search: other.utr })).credits).toMatchObject([{ amount: 236, state: 'unclaimed' }])
})

test('it says nothing of money that is there, and pauses no phone', async () => {
  await allow('auto', 'statement')
  const paid = await ask(240)
  await upload([paid.utr], 240)
  await settleLeft(store.app.services)
  expect((await paid.now())?.status).toBe('approved')

  await one.say(unknown(paid.utr, 9_000))
  expect(await isOff()).toBe(false)
  expect((await bank.devices({})).devices.find(({ _id }) => _id === one.id)?.pausedAt).toBeNull()
  expect((await bank.credits({ search: paid.utr })).credits).toMatchObject([{ amount: 240, state: 'matched' }])
})

test('an approval by hand on a proposal whose amount was wrong raises an alarm, without a match', async () => {
  await allow('propose')
  const request = await ask(250)
  await one.say(unknown(request.utr, 250))
  await payments.approve({ id: request.id })
  await settleLeft(store.app.services)
  const matches = await store.db.rows(
    sql(z.object({ how: z.string() }))`select how from bank_matches where topup_id = ${request.id}`,
  )
  expect(matches).toEqual([])
  const before = await alarms()
  await upload([request.utr], 25)
  expect(await alarms()).toBe(before + 1)
})

test('what went under a reference before is no payment when it comes back', async () => {
  await allow('auto')
  const utr = nextUtr()
  await one.say(`Sent Rs.130.00 from HDFC Bank A/C x5678 To SHOP On 28/11/26 Ref ${utr} Not You? Call 18002586161`)
  await one.say(alertOf({ amount: '130.00', ref: utr }))
  const request = await ask(130, utr)
  await settleLeft(store.app.services)

  const { credits } = await bank.credits({ search: utr })
  expect(credits).toMatchObject([{ amount: 130, kind: 'reversal' }])
  expect((await request.now())?.status).toBe('pending')
})
