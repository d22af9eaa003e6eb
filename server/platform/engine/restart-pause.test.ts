import { expect, test } from 'vitest'
import { RestartPause } from './restart-pause.ts'

const times = (count: number, next: () => number): number[] => Array.from({ length: count }, next)

test('a server that dies now and then is started again at once, however often', () => {
  const pause = new RestartPause()
  expect(times(50, () => pause.afterDeath(5_000))).toEqual(times(50, () => 0))
})

test('the first early deaths cost no pause, and later ones cost more and more, up to two seconds', () => {
  const pause = new RestartPause()
  expect(times(10, () => pause.afterDeath(400))).toEqual([0, 0, 0, 100, 200, 400, 800, 1_600, 2_000, 2_000])
})

test('a server that ran for some seconds is healthy again: its next deaths cost no pause', () => {
  const pause = new RestartPause()
  times(10, () => pause.afterDeath(400))
  expect([pause.afterDeath(5_000), pause.afterDeath(400)]).toEqual([0, 0])
})

test('a server that does not start is tried again after more and more time, half a minute at most', () => {
  const pause = new RestartPause()
  expect(times(4, () => pause.afterFailure())).toEqual([100, 200, 400, 800])
  expect(times(2_000, () => pause.afterFailure()).at(-1)).toBe(30_000)
  expect(pause.afterDeath(400)).toBe(0)
})
