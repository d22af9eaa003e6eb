import { expect, test } from 'vitest'
import { partLeft } from './drain-bar.tsx'

const FROM = '2026-11-01T00:00:00.000Z'
const UNTIL = '2026-11-11T00:00:00.000Z'
const at = (moment: string) => partLeft(FROM, UNTIL, Date.parse(moment))

test('the bar of a key is full when it is bought, drains, and is empty when it has expired', () => {
  expect(at(FROM)).toBe(1)
  expect(at('2026-11-06T00:00:00.000Z')).toBe(0.5)
  expect(at('2026-11-10T23:59:59.000Z')).toBe(0.01)
  expect(at(UNTIL)).toBe(0)
  expect(at('2026-12-01T00:00:00.000Z')).toBe(0)
})
