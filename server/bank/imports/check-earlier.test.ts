import { expect, test } from 'vitest'
import { shopForFile } from '../../../test/shop-for-file.ts'
import { account, iciciStatementOf } from '../../../test/worlds/bank.ts'
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
