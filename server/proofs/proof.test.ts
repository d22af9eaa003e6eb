import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Proof } from '../../contract/proofs.ts'
import { withDatabase } from '../../test/database.ts'
import { runDoctor } from '../../test/run-doctor.ts'
import { givenAdminCall, servicesOf } from '../../test/services.ts'
import { shopForFile } from '../../test/shop-for-file.ts'
import { anAdmin } from '../../test/worlds/admins.ts'
import { account, imported } from '../../test/worlds/bank.ts'
import { nextUtr } from '../../test/worlds/shop.ts'
import { tradeOnRandomDays } from '../../test/worlds/trade.ts'
import { sql } from '../platform/database/database.ts'
import { checkProof } from './check-proof.ts'
import { makeProof, shown } from './make-proof.ts'

const shop = await shopForFile()
const { owner } = shop
const BUYERS = 50
const PAYMENTS = 500
const duration = '10 Days'

async function paid(nth = 0) {
  const buyer = await shop.buyer()
  const [utr, phone] = [nextUtr(), `91${String(10_000_000 + nth)}`]
  const { payment } = await buyer.api.payments.addMoney({ amount: 500, utr, payerName: phone })
  return { buyer, id: payment._id, utr, phone }
}

test('a proof has the payment, its bank row and what was delivered for it', async () => {
  const { _id: accountId } = await account(shop)
  const { buyer, id, utr } = await paid()
  await imported(shop, accountId, [{ refs: [utr], amount: 500, vpa: 'ravi@ybl' }])
  await owner.api.payments.approve({ id })
  const { _id: productId } = await shop.product({ stock: 2 })
  const { order, keys } = await buyer.api.orders.place({ productId, duration, quantity: 2 })

  // What was approved is matched behind the answer
  await expect.poll(async () => (await owner.api.proofs.read({ id })).bank, { timeout: 20_000 }).toHaveLength(1)

  const answer = await owner.get(`/payments/${id}/proof`)
  const proof = answer.body as Proof

  expect(proof).toMatchObject({
    number: `P-${id.slice(-8).toUpperCase()}`,
    request: { utr, amount: 500, credited: 500 },
    decision: { status: 'approved', by: expect.any(String) },
    bank: [{ amount: 500, refs: [utr], payerVpa: 'ravi@ybl', source: 'statement' }],
    buyer: { username: buyer.username, deletedAt: null },
    spent: [{ order: order._id, quantity: 2, amount: 200, bonus: 0, refunded: 0, claims: [] }],
    left: 300,
    expired: 0,
    takenBack: null,
  })
  const texts = keys.map(({ key }) => key)
  expect(proof.spent[0]?.keys.toSorted()).toEqual(texts.map((text) => shown(text)).toSorted())
  for (const text of texts) expect(JSON.stringify(proof)).not.toContain(text)
  const full = await owner.api.proofs.read({ id, keys: 'full' })
  expect(full.spent[0]?.keys.toSorted()).toEqual(texts.toSorted())

  const { after } = await shop.store.db.one(sql(z.object({ after: z.object({ sha256: z.string() }) }))`
    select after from audit_entries where action = 'payment.proof' order by seq desc limit 1`)
  expect(after.sha256).toBe(createHash('sha256').update(JSON.stringify(answer.body)).digest('hex'))
  const check = async (file: string) => (await checkProof(shop.store.db, Buffer.from(file))).says
  const file = JSON.stringify(answer.body)
  expect(await check(file)).toMatch(/^owner made this proof on .*, and it is unchanged\.$/)
  expect(await check(JSON.stringify(full))).toContain('unchanged')
  for (const other of [file.replace('"amount":500', '"amount":501'), `${file}\n`, '', '{}'])
    expect(await check(other)).toBe('This store has not made this proof, or it was changed.')
  const { browser } = await anAdmin(shop, 'payments')
  expect((await browser.get(`/payments/${id}/proof`)).status).toBe(200)
  expect((await browser.get(`/payments/${id}/proof?keys=full`)).body).toMatchObject({ code: 'FORBIDDEN_ROLE' })

  // Money that went back stays in the proof until it is another buyer's
  const bankOf = async (payment: string) => (await owner.api.proofs.read({ id: payment })).bank
  await owner.api.bank.takeBack({ id, reason: 'Another buyer’s' })
  expect(await bankOf(id)).toMatchObject([{ payerVpa: 'ravi@ybl' }])
  const { credits } = await owner.api.bank.credits({ search: utr })
  const other = await shop.buyer()
  const theirs = await owner.api.bank.creditTo({ id: credits[0]?._id ?? '', userId: other.id, reason: 'It was theirs' })
  expect(await bankOf(id)).toEqual([])
  expect(proof.request.filedBy).toBeUndefined()
  const begun = await owner.api.proofs.read({ id: theirs._id })
  expect(begun.request.filedBy).toBe(proof.decision.by)
})

test('the doctor says of a file whether it is a proof that was made here and is unchanged', async () => {
  const { id } = await paid()
  const { body } = await owner.get(`/payments/${id}/proof`)
  const directory = await mkdtemp(path.join(tmpdir(), 'chaabi-proof-'))
  try {
    const file = path.join(directory, 'P-1.json')
    const doctor = async (text: string) => {
      await writeFile(file, text)
      return runDoctor(shop.store.db, directory, '--proof', file)
    }
    const good = await doctor(JSON.stringify(body))
    expect(good.said).toMatch(/owner made this proof on .*, and it is unchanged\./)
    expect(good.code).toBe(0)
    const bad = await doctor(JSON.stringify(body).replace('"amount":500', '"amount":900'))
    expect(bad.said).toContain('This store has not made this proof, or it was changed.')
    expect(bad.code).toBe(1)
  } finally {
    await rm(directory, { recursive: true })
  }
})

test('of a purchase from two payments each proof has its own share, and its own share of the refund', async () => {
  const { buyer, id } = await paid()
  await owner.api.payments.approve({ id })
  const { payment } = await buyer.api.payments.addMoney({ amount: 300, utr: nextUtr(), payerName: '9198765432' })
  await owner.api.payments.approve({ id: payment._id })
  const { _id: productId } = await shop.product({ stock: 7 })
  const { keys } = await buyer.api.orders.place({ productId, duration, quantity: 7 })
  const [{ _id: keyId } = { _id: '' }] = keys
  const { _id: claimId } = await buyer.api.claims.open({ keyId, reason: 'never-worked' })
  await owner.api.claims.refund({ id: claimId, rule: 'full', expected: 100 })
  await owner.api.proofs.hold({ id, note: 'Letter 7' })
  const first = await owner.api.proofs.read({ id })
  const second = await owner.api.proofs.read({ id: payment._id })
  expect(first.spent).toMatchObject([{ amount: 500, paid: 700, refunded: 100, refundedHere: 0 }])
  expect(second.spent).toMatchObject([{ amount: 200, paid: 700, refunded: 100, refundedHere: 100 }])
  expect([first.held !== undefined, second.held !== undefined]).toEqual([true, false])
})

test('keys show their ends, and short ones hardly that', () => {
  expect([shown('ABCD-EFGH-IJKL'), shown('ABCDEFGHIJKL'), shown('ABCDEFGHIJK'), shown('ABC')]).toEqual([
    'AB…IJKL',
    'AB…IJKL',
    '…JK',
    '…BC',
  ])
})

test('nothing of 49 other buyers is in a proof', async () => {
  const { _id: productId } = await shop.product({ stock: BUYERS })
  const all = []
  for (let nth = 0; nth < BUYERS; nth++) {
    const { buyer, ...payment } = await paid(nth)
    await owner.api.payments.approve({ id: payment.id })
    const { keys } = await buyer.api.orders.place({ productId, duration, quantity: 1 })
    const key = keys[0]?.key ?? ''
    const secrets = [buyer.username, payment.utr, payment.phone, payment.id, key, shown(key)]
    all.push({ id: payment.id, secrets })
  }
  for (const { id, secrets } of all.filter((_, nth) => nth % 10 === 0)) {
    const text = JSON.stringify((await owner.get(`/payments/${id}/proof?keys=full`)).body)
    const others = all.filter((other) => other.id !== id).flatMap((other) => other.secrets.slice(0, -1))
    expect(others.filter((secret) => text.includes(secret))).toEqual([])
    expect(secrets.slice(0, -2).filter((secret) => !text.includes(secret))).toEqual([])
  }
})

const Row = z.object({ id: z.string(), left: z.number(), order: z.nullable(z.string()), amount: z.number() })

test(
  '500 random payments are the ledger, to the paisa',
  () =>
    withDatabase(async (db) => {
      await tradeOnRandomDays(db, { seed: 41, from: '2024-01-01', span: 1_500, days: 700, isRich: true })
      const by = { ...(await givenAdminCall(db)), requireProof: () => undefined }
      const rows = await db.rows(sql(Row)`
      select credited.topup_id as id, lot.remaining_paise as "left",
             case when movement.kind = 'purchase' then movement.id end as "order",
             sum(entry.amount_paise)::bigint as amount
        from wallet_movements credited
        join wallet_lots lot on lot.movement_id = credited.id
        join wallet_entries entry on entry.lot_id = lot.id
        join wallet_movements movement on movement.id = entry.movement_id
       where credited.kind = 'topup' group by 1, 2, 3`)
      const ids = [...new Set(rows.map(({ id }) => id))].slice(0, PAYMENTS)
      expect(ids).toHaveLength(PAYMENTS)
      const inPaise = (rupees: number) => Math.round(rupees * 100)
      for (const id of ids) {
        const own = rows.filter((row) => row.id === id)
        const proof = await makeProof(servicesOf(db), { id, isFull: false, publicOrigin: 'https://shop.example' }, by)
        expect(proof.store.url).toBe('https://shop.example')
        expect(inPaise(proof.left)).toBe(own[0]?.left)
        expect(proof.ledger.reduce((sum, { amount }) => sum + inPaise(amount), 0)).toBe(own[0]?.left)
        const bought = own.flatMap(({ order, amount }) => (order ? [[order, -amount] as const] : []))
        expect(new Map(proof.spent.map(({ order, amount }) => [order, inPaise(amount)]))).toEqual(new Map(bought))
      }
    }),
  300_000,
)
