import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { untilBlocked } from '../../../test/blocked.ts'
import type { Answer } from '../../../test/store.ts'
import { unproven } from '../../../test/worlds/admins.ts'
import { logIn, nextUtr, OWNER } from '../../../test/worlds/shop.ts'
import { DAY_MS } from '../../../contract/time.ts'
import { shopForFile } from '../../../test/shop-for-file.ts'
import { inTheBooks } from '../../../test/users.ts'
import { sql } from '../../platform/database/database.ts'

const shop = await shopForFile()
const { owner } = shop

const listed = async (id: string) => (await owner.api.payments.list({ id })).payments[0]
const ask = async (amount: number, utr = nextUtr(), buyer?: Awaited<ReturnType<typeof shop.buyer>>) => {
  const by = buyer ?? (await shop.buyer())
  const { payment } = await by.api.payments.addMoney({ amount, utr, payerName: '9876543210' })
  return { buyer: by, id: payment._id, utr }
}
const approved = async (amount: number) => {
  const asked = await ask(amount)
  await owner.api.payments.approve({ id: asked.id })
  return asked
}
const balanceOf = async ({ api }: Awaited<ReturnType<typeof shop.buyer>>) => (await api.sessions.me({}))?.balance

describe('an approval that no statement confirms', () => {
  test('is taken back at once: what is left goes, the rest is a loss, and buyer and admin read why', async () => {
    const { buyer, id } = await approved(500)
    const { _id: productId } = await shop.product({ stock: 1 })
    await buyer.api.orders.place({ productId, duration: '10 Days', quantity: 1 })

    const answer = await owner.api.bank.takeBack({ id, reason: 'Paid by another buyer' })

    expect(answer).toMatchObject({ taken: 400, loss: 100, payment: { status: 'rejected', takenBack: { loss: 100 } } })
    expect(await balanceOf(buyer)).toBe(0)
    const [own] = await buyer.api.payments.mine({})
    expect(own).toMatchObject({ status: 'rejected', reason: 'Paid by another buyer', takenBack: true })
    const { after } = await shop.store.db.one(sql(z.object({ after: z.unknown() }))`
      select after from audit_entries where action = 'payment.take-back' order by seq desc limit 1`)
    expect(after).toEqual({ status: 'rejected', reason: 'Paid by another buyer', utr: 'free', taken: 400, loss: 100 })
    await inTheBooks(shop)
  })

  test('asks for a proof, and is nothing for a request that is pending, rejected or taken back', async () => {
    const { id } = await approved(200)
    const admin = await unproven(shop)
    expect((await admin.post(`/payments/${id}/take-back`, { reason: 'Wrong' })).body.code).toBe('STEP_UP_REQUIRED')
    const pending = await ask(200)
    expect((await owner.post(`/payments/${pending.id}/take-back`, { reason: 'Wrong' })).body.code).toBe(
      'NOTHING_TO_TAKE_BACK',
    )
    await owner.api.payments.reject({ id: pending.id })
    expect((await owner.post(`/payments/${pending.id}/take-back`, { reason: 'Wrong' })).status).toBe(409)
    expect((await owner.post(`/payments/${id}/take-back`, { reason: 'Wrong', utr: 'burnt' })).status).toBe(400)
    await inTheBooks(shop)
  })

  test('is in the day’s figure of top-ups no more, and once when its transfer is approved for another', async () => {
    const figure = async () => (await owner.api.reports.overview({})).today.topUps
    const { id, utr } = await approved(300)
    const before = await figure()
    await owner.api.bank.takeBack({ id, reason: 'Another buyer’s' })
    expect(await figure()).toBe(before - 300)
    await owner.api.payments.approve({ id: (await ask(300, utr)).id })
    expect(await figure()).toBe(before)
  })

  // Seen to fail with `for update` in top-ups.ts: a statement that holds the rules notes an alarm of this request, and
  // the two deadlock
  test('holds up nothing that only refers to it, while it waits for the rules', async () => {
    const { id } = await approved(100)
    let taking: Promise<Answer> | undefined
    await shop.store.db.transaction(async (tx) => {
      await tx.run(sql`select from bank_rules for update`)
      taking = owner.post(`/payments/${id}/take-back`, { reason: 'Wrong' })
      await untilBlocked(shop.store.db)
      await tx.run(sql`select from topup_requests where id = ${id} for key share nowait`)
    })
    expect((await taking)?.status).toBe(200)
  })

  // Seen to fail without the locks in take-back.ts: three of them took it
  test('is taken back once by eight admins at once, beside a purchase with the money', async () => {
    for (let round = 0; round < 5; round++) {
      const { buyer, id } = await approved(100)
      const { _id: productId } = await shop.product({ stock: 1 })
      const [bought, ...answers] = await Promise.all([
        buyer.post('/keys/buy', { productId, duration: '10 Days', quantity: 1 }),
        ...Array.from({ length: 8 }, () => owner.post(`/payments/${id}/take-back`, { reason: 'Wrong' })),
      ])
      const taken = answers.filter(({ status }) => status === 200)
      expect(taken).toHaveLength(1)
      expect(taken[0]?.body).toMatchObject(bought.status === 200 ? { taken: 0, loss: 100 } : { taken: 100, loss: 0 })
      expect(await balanceOf(buyer)).toBe(0)
    }
    await inTheBooks(shop)
  })
})

describe('credit of a payment that was taken back', () => {
  const takeBack = (id: string) => owner.api.bank.takeBack({ id, reason: 'Another buyer’s' })
  const paidKey = async (buyer: Awaited<ReturnType<typeof shop.buyer>>, price = 100) => {
    const { _id: productId } = await shop.product({ stock: 1, prices: { '10 Days': price } })
    const { keys } = await buyer.api.orders.place({ productId, duration: '10 Days', quantity: 1 })
    const { _id: claimId } = await buyer.api.claims.open({ keyId: keys[0]?._id ?? '', reason: 'never-worked' })
    return () => owner.api.claims.refund({ id: claimId, rule: 'full', expected: price })
  }

  test('does not return when a deduction of it ends', async () => {
    const { buyer, id } = await approved(500)
    await owner.api.users.update({ id: buyer.id, balance: -300, expiresInDays: 60 })

    expect(await takeBack(id)).toMatchObject({ taken: 500, loss: 0 })

    shop.store.clock.advance(61 * DAY_MS)
    await owner.api.sessions.adminLogin(OWNER)
    await logIn(buyer, buyer.username)
    expect(await balanceOf(buyer)).toBe(0)
    await inTheBooks(shop)
  })

  test('does not return by a refund, which makes the loss smaller', async () => {
    const { buyer, id } = await approved(500)
    const refund = await paidKey(buyer)
    expect(await takeBack(id)).toMatchObject({ taken: 400, loss: 100 })

    await refund()

    expect(await balanceOf(buyer)).toBe(0)
    expect((await listed(id))?.takenBack).toMatchObject({ loss: 0 })
    await inTheBooks(shop)
  })

  test('is found where a refund has renewed it', async () => {
    await owner.api.settings.saveStore({ topupValidityDays: 3 })
    const { buyer, id } = await approved(500)
    await owner.api.settings.saveStore({ topupValidityDays: null })
    const refund = await paidKey(buyer)
    await refund()
    await owner.api.users.update({ id: buyer.id, balance: 40 })

    expect(await takeBack(id)).toMatchObject({ taken: 500, loss: 0 })

    expect(await balanceOf(buyer)).toBe(40)
    await inTheBooks(shop)
  })

  const lapsing = async (amount: number, buyer?: Awaited<ReturnType<typeof shop.buyer>>) => {
    await owner.api.settings.saveStore({ topupValidityDays: 3 })
    const asked = await ask(amount, nextUtr(), buyer)
    await owner.api.payments.approve({ id: asked.id })
    await owner.api.settings.saveStore({ topupValidityDays: null })
    return asked
  }
  const pass = async (days: number, buyer: Awaited<ReturnType<typeof shop.buyer>>) => {
    shop.store.clock.advance(days * DAY_MS)
    await owner.api.sessions.adminLogin(OWNER)
    await logIn(buyer, buyer.username)
  }

  test('does not return when a deduction from what a refund has renewed ends', async () => {
    const { buyer, id } = await lapsing(100)
    await (
      await paidKey(buyer)
    )()
    await owner.api.users.update({ id: buyer.id, balance: -60, expiresInDays: 5 })

    expect(await takeBack(id)).toMatchObject({ taken: 100, loss: 0 })

    await pass(6, buyer)
    expect(await balanceOf(buyer)).toBe(0)
    await inTheBooks(shop)
  })

  test('is no more than it was, in credit that refunds have renewed twice with another’s', async () => {
    const { buyer, id } = await lapsing(60)
    await lapsing(40, buyer)
    for (const days of [0, 25]) {
      await pass(days, buyer)
      await (
        await paidKey(buyer)
      )()
    }

    expect(await takeBack(id)).toMatchObject({ taken: 60, loss: 0 })

    expect(await balanceOf(buyer)).toBe(40)
    await inTheBooks(shop)
  })

  // Seen to fail with a limit for each lot alone: it took 90
  test('is no more than it was, in all that refunds have renewed, before and after a take-back', async () => {
    const { buyer, id } = await lapsing(100)
    await paidKey(buyer, 40)
    await lapsing(40, buyer)
    await (
      await paidKey(buyer)
    )()
    await pass(25, buyer)
    await (
      await paidKey(buyer, 40)
    )()
    const refund = await paidKey(buyer, 10)

    expect(await takeBack(id)).toMatchObject({ taken: 60, loss: 40 })
    expect(await balanceOf(buyer)).toBe(30)

    await refund()
    expect(await balanceOf(buyer)).toBe(40)
    await inTheBooks(shop)
  })
})

describe('the UTR of what was taken back', () => {
  const signOf = async (id: string) => (await listed(id))?.signs?.utrRejectedBefore

  test('is free for the right buyer without a mark; the one that it was taken from is marked', async () => {
    const { buyer, id, utr } = await approved(300)
    await owner.api.bank.takeBack({ id, reason: 'Another buyer’s' })

    const again = await ask(300, utr, buyer)
    expect(await signOf(again.id)).toBe(true)
    await owner.api.payments.remove({ id: again.id })
    const other = await approved(300)
    await owner.api.bank.takeBack({ id: other.id, reason: 'Another buyer’s' })
    expect(await signOf((await ask(300, other.utr)).id)).toBe(false)
  })

  test('is marked for everybody after “never came”, as one that was rejected is', async () => {
    const { id, utr } = await approved(300)
    await owner.api.bank.takeBack({ id, reason: 'Nothing in the bank', utr: 'never-came' })
    expect(await signOf((await ask(300, utr)).id)).toBe(true)
  })
})
