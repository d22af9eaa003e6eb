import { expect, test } from 'vitest'
import { recentRequests } from './recent-requests.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')

test('what waits, and what was decided within a day, is recent', () => {
  const pending = { status: 'pending', decidedAt: null } as const
  const approvedToday = { status: 'approved', decidedAt: '2026-11-20T09:00:00Z' } as const
  const rejectedLongAgo = { status: 'rejected', decidedAt: '2026-11-18T09:00:00Z' } as const

  expect(recentRequests([pending, approvedToday, rejectedLongAgo], NOW)).toEqual([pending, approvedToday])
})
