import { expect, test } from 'vitest'
import { shopForFile } from '../../../test/shop-for-file.ts'
import { TEST_NOW } from '../../../test/worlds/constants.ts'
import { account, imported } from '../../../test/worlds/bank.ts'
import { nextUtr } from '../../../test/worlds/shop.ts'

const shop = await shopForFile()
const day = new Date(Date.parse(TEST_NOW) - 3 * 86_400_000).toISOString().slice(0, 10)

const reportOf = (rows: readonly { ref: string; amount: number; status?: string }[]) =>
  [
    'Transaction Date,Transaction Time,UTR,Payer Name,Payer VPA,Amount,Status,Settlement Date',
    ...rows.map(({ ref, amount, status = 'SUCCESS' }) =>
      [day, '14:01:05', ref, 'ANU', 'anu@ybl', amount, status, day].join(','),
    ),
  ].join('\n')
const upload = (accountId: string, text: string) => shop.owner.api.bank.import({ accountId, text })
const proofOf = async (ref: string) =>
  (await shop.owner.api.bank.credits({ search: ref })).credits.find(({ refs }) => refs.includes(ref))?.proof

test('a report of guessed columns proves nothing until a bank’s statement agrees with one of its rows', async () => {
  const { _id, tail } = await account(shop)
  const refs = Array.from({ length: 5 }, () => nextUtr())
  const [one = '', failed = '', other = '', another = '', last = ''] = refs

  await upload(
    _id,
    reportOf([
      { ref: one, amount: 500 },
      { ref: failed, amount: 300, status: 'FAILED' },
    ]),
  )
  expect([await proofOf(one), await proofOf(failed)]).toEqual(['none', undefined])

  // The same reference with another amount is no agreement
  await imported(
    shop,
    _id,
    [
      { amount: 7, day },
      { refs: [another], amount: 41, day },
    ],
    { from: day, to: day, opening: 1_000, tail },
  )
  await upload(
    _id,
    reportOf([
      { ref: another, amount: 40 },
      { ref: other, amount: 80 },
    ]),
  )
  expect(await proofOf(other)).toBe('none')

  await imported(
    shop,
    _id,
    [
      { amount: 7, day },
      { refs: [one], amount: 500, day },
    ],
    { from: day, to: day, opening: 9_000, tail },
  )
  await upload(_id, reportOf([{ ref: last, amount: 90 }]))
  expect([await proofOf(one), await proofOf(last)]).toEqual(['statement', 'report'])
})

const appRows = (rows: readonly { ref: string; amount: number; tail: string; type?: string }[]) =>
  [
    'Date,Time,Transaction Details,Transaction ID,UTR,Transaction Type,Credit/debit instrument,Amount',
    ...rows.map(({ ref, amount, tail: to, type = 'CREDIT' }) =>
      [day, '10:26:00', 'Received from ANU', 'T1', ref, type, `Credited to XXXXXX${to}`, amount].join(','),
    ),
  ].join('\n')

test('of a payment app’s statement only the rows of the account count', async () => {
  const { _id, tail } = await account(shop)
  const [own, others] = [nextUtr(), nextUtr()]
  const elsewhere = { ref: others, amount: 300, tail: tail === '0001' ? '0002' : '0001' }

  await upload(_id, appRows([{ ref: own, amount: 500, tail }, elsewhere]))
  expect([await proofOf(own), await proofOf(others)]).toEqual(['report', undefined])
  await expect(upload(_id, appRows([elsewhere]))).rejects.toMatchObject({
    code: 'STATEMENT_UNREADABLE',
    message: 'All rows of this file are of another account.',
  })
})

test('a known app’s PDF needs no balances but a bank that agrees, and an unknown app’s is refused', async () => {
  const { _id, tail } = await account(shop)
  const ref = nextUtr()
  const details = `Received from ANU UPI Transaction ID: ${ref}Paid to SBI ${tail}`
  const text = ['"Date & time","Transaction details","Amount"', `"${day} 11:38 AM","${details}","₹500"`].join('\n')

  await shop.owner.api.bank.import({ accountId: _id, text, source: 'pdf' })
  expect(await proofOf(ref)).toBe('none')
  const unknown = reportOf([{ ref: nextUtr(), amount: 500 }])
  await expect(shop.owner.api.bank.import({ accountId: _id, text: unknown, source: 'pdf' })).rejects.toMatchObject({
    message: 'This PDF has no balances. Choose CSV or Excel instead.',
  })
})

test('a file whose rows share the payout’s UTR is refused in words', async () => {
  const { _id } = await account(shop)
  const text = [
    'PaymentType,PhonePeReferenceId,SettlementDate,BankReferenceNo,Amount',
    `PAYMENT,P1,${day},YESBN12026112600011223,900.00`,
  ].join('\n')

  await expect(upload(_id, text)).rejects.toMatchObject({
    code: 'STATEMENT_UNREADABLE',
    message: 'All rows of this file share the payout’s UTR. Download the report of transactions instead.',
  })
})

test('the fees of a payment app are told, and a request agrees with what its buyer paid', async () => {
  const { _id: accountId } = await account(shop)
  const [paid, failed] = [nextUtr(), nextUtr()]
  const time = `${day.split('-').toReversed().join('/')} 10:20:11`
  const text = [
    'Transaction Date & Time,Transaction ID,Bank RRN,Payer Name,Payer VPA,Transaction Amount,MDR,GST,Net Amount,' +
      'Settlement UTR,Status',
    `${time},BP1,${paid},LEELA,leela@okaxis,1000.00,4.00,0.72,995.28,HDFCN52026112800012121,Success`,
    `${time},BP2,${failed},X,x@ybl,80.00,0.32,0.06,79.62,,Failed`,
  ].join('\n')
  expect(await shop.owner.api.bank.preview({ text, accountId })).toMatchObject({ fees: 4.72, credits: 1 })
  await upload(accountId, text)
  const { credits } = await shop.owner.api.bank.credits({ search: paid })
  expect(credits).toMatchObject([{ amount: 1_000 }])
  const plain = reportOf([{ ref: nextUtr(), amount: 500 }])
  expect(await shop.owner.api.bank.preview({ text: plain, accountId })).not.toHaveProperty('fees')
})
