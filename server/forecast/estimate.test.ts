import { expect, test } from 'vitest'
import { estimate } from './estimate.ts'

test('stock lasts as long as it takes at the faster of two speeds, counted in hours with stock', () => {
  const slow = { sold: 28, hours: 28 * 24 }
  expect(estimate(10, [{ sold: 7, hours: 84 }, slow])).toMatchObject({ rate: 2, daysLeft: { mid: 5 } })
  expect(estimate(10, [{ sold: 0, hours: 168 }, slow])).toMatchObject({ rate: 1, daysLeft: { mid: 10 } })
  expect(estimate(10, [{ sold: 0, hours: 0 }])).toEqual({ rate: 0, daysLeft: null, confidence: 'none' })
  expect(estimate(0, [slow]).daysLeft).toEqual({ low: 0, mid: 0, high: 0 })
})

test('few sales make a wide range, and many a narrow one', () => {
  const few = estimate(100, [{ sold: 4, hours: 48 }])
  const many = estimate(100, [{ sold: 400, hours: 4_800 }])
  const width = ({ daysLeft }: typeof few) => (daysLeft?.high ?? 0) / (daysLeft?.low || 1)
  expect([few.confidence, many.confidence]).toEqual(['low', 'high'])
  expect(width(few)).toBeGreaterThan(1.5 * width(many))
})

/** The same numbers every time, from 0 to 1. */
function seeded(seed: number): () => number {
  let state = seed
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
}

interface World {
  /** How much more sells on Saturdays and Sundays. */
  weekend: number
  /** How much more sells after four weeks than before them. */
  trend: number
  /** The share of days without stock. */
  empty: number
}

/** The shares of 400 products that ran out in the range that was said, within a quarter of its middle, before it. */
function backTest({ weekend, trend, empty }: World): { inRange: number; near: number; sooner: number } {
  const dice = seeded(2026)
  let [inRange, near, sooner] = [0, 0, 0]
  for (let product = 0; product < 400; product++) {
    const perDay = 2 + 18 * dice()
    const left = Math.round(perDay * (3 + 17 * dice()))
    const firstDay = Math.floor(7 * dice())
    const rateOn = (day: number) =>
      perDay * ((day + firstDay) % 7 < 2 ? weekend : 1) * trend ** (Math.min(day, 56) / 28 - 0.5)
    const [short, long] = [
      { sold: 0, hours: 0 },
      { sold: 0, hours: 0 },
    ]
    for (let day = 0; day < 28; day++) {
      if (dice() < empty) continue
      const sold = poisson(rateOn(day), dice)
      for (const stretch of day >= 21 ? [short, long] : [long]) {
        stretch.sold += sold
        stretch.hours += 24
      }
    }
    let [real, rest] = [0, left]
    for (; rest > 0; real++) rest -= poisson(rateOn(28 + real), dice)
    const said = estimate(left, [short, long]).daysLeft
    if (said && Math.floor(said.low) <= real && real <= Math.ceil(said.high) + 1) inRange++
    if (said && real < Math.floor(said.low)) sooner++
    if (said && Math.abs(said.mid - real) <= Math.max(1, real / 4)) near++
  }
  return { inRange: inRange / 400, near: near / 400, sooner: sooner / 400 }
}

/** How often something happens in a day that happens `mean` times on the average. */
function poisson(mean: number, dice: () => number): number {
  let count = 0
  for (let product = dice(); product > Math.exp(-mean); product *= dice()) count++
  return count
}

test.each([
  ['a steady trade', { weekend: 1, trend: 1, empty: 0 }],
  ['busy weekends', { weekend: 1.8, trend: 1, empty: 0 }],
  ['a third of the days without stock', { weekend: 1, trend: 1, empty: 1 / 3 }],
  ['sales that grow by a third a month', { weekend: 1, trend: 4 / 3, empty: 0 }],
  ['all of these at once', { weekend: 1.8, trend: 4 / 3, empty: 1 / 5 }],
])('in a back-test with %s, four of five products run out when the forecast said', (_, world) => {
  const { inRange, near } = backTest(world)
  expect(inRange).toBeGreaterThanOrEqual(0.8)
  expect(near).toBeGreaterThanOrEqual(0.8)
})

test('sales that fall make the forecast early, and hardly ever late', () => {
  expect(backTest({ weekend: 1, trend: 3 / 4, empty: 0 }).sooner).toBeLessThanOrEqual(0.05)
})
