import fc from 'fast-check'
import { expect, test } from 'vitest'
import { paise } from '../../contract/money.ts'
import { earlier } from './debit.ts'
import { splitAcrossLots } from './ledger.ts'

const lots = (...remaining: number[]) =>
  remaining.map((left, index) => ({ id: String(index), remaining: paise(left), expiresAt: null }))
const plain = (shares: ReturnType<typeof splitAcrossLots>) => shares.map(({ lot, amount }) => [lot.id, amount])

test('a debit takes from the first lot, and from the next only what is still needed', () => {
  expect(plain(splitAcrossLots(lots(30, 50, 100), paise(60)))).toEqual([
    ['0', 30],
    ['1', 30],
  ])
})

test('a debit of everything empties every lot, and one of nothing touches none', () => {
  expect(plain(splitAcrossLots(lots(30, 50), paise(80)))).toEqual([
    ['0', 30],
    ['1', 50],
  ])
  expect(splitAcrossLots(lots(30), paise(0))).toEqual([])
})

test('lots that do not cover the amount are a mistake of the caller', () => {
  expect(() => splitAcrossLots(lots(30, 50), paise(81))).toThrow(RangeError)
})

test('shares always add up to the amount, and no lot gives more than it has', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (remaining, part) => {
        const all = lots(...remaining)
        const amount = Math.floor(remaining.reduce((sum, left) => sum + left, 0) * part)

        const shares = splitAcrossLots(all, paise(amount))

        expect(shares.reduce((sum, share) => sum + share.amount, 0)).toBe(amount)
        for (const { lot, amount: share } of shares) {
          expect(share).toBeGreaterThan(0)
          expect(share).toBeLessThanOrEqual(lot.remaining)
        }
      },
    ),
  )
})

test('never is later than any moment', () => {
  const soon = new Date(1)
  const late = new Date(2)

  expect(earlier(null, late)).toBe(late)
  expect(earlier(soon, null)).toBe(soon)
  expect(earlier(late, soon)).toBe(soon)
  expect(earlier(null, null)).toBeNull()
})
