import { expect, test } from 'vitest'
import { shopForFile } from '../../../test/shop-for-file.ts'
import { TEST_NOW } from '../../../test/worlds/constants.ts'
import { account, imported, statementOf, type Row } from '../../../test/worlds/bank.ts'
import { givenAlert, givenDevice } from '../../../test/worlds/alerts.ts'
import { nextUtr, OWNER } from '../../../test/worlds/shop.ts'
import { topUpsOf } from '../../../test/worlds/top-ups.ts'

const shop = await shopForFile()

const day = (before: number) => new Date(Date.parse(TEST_NOW) - before * 86_400_000).toISOString().slice(0, 10)
/** A file of one day that states no opening balance, as banks give them for a day. */
const daily = (on: string, rows: Row[], opening: number) =>
  statementOf(
    rows.map((row) => ({ ...row, day: on })),
    { from: on, to: on, opening },
  )
    .split('\n')
    .filter((line) => !/^(?:STATEMENT SUMMARY|Opening Balance|\d+\.\d\d,)/.test(line))
    .join('\n')
const upload = (accountId: string, text: string) => shop.owner.api.bank.import({ accountId, text })
const proofOf = async (ref: string) =>
  (await shop.owner.api.bank.credits({ search: ref })).credits.find(({ refs }) => refs.includes(ref))?.proof
const coveredTo = async (id: string) =>
  (await shop.owner.api.bank.accounts({})).accounts.find(({ _id }) => _id === id)?.coveredTo

async function begun() {
  const { _id } = await account(shop)
  await imported(shop, _id, [{ amount: 500, day: day(5) }], { from: day(5), to: day(5), opening: 1_000 })
  return _id
}

test('a file of one row that follows an earlier one is proven, and so is the next', async () => {
  const id = await begun()
  const [one, two] = [nextUtr(), nextUtr()]

  const first = await upload(id, daily(day(4), [{ refs: [one], amount: 750 }], 1_500))
  const second = await upload(id, daily(day(3), [{ refs: [two], amount: 20 }], 2_250))

  expect([first.import.balances, second.import.balances]).toEqual(['proven', 'proven'])
  expect([await proofOf(one), await proofOf(two)]).toEqual(['statement', 'statement'])
  expect(await coveredTo(id)).toBe(day(3))
})

test('a period without a row is covered where its balance is the one before', async () => {
  const id = await begun()
  const quiet = (on: string, opening: number) => statementOf([], { from: on, to: on, opening })

  expect((await upload(id, quiet(day(4), 1_500))).import).toMatchObject({ balances: 'proven', lines: 0 })
  expect(await coveredTo(id)).toBe(day(4))
  await expect(upload(id, quiet(day(3), 1_400))).rejects.toMatchObject({ code: 'STATEMENT_UNREADABLE' })
  await expect(upload(id, quiet(day(6), 1_500))).rejects.toMatchObject({ code: 'STATEMENT_UNREADABLE' })
  const stated = quiet(day(3), 1_500)
  const [period = '', headings = ''] = stated.split('\n')
  // Without the rows that its closing balance tells of, and cut behind its headings
  for (const cut of [stated.replace(',1500.00,', ',1700.00,'), `${period}\n${headings}\n`])
    await expect(upload(id, cut)).rejects.toMatchObject({ code: 'STATEMENT_UNREADABLE' })
  const closingAlone = `${period}\n${headings}\nClosing Balance,1500.00\n`
  expect((await upload(id, closingAlone)).import).toMatchObject({ balances: 'proven', lines: 0 })
  expect((await upload(id, daily(day(2), [{ amount: 5 }], 1_500))).import.balances).toBe('proven')
})

test('a file of one row is not proven by another balance, an earlier day, or another account', async () => {
  const [id, other] = [await begun(), (await account(shop))._id]
  const refs = Array.from({ length: 3 }, () => nextUtr())

  await upload(id, daily(day(4), [{ refs: [refs[0]!], amount: 10 }], 1_499))
  await upload(id, daily(day(6), [{ refs: [refs[1]!], amount: 10 }], 1_500))
  await upload(other, daily(day(4), [{ refs: [refs[2]!], amount: 10 }], 1_500))

  for (const ref of refs) expect(await proofOf(ref)).toBe('none')
  expect([await coveredTo(id), await coveredTo(other)]).toEqual([day(5), null])
})

test('a file that came before the one that it follows is proven when it is uploaded again', async () => {
  const id = await begun()
  const [one, two] = [nextUtr(), nextUtr()]
  const [first, second] = [
    daily(day(4), [{ refs: [one], amount: 750 }], 1_500),
    daily(day(3), [{ refs: [two], amount: 20 }], 2_250),
  ]
  expect((await upload(id, second)).import.balances).not.toBe('proven')
  await upload(id, first)

  const again = await upload(id, second)

  expect(again).toMatchObject({ new: 0, known: 1, import: { balances: 'proven', newCredits: 1 } })
  expect([await proofOf(one), await proofOf(two)]).toEqual(['statement', 'statement'])
  expect(await coveredTo(id)).toBe(day(3))
  expect((await upload(id, second)).import).toEqual(again.import)
})

test('a file of one row between two earlier ones is proven by the one that it follows', async () => {
  const id = await begun()
  await imported(shop, id, [{ amount: 5, day: day(1) }], { from: day(1), to: day(1), opening: 9_000 })
  const ref = nextUtr()

  await upload(id, daily(day(4), [{ refs: [ref], amount: 10 }], 1_500))

  expect(await proofOf(ref)).toBe('statement')
})

test('the preview of a pasted row says what the import will', async () => {
  const { _id, tail } = await account(shop)
  await imported(shop, _id, [{ amount: 500, day: day(5) }], { from: day(5), to: day(5), opening: 1_000, tail })
  const on = day(4).split('-').toReversed().join('/')
  const text = `Account No : 501000${tail}\n${on}  UPI-RAVI-R@OKAXIS-UTIB0000123-${nextUtr()}-X  10.00  1,510.00`

  expect(await shop.owner.api.bank.preview({ text })).toMatchObject({
    balances: 'proven',
    rows: [{ proof: 'statement', direction: 'credit', amount: 10 }],
  })
})

// The last, because it moves the clock
test('a file that is uploaded again says nothing of the days after its first upload', async () => {
  const id = await begun()
  const end = day(-10)
  const text = daily(day(3), [{ refs: [nextUtr()], amount: 20 }], 2_250).replaceAll(
    /(To\s*:?\s*)\d\d\/\d\d\/\d{2,4}/gi,
    (_, to: string) => to + end.split('-').toReversed().join('/'),
  )
  expect(text).toContain(end.split('-').toReversed().join('/'))
  expect((await upload(id, text)).import.balances).not.toBe('proven')
  shop.store.clock.advance(3 * 86_400_000)
  await shop.owner.api.sessions.adminLogin(OWNER)
  const deviceId = await givenDevice(shop.store.db, id)
  const at = new Date(shop.store.clock.now().getTime() - 86_400_000)
  await givenAlert(shop.store, { accountId: id, deviceId, ref: nextUtr(), amount: 90, at })
  await upload(id, daily(day(4), [{ refs: [nextUtr()], amount: 750 }], 1_500))

  expect((await upload(id, text)).import.balances).toBe('proven')

  expect((await topUpsOf(shop).openAlarms()).map(({ kind }) => kind)).not.toContain('alert-not-in-statement')
})
