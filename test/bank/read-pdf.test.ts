import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { readStatement } from '../worlds/statements.ts'
import { readPdfBy, type PdfLibrary } from '../../web/bank/admin/pdf/read-pdf.ts'
import { LAYOUTS, pdfStatement, type Form } from './pdf-statements.ts'
import { pdfOf } from './pdf-of.ts'
import { writePdf } from './pdf-writer.ts'

const FILES = path.resolve(import.meta.dirname, 'files')
const PASSWORD = 'ravi0101'
/** What a payer can write, also to be taken for something else. */
const NOTES = [
  'UPI',
  'Payment from PhonePe',
  'order 632309989203 for the shop',
  '17/11/2026 500.00 1,000.00',
  'UPI/CR/632309989203/HDFC',
  'Opening Balance 500.00 Cr',
  'gift',
]

let library: PdfLibrary

beforeAll(async () => {
  // Node 20 has none of its own, and all browsers of today do
  if (!('withResolvers' in Promise)) Object.assign(Promise, { withResolvers })
  library = await import('pdfjs-dist/legacy/build/pdf.mjs')
})

function withResolvers<T>() {
  let settle: ((value: T | PromiseLike<T>) => void) | undefined
  let reject: ((reason?: unknown) => void) | undefined
  const promise = new Promise<T>((done, fail) => ([settle, reject] = [done, fail]))
  return { promise, resolve: settle, reject }
}

/** The same numbers for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed * 2_654_435_761
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e_37_79_b9) | 0
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32
  }
}

const formOf = (seed: number): Form => ({
  layout: LAYOUTS[seed % LAYOUTS.length]!,
  font: seed % 3 === 0 ? 'Courier' : 'Helvetica',
  // Letters of one width are wide
  size: seed % 3 === 0 ? 6 : [6, 7, 8][(seed % 7) % 3]!,
  rows: [3, 12, 40, 90][Math.floor(seed / 10) % 4]!,
  password: seed % 4 === 1 ? PASSWORD : undefined,
  notes: NOTES,
  random: randomOf(seed + 1),
})

const read = async (file: Uint8Array<ArrayBuffer>, password?: string) =>
  readStatement(await readPdfBy(library, file, { password }))
const creditsOf = ({ lines }: ReturnType<typeof readStatement>) =>
  lines.flatMap(({ direction, day, amountPaise, refs }) =>
    direction === 'credit' ? [{ day, paise: amountPaise, refs }] : [],
  )

describe('generated PDFs', () => {
  test.each(LAYOUTS.map(({ name }, at) => [name, at] as const))(
    'of %s: every credit is read, and no other',
    async (_, at) => {
      for (let round = 0; round < 20; round++) {
        const form = formOf(at + round * LAYOUTS.length)
        const { file, credits } = pdfStatement(form)

        const statement = await read(file, form.password)

        expect({ round, ...statement, lines: [] }).toMatchObject({
          balances: 'proven',
          problems: [],
          bank: form.layout.name,
        })
        expect({ round, credits: creditsOf(statement) }).toEqual({
          round,
          credits: credits.map(({ ref, ...credit }) => ({ ...credit, refs: [ref] })),
        })
      }
    },
  )
})

/** @param lines of cells by their left edges */
const pageOf = (...lines: [number, string][][]): PdfLibrary => {
  const items = lines.flatMap((cells, at) =>
    cells.map(([x, str]) => ({ str, transform: [8, 0, 0, 8, x, 700 - at * 11], width: str.length * 4 })),
  )
  return pdfOf((sink) => {
    sink.enqueue({ items })
    sink.close()
  })
}

test('a date in the first row of its day alone is the date of the rows below', async () => {
  const head: [number, string][] = [
    [20, 'Date'],
    [80, 'Narration'],
    [320, 'Withdrawal'],
    [400, 'Deposit'],
    [480, 'Balance'],
  ]
  const row = (date: string, ref: string, into: string, balance: string): [number, string][] => [
    ...(date === '' ? [] : ([[20, date]] satisfies [number, string][])),
    [80, `UPI/${ref}/CR/RAVI/UTIB/r@ybl/x`],
    [400, into],
    [480, balance],
  ]
  const rows = [
    row('17/11/2026', '632110000001', '500.00', '1,500.00'),
    row('', '632110000002', '200.00', '1,700.00'),
    [[80, 'a longer note']] satisfies [number, string][],
    row('', '632110000003', '50.00', '1,750.00'),
    row('18/11/2026', '632210000004', '300.00', '2,050.00'),
  ]
  const sums = async (...more: [number, string][][]) => {
    const { lines, balances } = readStatement(await readPdfBy(pageOf(head, ...rows, ...more), new Uint8Array(), {}))
    return [balances, ...lines.map(({ day, refs, amountPaise }) => `${day} ${refs.join()} ${amountPaise}`)]
  }
  const right = [
    'proven',
    '2026-11-17 632110000001 50000',
    '2026-11-17 632110000002 20000',
    '2026-11-17 632110000003 5000',
    '2026-11-18 632210000004 30000',
  ]

  expect(await sums()).toEqual(right)
  expect(
    await sums([
      [80, 'Total'],
      [320, '0.00'],
      [400, '1,050.00'],
      [480, '2,050.00'],
    ]),
  ).toEqual(right)
  // It does not follow from the row above
  expect(await sums(row('', '632210000005', '10.00', '9,060.00'))).toEqual(right)
})

describe('the page of a payment app', () => {
  const linesIn = async (from: PdfLibrary) => {
    const { layout, lines, problems } = readStatement(await readPdfBy(from, new Uint8Array(), {}))
    expect(problems).toEqual([])
    return [layout, ...lines.map(({ direction, amountPaise, refs, tail }) => [direction, amountPaise, refs, tail])]
  }

  test('of Google Pay is read without balances', async () => {
    const row = (date: string, details: string[], sum: string): [number, string][][] => [
      [
        [40, date],
        [160, details[0]!],
        [480, sum],
      ],
      [
        [40, '11:38 AM'],
        [160, details[1]!],
      ],
      [[160, details[2]!]],
      [],
    ]
    const read = await linesIn(
      pageOf(
        [[40, 'Transaction statement']],
        [[40, 'Transaction statement period 01 November 2026 - 28 November 2026 Sent ₹85 Received ₹1,708.07']],
        [],
        [
          [40, 'Date & time'],
          [160, 'Transaction details'],
          [480, 'Amount'],
        ],
        [],
        ...row(
          '24 Nov, 2026',
          ['Received from ANU P', 'UPI Transaction ID: 632812340091', 'Paid to SBI 1234'],
          '₹700.50',
        ),
        ...row('25 Nov, 2026', ['Paid to A SHOP', 'UPI Transaction ID: 632912340092', 'Paid by SBI 1234'], '₹85'),
        ...row(
          '26 Nov, 2026',
          ['Received from UPI Transaction ID: 633000000001', 'UPI Transaction ID: 633012340093', 'Paid to SBI 1234'],
          '₹900',
        ),
        ...row(
          '27 Nov, 2026',
          ['Received from KIRAN', 'UPI Transaction ID: 633112340094', 'Paid to SBI 1234'],
          '₹5,000',
        ),
      ),
    )

    expect(read).toEqual([
      'gpay-app',
      ['credit', 70_050, ['632812340091'], '1234'],
      ['debit', 8_500, ['632912340092'], '1234'],
      // The payer calls himself by another payment's number
      ['credit', 90_000, [], '1234'],
      ['credit', 500_000, ['633112340094'], '1234'],
    ])
  })

  test('of PhonePe is read by its types', async () => {
    const row = (date: string, details: string[], type: string, sum: string): [number, string][][] => [
      [
        [40, date],
        [140, details[0]!],
        [400, type],
        [480, sum],
      ],
      [
        [40, '09:00 am'],
        [140, details[1]!],
      ],
      [[140, details[2]!]],
      [[140, details[3]!]],
      [],
    ]
    const read = await linesIn(
      pageOf(
        [[40, 'Transaction Statement for +919800000000']],
        [
          [40, 'Date'],
          [140, 'Transaction Details'],
          [400, 'Type'],
          [480, 'Amount'],
        ],
        [],
        ...row(
          'Nov 25, 2026',
          [
            'Received from ANU P',
            'Transaction ID T2611250900461826377542',
            'UTR No. 632912340095',
            'Credited to XXXXXX5678',
          ],
          'CREDIT',
          '₹150',
        ),
        ...row(
          'Nov 24, 2026',
          ['Paid to A SHOP', 'Transaction ID T2611240900461826377543', 'UTR No. 632812340096', 'Paid by XXXXXX5678'],
          'DEBIT',
          '₹20',
        ),
      ),
    )

    expect(read).toEqual([
      'phonepe-pdf',
      ['debit', 2_000, ['632812340096'], '5678'],
      ['credit', 15_000, ['632912340095'], '5678'],
    ])
  })
})

test('a dash for “nothing” is in no other column', async () => {
  for (const [at, layout] of LAYOUTS.entries()) {
    const form = { ...formOf(at + 10), layout: { ...layout, nothing: '-' }, password: undefined }
    const { file, credits } = pdfStatement(form)

    const statement = await read(file)

    expect({ name: layout.name, ...statement, lines: [] }).toMatchObject({ balances: 'proven', problems: [] })
    expect(creditsOf(statement)).toEqual(credits.map(({ ref, ...credit }) => ({ ...credit, refs: [ref] })))
  }
})

describe('the dates of other banks', () => {
  const [, , , , , , wide] = LAYOUTS

  test.each([
    ['2026-11-05', (day: number) => `2026-11-${day}`],
    ['November5, 2026', (day: number) => `November${day}, 2026`],
    ['Nov 5, 2026', (day: number) => `Nov ${day}, 2026`],
    ["05 Nov '26", (day: number) => `${day} Nov '26`],
    // As a PDF writes ‘
    ['05 Nov ‘26', (day: number) => `${day} Nov \u009126`],
    ['05-Nov-26 (05-Nov-26)', (day: number) => `${day}-Nov-26 (${day}-Nov-26)`],
  ])('are read as %s', async (_, dates) => {
    const { file, credits } = pdfStatement({ ...formOf(16), layout: { ...wide!, dates }, size: 6, password: undefined })

    const statement = await read(file)

    expect(statement).toMatchObject({ balances: 'proven', problems: [] })
    expect(creditsOf(statement)).toEqual(credits.map(({ ref, ...credit }) => ({ ...credit, refs: [ref] })))
  })

  test('are read with the day of the value below, in brackets', async () => {
    const at = (y: number, ...cells: [number, string][]) => cells.map(([x, text]) => ({ x, y, text }))
    const row = (n: number) => [
      ...at(
        120 + n * 30,
        [40, `1${n}-Nov-26`],
        [130, `UPI/63251590000${n}/CR/RAVI/UT`],
        [420, '500.00'],
        [490, `${n * 500}.00`],
      ),
      ...at(130 + n * 30, [40, `(1${n}-Nov-26)`], [130, 'IB/ravi@okaxis']),
    ]
    const heads = at(
      100,
      [40, 'Date(Value Date)'],
      [130, 'Particulars'],
      [330, 'Debit(Rs)'],
      [410, 'Credit(Rs)'],
      [480, 'Balance(Rs)'],
    )

    const statement = await read(writePdf([[...heads, ...[1, 2, 3].flatMap(row)]], { font: 'Helvetica', size: 8 }))

    expect(statement).toMatchObject({ balances: 'proven', problems: [] })
    expect(creditsOf(statement)).toEqual(
      [1, 2, 3].map((n) => ({ day: `2026-11-1${n}`, paise: 500_00, refs: [`63251590000${n}`] })),
    )
  })
})

describe('a PDF that a program of today has made', () => {
  const wanted = JSON.parse(readFileSync(path.join(FILES, 'expected.json'), 'utf8')) as Record<string, unknown>

  test.each([
    ['calc.pdf', 'calc', undefined],
    ['calc-locked.pdf', 'calc', 'ravi1990'],
    ['writer.pdf', 'writer', undefined],
  ])('%s is read', async (name, key, password) => {
    const statement = await read(new Uint8Array(readFileSync(path.join(FILES, name))), password)

    expect(statement).toMatchObject({ balances: 'proven', problems: [] })
    expect(creditsOf(statement).map(({ day, paise, refs }) => [day, paise, refs.join(' ')])).toEqual(wanted[key])
  })
})

describe('the balances', () => {
  test('prove nothing once a digit, an amount or a direction is another', async () => {
    for (let seed = 0; seed < 30; seed++) {
      const form = { ...formOf(seed), rows: 12, password: undefined }
      const at = 1 + (seed % 11)
      const altered: Form['altered'] = ({ paise, balance }, row) =>
        row !== at
          ? { paise, balance }
          : [
              { paise: paise + 100 * Math.sign(paise), balance },
              { paise, balance: balance + 900_000 },
              { paise: 0 - paise, balance },
            ][seed % 3]!

      const statement = await read(pdfStatement({ ...form, altered }).file)

      expect({ seed, balances: statement.balances }).toEqual({ seed, balances: 'broken' })
      expect(statement.lines.every(({ proof }) => proof === 'none')).toBe(true)
    }
  })
})

describe('a PDF that is no statement', () => {
  const form = { font: 'Helvetica', size: 8 } as const
  const words = 'This letter says nothing of money and has no table at all'.split(' ')
  const lines = words.map((text, at) => ({ text, x: 40, y: 40 + at * 12 }))

  test.each([
    ['a picture', writePdf([[], []], form), undefined, 'is a picture'],
    ['a letter', writePdf([lines], form), undefined, 'no table'],
    [
      'one with too many pages',
      writePdf(
        Array.from({ length: 301 }, () => lines),
        form,
      ),
      undefined,
      '300 pages',
    ],
    ['no PDF at all', new Uint8Array(Buffer.from('%PDF-1.7 and nothing')), undefined, 'can’t be read'],
    ['one that is locked', writePdf([lines], { ...form, password: 'x' }), undefined, 'opens with a password'],
    ['one with another password', writePdf([lines], { ...form, password: 'x' }), 'y', 'doesn’t open'],
  ])('%s is refused in words', async (_, file, password, said) => {
    await expect(readPdfBy(library, file.slice(), { password })).rejects.toThrow(said)
  })

  test('and one that is cut is refused in words, or read', async () => {
    const { file } = pdfStatement({ ...formOf(10), password: undefined })
    for (let part = 1; part < 12; part++) {
      const result = await readPdfBy(library, file.slice(0, (file.length * part) / 12), {}).catch(
        ({ name }: Error) => name,
      )
      expect(result).toMatch(/^FileFault$|Date/)
    }
  })

  test('and one with a hundred thousand words on a page, or with a line of thousands, is refused at once', async () => {
    const items = Array.from({ length: 1_000 }, (_, at) => ({
      str: 'ab',
      transform: [8, 0, 0, 8, at * 14, 9],
      width: 10,
    }))
    let left = 100
    const endless = pdfOf(undefined, (sink) => (left-- > 0 ? sink.enqueue({ items }) : sink.close()))
    const started = performance.now()

    await expect(readPdfBy(endless, new Uint8Array(), {})).rejects.toThrow('lines')
    left = 15
    await expect(readPdfBy(endless, new Uint8Array(), {})).rejects.toThrow('no table')
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  test('and one that keeps its worker busy is given up after twenty seconds without a page', async () => {
    const never = () => new Promise<never>(() => {})
    /** Of so many pages, of which one comes every fifteen seconds. */
    const slow = (numPages: number): PdfLibrary => ({
      getDocument: () => ({
        promise: Promise.resolve({
          numPages,
          getPage: async (number) => {
            await new Promise((resolve) => setTimeout(resolve, number * 15_000))
            const streamTextContent = () => new ReadableStream<never>({ start: (sink) => sink.close() })
            return { getViewport: () => ({ transform: [1, 0, 0, -1, 0, 800] }), streamTextContent }
          },
        }),
        destroy: () => Promise.resolve(),
      }),
    })
    vi.useFakeTimers()
    const said = async (library: PdfLibrary, ms: number) => {
      const reading = readPdfBy(library, new Uint8Array(), {}).catch(({ message }: Error) => message)
      await vi.advanceTimersByTimeAsync(ms)
      return Promise.race([reading, Promise.resolve('not yet')])
    }
    try {
      const busy: PdfLibrary = { getDocument: () => ({ promise: never(), destroy: never }) }
      expect(await said(busy, 19_999)).toBe('not yet')
      expect(await said(busy, 20_000)).toContain('takes too long')
      expect(await said(slow(5), 75_000), 'read to its end').toContain('is a picture')
      expect(await said(slow(16), 119_999)).toBe('not yet')
      expect(await said(slow(16), 120_000), 'longer than anybody waits').toContain('takes too long')
    } finally {
      vi.useRealTimers()
    }
  })
})
