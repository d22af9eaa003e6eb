import { describe, expect, it } from 'vitest'
import { isSilent } from './silent-phones.ts'

const NOW = Date.parse('2026-11-23T12:00:00Z')
const STATE = {
  pausedAt: null,
  pausedWhy: null,
  endedAt: null,
  reachedAt: null,
  smsAt: null,
  bankAt: null,
  unknownSenders: [],
}
const PHONE = { _id: '1', name: 'Counter', accounts: [], ...STATE }

describe('a phone', () => {
  it.each([
    ['heard 24 hours ago', '2026-11-22T12:00:00Z', '2026-11-01T12:00:00Z', false],
    ['heard a second longer ago', '2026-11-22T11:59:59Z', '2026-11-01T12:00:00Z', true],
    ['connected today, and not heard yet', null, '2026-11-23T09:00:00Z', false],
    ['connected the day before yesterday, and never heard', null, '2026-11-21T12:00:00Z', true],
  ])('%s', (_, lastSeenAt, createdAt, expected) => {
    expect(isSilent({ ...PHONE, lastSeenAt, createdAt }, NOW)).toBe(expected)
  })
})
