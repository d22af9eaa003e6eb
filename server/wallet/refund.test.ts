import fc from 'fast-check'
import { expect, test } from 'vitest'
import { paise } from '../../contract/money.ts'
import { splitAcrossLots } from './ledger.ts'
import { tailOf } from './refund.ts'

const lots = (sizes: readonly number[]) =>
  sizes.map((remaining, nth) => ({ id: String(nth), remaining: paise(remaining), expiresAt: null }))

test('a refund returns the end of what the purchase took, and the next one goes on before it', () => {
  const shares = splitAcrossLots(lots([30, 50, 40]), paise(120))

  expect(tailOf(shares, paise(0), paise(60)).map(({ lot, amount }) => [lot.id, amount])).toEqual([
    ['2', 40],
    ['1', 20],
  ])
  expect(tailOf(shares, paise(60), paise(60)).map(({ lot, amount }) => [lot.id, amount])).toEqual([
    ['1', 30],
    ['0', 30],
  ])
})

test('more than the purchase cost is a mistake of the caller', () => {
  const shares = splitAcrossLots(lots([30]), paise(30))
  expect(() => tailOf(shares, paise(10), paise(21))).toThrow(RangeError)
})

test('buying q keys and refunding k leaves each lot as if q − k had been bought', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 6 }),
      fc.nat(),
      (sizes, quantity, more) => {
        const sum = sizes.reduce((all, size) => all + size, 0)
        const unit = Math.floor(sum / quantity)
        const refunded = more % (quantity + 1)
        fc.pre(unit > 0)
        const shares = splitAcrossLots(lots(sizes), paise(unit * quantity))
        const left = new Map(shares.map(({ lot, amount }) => [lot.id, amount as number]))
        for (let nth = 0; nth < refunded; nth++)
          for (const { lot, amount } of tailOf(shares, paise(unit * nth), paise(unit)))
            left.set(lot.id, (left.get(lot.id) ?? 0) - amount)
        const fewer = splitAcrossLots(lots(sizes), paise(unit * (quantity - refunded)))
        expect([...left].filter(([, amount]) => amount !== 0)).toEqual(fewer.map(({ lot, amount }) => [lot.id, amount]))
      },
    ),
  )
})
