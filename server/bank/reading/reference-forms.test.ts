import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BANKS } from '../../../contract/banks.ts'
import { utrFault } from '../../../contract/utr.ts'
import { readWording } from '../../../test/bank/wordings.ts'
import { upiNumber, wireForm } from './reference-forms.ts'
import { readTransfer } from './references.ts'

/** `TEXTS=100000` reads as many as the goal names. */
const TEXTS = Number(process.env['TEXTS'] ?? 10_000)

const digits = (least: number, most: number) => fc.stringMatching(new RegExp(`^[1-9]\\d{${least - 1},${most - 1}}$`))
/** As PNB, Bank of Baroda, Punjab & Sind Bank and HSBC print accounts, and as banks print telephones. */
const mask = fc
  .tuple(
    fc.constantFrom('', '9', '07', '1234'),
    fc.constantFrom('X', 'x', '*'),
    fc.integer({ min: 2, max: 14 }),
    digits(2, 8),
  )
  .map(([head, mark, count, tail]) => head + mark.repeat(count) + tail)
const account = digits(9, 18)
const phone = fc
  .tuple(fc.constantFrom('', '+91', '+91 ', '0'), fc.stringMatching(/^[6-9]\d{9}$/))
  .map((parts) => parts.join(''))
const rupees = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2 })
const balance = fc.integer({ min: 100, max: 99_999_999_99 }).map((paise) => rupees.format(paise / 100))
const vpa = fc
  .tuple(fc.constantFrom('', 'shop', 'upi-', 'ref.no-', 'imps.'), digits(12, 12), fc.constantFrom('', '.s', '-s', 's'))
  .map(([before, number, behind]) => `${before}${number}${behind}@okaxis`)
/** The bank prints its own number first. What a dash joins to it may be a name. */
const inRow = vpa.filter((one) => !one.includes('-s@'))
const counter = fc.stringMatching(/^000\d{9}$/)

const KINDS = ['NEFT-', 'NEFT CR-', 'RTGS/', 'BY TRANSFER-NEFT*', 'IMPS-', 'UPI/', 'UPI/CR/', 'CASH DEP ']
const RAILS = ['NEFT', 'RTGS', 'UPI', 'IMPS', 'NEFT UTR', 'UPI Ref', 'IMPS/']
const alert = fc
  .record({ own: mask, payers: mask, account, phone, balance, vpa, counter, rail: fc.constantFrom(...RAILS) })
  .chain((all) =>
    fc.constantFrom(
      `Ac ${all.own} Credited with Rs.500.00 by ${all.rail}. Aval Bal Rs.${all.balance} CR. Helpline ${all.phone}-PNB`,
      `Your a/c ${all.own} is credited with INR 500 through ${all.rail} from A/c ${all.payers}. Bal: ${all.balance}`,
      `Rs 500 credited to A/c ${all.own} by ${all.rail} from account no. ${all.account}. Call ${all.phone}`,
      `Rs 500 credited to A/c ${all.own} by ${all.rail} from mobile ${all.phone} to VPA ${all.vpa}`,
      `Rs 500 credited to A/c ${all.own} via ${all.rail} by ${all.vpa}, Ref No ${all.counter}`,
      `Rs.500 credited to ${all.own} ${all.rail} ${all.payers} INFO: A/c ${all.account}`,
    ),
  )
const BANK = { bank: 'PNB', sender: 'VM-PNBSMS-S' }
const tailIn = (text: string): string => /[Xx*](\d{2,8})/.exec(text)?.[1] ?? ''

describe('a printed account, mask, telephone, balance, VPA or counter', () => {
  test(`is no reference of an alert, in ${TEXTS} texts`, () => {
    let read = 0
    fc.assert(
      fc.property(alert, (text) => {
        const reading = readWording({ ...BANK, tail: tailIn(text), text }, new Date('2026-11-28T10:00:00+05:30'))
        if (!('credit' in reading)) return
        read += 1
        expect(reading.credit.refs).toEqual([])
      }),
      { numRuns: TEXTS },
    )
    // Or the texts would show nothing
    expect(read).toBeGreaterThan(TEXTS / 2)
  })

  test.each(['PNB', 'Bank of Baroda', 'HDFC', 'SBI', 'ICICI', 'Kotak', null])('is none of a row of %s', (bank) => {
    const printed = fc.oneof(mask, phone, balance, counter, inRow)
    const kinds = fc.constantFrom(...KINDS)
    const columns = fc.oneof(
      printed,
      account,
      counter.map((number) => `0000${number}`),
      fc.constant(''),
    )
    fc.assert(
      fc.property(kinds, printed, columns, (kind, number, column) => {
        fc.pre(!/^[/\d]*\d{12}$/.test(column) || !/UPI|IMPS/.test(kind) || column.startsWith('0000000'))
        expect(readTransfer(`${kind}${number}/RAVI KUMAR`, column, bank).refs).toEqual([])
      }),
      { numRuns: Math.ceil(TEXTS / 7) },
    )
  })

  test('is nothing that a buyer can file', () => {
    const foreign = phone.filter((one) => !one.startsWith('0'))
    const sum = balance.map((written) => `Rs. ${written}`)
    const printed = fc.oneof(mask, foreign, vpa, balance, sum)
    fc.assert(fc.property(printed, (written) => utrFault(written) !== undefined))
    for (const written of ['XXXXXXXX00347582', 'A/c XXXXXXXXXX123456', 'A/c no. **3333', '9XXXXXX499', 'XX-1234'])
      expect(utrFault(written), written).toMatch('account number')
  })
})

describe('a reference', () => {
  test.each([
    ['632545101877', '632545101877'],
    ['0000632545101877', '632545101877'],
    ['000281234567', undefined],
    ['0000000281234567', undefined],
    ['63254510187', undefined],
  ])('of UPI in %s is %s', (written, ref) => expect(upiNumber(written)).toBe(ref))

  test('of a wire begins with the letters of a bank', () => {
    for (const { ifsc } of BANKS) expect(wireForm(`${ifsc}N52026112400123456`.slice(0, 22))).toBeDefined()
    const refs = 'FDRLM4332907234 YESIG57482648268 CHASH00007392391 N307262345678901 AXISCN0123456789'
    for (const ref of refs.split(' ')) expect(wireForm(ref), ref).toBe(ref)
    const others = 'XXXXXXXX00347582 XXXXXXXXXX234567 ARJUN52026112400123 HDFC0000240 501002999988881'
    for (const other of others.split(' ')) expect(wireForm(other), other).toBeUndefined()
  })
})
