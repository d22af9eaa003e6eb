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
