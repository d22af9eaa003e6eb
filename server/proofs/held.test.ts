import { expect, test } from 'vitest'
import { shopForFile } from '../../test/shop-for-file.ts'
import type { Answer } from '../../test/store.ts'
import { anAdmin } from '../../test/worlds/admins.ts'
import { nextUtr, type Buyer } from '../../test/worlds/shop.ts'
import { HELD_BY_BANK } from '../../contract/reason-words.ts'
import { sql } from '../platform/database/database.ts'
import { findBroken } from '../platform/database/invariants.ts'

const shop = await shopForFile()
const { owner } = shop

async function approved(buyer: Buyer, amount = 500): Promise<string> {
  const { payment } = await buyer.api.payments.addMoney({ amount, utr: nextUtr(), payerName: '9876543210' })
  await owner.api.payments.approve({ id: payment._id })
  return payment._id
}

async function given() {
  const buyer = await shop.buyer()
  return { buyer, id: await approved(buyer) }
}

const note = 'Letter 7 of the bank'
const blockOf = async ({ username }: Buyer) =>
  (await owner.api.users.list({ search: username })).users[0]?.blocked?.reason ?? null
const listed = async (id: string) => (await owner.api.payments.list({ id })).payments[0]
const codes = (answers: readonly Answer[]) => answers.map(({ status, body }) => (status < 300 ? 'done' : body.code))

test('a held payment keeps its buyer out, and its release lets them in', async () => {
  const { buyer, id } = await given()
  const held = await owner.api.proofs.hold({ id, note })
  expect(held.held).toMatchObject({ note, by: expect.any(String), since: expect.any(String) })
  expect((await listed(id))?.held?.note).toBe(note)
  expect(await blockOf(buyer)).toBe(HELD_BY_BANK)
  expect((await buyer.get('/payments/mine')).status).toBe(401)

  const { held: sum } = await owner.api.reports.overview({})
  expect(sum).toMatchObject({ count: 1, amount: 500, since: held.held?.since })
  expect((await owner.api.books.liability({})).held).toEqual({ count: 1, amount: 500 })
  expect((await owner.api.payments.list({ bank: 'held' })).payments.map(({ _id }) => _id)).toEqual([id])
  // Removed from the lists it is still held, and somebody must find it
  await owner.api.payments.remove({ id })
  expect((await owner.api.payments.list({ bank: 'held' })).total).toBe(1)

  const released = await owner.api.proofs.release({ id })
  expect(released.held).toBeUndefined()
  expect(await blockOf(buyer)).toBeNull()
  expect((await owner.api.reports.overview({})).held).toEqual({ count: 0, amount: 0, since: null })
  expect((await owner.delete(`/payments/${id}/held`)).body).toMatchObject({ code: 'NOT_HELD' })
})

test('who may buy meanwhile stays in, and a second mark changes the note and the choice alone', async () => {
  const { buyer, id } = await given()
  const { held } = await owner.api.proofs.hold({ id, note, letBuy: true })
  expect(await blockOf(buyer)).toBeNull()
  const { browser: other } = await anAdmin(shop, 'payments')
  const again = await other.api.proofs.hold({ id, note: 'Letter 8' })
  expect(again.held).toEqual({ since: held?.since, by: held?.by, note: 'Letter 8' })
  expect(await blockOf(buyer)).toBe(HELD_BY_BANK)
  await owner.api.proofs.hold({ id, note: 'Letter 9', letBuy: true })
  expect(await blockOf(buyer)).toBeNull()
  await owner.api.proofs.release({ id })
})

test('a release leaves a block that has another cause', async () => {
  // By hand, before
  const first = await given()
  await owner.api.users.block({ id: first.buyer.id, reason: 'Rude' })
  await owner.api.proofs.hold({ id: first.id, note })
  expect(await blockOf(first.buyer)).toBe('Rude')
  await owner.api.proofs.release({ id: first.id })
  expect(await blockOf(first.buyer)).toBe('Rude')

  // By hand, after
  const second = await given()
  await owner.api.proofs.hold({ id: second.id, note })
  shop.store.clock.advance(1)
  await owner.api.users.block({ id: second.buyer.id, reason: 'Rude' })
  await owner.api.proofs.release({ id: second.id })
  expect(await blockOf(second.buyer)).toBe('Rude')

  // Another payment of the buyer
  const third = await given()
  const fourth = await approved(third.buyer)
  await owner.api.proofs.hold({ id: third.id, note })
  shop.store.clock.advance(1)
  await owner.api.proofs.hold({ id: fourth, note })
  await owner.api.proofs.release({ id: third.id })
  expect(await blockOf(third.buyer)).toBe(HELD_BY_BANK)
  await owner.api.proofs.release({ id: fourth })
  expect(await blockOf(third.buyer)).toBeNull()
})

test('a take-back ends the mark, and the buyer stays out until an admin lets them in', async () => {
  const { buyer, id } = await given()
  const other = await approved(buyer)
  await owner.api.proofs.hold({ id, note })
  await owner.api.proofs.hold({ id: other, note })
  const { payment } = await owner.api.bank.takeBack({ id, reason: 'The bank took it back' })
  expect(payment.held).toBeUndefined()
  expect((await owner.delete(`/payments/${id}/held`)).body).toMatchObject({ code: 'NOT_HELD' })
  await owner.api.proofs.release({ id: other })
  expect(await blockOf(buyer)).toBe(HELD_BY_BANK)
  await owner.api.users.unblock({ id: buyer.id })
  expect(await blockOf(buyer)).toBeNull()
})

test('a payment of a closed account can be held, and nobody is blocked', async () => {
  const { buyer, id } = await given()
  await owner.api.users.remove({ id: buyer.id })
  expect((await owner.api.proofs.hold({ id, note })).held?.note).toBe(note)
  expect((await owner.api.proofs.release({ id })).held).toBeUndefined()
})

// The wallet's lock (wallet/ledger.ts), which marks and take-backs take first
test('of a mark and a take-back at the same moment, the second sees the first', async () => {
  const { browser: other } = await anAdmin(shop, 'payments')
  for (let round = 0; round < 8; round++) {
    const { id } = await given()
    const [mark, back] = codes(
      await Promise.all([
        other.put(`/payments/${id}/held`, { note }),
        owner.post(`/payments/${id}/take-back`, { reason: 'Stolen' }),
      ]),
    )
    expect(back).toBe('done')
    expect(['done', 'NOT_APPROVED']).toContain(mark)
    expect((await listed(id))?.held).toBeUndefined()
  }
})

test('of two admins who mark at once, the first one’s moment stays, and of two who release, one does', async () => {
  const { browser: other } = await anAdmin(shop, 'payments')
  for (let round = 0; round < 4; round++) {
    const { buyer, id } = await given()
    const both = (how: 'put' | 'delete') =>
      Promise.all(
        [owner, other].map((admin) => admin[how](`/payments/${id}/held`, ...(how === 'put' ? [{ note }] : []))),
      )
    const marks = await both('put')
    expect(codes(marks)).toEqual(['done', 'done'])
    expect(new Set(marks.map(({ body }) => (body as { held: { by: string } }).held.by)).size).toBe(1)
    expect(new Set(codes(await both('delete')))).toEqual(new Set(['done', 'NOT_HELD']))
    expect(await blockOf(buyer)).toBeNull()
  }
  expect(await findBroken(shop.store.db, 'server/migrations')).toEqual([])
  expect(await shop.store.db.count(sql`select count(*) from topup_requests where held_at is not null`)).toBe(0)
})
