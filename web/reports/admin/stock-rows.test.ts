import { expect, test } from 'vitest'
import { stockRows } from './stock-rows.ts'

const low = (productId: string, duration: string, available: number) => ({
  productId,
  name: productId,
  duration,
  available,
  daysLeft: null,
  lowStockBelow: 5,
})
const of = (productId: string, available: number) => ({ productId, name: productId, available })

test('a product is one row with all its durations that run out, before products that only have little', () => {
  const rows = stockRows({
    runningOut: [low('Hexfall', '10 Days', 0), low('Orbit', '1 Month', 2), low('Hexfall', '1 Month', 1)],
    stock: [of('Hexfall', 1), of('Drift', 9), of('Orbit', 40)],
  })

  expect(rows.map(({ name, available, low: durations }) => [name, available, durations.length])).toEqual([
    ['Hexfall', 1, 2],
    ['Orbit', 40, 1],
    ['Drift', 9, 0],
  ])
})

test('a product that sells fast and has much stock counts the durations that are known', () => {
  const [row] = stockRows({ runningOut: [low('Night', '1 Day', 60), low('Night', '3 Days', 70)], stock: [] })

  expect(row?.available).toBe(130)
})
