import { expect, test } from 'vitest'
import { expiringCredit } from './expiring-credit.ts'

const lot = (amount: number, expiresAt: string | null) => ({
  _id: `${amount} ${expiresAt}`,
  amount,
  expiresAt,
  addedAt: '2026-11-01T00:00:00.000Z',
  source: 'admin_credit',
})

test('credit that ends on one day is one line, soonest first; credit that lasts is left out', () => {
  const expiring = expiringCredit([
    lot(500, null),
    lot(0.2, '2027-02-03T09:00:00.000Z'),
    lot(0.1, '2027-02-03T08:00:00.000Z'),
    lot(40, '2027-01-05T08:00:00.000Z'),
    lot(-15, '2027-02-03T08:30:00.000Z'),
  ])

  expect(expiring).toEqual([
    { amount: 40, expiresAt: '2027-01-05T08:00:00.000Z' },
    { amount: 0.3, expiresAt: '2027-02-03T08:00:00.000Z' },
    { amount: -15, expiresAt: '2027-02-03T08:30:00.000Z' },
  ])
})
