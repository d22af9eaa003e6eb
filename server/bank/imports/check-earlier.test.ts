import { describe, expect, test } from 'vitest'
import { shopForFile } from '../../../test/shop-for-file.ts'
import { account, iciciStatementOf, imported, type Row } from '../../../test/worlds/bank.ts'
import { nextUtr } from '../../../test/worlds/shop.ts'
import { sql } from '../../platform/database/database.ts'

const shop = await shopForFile()
const { store, owner } = shop
const { bank, payments } = owner.api
const DAY_MS = 86_400_000

interface Money {
  amount: number
  /** YYYY-MM-DD. */
  day: string
  narration: string
}

function federalStatementOf(rows: readonly Money[], { tail }: { tail: string }): string {
  let balance = 1_000
  const lines = rows.map(({ amount, day, narration }, at) => {
    balance += amount
    const written = day.split('-').toReversed().join('-')
    return [
      written,
      written,
      narration,
      'TFR',
      `S9863${at}`,
      '',
      '',
      amount.toFixed(2),
      balance.toFixed(2),
      'CR',
    ].join()
  })
  return [
    `Account Number : 1234010001${tail}`,
    'Date,Value Date,Particulars,Tran Type,Tran ID,Cheque Details,Withdrawals,Deposits,Balance,DR/CR',
    ...lines,
  ].join('\n')
}

/** `note` is what the payer wrote: here another buyer's UTR. */
type Narration = (ref: string, note: string) => string

const ICICI: readonly Narration[] = [
  (ref, note) => `UPI/ravi@okaxis/${note}/AXIS BANK/${ref}/AXIa2c8668c2a40ee04a2`,
  (ref, note) => `UPI/RAVI KUMAR/ravi@ybl/UPI/CR/${note}/HDFC BANK LTD/${ref}/YBL3b51ff15b3d9779d/`,
  (ref, note) => `UPI/RAVI KUMAR/${note}/KARNATAKA BANK/${ref}/ICI3b51ff15b3d9/`,
  (ref, note) => `MMT/IMPS/${ref}/${note}/IMRAN SHE/HDFC BANK`,
]
const FEDERAL: readonly Narration[] = [
  (ref, note) => `UPI IN/${ref}/ravi@okaxis/${note}/5085`,
  (ref, note) => `FT IMPS/${ref}/${note}/HDFC`,
]

test.each([
  [
    'ICICI',
    ICICI,
    (rows: readonly Money[], period: { tail: string }) =>
      iciciStatementOf(
        rows.map(({ narration, ...row }) => ({ ...row, narration: () => narration })),
        period,
      ),
  ],
  ['Federal', FEDERAL, federalStatementOf],
])('no honest approval raises an alarm when a statement of %s shows its money', async (name, forms, statementFor) => {
  await store.db.run(sql`update bank_accounts set closed_at = ${store.clock.now()} where closed_at is null`)
  const { _id: accountId, tail } = await account(shop, { bank: name })
  const buyer = await shop.buyer()
  const utrs = Array.from({ length: 20 }, nextUtr)
  const dayBefore = (days: number) => new Date(store.clock.now().getTime() - days * DAY_MS).toISOString().slice(0, 10)
  const money = utrs.map((utr, at): Money => {
    const note = `${at % 3 === 0 ? 'gift ' : ''}${utrs[at + 1] ?? utrs[0]}`
    return { amount: 100 + at, day: dayBefore(2), narration: forms[at % forms.length]?.(utr, note) ?? '' }
  })
  for (const [at, utr] of utrs.entries()) {
    const { payment } = await buyer.api.payments.addMoney({ amount: 100 + at, utr, payerName: '9876543210' })
    await payments.approve({ id: payment._id })
  }
  await store.db.run(sql`
    update topup_requests set created_at = created_at - interval '2 days', decided_at = decided_at - interval '2 days'
     where utr = any(${utrs}::text[])`)
  const other = (days: number): Money => ({ amount: 1, day: dayBefore(days), narration: 'BY CASH DEPOSIT' })

  const text = statementFor([other(10), ...money, other(0)], { tail })
  const uploaded = await bank.import({ text, accountId })

  expect(uploaded).toMatchObject({ alarms: 0, import: { balances: 'proven', credits: money.length + 2 } })
  expect((await bank.alarms({ open: true })).total).toBe(0)
  expect((await bank.credits({ state: 'matched', limit: 100 })).total).toBeGreaterThanOrEqual(money.length)
})

describe('an approval by hand of ₹2,000', () => {
  const dayBefore = (days: number) => new Date(store.clock.now().getTime() - days * DAY_MS).toISOString().slice(0, 10)

  /** Opens the store's only account. */
  async function onlyAccount() {
    await store.db.run(sql`update bank_accounts set closed_at = ${store.clock.now()} where closed_at is null`)
    return (await account(shop))._id
  }

  async function approvedAs(utr: string, other?: number) {
    const buyer = await shop.buyer()
    const { payment } = await buyer.api.payments.addMoney({ amount: 2_000, utr, payerName: '9876543210' })
    const changed = other !== undefined && { amount: other, reason: 'The bank shows it', expected: 2_000 }
    await payments.approve({ id: payment._id, ...changed })
    return payment._id
  }

  /** Two days pass, and a statement of all of them is uploaded. */
  async function alarmsOf(topUpId: string, accountId: string, rows: readonly Row[]) {
    await store.db.run(sql`
      update topup_requests set created_at = created_at - interval '2 days', decided_at = decided_at - interval '2 days'
       where id = ${topUpId}`)
    await store.db.run(sql`
      update bank_credits set set_aside_at = set_aside_at - interval '2 days' where set_aside_at is not null`)
    const lines = rows.map((row) => ({ day: dayBefore(2), ...row }))
    await imported(shop, accountId, lines, { from: dayBefore(10), to: dayBefore(0) })
    return raisedFor(topUpId)
  }

  async function raisedFor(topUpId: string) {
    const { alarms } = await bank.alarms({ open: true })
    return alarms.filter((alarm) => alarm.topUpId === topUpId).map(({ kind }) => kind)
  }

  const setAside = async (utr: string) => {
    const { credits } = await bank.credits({ search: utr })
    await bank.setAside({ id: credits[0]?._id ?? '', why: 'Not a top-up' })
  }

  test.each([
    ['of another amount', [{ amount: 1 }], ['approved-without-money']],
    ['that the bank took back', [{ amount: 2_000 }, { amount: -2_000 }], ['approved-without-money']],
    ['of this amount', [{ amount: 2_000 }], []],
  ])('whose UTR is another way to write that of money %s', async (_, rows, kinds) => {
    const [accountId, utr] = [await onlyAccount(), nextUtr()]
    const id = await approvedAs(`ABCD${utr}`)
    const lines = rows.map((row) => ({ refs: [utr], ...row }))
    expect(await alarmsOf(id, accountId, lines)).toEqual(kinds)
  })

  test('as another amount, which the bank shows under another way to write the UTR, raises no alarm', async () => {
    const [accountId, utr] = [await onlyAccount(), nextUtr()]
    const id = await approvedAs(`ABCD${utr}`, 1_500)
    expect(await alarmsOf(id, accountId, [{ refs: [utr], amount: 1_500 }])).toEqual([])
  })

  test.each([
    ['before', ['approved-without-money']],
    // Nothing else takes it off the list of unclaimed money
    ['after', []],
  ])('with the UTR of money that was set aside %s it', async (when, kinds) => {
    const [accountId, utr] = [await onlyAccount(), nextUtr()]
    await imported(shop, accountId, [{ refs: [utr], amount: 2_000 }], { opening: 1_000 })
    if (when === 'before') await setAside(utr)
    store.clock.advance(1_000)
    const id = await approvedAs(when === 'before' ? utr : `ABCD${utr}`)
    store.clock.advance(1_000)
    if (when === 'after') await setAside(utr)
    expect(await alarmsOf(id, accountId, [{}])).toEqual(kinds)
  })

  test('with the UTR of money in an account that is not for top-ups raises an alarm', async () => {
    const [accountId, utr] = [await onlyAccount(), nextUtr()]
    const { _id: privateId } = await account(shop, { feedsStore: false })
    await imported(shop, privateId, [{ refs: [utr], amount: 2_000 }])
    const id = await approvedAs(utr)
    expect(await alarmsOf(id, accountId, [{}])).toEqual(['approved-without-money'])
  })

  test.each([
    ['own', 2_000],
    ['reversal', 2_000],
    ['reversal', 1],
  ])('with the UTR of a credit that is %s, of ₹%i, raises an alarm', async (kind, amount) => {
    const [accountId, utr] = [await onlyAccount(), nextUtr()]
    await imported(shop, accountId, [{ refs: [utr], amount }], { opening: 1_000 })
    await store.db.run(sql`
      update bank_credits set kind = ${kind} where id = (select credit_id from bank_credit_refs where ref = ${utr})`)
    const id = await approvedAs(utr)
    await expect.poll(() => raisedFor(id), { timeout: 5_000 }).toEqual(['taken-back-by-bank'])
    expect(await alarmsOf(id, accountId, [{}]), 'one alarm says it').toEqual(['taken-back-by-bank'])
  })

  // Seen to fail with `paid.utr = same.ref` in check-earlier.ts
  test('with the second reference of money that was approved under a form of its first raises an alarm', async () => {
    const [accountId, utr, second] = [await onlyAccount(), nextUtr(), nextUtr()]
    await imported(shop, accountId, [{ refs: [utr], amount: 2_000 }], { opening: 1_000 })
    await store.db.run(sql`
      insert into bank_credit_refs (credit_id, ref)
      select credit_id, ${second} from bank_credit_refs where ref = ${utr}`)
    const first = await approvedAs(`ABCD${utr}`)
    await store.db.run(sql`update topup_requests set decided_at = decided_at - interval '2 days' where id = ${first}`)
    const id = await approvedAs(second)
    expect(await alarmsOf(id, accountId, [{}])).toEqual(['approved-without-money'])
    expect(await alarmsOf(first, accountId, [{}])).toEqual([])
  })
})
