import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followServerTime, serverNow, setServerTime } from './clock.ts'

const NOW = Date.parse('2026-11-20T15:44:00Z')
const YEAR_MS = 31_536_000_000

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] })
  setServerTime(new Date(NOW).toISOString())
})
afterEach(() => {
  vi.useRealTimers()
})

// Seen to fail without followServerTime in the client: each key has expired, or none ever does, until a reload
test.each([YEAR_MS, -YEAR_MS, 3_600_000, -90_000])(
  'a step of %i ms on an open page ends with the next answer',
  (step) => {
    vi.setSystemTime(NOW + step)
    followServerTime(new Date(NOW + 2_000).toUTCString())
    expect(serverNow()).toBe(NOW + 2_000)
  },
)

test.each([null, '', 'yesterday', new Date(NOW - 20_000).toUTCString()])('%j moves no time', (date) => {
  followServerTime(date)
  expect(serverNow()).toBe(NOW)
})
