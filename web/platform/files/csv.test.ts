import { expect, test } from 'vitest'
import { parseCsv, toCsv } from './csv.ts'

const body = (csv: string) => csv.replace('\uFEFF', '')

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
  const rows = [
    ['Key', 'Note'],
    ['=AB"C, 1', 'two\nlines'],
    ["'quoted", ' spaced '],
    ['ends; with', ''],
  ]
  expect(parseCsv(toCsv(rows))).toEqual(rows)
})

test('a file with semicolons and bare line feeds is read', () => {
  expect(parseCsv('key;cost\nAAA-1;5\nBBB-2;6')).toEqual([
    ['key', 'cost'],
    ['AAA-1', '5'],
    ['BBB-2', '6'],
  ])
})
