import { expect, test } from 'vitest'
import type { OwnedKey } from '../../contract/keys.ts'
import { translator } from '../../contract/words.ts'
import { speak } from '../platform/i18n.ts'
import words from '../words/hi.json' with { type: 'json' }
import { keysToCsv, toLines, toText } from './export-keys.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')

function givenKey(key: string, name = 'Drift Zero'): OwnedKey {
  return {
    _id: key,
    key,
    productId: { _id: 'p', name },
    duration: '1 Month',
    assignedAt: '2026-11-02T10:00:00.000Z',
    expiresAt: '2026-12-02T10:00:00.000Z',
  }
}

/** Returns the cells of the third column, as a spreadsheet reads them. */
function keyCells(csv: string): string[] {
  return csv
    .split('\r\n')
    .slice(1, -1)
    .map((line) => /^[^,]*,[^,]*,("(?:[^"]|"")*"|[^,]*),/.exec(line)?.[1] ?? '')
}

test('keys are copied one to a line, as they are', () => {
  expect(toLines([givenKey('=A1'), givenKey('B2')])).toBe('=A1\nB2')
  expect(toText([givenKey('B2')]) + keysToCsv([givenKey('B2')], NOW)).not.toContain('\u00A0')
})

test('no cell of a spreadsheet begins a formula', () => {
  const dangerous = ['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\t=1', '＝1', '=HYPERLINK("http://x","y")']
  const cells = keyCells(
    keysToCsv(
      dangerous.map((key) => givenKey(key)),
      NOW,
    ),
  )

  expect(cells).toHaveLength(dangerous.length)
  for (const cell of cells) expect(cell.replace(/^"/, '')).toMatch(/^'/)
  expect(keysToCsv([givenKey('A', '=Name')], NOW)).toContain("\r\n'=Name,")
})

test('quotes, commas and line breaks stay inside their cell', () => {
  expect(keyCells(keysToCsv([givenKey('a,"b"')], NOW))).toEqual(['"a,""b"""'])
  expect(keysToCsv([givenKey('K')], NOW)).toMatch(/^\uFEFFProduct,Duration,Key,/)
})

test('times are India’s, wherever the buyer is, and the header says so', () => {
  expect(
    keysToCsv([givenKey('K')], NOW)
      .slice(1)
      .split('\r\n'),
  ).toEqual([
    'Product,Duration,Key,Purchased (India),Expires (India),Status',
    'Drift Zero,1 Month,K,2026-11-02 15:30,2026-12-02 15:30,Active',
    '',
  ])
})

test('a key that was replaced or refunded says so, and is not called expired', () => {
  const settled = [
    { ...givenKey('A1'), state: 'replaced' as const },
    { ...givenKey('B2'), state: 'refunded' as const },
  ]

  expect(keysToCsv(settled, NOW)).toMatch(/A1,.*,Replaced\r\n.*B2,.*,Refunded\r\n/)
  expect(toText([...settled, givenKey('C3')])).toContain('\r\nA1 (Replaced)\r\nB2 (Refunded)\r\nC3\r\n')
})

test('a spreadsheet in Hindi has nothing in English but the key', () => {
  speak('hi', translator('hi', new Map(Object.entries(words))))
  try {
    const rows = keysToCsv([givenKey('AB-12', 'कमल')], NOW)
      .replace(',Key,', ',')
      .replace('AB-12', '')
    expect(rows).not.toMatch(/[A-Za-z]/)
    expect(rows).toContain('1 महीना')
  } finally {
    speak('en', translator('en'))
  }
})

test('a text lists each order with its keys under it', () => {
  const other = { ...givenKey('C3', 'Orbit'), assignedAt: '2026-11-01T10:00:00.000Z' }
  expect(toText([givenKey('A1'), givenKey('B2'), other])).toMatch(
    /^Drift Zero · 1 Month · Bought .+ · Valid till .+\r\nA1\r\nB2\r\n\r\nOrbit · .+\r\nC3\r\n$/,
  )
})
