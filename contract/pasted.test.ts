import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { AMOUNT_MAX, rupeesBetween } from './amounts.ts'
import { normalisePhone, Phone } from './fields.ts'
import { paise } from './money.ts'
import { bareAmount, bareCode, normaliseReferralCode } from './pasted.ts'
import { Registration } from './sessions.ts'
import { referencesIn, Utr } from './utr.ts'

describe('a referral code as it was pasted', () => {
  test.each([
    'WELCOME50',
    ' welcome50 ',
    'WELCOME50\u200b',
    '\u2066WELCOME50\u2069',
    'WEL\u00adCOME50',
    'Code: WELCOME50',
    'code WELCOME50',
    'Use code “WELCOME50” to sign up.',
    'My referral code is WELCOME50',
    '“WELCOME50”',
    'https://shop.example/signup?ref=WELCOME50',
    'Join me! https://shop.example/signup?a=1&ref=welcome50&b=2 See you',
  ])('%j', (written) => {
    expect(normaliseReferralCode(written)).toBe('WELCOME50')
    const form = { email: 'asha@example.in', username: 'asha', password: 'a long password' }
    expect(z.parse(Registration, { ...form, referralCode: written }).referralCode).toBe('WELCOME50')
  })

  test.each([
    ['PROMO-CODE-5', 'PROMO-CODE-5'],
    ['A–B', 'A-B'],
    ['CODE', 'CODE'],
    ['NO SUCH', 'NOSUCH'],
    [' ', ''],
  ])('%j is %j', (written, code) => {
    expect(normaliseReferralCode(written)).toBe(code)
  })

  test('a code in its normal form stays as it is, and so does one of a link', () => {
    for (const code of ['AB_C-9', 'REF1', '---']) expect(normaliseReferralCode(code)).toBe(code)
    expect(bareCode('\u2066 Zk3vQ0mYt8s1pR6aLw9xBg\u2069\u200b')).toBe('Zk3vQ0mYt8s1pR6aLw9xBg')
    expect(bareCode('123\u00a0456')).toBe('123456')
  })
})

describe('a phone number of a phone book', () => {
  test.each([
    '(+91) 9876543210',
    '\u202a+91 98765 43210\u202c',
    '+91-98765-43210',
    '+91 98765‑43210',
    '0091 98765 43210',
    '(0) 98765 43210',
    'tel:+919876543210',
    '98765.43210',
    '098765 43210',
    '919876543210',
    '९८७६५४३२१०',
  ])('%j', (written) => {
    expect(normalisePhone(written)).toBe('9876543210')
    expect(z.parse(Phone, written)).toBe('9876543210')
  })

  test.each(['98765 4321', '98765 43210 11', 'call 98765 43210', '+1 98765 43210', '9876543210x'])(
    'not %j',
    (written) => {
      expect(normalisePhone(written)).toBeUndefined()
    },
  )
})

describe('an amount as people write it', () => {
  const Amount = rupeesBetween(paise(100), AMOUNT_MAX, 'Enter an amount')
  test.each([
    'Rs. 1500',
    'Rs 1,500/-',
    '₹1500',
    '₹ 1,500.00',
    'INR 1500',
    '1500 rupees',
    'Rs.1500',
    '\u2066₹1500\u2069',
  ])('%j is 1500', (written) => {
    expect(z.parse(Amount, written)).toBe(150_000)
  })

  test.each(['Rs', '1.500.00', '1,50', 'Rs. -', '15 00', 'about 1500'])('%j is none', (written) => {
    expect(z.safeParse(Amount, written).success).toBe(false)
  })

  test('a bare amount stays as it is', () => {
    for (const written of ['500', '1,234.50', '.5', '-5']) expect(bareAmount(written)).toBe(written)
  })
})

describe('a payment message as it was pasted', () => {
  const SMS =
    'Dear UPI user A/C X1234 debited by 500.00 on date 28Nov26 trf to SHOP Refno 412345670002. ' +
    'If not u? call 1800111109 -SBI'
  test.each([
    ['Paid ₹500. UPI transaction ID: 412345670001 on 28 Nov', '412345670001'],
    [SMS, '412345670002'],
    ['Refno412345670002', '412345670002'],
    ['UPI/412345670001/Paid to shop', '412345670001'],
    ['\u2066UTR: 412345670001\u2069', '412345670001'],
    ['NEFT UTR UTIBN52026112012345 credited', 'UTIBN52026112012345'],
    ['Transaction ID: 412345670001, again 412345670001', '412345670001'],
    ['Sent from +919876543210. Ref 412345670001', '412345670001'],
  ])('%j holds one number, which is taken', (written, utr) => {
    expect(referencesIn(written)).toEqual([utr])
    expect(z.parse(Utr, written)).toBe(utr)
  })

  test('with two the person is asked, and nothing is guessed', () => {
    const written = 'UPI transaction ID 412345670001, UTR 512345670001'
    expect(referencesIn(written)).toEqual(['412345670001', '512345670001'])
    expect(z.safeParse(Utr, written).success).toBe(false)
  })

  test.each(['I have paid, please check', 'Call 1800111109', 'A/C 12345678901234', 'INTERNATIONALLY'])(
    '%j holds none',
    (written) => {
      expect(referencesIn(written)).toEqual([])
    },
  )
})
