import { expect, test } from 'vitest'
import { STATEMENT_BYTES_MAX } from '../../../../contract/limits.ts'
import { shopForFile } from '../../../../test/shop-for-file.ts'
import { account } from '../../../../test/worlds/bank.ts'
import { readStatementInTurns } from './read-statement.ts'

const shop = await shopForFile()

test.each([
  ['one line of commas', ','.repeat(STATEMENT_BYTES_MAX)],
  ['many lines of commas', `${','.repeat(250)}\n`.repeat(19_000)],
  ['many lines of tabs', `x${'\t'.repeat(199)}\n`.repeat(19_000)],
])('%s is refused before it is read, in turns', async (_, text) => {
  let [silence, last] = [0, performance.now()]
  const timer = setInterval(() => {
    silence = Math.max(silence, performance.now() - last)
    last = performance.now()
  }, 5)

  await expect(readStatementInTurns(text)).rejects.toThrow('too many columns')
  clearInterval(timer)

  // 0.1 s where nothing else runs; it was 8 to 14 s
  expect(Math.max(silence, performance.now() - last)).toBeLessThan(3_000)
})

test('rows that are too long for headings are not looked at again and again', async () => {
  const row = `date,particulars,${`${'lorem '.repeat(20)},`.repeat(190)}\n`
  const before = process.cpuUsage()

  await expect(readStatementInTurns(row.repeat(199))).rejects.toThrow('Choose its columns')

  // In microseconds of the processor. It was three times as much
  expect(process.cpuUsage(before).user).toBeLessThan(1_700_000)
})

test('cells of brackets are no dates, and are not searched for their ends', async () => {
  const text = `Date,Particulars,Debit,Credit,Balance\n${`${'('.repeat(1_990)},x,,5.00,5.00\n`.repeat(2_400)}`
  const before = process.cpuUsage()

  await expect(readStatementInTurns(text)).resolves.toMatchObject({ lines: [] })

  // In microseconds of the processor. It was ten times as much
  expect(process.cpuUsage(before).user).toBeLessThan(1_500_000)
})

test('an old Excel file that is sent as text is refused in its own words', async () => {
  const { _id: accountId } = await account(shop)
  for (const text of ['\u00D0\u00CF\u0011\u00E0\u00A1\u00B1\u001A\u00E1\0\0\0', '\uFFFD\uFFFD\u0011\uFFFD\0\0'])
    for (const path of ['/bank/statements/preview', '/bank/statements'])
      expect((await shop.owner.post(path, { text, accountId })).body).toMatchObject({
        code: 'STATEMENT_UNREADABLE',
        message: 'This is an old Excel file. Open it and save it as CSV.',
      })
})

test('a character that can’t be stored is still refused beside a file', async () => {
  const answer = await shop.owner.post('/bank/statements/preview', { text: 'x', accountId: '\0' })
  expect(answer).toMatchObject({
    status: 400,
    body: { code: 'INVALID_INPUT', fields: { accountId: expect.stringContaining('stored') } },
  })
})
