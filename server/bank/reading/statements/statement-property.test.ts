import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvLine } from '../../../../contract/csv.ts'
import { readStatement } from '../../../../test/worlds/statements.ts'
import { readStatementInTurns } from './read-statement.ts'
import type { Statement } from './statement.ts'

interface Transfer {
  /** Above zero for money that came. */
  paise: number
  ref: string
  name: string
  vpa: string
  note: string
  /** Days after the one before. */
  later: number
}
interface Printed {
  day: string
  ref: string
  narration: string
  paise: number
  balance: number
}
interface Layout {
  headings: string[]
  narration: (transfer: Transfer) => string
  cells: (row: Printed, money: (paise: number) => string) => string[]
  /** Headings of the two columns that banks swap. */
  pair?: [string, string]
}

const dmy = (day: string, mark: string) => day.split('-').toReversed().join(mark)
const pairOf = ({ paise }: Printed, money: (paise: number) => string, empty: string) => [
  paise < 0 ? money(-paise) : empty,
  paise > 0 ? money(paise) : empty,
]

const LAYOUTS: Record<string, Layout> = {
  hdfc: {
    headings: ['Date', 'Narration', 'Chq./Ref.No.', 'Value Dt', 'Withdrawal Amt.', 'Deposit Amt.', 'Closing Balance'],
    pair: ['Withdrawal Amt.', 'Deposit Amt.'],
    narration: ({ ref, name, vpa, note }) => `UPI-${name}-${vpa.toUpperCase()}-UTIB0000123-${ref}-${note}`,
    cells: (row, money) => {
      const day = dmy(row.day, '/').replace('/20', '/')
      return [day, row.narration, `0000${row.ref}`, day, ...pairOf(row, money, ''), money(row.balance)]
    },
  },
  icici: {
    headings: [
      'S No.',
      'Value Date',
      'Transaction Date',
      'Cheque Number',
      'Transaction Remarks',
      'Withdrawal Amount (INR )',
      'Deposit Amount (INR )',
      'Balance (INR )',
    ],
    pair: ['Withdrawal Amount (INR )', 'Deposit Amount (INR )'],
    narration: ({ ref, vpa, note }) => `UPI/${ref}/${note}/${vpa}/Axis Bank Ltd./ICI7de43fa40188479e`,
    cells: (row, money) => [
      '1',
      dmy(row.day, '/'),
      dmy(row.day, '/'),
      '-',
      row.narration,
      ...pairOf(row, money, '0.0'),
      money(row.balance),
    ],
  },
  sbi: {
    headings: ['Txn Date', 'Value Date', 'Description', 'Ref No./Cheque No.', '        Debit', 'Credit', 'Balance'],
    pair: ['        Debit', 'Credit'],
    narration: ({ ref, paise, name, vpa, note }) =>
      `${paise > 0 ? 'BY TRANSFER-UPI/CR' : 'TO TRANSFER-UPI/DR'}/${ref}/${name}/UBIN/${vpa}/${note}--`,
    cells: (row, money) => [
      row.day,
      row.day,
      row.narration,
      'TRANSFER FROM 4897736162097',
      ...pairOf(row, money, ' '),
      money(row.balance),
    ],
  },
  axis: {
    headings: ['Tran Date', 'CHQNO', 'PARTICULARS', 'DR', 'CR', 'BAL', 'SOL'],
    pair: ['DR', 'CR'],
    narration: ({ ref, name, note }) => `UPI/P2A/${ref}/${name}/State Ban/${note}`,
    cells: (row, money) => [
      dmy(row.day, '-'),
      '-   ',
      row.narration,
      ...pairOf(row, money, '    '),
      money(row.balance),
      '248',
    ],
  },
  kotak: {
    headings: [
      'Sl. No.',
      'Transaction Date',
      'Value Date',
      'Description',
      'Chq / Ref No.',
      'Amount',
      'Dr / Cr',
      'Balance',
      'Dr / Cr',
    ],
    narration: ({ ref, name, note }) => `UPI/${name}/${ref}/${note}`,
    cells: (row, money) => [
      '1',
      `${dmy(row.day, '-')} 10:20:11`,
      dmy(row.day, '-'),
      row.narration,
      'UPI-6237379201',
      money(Math.abs(row.paise)),
      row.paise < 0 ? 'DR' : 'CR',
      money(row.balance),
      'CR',
    ],
  },
  kotakSigned: {
    headings: ['#', 'Transaction Date', 'Transaction Details', 'Chq / Ref No.', 'DEBIT/CREDIT(INR)', 'BALANCE(INR)'],
    narration: ({ ref, name, note }) => `UPI/${name}/BARB/${ref}/${note}`,
    cells: (row, money) => [
      '1',
      row.day,
      row.narration,
      '',
      `${row.paise < 0 ? '-' : '+'}${money(Math.abs(row.paise))}`,
      money(row.balance),
    ],
  },
  yes: {
    headings: ['Transaction Date', 'Value Date', 'Description', 'Withdrawals', 'Deposits', 'Balance'],
    pair: ['Withdrawals', 'Deposits'],
    narration: ({ ref, vpa, note }) => `UPI/${ref}/From:${vpa}/To:shop@yesg/${note}`,
    cells: (row, money) => [
      dmy(row.day, '/'),
      dmy(row.day, '/'),
      row.narration,
      ...pairOf(row, money, ''),
      money(row.balance),
    ],
  },
  union: {
    headings: ['S.No', 'Date', 'Transaction Id', 'Remarks', 'Amount(Rs.)', 'Balance(Rs.)'],
    narration: ({ ref, paise, name, vpa }) => `UPIAB/${ref}/${paise > 0 ? 'CR' : 'DR'}/${name}/SBIN/${vpa}`,
    cells: (row, money) => [
      '1',
      dmy(row.day, '/'),
      'S12345670',
      row.narration,
      `${money(Math.abs(row.paise))} (${row.paise < 0 ? 'Dr' : 'Cr'})`,
      `${money(row.balance)} (Cr)`,
    ],
  },
}

const STRANGER = '632999999999'
const note = fc.oneof(
  fc.string({ maxLength: 25 }),
  fc.constantFrom(
    'Pay',
    `UPI/CR/${STRANGER}/A`,
    STRANGER,
    `-UTIB0000123-${STRANGER}-`,
    '1,000.00,5',
    'a\nb',
    '01/11/2026',
    '"',
  ),
)
const transfer: fc.Arbitrary<Transfer> = fc.record({
  paise: fc.oneof(
    fc.integer({ min: 1, max: 5_000_000_00 }),
    fc.constantFrom(500_00, 1_000_00, -500_00),
    fc.integer({ min: -900_000_00, max: -1 }),
  ),
  ref: fc.stringMatching(/^[1-9]\d{11}$/).filter((ref) => ref !== STRANGER),
  name: fc.stringMatching(/^[A-Z][A-Z ]{0,10}$/),
  vpa: fc.stringMatching(/^[a-z][a-z0-9.]{1,9}@[a-z]{3,8}$/),
  note,
  later: fc.constantFrom(0, 0, 1, 3),
})
const PREAMBLES = [
  '',
  'Account Number,,50100012345678\n\n',
  '"Dear customer, ""hello""\nAddress: 12, LANE"\nStatement From : 01/01/2026 To : 31/12/2026\n',
  'प्रिय ग्राहक\nखाता विवरण\n',
]
const file = fc.record({
  layout: fc.constantFrom(...Object.keys(LAYOUTS)),
  transfers: fc.uniqueArray(transfer, { minLength: 2, maxLength: 12, selector: ({ ref }) => ref }),
  delimiter: fc.constantFrom(',', '\t', ';', '|'),
  preamble: fc.constantFrom(...PREAMBLES),
  newestFirst: fc.boolean(),
  swapped: fc.boolean(),
  lakhs: fc.boolean(),
  breaks: fc.constantFrom('\n', '\r\n'),
  mark: fc.constantFrom('', '\uFEFF'),
})
type File = typeof file extends fc.Arbitrary<infer Value> ? Value : never

/** Rows as the bank keeps them, oldest first. */
function rowsOf({ layout, transfers }: File): Printed[] {
  let balance = 10_000_000_00
  let day = Date.parse('2026-11-01')
  return transfers.map((transfer) => {
    balance += transfer.paise
    day += transfer.later * 86_400_000
    const { ref, paise } = transfer
    return {
      day: new Date(day).toISOString().slice(0, 10),
      ref,
      paise,
      balance,
      narration: LAYOUTS[layout]!.narration(transfer),
    }
  })
}

function textOf(given: File, rows: Printed[], swapped: boolean): string {
  const { headings, cells, pair } = LAYOUTS[given.layout]!
  const inr = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, useGrouping: given.lakhs })
  const money = (paise: number) => inr.format(paise / 100)
  const named = headings.map((heading) =>
    swapped && pair?.includes(heading) ? (pair.find((other) => other !== heading) ?? '') : heading,
  )
  const printed = given.newestFirst ? rows.toReversed() : rows
  const quoted = (texts: string[]) =>
    texts
      .map((text) =>
        text.includes('"') || text.includes('\n') || text.includes(given.delimiter)
          ? csvLine([text, '']).slice(0, -3)
          : text,
      )
      .join(given.delimiter)
  const lines = [quoted(named), ...printed.map((row) => quoted(cells(row, money)))]
  return given.mark + given.preamble.replaceAll('\n', given.breaks) + lines.join(given.breaks) + given.breaks
}

const creditsIn = (statement: Statement) => statement.lines.filter(({ direction }) => direction === 'credit')
const shown = (statement: Statement) =>
  creditsIn(statement).map(({ amountPaise, refs, day }) => [amountPaise, refs.join(), day])
const isSwapped = (given: File) =>
  given.swapped && LAYOUTS[given.layout]!.pair !== undefined && given.transfers.length > 3

describe('of a thousand files', () => {
  test('every reference is read, and none else, and no debit is a credit', () => {
    fc.assert(
      fc.property(file, (given) => {
        const rows = rowsOf(given)
        const statement = readStatement(textOf(given, rows, false))

        // Of one day, a file can be right from either end
        const came = rows.filter(({ paise }) => paise > 0).map(({ paise, ref, day }) => [paise, ref, day])
        expect(shown(statement).map(String).toSorted()).toEqual(came.map(String).toSorted())
        expect(statement.balances === 'broken').toBe(false)
        expect(statement.swapped).toBe(false)
      }),
      { numRuns: 1_000 },
    )
  })

  test('with swapped labels none is read as another one', () => {
    fc.assert(
      fc.property(file, (given) => {
        fc.pre(isSwapped(given))
        const rows = rowsOf(given)
        const statement = readStatement(textOf(given, rows, true))

        const real = new Set(rows.filter(({ paise }) => paise > 0).map(({ ref }) => ref))
        for (const { refs, proof } of creditsIn(statement))
          if (proof === 'statement') expect(real.has(refs[0]!)).toBe(true)
        // Money that is owed, printed without a sign, would look the same. Only one bank is known to swap them
        if (given.layout !== 'axis') expect(statement.swapped).toBe(false)
        if (statement.swapped) expect(shown(statement).map(([, ref]) => ref)).toEqual([...real])
      }),
      { numRuns: 200 },
    )
  })

  test('a row with one changed amount, balance or label is not proven', () => {
    const change = fc.record({
      at: fc.nat(11),
      what: fc.constantFrom('amount', 'balance', 'label'),
      by: fc.integer({ min: 1, max: 99_999 }),
    })
    fc.assert(
      fc.property(file, change, (drawn, { at, what, by }) => {
        // On one day nothing tells the order, so a changed file could be an honest one, read from the other end
        const given = { ...drawn, transfers: drawn.transfers.map((each) => ({ ...each, later: each.later + 1 })) }
        const rows = rowsOf(given)
        const index = at % rows.length
        const row = rows[index]!
        const paise =
          what === 'amount' ? row.paise + (row.paise > 0 ? by : -by) : what === 'label' ? -row.paise : row.paise
        rows[index] = { ...row, paise, balance: row.balance + (what === 'balance' ? by : 0) }
        const statement = readStatement(textOf(given, rows, false))

        const line = statement.lines.find(({ refs }) => refs.includes(row.ref))
        if (what !== 'balance') expect(line?.proof).toBe('none')
        for (const { proof, refs, amountPaise, direction } of statement.lines.filter(
          ({ proof }) => proof === 'statement',
        )) {
          const real = given.transfers.find(({ ref }) => refs.includes(ref))
          expect([proof, direction === 'credit' ? amountPaise : -amountPaise]).toEqual(['statement', real?.paise])
        }
      }),
      { numRuns: 400 },
    )
  })

  test('a file twice, and two files that overlap, hold the same credits', () => {
    fc.assert(
      fc.property(file, fc.nat(11), (given, cut) => {
        const rows = rowsOf(given)
        const whole = textOf(given, rows, false)
        const set = (...texts: string[]) => new Set(texts.flatMap((text) => shown(readStatement(text)).map(String)))
        const [early, late] = [rows.slice(0, cut + 1), rows.slice(Math.min(cut, rows.length - 1))]

        expect(set(`${whole}${whole.replace('\uFEFF', '')}`)).toEqual(set(whole))
        expect(set(textOf(given, early, false), textOf(given, late, false))).toEqual(set(whole))
      }),
      { numRuns: 150 },
    )
  })
})

test('ten thousand lines let other work run in between', async () => {
  const given: File = {
    layout: 'hdfc',
    transfers: Array.from({ length: 10_000 }, (_, at) => ({
      paise: 500_00,
      ref: String(632_000_000_000 + at),
      name: 'RAVI',
      vpa: 'ravi@okaxis',
      note: 'x',
      later: 0,
    })),
    delimiter: ',',
    preamble: '',
    newestFirst: true,
    swapped: false,
    lakhs: true,
    breaks: '\n',
    mark: '',
  }
  const text = textOf(given, rowsOf(given), false)
  let others = 0
  const next = () => {
    others += 1
    turn = setImmediate(next)
  }
  let turn = setImmediate(next)

  const statement = await readStatementInTurns(text)
  clearImmediate(turn)

  expect(statement.lines).toHaveLength(10_000)
  expect(statement.lines.filter(({ proof }) => proof === 'statement')).toHaveLength(9_999)
  expect(others).toBeGreaterThan(10)
})
