import { describe, expect, test } from 'vitest'
import type { Purchase } from '../../contract/orders.ts'
import { purchasesCsv } from './purchases-csv.ts'
import { nameOf, periodOf } from './purchases-periods.ts'

const lateEvening = Date.parse('2026-11-20T19:00:00Z')

describe('periods', () => {
  test('a day is a day in India: half past midnight there is the next one', () => {
    expect(periodOf('today', lateEvening)).toEqual({ from: '2026-11-21', to: '2026-11-21' })
    expect(periodOf('yesterday', lateEvening)).toEqual({ from: '2026-11-20', to: '2026-11-20' })
  })

  test('seven days are today and the six before', () => {
    expect(periodOf('week', lateEvening)).toEqual({ from: '2026-11-15', to: '2026-11-21' })
  })

  test('a period is known by its days', () => {
    for (const name of ['any', 'today', 'yesterday', 'week', 'month'] as const) {
      expect(nameOf(periodOf(name, lateEvening), lateEvening)).toBe(name)
    }
    expect(nameOf({ from: '2026-01-01' }, lateEvening)).toBeUndefined()
  })
})

test('a name that begins a formula is text in the export, and amounts stay numbers', () => {
  const purchase: Purchase = {
    _id: 'o1',
    username: '=HYPERLINK("http://x")',
    email: '+91@example.in',
    referralCode: 'N/A',
    productName: 'Orbit, Pro',
    productDescription: '',
    type: 'buy_key',
    duration: '10 Days',
    quantity: 2,
    amount: 398.5,
    unitPrice: 199.25,
    createdAt: '2026-11-20T19:00:00.000Z',
  }

  const [, line] = purchasesCsv([purchase]).split('\r\n')

  expect(line).toBe(
    `2026-11-20 19:00:00,"'=HYPERLINK(""http://x"")",'+91@example.in,N/A,"Orbit, Pro",10 Days,2,199.25,398.5,o1`,
  )
})
