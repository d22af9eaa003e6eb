import { expect, test } from 'vitest'
import { labelEvery, scaleFor } from './chart-scale.ts'
import { ghostDays } from './ghost-days.ts'

test('the scale reaches over the largest amount in a few round steps', () => {
  for (const largest of [0, 1, 7, 99, 2_340, 11_328, 15_000, 1_28_440, 9_99_99_999]) {
    const { ticks, max } = scaleFor(largest)

    expect(max).toBeGreaterThanOrEqual(largest)
    expect(ticks[0]).toBe(0)
    expect(ticks.at(-1)).toBe(max)
    expect(ticks.length).toBeLessThanOrEqual(5)
  }
  expect(scaleFor(11_328).ticks).toEqual([0, 5_000, 10_000, 15_000])
})

test('days are named as often as there is room', () => {
  expect(labelEvery(7, 700, 56)).toBe(1)
  expect(labelEvery(30, 900, 56)).toBe(2)
  expect(labelEvery(90, 300, 56)).toBe(17)
})

test('the example in the place of an empty chart is whole, however many days it has', () => {
  for (const count of [7, 30, 90]) {
    const days = ghostDays(Array.from({ length: count }, () => ({ sales: 0, topUps: 0 })))
    expect(days.filter(({ sales, topUps }) => sales > 0 && topUps > 0)).toHaveLength(count)
  }
})
