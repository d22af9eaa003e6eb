import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { isUnusualUtr, normaliseUtr, Utr, utrWarning, utrFault } from './utr.ts'

const digits = (length: number) =>
  fc
    .array(fc.constantFrom(...Array.from('0123456789')), { minLength: length, maxLength: length })
    .map((all) => all.join(''))

describe('what is taken for a UTR', () => {
  test.each([
    ['a UPI reference', '412345678901'],
    ['one that begins with zeros', '000345678901'],
    ['one that begins like a phone number with its country', '919876543210'],
    ['NEFT', 'N123456789012345'],
    ['NEFT by bank code', 'UTIBN52026112012345'],
    ['RTGS', 'HDFCR52026112012345678'],
  ])('%s', (_, utr) => {
    expect(utrFault(utr)).toBeUndefined()
    expect(utrWarning(utr)).toBeUndefined()
    expect(isUnusualUtr(utr)).toBe(false)
    expect(normaliseUtr(utr)).toBe(utr)
  })

  test.each([
    ['nothing', '', /required/],
    ['spaces', '   ', /required/],
    ['only a label', 'UPI Ref No:', /isn’t a valid UTR/],
    ['too few digits', '4123456', /has 7/],
    ['a phone number', '98765 43210', /phone number/],
    ['a phone number with its country', '+91 98765-43210', /phone number/],
    ['a UPI ID', 'chaabi.demo@okaxis', /UPI ID/],
    ['Google Pay’s own number', 'CICAgICA-abcdefgh1234', /Google Pay’s own ID/],
    ['PhonePe’s own number', 'T2611201544001234567890', /PhonePe’s own ID/],
    ['a sentence', 'I have paid, please check', /isn’t a valid UTR/],
    ['look-alike letters of another script', 'НDFC12345678901234', /isn’t a valid UTR/],
    ['36 characters', `A${'1'.repeat(35)}`, /isn’t a valid UTR/],
    ['far too much', `412345678901${' '.repeat(300)}`, /isn’t a valid UTR/],
  ])('not %s', (_, written, fault) => {
    expect(utrFault(written)).toMatch(fault)
  })

  test.each([
    ['eleven digits', '41234567890', /has 11\. Please check/],
    ['thirteen digits', '4123456789012', /has 13\. Please check/],
    ['letters of a bank that are not four', 'AXB2611201234567', /usual UTR/],
    ['eight characters', 'AB12CD34', /usual UTR/],
    ['35 characters', `A${'1'.repeat(34)}`, /usual UTR/],
  ])('an unusual form is taken, with a warning: %s', (_, utr, warning) => {
    expect(utrFault(utr)).toBeUndefined()
    expect(z.parse(Utr, utr)).toBe(utr)
    expect(isUnusualUtr(utr)).toBe(true)
    expect(utrWarning(utr)).toMatch(warning)
  })

  test('a number is read as its digits', () => {
    expect(z.parse(Utr, 412_345_678_901)).toBe('412345678901')
    expect(z.safeParse(Utr, 4.1e21).success).toBe(false)
    expect(z.safeParse(Utr, null).success).toBe(false)
  })
})

describe('the normal form', () => {
  test('of the normal form is itself, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect(normaliseUtr(normaliseUtr(text))).toBe(normaliseUtr(text))
      }),
      { numRuns: 2_000 },
    )
  })

  test('is the same for every way of writing one reference', () => {
    const noise = fc.constantFrom(
      '',
      ' ',
      '-',
      ':',
      '.',
      '\u00a0',
      '\u200b',
      '\u00ad',
      '–',
      '—',
      '_',
      '/',
      '\u202e',
      '\ufe0f',
      '\t',
    )
    const zeros: Record<string, number> = {
      ascii: 0x30,
      fullWidth: 0xff10,
      devanagari: 0x966,
      arabic: 0x660,
      bold: 0x1d7ce,
    }
    const label = fc.constantFrom(
      '',
      'UTR',
      'utr no. ',
      'Ref: ',
      'UPI Ref No ',
      'UPI transaction ID: ',
      'RRN ',
      '0000',
      'UTR 0000',
    )
    fc.assert(
      fc.property(
        digits(12),
        fc.array(noise, { minLength: 13, maxLength: 13 }),
        fc.constantFrom(...Object.values(zeros)),
        label,
        (utr, gaps, zero, before) => {
          const disguised = Array.from(utr)
            .map((digit, i) => `${gaps[i]}${String.fromCodePoint(zero + Number(digit))}`)
            .join('')
          const written = `${before}${disguised}${gaps[12]}`

          expect(normaliseUtr(written)).toBe(utr)
          expect(utrFault(written)).toBeUndefined()
        },
      ),
      { numRuns: 1_000 },
    )
  })

  test.each(['IDIBR52026112212345678', 'IDFBN26112212345678', 'HDFCR52026112212345678'])(
    'takes no letters of a bank for a label: %s',
    (utr) => {
      for (const label of ['', 'UTR: ', 'UTR No. ', 'UTR ID ', 'NEFT ', 'UPI transaction ', 'UPI transaction ID: ']) {
        expect(normaliseUtr(label + utr), label).toBe(utr)
        expect(utrFault(label + utr), label).toBeUndefined()
      }
    },
  )

  test('never makes one of two references', () => {
    fc.assert(
      fc.property(digits(12), digits(12), (a, b) => {
        expect(normaliseUtr(a) === normaliseUtr(b)).toBe(a === b)
      }),
    )
  })

  test('of what is accepted has no other characters than A–Z and digits, and 8 to 35 of them', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ maxLength: 40 }), digits(16)),
        (text) => {
          const read = z.safeParse(Utr, text)
          if (read.success) expect(read.data).toMatch(/^[A-Z0-9]{8,35}$/)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
