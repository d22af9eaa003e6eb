import { expect, test } from 'vitest'
import { shopForFile } from '../../../test/shop-for-file.ts'
import { account, statementOf } from '../../../test/worlds/bank.ts'
import { TEST_NOW } from '../../../test/worlds/constants.ts'
import { nextUtr } from '../../../test/worlds/shop.ts'

const shop = await shopForFile()
const today = TEST_NOW.slice(0, 10)
const columns = { reference: 0, date: 1, narration: 2, credit: 3, debit: 4, balance: 5 }
const unknown = (balance: number) =>
  [
    'Ref,Day,What,Plus,Minus,Now,Then',
    ',,,,,,',
    `${nextUtr()},${today},RAVI,5.00,,${balance}.00,`,
    `${nextUtr()},${today},ANU,7.00,,${balance + 7}.00,`,
  ].join('\n')

test('columns that were chosen are kept by their headings, and by no line that other banks write, too', async () => {
  const { _id: accountId } = await account(shop)
  await shop.owner.api.bank.import({ text: unknown(15), accountId, columns })

  expect(await shop.owner.api.bank.preview({ text: unknown(115), accountId })).toMatchObject({
    layout: 'chosen',
    credits: 2,
  })
  expect(await shop.owner.api.bank.preview({ text: statementOf([{}]), accountId })).toMatchObject({ layout: 'hdfc' })
})

test('a file with a day to come is refused: its months were read as days', async () => {
  const { _id: accountId } = await account(shop)
  const ahead = (days: number) => new Date(Date.parse(TEST_NOW) + days * 86_400_000).toISOString().slice(0, 10)
  const text = (days: number) => statementOf([{ day: today }, { day: ahead(days) }], { to: ahead(days) })

  expect(await shop.owner.api.bank.preview({ text: text(2), accountId })).toMatchObject({ balances: 'proven' })
  expect(await shop.owner.post('/bank/statements/preview', { text: text(15), accountId })).toMatchObject({
    status: 400,
    body: { code: 'STATEMENT_UNREADABLE', message: expect.stringContaining('date on line 4') },
  })
})

test('a file of which no row can be read says why', async () => {
  const { _id: accountId } = await account(shop)
  const rows = [1, 2].map((n) => `19/11/2026  UPI-A-A@YBL-HDFC0000001-63251590000${n}-REFUND  500.00  ${n * 500}.00`)

  expect(await shop.owner.post('/bank/statements/preview', { text: rows.join('\n'), accountId })).toMatchObject({
    body: { code: 'STATEMENT_UNREADABLE', message: 'We can’t tell if this money was received or paid.' },
  })
})
