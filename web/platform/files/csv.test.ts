import { expect, test } from 'vitest'
import { parseCsv, toCsv } from './csv.ts'

const body = (csv: string) => csv.replace('\uFEFF', '')

const TEXTS = [
  '412345670001',
  '000777',
  '123456789012345678',
  '1E10',
  '12-05',
  '3/4/2026',
  'MAR1',
  '5 May',
  '1,234',
  'TRUE',
]

test.each(['=1+1', '+91', '-5', '@SUM(A1)', '\t=1', ' =1', '|calc', '%x', '＝1', '－1'])(
  'the cell %j is text to a spreadsheet',
  (cell) => {
    expect(body(toCsv([[cell]])).replace(/^"/, '')[0]).toBe("'")
  },
)

test('numbers stay numbers, also below zero', () => {
  expect(body(toCsv([[-5, 12.5]]))).toBe('-5,12.5\r\n')
})

test('what was written is read back', () => {
  const rows = [['Key', 'Note'], ['=AB"C, 1', 'two\nlines'], ["'quoted", ' spaced '], ['ends; with', ''], TEXTS]
  expect(parseCsv(toCsv(rows))).toEqual(rows)
})

test.each(TEXTS)('%j stays that text in a spreadsheet', (text) => {
  expect(body(toCsv([[text]]))).toBe(`"=""${text}"""\r\n`)
  // Saved by Excel, a cell is what it showed
  expect(parseCsv(`Key\n${text.includes(',') ? `"${text}"` : text}`)[1]).toEqual([text])
})

test.each(['777', '9812345678', '499.00', '2026-11-20', '2026-11-20 14:05', 'ABCD-1234', 'MARS', 'E10'])(
  '%j is written as it is, because a spreadsheet changes nothing that counts',
  (text) => {
    expect(body(toCsv([[text]]))).toBe(`${text}\r\n`)
  },
)

test('a file with semicolons and bare line feeds is read', () => {
  expect(parseCsv('key;cost\nAAA-1;5\nBBB-2;6')).toEqual([
    ['key', 'cost'],
    ['AAA-1', '5'],
    ['BBB-2', '6'],
  ])
})
