import { expect, test } from 'vitest'
import { formatCount, formatDollars, formatRupees, formatSignedRupees } from './money.ts'

test('rupees are grouped in lakh and show paise only where there are any', () => {
  expect(formatRupees(128440)).toBe('₹1,28,440')
  expect(formatRupees(49.5)).toBe('₹49.50')
  expect(formatRupees(0)).toBe('₹0')
})

test('a movement says its direction, with a real minus', () => {
  expect(formatSignedRupees(1100)).toBe('+₹1,100')
  expect(formatSignedRupees(-649)).toBe('−₹649')
})

test('dollars and counts', () => {
  expect(formatDollars(12.5)).toBe('$12.50')
  expect(formatCount(1000000)).toBe('10,00,000')
})
