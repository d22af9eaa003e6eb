import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BANKS } from '../../../../contract/banks.ts'
import { readWording, told, wanted, WORDINGS } from '../../../../test/bank/wordings.ts'
import { readAlert } from './read-alert.ts'
import { isCode } from './read-parts.ts'
import { APPS } from './wordings.ts'

const AT = new Date('2026-11-30T10:00:00+05:30')

const read = (wording: Parameters<typeof readWording>[0], at = AT) => readWording(wording, at)

describe('messages in the banks’ wordings of today', () => {
  test.each(WORDINGS.map((wording) => [wording.text.slice(0, 70), wording] as const))('%s', (_, wording) => {
    expect(wanted(wording.want)).toContainEqual(told(read(wording, new Date(wording.at))))
  })

  // A payment app's is a wording or a hint
  const money = WORDINGS.filter(
    ({ want, sender }) => !Object.hasOwn(APPS, sender) && ['credit', 'unread-but-proposed'].includes(want.outcome),
  )

  test.each([
    ['more spaces and lines', (text: string) => text.replaceAll(' ', ' \n ')],
    ['capitals', (text: string) => text.toUpperCase()],
    ['small letters', (text: string) => text.toLowerCase()],
    ['a warning below', (text: string) => `${text} Never share OTP, PIN or CVV with anyone.`],
    ['a helpline below', (text: string) => `${text} Not you? Call 18001234567.`],
  ])('say the same with %s', (_, change) => {
    const readings = money.map((wording) => ({ wording, is: told(read({ ...wording, text: change(wording.text) })) }))
    for (const { wording, is } of readings.filter(({ wording: { want } }) => !want.orUnread)) {
      const { amount, ref } = wording.want
      // Where only the whole text says which number is the bank's, a changed one is a hint
      expect(is, wording.text).toMatchObject(is.outcome === 'hint' ? { amount } : { amount, ref })
    }
    expect(readings.filter(({ is }) => is.outcome === 'hint').length).toBeLessThan(2)
  })

  test('of a sender who is not the bank’s are refused', () => {
    for (const wording of money)
      for (const sender of ['HDFC Bank', '+919812345678', wording.sender.replace(/-[STG]$/, '-P'), 'VM-HDFCBX-S', ''])
        expect(read({ ...wording, sender }).outcome).toBe('refused')
  })

  test('of another account are never money of this one', () => {
    for (const wording of money)
      if (/\d{3}/.test(wording.text.match(/(?<!Rs)[xX*.]+\d{3,}/)?.[0] ?? ''))
        expect(['refused', 'unread', 'ignored'], wording.text).toContain(read({ ...wording, tail: '000111' }).outcome)
  })
})

/** Forms of which the corpus has none, with what must come of them. */
const MORE_FORMS: [bank: string, tail: string, text: string, want: ReturnType<typeof told>][] = [
  [
    'Karnataka',
    '9001',
    'Your Account x004801x has been CREDITED for Rs.1,240.00/- on 21-11-26. UPI Ref no 632577242176 -Karnataka Bank',
    { outcome: 'refused' },
  ],
  [
    'Bank of Baroda',
    '4567',
    'Your a/c XX4567 credited INR 5,060.00 on 21/11/26. Info: NEFT/SBIN0001234/HDFCH00814714713. Avl Bal: INR 9 -BOB',
    { outcome: 'hint', amount: 5_060 },
  ],
  [
    'Bank of India',
    '1234',
    'Your a/c No.XX1234 Dr by Rs.1,505 on 21-11-26. Received by SHOP, UPI Ref 632507933845 -BOI',
    { outcome: 'ignored' },
  ],
  [
    'SBI',
    '1234',
    'INR 600.00 has been added to your account XX1234 via NEFT from ASHA on 21-11-26. Available Balance: INR 7,000.00',
    { outcome: 'hint', amount: 600 },
  ],
  [
    'HSBC',
    '1006',
    'HSBC: A/c 174-260***-006 is credited with INR 5,000.00 on 21NOV at 06.33.02 with UTR CHASH00007392391 as NEFT ' +
      'from CHAS A/c ***6983 of ASHA RAO . Your Avl Bal is INR 15,000.50.',
    { outcome: 'proposed', amount: 5_000, ref: 'CHASH00007392391' },
  ],
  [
    'ICICI',
    '567',
    'ICICI Bank Acct XX567 credited with Rs 500.00 on 21-Nov-26 by Account linked to mobile number XXXXX1234. ' +
      'IMPS Ref. no. 632514835512.',
    { outcome: 'proposed', amount: 500, ref: '632514835512' },
  ],
  [
    'SBI',
    '7829',
    'Dear Customer, Your A/C XXXXX427829 has a credit by NEFT of Rs 2,500.00 on 21/11/26 from ASHA. ' +
      'UTR: HDFCN52026112112345678. Avl Bal Rs 5,000.00 -SBI',
    { outcome: 'proposed', amount: 2_500, ref: 'HDFCN52026112112345678' },
  ],
  [
    'Bank of India',
    '5468',
    'BOI - Rs 15,000.00 Credited in your Ac XX5468 on 21-11-2026 By NEFTINWARD HDFCH00778553836/ASHA ' +
      'TRADERS .Avl Bal 18,679.91',
    { outcome: 'credit', amount: 15_000, ref: 'HDFCH00778553836' },
  ],
  [
    'Jammu & Kashmir',
    '0911',
    'IMPS Fund transfer of Rs.1250.00 successfully credited to your A/C XXXXXX0911 with RRN No.632514326708 dated ' +
      '21-11-26.Amt received from Yusuf Lone having A/C No.XXXXXX5511. JK BANK',
    { outcome: 'proposed', amount: 1_250, ref: '632514326708' },
  ],
  [
    'Federal',
    '3223',
    'Hi,Rs.1100credited in your A/c XX3223 on 21NOV2026 13:03:07 using cash deposit machine at ALUVA. ' +
      'Current Bal: Rs.1181.90',
    { outcome: 'hint', amount: 1_100 },
  ],
  [
    'PNB',
    '6112',
    'आपके खाते XX6112 में रु.500.00 दिनांक 21-11-26 को UPI Ref 632514835512 द्वारा जमा किए गए। शेष रु.900.00 -PNB',
    { outcome: 'proposed', amount: 500, ref: '632514835512' },
  ],
  [
    'SBI',
    '7829',
    'प्रिय ग्राहक, आपके खाते X7829 में 21Nov26 को रु 500.0 जमा हुए हैं। संदर्भ सं 632514835512 -SBI',
    { outcome: 'proposed', amount: 500, ref: '632514835512' },
  ],
  [
    'SBI',
    '7829',
    'प्रिय ग्राहक, आपके खाते X7829 से रु 500.0 डेबिट हुए और ASHA को जमा हुए। संदर्भ सं 632514835512 -SBI',
    { outcome: 'ignored' },
  ],
  [
    'Bank of Baroda',
    '1234',
    'Payment of Rs 1,317.80 received for your BOBCARD ending 1234 on 2026-11-21. See the app for details.',
    { outcome: 'ignored' },
  ],
]

test.each(MORE_FORMS)('%s, account %s: %s', (bank, tail, text, want) => {
  const sender = `VM-${BANKS.find(({ key }) => key === bank)?.senders[0]}-S`
  expect(told(read({ bank, tail, sender, text }))).toEqual(want)
})

/** One message in every way that banks say that money came, and write its sum. */
test.each([
  ['Your A/c XX4321 is', 'credited with', 'Rs.500.00'],
  ['Your A/c XX4321', 'has a credit by UPI of', 'INR 500'],
  ['Your Account XX4321', 'had a credit TRANSFER transaction of', 'Rs. 500'],
  ['Acct XX4321', 'Cr.', 'INR 500.00'],
  ['A/c XX4321', 'Cr', '₹500'],
  ['A/c XX4321', 'received', '500 rupees'],
  ['ASHA RAO', 'has sent', 'INR 500.00 to you'],
  ['ASHA RAO', 'paid you', '₹500'],
  ['खाता संख्या XX4321 में', 'जमा', '500.00 रुपये'],
  ['खाते XX4321 में', 'क्रेडिट', 'रु 500'],
])('money came: %s %s %s', (whose, verb, sum) => {
  const text = (ref: string) => `${whose} ${verb} ${sum} 22-11-26 ${ref}632611112222`
  for (const ref of ['UPI Ref No ', 'संदर्भ संख्या ', 'RRN:'])
    expect(told(read({ bank: 'RBL', tail: '4321', sender: 'VM-RBLBNK-S', text: text(ref) })), text(ref)).toEqual({
      outcome: 'proposed',
      amount: 500,
      ref: '632611112222',
    })
})

test.each([
  'You have sent INR 500.00 to your A/c XX4321. Ref No 632611112222',
  'You paid ₹500 to YOU PLUS. UPI Ref No 632611112222',
  'Sent Rs.500.00 from A/C XX4321 to PAY YOU. Ref 632611112222',
  'A/c XX4321 debited INR 500.00; ASHA has sent INR 500.00 to you. Ref No 632611112222',
])('money went, though its words are like those of money that came: %s', (text) =>
  expect(read({ bank: 'RBL', tail: '4321', sender: 'VM-RBLBNK-S', text }).outcome).toBe('ignored'),
)

test('a letter before the number is a bank’s on the rail of UPI, and makes it another one elsewhere', () => {
  const text = (ref: string) => `Rs.500.00 credited to your A/c XX4321 on 22-11-26 from ASHA. ${ref}632611112222`
  const readOf = (ref: string) => told(read({ bank: 'RBL', tail: '4321', sender: 'VM-RBLBNK-S', text: text(ref) }))
  expect(readOf('UPI/CR/C')).toEqual({ outcome: 'proposed', amount: 500, ref: '632611112222' })
  for (const ref of ['Ref N', 'Ref No S', 'NEFT Ref N', 'Txn ID T'])
    expect(readOf(ref)).toEqual({ outcome: 'hint', amount: 500 })
})

test('a message that was cut within its reference has none', () => {
  const text = 'A/c XX4321 credited with Rs.500.00 on 22-11-26 from RRN 632633334444 Ref No'
  for (const rest of ['', ' 6', ' 63261111'])
    expect(told(read({ bank: 'RBL', tail: '4321', sender: 'VM-RBLBNK-S', text: text + rest }))).toEqual({
      outcome: 'hint',
      amount: 500,
    })
})

test.each([
  ['credited to your A/c XX4321 via NEFT from beneficiary ASHA RAO. UTR N326262611122223', 'proposed'],
  ['credited to your A/c XX4321 via NEFT from the beneficiary ASHA RAO. UTR N326262611122223', 'proposed'],
  ['credited to your A/c XX4321. Beneficiary: ASHA RAO. NEFT UTR N326262611122223', 'proposed'],
  ['credited to the beneficiary from A/c XX4321. NEFT UTR N326262611122223', 'ignored'],
  ['credited to beneficiary: ASHA RAO. A/c XX4321 NEFT UTR N326262611122223', 'ignored'],
  ['will go out. Your beneficiary ASHA RAO is added to A/c XX4321 and credited', 'ignored'],
])('a beneficiary is not always whom money went to: %s', (text, outcome) =>
  expect(read({ bank: 'RBL', tail: '4321', sender: 'VM-RBLBNK-S', text: `Rs.500.00 ${text}` }).outcome).toBe(outcome),
)

/** The plainest form, which any bank might write. */
const plainForm = ({ amount = '500.00', tail = '4321', ref = '632611112222', by = 'RAVI' }) =>
  `Your A/c XX${tail} is credited with Rs.${amount} on 22-11-26 by ${by} (UPI Ref No ${ref}). Avl Bal Rs.9,999.00`

describe('a message without a template', () => {
  test('is proposed for each bank of the list', () => {
    for (const { key, senders } of BANKS)
      for (const sender of senders)
        expect(told(read({ bank: key, tail: '4321', sender: `VM-${sender}-S`, text: plainForm({}) })), key).toEqual({
          outcome: 'proposed',
          amount: 500,
          ref: '632611112222',
        })
  })

  const RBL = { bank: 'RBL', tail: '4321', sender: 'VM-RBLBNK-S' }
  test.each([
    ['direction', plainForm({}).replace('credited', 'noted'), 'unread'],
    ['another direction', plainForm({}).replace('credited', 'debited'), 'ignored'],
    ['sum', plainForm({}).replace('Rs.500.00', 'money'), 'unread'],
    ['one sum', `${plainForm({})} Rs.700 credited`, 'unread'],
    ['digits of ours', plainForm({}).replace('500.00', '५००'), 'unread'],
    ['account', plainForm({ tail: '9999' }), 'refused'],
    ['one account', `${plainForm({})} A/c XX9999 credited`, 'unread'],
    ['reference', plainForm({}).replace('(UPI Ref No 632611112222)', ''), 'hint'],
    ['one reference', `${plainForm({})} RRN 632633334444`, 'unread'],
    ['money that came', `${plainForm({})} as reversal`, 'ignored'],
    ['money that is there', plainForm({}).replace('is credited', 'will be credited'), 'ignored'],
    ['an account of one’s own', 'RAVI has received Rs 500 from your A/c XX4321. Ref no 632611112222', 'ignored'],
  ])('needs its %s', (_, text, outcome) => expect(read({ ...RBL, text }).outcome).toBe(outcome))

  test.each([
    ['RRN 632611112222 UPI/CR/632611112222', '632611112222'],
    ['UPI Ref No 0000632611112222, RRN 632611112222', '632611112222'],
    ['NEFT UTR SBIN526347125003, Ref No 526347125003', 'SBIN526347125003'],
  ])('has one reference where it is written twice: %s', (written, ref) => {
    const text = plainForm({}).replace('(UPI Ref No 632611112222)', written)
    expect(told(read({ ...RBL, text }))).toMatchObject({ outcome: 'proposed', ref })
  })

  test('that names no account is of the only one of that bank', () => {
    const text = 'Your account is credited with INR 350.00 by UPI Ref No 632409335225; AvlBal: Rs1,03,777.41'
    const accounts = [
      { id: 'one', bank: 'RBL', tail: '4321' },
      { id: 'other', bank: 'HDFC', tail: '4321' },
    ]
    const message = { text, sender: RBL.sender, stampedAt: AT }
    expect(readAlert(message, accounts, AT)).toMatchObject({
      outcome: 'proposed',
      why: 'names no account',
      credit: { accountId: 'one', refs: ['632409335225'] },
    })
    expect(readAlert(message, [...accounts, { id: 'third', bank: 'RBL', tail: '99' }], AT).outcome).toBe('unread')
  })

  /** What payers write into a name, a VPA or a remark. */
  const piece = fc.constantFrom(
    'UPI',
    'Ref',
    'No',
    'Ref No',
    'RRN',
    'UTR',
    'IMPS/',
    'UPI/CR/',
    'NEFT',
    'UPI:',
    '(UPI',
    'Txn ID',
    '/',
    '-',
    '.',
    '631508615127',
    '631610530825',
    'HDFCH00814714713',
    'credited',
    'Rs 90000',
    'INR 1.00',
    'A/c XX9999',
    '@ybl',
    'RAVI',
    'KUMAR',
    'debited',
    '919876501234@ybl',
    'Bal',
    'OTP',
    '0000',
  )
  const hostile = fc
    .array(piece, { maxLength: 7 })
    .chain((pieces) => fc.constantFrom(' ', '', '-', '/').map((mark) => pieces.join(mark)))

  test('never has a number that the payer wrote, nor a sum', () => {
    fc.assert(
      fc.property(fc.constantFrom(...WORDINGS), hostile, (wording, text) => {
        const { amount, ref } = wording.want
        for (const name of [
          'RAVI',
          'IMRAN SHEIKH',
          'DEEPA NAIR',
          'SURESH PATIL',
          'KAVYA RAO',
          'TARUN BOSE',
          'JOSEPH XAVIER',
        ]) {
          if (!wording.text.includes(name)) continue
          const reading = told(read({ ...wording, text: wording.text.replace(name, () => text) }, new Date(wording.at)))
          if ('amount' in reading) expect(reading.amount).toBe(amount)
          if ('ref' in reading) expect(reading.ref).toBe(ref)
        }
      }),
      { numRuns: 5_000 },
    )
  })

  // docs/bank.md tells admins: nothing in such a text says whose number it is
  test('may have one that the payer wrote where the bank wrote none, so it is only proposed', () => {
    const text = 'Rs 5010 credited to a/c xx4321 from UPI 631610530825. rent. Ref: 9F8A2C'
    expect(told(read({ ...RBL, text }))).toEqual({ outcome: 'proposed', amount: 5_010, ref: '631610530825' })
  })

  test('is kept in words that name nobody, without a digit', () => {
    const forms = WORDINGS.flatMap((wording) => {
      const reading = read(wording, new Date(wording.at))
      return 'form' in reading && reading.form ? [reading.form.text] : []
    })
    expect(forms.length).toBeGreaterThan(10)
    for (const form of forms) expect(form).not.toMatch(/\p{Nd}|RAVI|KUMAR|MEENA|DEVI|IMRAN|SHEIKH|PATIL|@/u)
  })

  test('is read in a moment, whatever stands in it', () => {
    const made = fc.sample(fc.array(fc.oneof(piece, fc.string({ unit: 'binary' })), { maxLength: 300 }), 1_000)
    const texts = [
      ...made.map((pieces) => pieces.join(' ')),
      'x'.repeat(2_000),
      'a/c '.repeat(500),
      'Rs.1 '.repeat(400),
      'X*'.repeat(1_000),
      '1'.repeat(2_000),
      'otp 1'.repeat(400),
      'never share '.repeat(160),
      '\0'.repeat(2_000),
      'a@b'.repeat(600),
      'Ref No '.repeat(280),
    ]
    const { user } = process.cpuUsage()
    for (let n = 0; n < 10_000; n++) read({ ...RBL, text: texts[n % texts.length] ?? '' })
    expect((process.cpuUsage().user - user) / 1_000).toBeLessThan(2_000)
  })
})

describe('a one-time code', () => {
  const words = ['OTP', 'one-time password', 'One Time Passcode', 'verification code', 'password', 'CVV']
  const forms = [
    (code: string, word: string) =>
      `${code} is your ${word} for Rs.500. Your A/c XX4321 will be credited. Do not share.`,
    (code: string, word: string) => `Use ${word} ${code} to log in. Never share it. Ref No 632611112222`,
    (code: string, word: string) => `Your ${word}: ${code}. Rs.500.00 credited to A/c XX4321. RRN 632611112222`,
    (code: string, word: string) =>
      `Never share ${word} ${code} with anyone. A/c XX4321 credited with Rs.5 UPI Ref 632611112222`,
    (code: string, word: string) => `Dear Customer, ${word} for your UPI transaction is ${code}.`,
    (code: string, word: string) => `<#> ${code} ${word} received for A/c XX4321 credited`,
  ]

  test('leaves nothing, in two hundred wordings', () => {
    const codes = ['1234', '12345', '123456', '1234567', '12345678', '004512']
    const texts = forms.flatMap((form) => words.flatMap((word) => codes.map((code) => form(code, word))))
    expect(texts.length).toBeGreaterThan(200)
    for (const text of texts)
      expect(read({ bank: 'RBL', tail: '4321', sender: 'VM-RBLBNK-S', text }).outcome, text).toBe('ignored')
  })

  test.each([
    'A/c *2443 Credited for Rs:2,340.00 by Mob Bk ref no 632610710482.Never Share OTP/PIN/CVV-Union Bank of India',
    'Rs.500 credited to A/c XX4321 UPI Ref 632611112222. Do not share OTP with anyone. Call 18001800',
    'Rs.500 credited to A/c XX4321 by otp.1234@okaxis (UPI Ref 632611112222)',
  ])('is not seen in %s', (text) => expect(isCode(text)).toBe(false))
})
