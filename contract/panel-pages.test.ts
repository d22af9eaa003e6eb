import { expect, test } from 'vitest'
import { claimsShown, creditsShown, paymentsShown } from './panel-pages.ts'

test('a list that begins with what waits looks everywhere for what is searched, until somebody chooses where', () => {
  for (const [shown, waiting] of [
    [paymentsShown, 'pending'],
    [creditsShown, 'unclaimed'],
    [claimsShown, 'open'],
  ] as const) {
    expect(shown({})).toBe(waiting)
    expect(shown({ search: '' })).toBe(waiting)
    expect(shown({ search: 'asha' })).toBe('all')
    expect(shown({ search: 'asha', status: waiting })).toBe(waiting)
  }
})
