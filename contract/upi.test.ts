import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { paise, toDecimalText } from './money.ts'
import { isVpa, UpiId, upiLink } from './upi.ts'

describe('a UPI address', () => {
  test.each(['ravi@okhdfcbank', 'a@ybl', 'shop.name-1_2@upi', '9812345678@paytm', `${'a'.repeat(200)}@ab`])(
    'is %s',
    (vpa) => {
      expect(isVpa(vpa)).toBe(true)
    },
  )

  test.each([
    'ravi',
    '@ybl',
    'ravi@',
    'ravi@gmail.com',
    '.ravi@ybl',
    'ravi.@ybl',
    'ra vi@ybl',
    'ravi@1bl',
    'ravi@ybl@ybl',
    'ravi@ybl\n',
    'ravi&am=1@ybl',
    `${'a'.repeat(255)}@ybl`,
  ])('is not %j', (text) => {
    expect(isVpa(text)).toBe(false)
  })

  test('is saved trimmed, and may be empty', () => {
    expect(z.parse(UpiId, ' ravi@ybl ')).toBe('ravi@ybl')
    expect(z.parse(UpiId, '  ')).toBe('')
    expect(z.safeParse(UpiId, 'ravi@gmail.com').success).toBe(false)
  })
})

describe('the payment link', () => {
  test('is written as payer apps read it', () => {
    expect(upiLink('ravi@ybl', "Ravi's Game & Co", '499.00', 'C7F2')).toBe(
      'upi://pay?pa=ravi@ybl&pn=Ravis%20Game%20Co&am=499.00&cu=INR&tn=Wallet%20Recharge%20C7F2',
    )
  })

  test('keeps the vowels of a name in Devanagari', () => {
    expect(new URL(upiLink('a@ybl', 'चाबी की दुकान', '1.00')).searchParams.get('pn')).toBe('चाबी की दुकान')
  })

  test('always names a payee', () => {
    expect(new URL(upiLink('a@ybl', '★★★', '1.00')).searchParams.get('pn')).toBe('Chaabi')
  })

  test('gives back what was put in, for any name and amount', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 120 }),
        fc.integer({ min: 1, max: 99_999_999_999 }),
        (name, amount) => {
          const link = upiLink('shop@okicici', name, toDecimalText(paise(amount)))

          const query = new URL(link).searchParams
          expect(link).toMatch(/^upi:\/\/pay\?pa=shop@okicici&pn=[^&+]+&am=\d+\.\d\d&cu=INR&tn=Wallet%20Recharge$/)
          expect(Number(query.get('am'))).toBe(amount / 100)
          expect(Array.from(query.get('pn') ?? '').length).toBeLessThanOrEqual(50)
          expect(query.get('pn')).toMatch(/^[\p{L}\p{M}\p{N} ]+$/u)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('keeps the note within 50 characters', () => {
    expect(new URL(upiLink('a@ybl', 'Shop', '1.00', 'X'.repeat(80))).searchParams.get('tn')).toHaveLength(50)
  })
})
