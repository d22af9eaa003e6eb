import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { AMOUNT_MAX, rupeesBetween } from './amounts.ts'
import {
  add,
  formatDollars,
  formatRupees,
  negate,
  paise,
  parseRupees,
  times,
  toDecimalText,
  toRupees,
  ZERO,
} from './money.ts'

const amount = fc.integer({ min: negate(AMOUNT_MAX), max: AMOUNT_MAX }).map(paise)

describe('rupees as they are written', () => {
  test.each([
    [19.99, 1_999],
    ['19.99', 1_999],
    ['1,23,456.50', 12_345_650],
    ['1,234', 123_400],
    ['1,00,000', 10_000_000],
    ['-12,345.50', -1_234_550],
    [' 500 ', 50_000],
    ['0.5', 50],
    [0.07, 7],
    ['-5', -500],
    ['-0', 0],
    ['007', 700],
    [999_999_999.99, 99_999_999_999],
  ])('%j is %d paise', (written, expected) => {
    expect(parseRupees(written)).toBe(expected)
  })

  test.each([
    '',
    ' ',
    '.',
    '5.',
    '.5',
    '1.234',
    0.1 + 0.2,
    '1e3',
    1e21,
    1e-7,
    Number.NaN,
    Infinity,
    '0x10',
    '5 rupees',
    '₹5',
    '+5',
    '--5',
    '- 5',
    '1234567890',
    '१००',
    '1_000',
    '1,00',
    '1,5',
    '1,23,45',
    ',500',
    '500,',
    '1,,000',
    '1.5,000',
  ])('%j is no amount', (written) => {
    expect(parseRupees(written)).toBeUndefined()
  })

  test('every amount survives the wire, as a number and as text', () => {
    fc.assert(
      fc.property(amount, (value) => {
        expect(parseRupees(JSON.parse(JSON.stringify(toRupees(value))) as number)).toBe(value)
        expect(parseRupees(String(toRupees(value)))).toBe(value)
        expect(parseRupees(toDecimalText(value))).toBe(value)
      }),
      { numRuns: 2_000 },
    )
  })

  test('lakh grouping is read as what it groups', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: AMOUNT_MAX }).map(paise), (value) => {
        expect(parseRupees(formatRupees(toRupees(value)).replace('₹', ''))).toBe(value)
      }),
    )
  })

  test('a client’s amount is taken within its bounds only', () => {
    const field = rupeesBetween(paise(100), paise(1_000), '₹1 to ₹10')

    expect(z.parse(field, '1')).toBe(100)
    expect(z.parse(field, 10)).toBe(1_000)
    for (const outside of [0.99, 10.01, -1, 0, '', null, true, [], {}, '1e1', Number.NaN])
      expect(z.safeParse(field, outside).error?.issues[0]?.message, JSON.stringify(outside)).toBe('₹1 to ₹10')
  })
})

describe('sums', () => {
  test('are exact and keep their order of no account', () => {
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 50 }), (amounts) => {
        const sum = add(...amounts)
        expect(BigInt(sum)).toBe(amounts.reduce((all, each) => all + BigInt(each), 0n))
        expect(add(...amounts.toReversed())).toBe(sum)
        expect(add(sum, negate(sum))).toBe(ZERO)
      }),
    )
  })

  test('never come to a negative zero', () => {
    for (const zero of [paise(-0), negate(ZERO), times(ZERO, -1), add(paise(-5), paise(5))])
      expect(Object.is(zero, 0)).toBe(true)
  })

  test('refuse what is not a whole number of paise', () => {
    for (const value of [0.5, Number.NaN, Infinity, 2 ** 53]) expect(() => paise(value)).toThrow(RangeError)
    expect(() => times(paise(101), 0.5)).toThrow(RangeError)
    expect(() => add(paise(Number.MAX_SAFE_INTEGER), paise(1))).toThrow(RangeError)
  })
})

describe('what a person reads', () => {
  test.each([
    [123_456.5, '₹1,23,456.50'],
    [500, '₹500'],
    [0, '₹0'],
    [-20.05, '−₹20.05'],
  ])('%d rupees are %s', (rupees, text) => {
    expect(formatRupees(rupees)).toBe(text)
  })

  test('dollars have two decimals', () => {
    expect(formatDollars(1234.5)).toBe('$1,234.50')
  })

  test('decimal text has two decimals and no grouping', () => {
    expect([499_00, 5, 0, -1_05, 12_345_678_90].map((value) => toDecimalText(paise(value)))).toEqual([
      '499.00',
      '0.05',
      '0.00',
      '-1.05',
      '12345678.90',
    ])
  })
})
