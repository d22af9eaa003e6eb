import { expect, test, vi } from 'vitest'
import { exportName, keysToCsv } from './key-csv.ts'
import {
  checkLines,
  keysOfCsv,
  NOTHING_DONE,
  readKeyFile,
  sendKeys,
  toLines,
  type ImportProgress,
} from './key-import.ts'

test('lines are trimmed, blank ones dropped, repeated ones sent once, impossible ones named', () => {
  const check = checkLines(toLines(` AAA \r\n\r\nBBB\nAAA\n${'x'.repeat(257)}\nC\u0000C\n\n`))
  expect(check.keys).toEqual(['AAA', 'BBB'])
  expect(check.blank).toBe(1)
  expect(check.repeated).toBe(1)
  expect(check.faulty.map(({ line }) => line)).toEqual([5, 6])
})

test('fifty thousand lines are checked while a person waits', () => {
  const lines = Array.from({ length: 50_000 }, (_, index) => `KEY-${index}-ABCDEF-GHIJKL`)
  const start = performance.now()
  expect(checkLines(lines).keys).toHaveLength(50_000)
  expect(performance.now() - start).toBeLessThan(1_500)
})

test('a CSV gives the column that is headed key, else its first', () => {
  expect(keysOfCsv('note,License Key\nfirst,AAA\nsecond,"B,B"')).toEqual(['AAA', 'B,B'])
  expect(keysOfCsv('AAA,5\nBBB,6')).toEqual(['AAA', 'BBB'])
})

test('what was exported can be imported, formulas and all', () => {
  const row = {
    _id: '1',
    key: '=AAA-"1"',
    productId: { _id: 'p', name: '@Orbit' },
    duration: '10 Days',
    assignedTo: null,
    assignedAt: null,
    expiresAt: null,
    status: 'available' as const,
    order: null,
    createdAt: '2026-11-20T10:00:00.000Z',
  }
  const csv = keysToCsv([row])
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
  const keys = Array.from({ length: 25_000 }, (_, index) => String(index))
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
  expect(last).toEqual({ done: 10_000, added: 9_999, duplicates: 1 })
  expect(await sendKeys(keys, last, send, onProgress)).toEqual({ done: 25_000, added: 24_997, duplicates: 3 })
  expect(send.mock.calls.map(([part]) => part[0])).toEqual(['0', '10000', '10000', '20000'])
})
