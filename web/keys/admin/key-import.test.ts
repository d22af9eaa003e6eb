import { expect, test, vi } from 'vitest'
import { csvLine } from '../../../contract/csv.ts'
import { exportName } from './export-name.ts'
import {
  isHeading,
  keysOfCsv,
  linesOf,
  NOTHING_DONE,
  readKeyFile,
  sendKeys,
  textsToAdd,
  toChecked,
  toLines,
  widthOf,
  withVerdicts,
  type ImportProgress,
} from './key-import.ts'

test('blank lines are none, and the others keep their numbers', () => {
  expect(linesOf(toLines(' AAA \r\n\r\nBBB\n \n'))).toEqual([
    { number: 1, text: 'AAA' },
    { number: 3, text: 'BBB' },
  ])
})

test('what cannot be a key is sent short, and without what cannot be sent', () => {
  const [long, hidden] = toChecked(linesOf(['x'.repeat(5_000), 'C\u0000C\uD800']))
  expect(long).toHaveLength(257)
  expect(hidden).toBe('C\u0007C\u0007')
})

test('each line is told what is the matter with it, by the numbers that the person sees', () => {
  const lines = linesOf(['A', '', 'B', 'A', 'C', 'D', 'E'])
  const found = { productName: 'Orbit', duration: '1 Month', sold: false }
  const told = withVerdicts(lines, [
    { line: 1, status: 'new' },
    { line: 2, status: 'duplicate-here', found: { ...found, sold: true } },
    { line: 3, status: 'duplicate-here', repeats: 1 },
    { line: 4, status: 'duplicate-elsewhere', found },
    { line: 5, status: 'malformed', fault: 'Too long' },
    { line: 6, status: 'new', found },
    { line: 1, status: 'new', doubt: 'alike', repeats: 3 },
    { line: 1, status: 'new', doubt: 'alike', found },
    { line: 1, status: 'new', doubt: 'cut' },
  ])
  expect(told.map(({ number, text, group, reason }) => [number, text, group, reason])).toEqual([
    [1, 'A', 'new', undefined],
    [3, 'B', 'duplicate-here', 'already sold, 1\u00A0Month'],
    [4, 'A', 'duplicate-here', 'same as line 1'],
    [5, 'C', 'duplicate-elsewhere', 'already in stock as Orbit, 1\u00A0Month'],
    [6, 'D', 'malformed', 'Too long'],
    [7, 'E', 'new', 'moved from the deleted product Orbit, 1\u00A0Month'],
    [1, 'A', 'doubtful', 'looks like line 4'],
    [1, 'A', 'doubtful', 'looks like a key in stock of Orbit, 1\u00A0Month'],
    [1, 'A', 'doubtful', 'looks cut off'],
  ])
  expect(textsToAdd(told, false)).toEqual(['A', 'E'])
  expect(textsToAdd(told, true)).toEqual(['A', 'E', 'A', 'A', 'A'])
})

test('a CSV gives the column that is headed key, else its first', () => {
  expect(keysOfCsv('note,License Key\nfirst,AAA\nsecond,"B,B"')).toEqual(['AAA', 'B,B'])
  expect(keysOfCsv('AAA\nBBB')).toEqual(['AAA', 'BBB'])
})

test('what was exported can be imported, formulas and all', () => {
  const csv = csvLine(['Key', 'Product']) + csvLine(['=AAA-"1"', '@Orbit'])
  expect(csv).toContain("'@Orbit")
  expect(keysOfCsv(csv)).toEqual(['=AAA-"1"'])
  expect(exportName('Orbit Arena: Pro!', '10 Days')).toBe('keys-orbit-arena-pro-10-days.csv')
})

test('files of spreadsheets in UTF-16 are read, others than text refused', async () => {
  const utf16 = new Uint8Array([0xff, 0xfe, 0x41, 0, 0x0a, 0, 0x42, 0])
  expect(await readKeyFile(new File([utf16], 'keys.txt'))).toEqual(['A', 'B'])
  await expect(readKeyFile(new File([new Uint8Array([0x50, 0, 0x4b])], 'keys.xlsx'))).rejects.toThrow('not a text file')
})

test('an import that broke off goes on where it was', async () => {
  const keys = Array.from({ length: 12_500 }, (_, index) => String(index))
  const send = vi.fn((part: string[]) =>
    send.mock.calls.length === 2
      ? Promise.reject(new Error('offline'))
      : Promise.resolve({ added: part.length - 1, duplicates: 1 }),
  )
  let last: ImportProgress = NOTHING_DONE
  const onProgress = (progress: ImportProgress) => {
    last = progress
  }
  await expect(sendKeys(keys, last, send, onProgress)).rejects.toThrow('offline')
  expect(last).toEqual({ done: 5_000, added: 4_999, duplicates: 1 })
  expect(await sendKeys(keys, last, send, onProgress)).toEqual({ done: 12_500, added: 12_497, duplicates: 3 })
  expect(send.mock.calls.map(([part]) => part[0])).toEqual(['0', '5000', '5000', '10000'])
})

test.each([
  'Activation Code',
  'Product Key',
  'Activation Key',
  'Serial Number',
  'Serial No.',
  'CD Key',
  'Game Key',
  'Steam Key',
  'Voucher Code',
  'Licence',
  'License_Key',
  ' code ',
])('the heading %j is found in any column, and never sold', (heading) => {
  expect(keysOfCsv(`Order ID,Product,${heading}\n1001,Game A,AAAA-1\n1002,Game A,AAAA-2`)).toEqual(['AAAA-1', 'AAAA-2'])
  expect(keysOfCsv(`${heading}\nAAAA-1`)).toEqual(['AAAA-1'])
  expect(keysOfCsv(`sep=;\r\nOrder;${heading}\r\n1001;AAAA-1\r\n`)).toEqual(['AAAA-1'])
  expect(keysOfCsv(`Orders of November\n\nOrder,${heading}\n1001,AAAA-1`)).toEqual(['AAAA-1'])
})

test('several columns without a known heading are a question, and no key is guessed', () => {
  expect(keysOfCsv('Order No,Pin\n1001,AAAA-1')).toEqual({
    rows: [
      ['Order No', 'Pin'],
      ['1001', 'AAAA-1'],
    ],
  })
  expect(isHeading(['Pin', 'AAAA-1'])).toBe(true)
  expect(isHeading(['AAAA-1', 'AAAA-2'])).toBe(false)
})

test('the widest row of a file is found, however many rows it has', () => {
  const rows = Array.from({ length: 300_000 }, () => ['KEY-1'])
  expect(widthOf([...rows, ['order', 'KEY-2', 'paid']])).toBe(3)
  expect(widthOf([])).toBe(0)
})
