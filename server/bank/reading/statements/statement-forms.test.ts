/** Statements in forms that no sample has: the rules must read them, whichever bank wrote them. */
import { describe, expect, test } from 'vitest'
import { readStatement } from '../../../../test/worlds/statements.ts'

interface Row {
  day: number
  paise: number
  ref: string
}

const NOTES = ['UPI', 'order 632309989203', 'a/b-c', 'Cr 500.00', '']
const ROWS: Row[] = Array.from({ length: 12 }, (_, at) => ({
  day: 17 + Math.floor(at / 3),
  paise: (at % 4 === 2 ? -1 : 1) * (10_000 + at * 7_919),
  ref: `6325${String(at * 7_654_321).padStart(8, '0')}`,
}))
const OPENING = 5_000_000

/** How a bank's own words stand before the number, and the payer's behind it. */
const NARRATIONS: Record<string, (row: Row, note: string) => string> = {
  plain: ({ ref }, note) => `UPI/${ref}/CR/RAVI/UTIB/ravi@okaxis/${note}`,
  mode: ({ ref, paise }, note) => `UPI/${paise > 0 ? 'CR' : 'DR'}/${ref}/RAVI/HDFC/ravi@ybl/${note}`,
  'payer’s bank first': ({ ref }, note) => `UPI/SBIN/${ref}/RAVI KUMAR/${note}`,
  dashes: ({ ref, paise }, note) => `UPI-${paise > 0 ? 'CR' : 'DR'}-${ref}-RAVI-KVBL-17081550000188-${note}`,
  colons: ({ ref }, note) => `UPI:${ref}:ravi@okaxis(RAVI ${note})`,
  'in and out': ({ ref, paise }, note) => `UPI ${paise > 0 ? 'IN' : 'OUT'}/${ref}/ravi@ptsbi/${note}/0000`,
  RRN: ({ ref }, note) => `UPI/RRN ${ref}/RAVI/${note}`,
  'an account first': ({ ref }, note) => `TRANSFER FROM 97161234567/UPI/${ref}/CR/RAVI/UTIB/${note}`,
  'a word behind a space': ({ ref }, note) => `UPI COLLECT/${ref}/RAVI/UTIB/${note}`,
  'another word behind a space': ({ ref }, note) => `BHIM UPI PAYMENT/${ref}/RAVI/${note}`,
  'a word behind a dash': ({ ref }, note) => `UPI-QR/${ref}/RAVI/${note}`,
  'the payer first, in words': ({ ref }, note) => `UPI TRANSFER FROM RAVI KUMAR/${ref}/${note}`,
  MPAY: ({ ref }) => `MPAYUPITRTR${ref}`,
  IMPS: ({ ref }, note) => `IMPS-${ref}-RAVI-HDFC-XXXXX1234-${note}`,
  'MMT IMPS': ({ ref }, note) => `MMT/IMPS/${ref}/REQPAY/RAVI/HDFC BANK/${note}`,
  'P2A by mobile': ({ ref }, note) => `UPI/P2A/${ref}/RAVI/HDFC BANK/${note}`,
}

const MONTHS = ['Nov', 'NOVEMBER']
const DATES: Record<string, (day: number) => string> = {
  'dd/mm/yyyy': (day) => `${day}/11/2026`,
  'dd-mm-yy': (day) => `${day}-11-26`,
  'dd.mm.yyyy': (day) => `${day}.11.2026`,
  'yyyy-mm-dd': (day) => `2026-11-${day}`,
  'dd Mon yyyy': (day) => `${day} ${MONTHS[0]} 2026`,
  'dd-MONTH-yyyy': (day) => `${day}-${MONTHS[1]}-2026`,
  'Mon dd, yyyy': (day) => `${MONTHS[0]} ${day}, 2026`,
  'with a time': (day) => `${day}/11/2026 06:15:14 PM`,
  'with a weekday': (day) => `Tue, ${day} ${MONTHS[0]} 2026`,
  'yyyy/mm/dd and a time': (day) => `2026/11/${day} 18:15`,
  'dd-Mon-yy and the value’s day': (day) => `${day}-${MONTHS[0]}-26 (${day - 1}-${MONTHS[0]}-26)`,
  'a mark for the century': (day) => `${day} ${MONTHS[0]} ${["'", '’', '‘'][day % 3]}26`,
  'the time of UTC': (day) => `2026-11-${day - 1}T20:15:14.250Z`,
  'the time of GMT': (day) => `${day - 1}-11-2026 20:45:14 GMT+0000`,
}

const plain = (paise: number) => (paise / 100).toFixed(2)
const lakhs = (paise: number) => plain(paise).replaceAll(/(\d)(?=(\d\d)+\d\.)/g, '$1,')

type Cells = (row: Row, balance: number) => string[]
const pair: Cells = ({ paise }, balance) => [
  ...[-paise, paise].map((sum) => (sum > 0 ? plain(sum) : '')),
  plain(balance),
]
/** Headings, and the cells below. */
const MONEY: Record<string, [string[], Cells]> = {
  'two columns': [['Withdrawal Amt (INR)', 'Deposit Amt (INR)', 'Closing Balance'], pair],
  'two columns with zeros': [
    ['Debits', 'Credits', 'Balance'],
    ({ paise }, balance) => [lakhs(Math.max(-paise, 0)), lakhs(Math.max(paise, 0)), lakhs(balance)],
  ],
  'two columns, spelt otherwise': [['WITHDRAWS', 'DEPOSIT', 'BALANCE'], pair],
  'an overdrawn balance': [
    ['Withdrawl', 'Deposit', 'Balance', 'Dr/Cr'],
    ({ paise }, balance) => [
      paise < 0 ? plain(-paise) : '',
      paise > 0 ? plain(paise) : '',
      plain(Math.abs(balance - 2 * OPENING)),
      'DR',
    ],
  ],
  'money in and out': [
    ['Money In', 'Money Out', 'Bal.'],
    ({ paise }, balance) => [
      paise > 0 ? `₹${lakhs(paise)}` : '-',
      paise < 0 ? `₹${lakhs(-paise)}` : '-',
      `₹${lakhs(balance)}`,
    ],
  ],
  'Cr and Dr beside': [
    ['Amount', 'Dr/Cr', 'Balance', 'Dr / Cr'],
    ({ paise }, balance) => [plain(Math.abs(paise)), paise > 0 ? 'CR' : 'DR', plain(balance), 'CR'],
  ],
  'Cr and Dr behind': [
    ['Transaction Amount(INR)', 'Available Balance(INR)'],
    // Overdrawn at first
    ({ paise }, balance) =>
      [paise, balance - OPENING - 30_000].map((sum) => `${lakhs(Math.abs(sum))} ${sum > 0 ? 'Cr' : 'Dr'}`),
  ],
  'a sign': [
    ['DEBIT/CREDIT(INR)', 'BALANCE(INR)'],
    ({ paise }, balance) => [`${paise > 0 ? '+' : ''}${plain(paise)}`, plain(balance)],
  ],
  'a minus behind': [
    ['Amount', 'Balance'],
    ({ paise }, balance) => [`${plain(Math.abs(paise))}${paise < 0 ? '-' : ''}`, plain(balance)],
  ],
  'brackets for what went': [
    ['Amount', 'Balance'],
    ({ paise }, balance) => [paise < 0 ? `(${plain(-paise)})` : plain(paise), plain(balance)],
  ],
  'a branch behind the balance': [
    ['Amount(INR)', 'DR|CR', 'Balance(INR)', 'Branch'],
    ({ paise }, balance) => [plain(Math.abs(paise)), paise > 0 ? 'CR' : 'DR', plain(balance), 'BHOPAL'],
  ],
  ...Object.fromEntries(
    ['D/C', 'PART_TRAN_TYPE', 'Entry Type', 'Direction', 'Indicator', 'creditDebitIndicator', 'DC'].map((name, at) => [
      name,
      [
        [name, 'Amount', 'Balance'],
        ({ paise }, balance) => [
          (paise > 0 ? ['C', 'Deposit'] : ['D', 'Withdrawal'])[at % 2]!,
          plain(Math.abs(paise)),
          plain(balance),
        ],
      ] satisfies [string[], Cells],
    ]),
  ),
  'a type': [
    ['Type', 'Amount (Rs.)', 'Running Balance (Rs.)'],
    ({ paise }, balance) => [paise > 0 ? 'Credit' : 'Debit', `Rs.${lakhs(Math.abs(paise))}`, `Rs.${lakhs(balance)}`],
  ],
}

interface Form {
  narration: keyof typeof NARRATIONS
  dates: keyof typeof DATES
  money: keyof typeof MONEY
  delimiter?: string
  newestFirst?: boolean
  /** Columns in another order, by where each comes from. */
  order?: (width: number) => number[]
  /** Headings over two rows. */
  twoLines?: boolean
}

function statementOf({ narration, dates, money, delimiter = ',', newestFirst, order, twoLines }: Form): string {
  const [headings, cellsOf] = MONEY[money]!
  let balance = OPENING
  const rows = ROWS.map((row, at) => {
    balance += row.paise
    const day = DATES[dates]!(row.day)
    return [String(at + 1), day, NARRATIONS[narration]!(row, NOTES[at % NOTES.length]!), ...cellsOf(row, balance)]
  })
  const names = ['Sl. No.', 'Transaction Date', 'Transaction Particular', ...headings]
  const width = names.length
  const places = order ? order(width) : names.map((_, at) => at)
  const put = (cells: readonly string[]) =>
    places
      .map((at) => cells[at] ?? '')
      .map((cell) => (cell.includes(delimiter) ? `"${cell}"` : cell))
      .join(delimiter)
  const split = (name: string): [string, string] => {
    const at = name.lastIndexOf(' ')
    return at < 0 ? [name, ''] : [name.slice(0, at), name.slice(at + 1)]
  }
  const heads = twoLines ? [names.map((name) => split(name)[0]), names.map((name) => split(name)[1])] : [names]
  return [
    `Account Number${delimiter}12340100012345`,
    '',
    ...heads.map(put),
    ...(newestFirst ? rows.toReversed() : rows).map(put),
  ].join('\n')
}

function expectRead(form: Form): void {
  const statement = readStatement(statementOf(form))
  expect({ form, balances: statement.balances, tail: statement.tail, problems: statement.problems }).toEqual({
    form,
    balances: 'proven',
    tail: '2345',
    problems: [],
  })
  const read = statement.lines.map(({ day, amountPaise, direction, refs }) => ({
    day,
    paise: direction === 'credit' ? amountPaise : 0 - amountPaise,
    refs,
  }))
  expect({ form, read }).toEqual({
    form,
    read: ROWS.map(({ day, paise, ref }) => ({ day: `2026-11-${day}`, paise, refs: [ref] })),
  })
}

const keysOf = (from: object) => Object.keys(from)

describe('a statement that no sample shows', () => {
  test.each(keysOf(NARRATIONS))('is read with references as %s', (narration) => {
    for (const money of keysOf(MONEY)) expectRead({ narration, dates: 'dd/mm/yyyy', money })
  })

  test.each(keysOf(DATES))('is read with dates as %s', (dates) => {
    for (const delimiter of [',', '\t', ';', '|'])
      expectRead({ narration: 'mode', dates, money: 'two columns', delimiter })
  })

  test.each(keysOf(MONEY))('is read with %s, in other orders of its columns', (money) => {
    for (const newestFirst of [false, true]) {
      for (const dates of ['dd-mm-yy', 'dd Mon yyyy', 'with a time']) {
        const orders = [
          (width: number) => Array.from({ length: width }, (_, at) => width - 1 - at),
          (width: number) => [1, 0, ...Array.from({ length: width - 3 }, (_, at) => at + 3), 2],
          (width: number) => [2, 1, ...Array.from({ length: width - 3 }, (_, at) => at + 3), 0],
        ]
        // The letters of a balance stand behind it, wherever that is
        for (const order of /beside|overdrawn/.test(money) ? orders.slice(1) : orders)
          expectRead({ narration: 'dashes', dates, money, newestFirst, order })
      }
    }
  })

  test.each(keysOf(MONEY))('is read with %s, and headings of two lines', (money) => {
    expectRead({ narration: 'colons', dates: 'yyyy-mm-dd', money, twoLines: true })
  })

  const HEADS = 'Date,Particulars,Withdrawals,Deposits,Balance'

  test('is read with a comma in its branch’s name, and never with amounts that a payer wrote', () => {
    const headings = ['Amount(INR),DR|CR,Balance(INR),Branch', 'Debit,Credit,Balance,Branch']
    const rows = (note: string, branch: string) =>
      ['500.00,CR,1500.00', ',500.00,1500.00'].map((money, at) => [
        `Date,Particulars,${headings[at]}`,
        `01-11-2026,UPI/P2A/630512345671/A/${note},${money},${branch}`,
        `02-11-2026,UPI/P2A/630612345672/B,${money.replace('1500', '2000')},PUNE`,
      ])
    const sums = (note: string, branch: string) =>
      rows(note, branch).map((lines) => {
        const { lines: read, balances } = readStatement(lines.join('\n'))
        return [balances, ...read.map(({ amountPaise, refs }) => `${refs.join()} ${amountPaise}`)]
      })
    const right = ['proven', '630512345671 50000', '630612345672 50000']

    for (const branch of ['PUNE', 'PUNE, CAMP', '12, MG ROAD, PUNE [MH]'])
      for (const note of ['x', 'a,b', ', ,']) expect(sums(note, branch)).toEqual([right, right])
    const forged = ['x,90000.00,CR,91000.00,', 'x,,90000.00,91000.00,']
    for (const note of forged) {
      expect(sums(note, 'PUNE')).toEqual([right, right])
      for (const read of sums(note, 'PUNE, CAMP').flat()) expect(read).not.toContain('9000000')
    }
  })

  test('is read with a date in the first row of each day, where the balances agree', () => {
    const days = (list: readonly string[]) =>
      readStatement([HEADS, ...list].join('\n')).lines.map(({ day, amountPaise }) => [day, amountPaise])
    const rows = ['01-11-2026,UPI/630512345671/A,,500.00,1500.00', ',UPI/630512345672/B,,200.00,1700.00']
    const more = ['02-11-2026,UPI/630612345673/C,,50.00,1750.00', ',UPI/630612345674/D,,300.00,2050.00']

    expect(days([...rows, ...more])).toEqual([
      ['2026-11-01', 500_00],
      ['2026-11-01', 200_00],
      ['2026-11-02', 50_00],
      ['2026-11-02', 300_00],
    ])
    expect(days([...rows, ',Total,,700.00,2400.00'])).toHaveLength(2)
    expect(days([rows[0]!, ',UPI/630512345672/B,,200.00,1900.00'])).toHaveLength(1)
  })

  test.each([
    [
      'Kotak’s number of its own beside the reference, in a file that names no bank',
      [
        'Sl. No.,Transaction Date,Value Date,Description,Chq / Ref No.,Debit,Credit,Balance,Dr / Cr',
        '1,17-11-2026,17-11-2026,UPI/RAVI KUMAR/632110000001/UPI,UPI-632118447662,,500.00,1500.00,CR',
        '2,18-11-2026,18-11-2026,UPI/ASHA RAO/632210000002/UPI,UPI-632218447663,,200.00,1700.00,CR',
      ],
    ],
    [
      'a narration that is called a reference',
      [
        'Date,Transaction Reference,Ref.No./Chq.No.,Credit,Debit,Balance',
        '17-11-2026,UPI/CR/632110000001/RAVI/UTIB/r@ybl/x,-,500.00,,1500.00',
        '18-11-2026,UPI/CR/632210000002/ASHA/UTIB/a@ybl/x,-,200.00,,1700.00',
      ],
    ],
    [
      'a heading with a capital inside',
      [
        'Date,Particulars,WithDrawal,Deposit,Balance',
        '17-11-2026,UPI/632110000001/CR/RAVI,,500.00,1500.00',
        '18-11-2026,UPI/632210000002/CR/ASHA,,200.00,1700.00',
      ],
    ],
    [
      'ICICI’s name behind its number, longer than before',
      [
        'Transaction Remarks,Transaction Date,Withdrawal Amount (INR),Deposit Amount (INR),Balance (INR)',
        'UPI/RAVI KUMAR/r@ybl/note/SBIN BANK/632110000001/IBLa69d061462f2/RAVI KUMARAN,17-11-2026,,500.00,1500.00',
        'UPI/ASHA RAO/a@ybl/note/UTIB BANK/632210000002/IBLb69d061462f2/ASHA RAO,18-11-2026,,200.00,1700.00',
      ],
    ],
    [
      'a pasted opening balance with its day',
      [
        '16-11-2026 Opening Balance 1,000.00',
        '17-11-2026 BUPI/632110000001/RAVI 500.00 1,500.00',
        '18-11-2026 UPI632210000002CRASHASBIN1 200.00 1,700.00',
      ],
    ],
    [
      'pasted signs',
      ['17-11-2026 UPI/632110000001/RAVI + Rs.500.00 Rs.1,500.00', '18-11-2026 UPI/632210000002/ASHA +200.00 1,700.00'],
    ],
  ])('is read with %s', (_, list) => {
    const { lines } = readStatement(list.join('\n'))

    expect(lines.map(({ direction, refs, amountPaise }) => [direction, refs[0], amountPaise])).toEqual([
      ['credit', '632110000001', 500_00],
      ['credit', '632210000002', 200_00],
    ])
  })

  test('has the years of its period behind dates without one', () => {
    const days = (period: string, dates: readonly string[]) =>
      readStatement(
        [
          `Statement period: ${period}`,
          HEADS,
          ...dates.map((date, at) => `${date},UPI/63051234567${at}/A,,1.00,${at + 2}.00`),
        ].join('\n'),
      ).lines.map(({ day }) => day)

    expect(days('01/11/2026 to 30/11/2026', ['01 Nov', '2/11', '30NOV'])).toEqual([
      '2026-11-01',
      '2026-11-02',
      '2026-11-30',
    ])
    expect(days('15 Dec 2025 to 14 Jan 2026', ['15-Dec', '31 December', '1 Jan'])).toEqual([
      '2025-12-15',
      '2025-12-31',
      '2026-01-01',
    ])
    expect(days('01/11/2025 to 30/11/2026', ['01 Nov'])).toEqual([])
    expect(days('01/11/2026 to 30/11/2026', ['01 Nov', '01 Dec', '31/02'])).toEqual(['2026-11-01'])
  })

  test('is not read if it is a shop’s own book, in which a debit is what came', () => {
    for (const [debit, credit, other] of [
      ['Debit (Receipt)', 'Credit (Payment)', 'Ref. No.'],
      ['Debit', 'Credit', 'Vch Type'],
    ])
      expect(() =>
        readStatement(`Date,Particulars,${other},${debit},${credit},Balance\n01-11-2026,RAVI,,500.00,,1500.00`),
      ).toThrow('Choose its columns')
  })

  test.each(['Created At (UTC)', 'Transaction Date (GMT)', 'Payment Time UTC'])(
    'has the times of the zone that its heading names: %s',
    (heading) => {
      const read = (at: string, named = heading) =>
        readStatement(`ID,${named},Amount,Status,RRN\n1,${at},5.00,captured,630612345671`).lines.map(({ day }) => day)

      expect(read('2026-11-01 20:15:14')).toEqual(['2026-11-02'])
      expect(read('2026-11-01')).toEqual([])
      for (const other of ['PST', 'UTC-4']) expect(read('2026-11-01 20:15:14', `Payment Date (${other})`)).toEqual([])
      expect(read('2026-11-01 20:15:14', 'Payment Date (GMT+05:30)')).toEqual(['2026-11-01'])
    },
  )
})
