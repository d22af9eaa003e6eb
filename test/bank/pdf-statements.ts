/** Statements as PDF files, in forms of several banks, with what is written in them. */
import { widthOf, writePdf, type Font, type Placed } from './pdf-writer.ts'

type Kind =
  | 'serial'
  | 'date'
  | 'value'
  | 'narration'
  | 'reference'
  | 'cheque'
  | 'debit'
  | 'credit'
  | 'amount'
  | 'side'
  | 'balance'

interface Column {
  /** Its lines. */
  names: string[]
  kind: Kind
  width: number
  /** Of what stands below. */
  align?: 'left' | 'right'
}

export interface Layout {
  name: string
  about: string[]
  columns: Column[]
  heads: 'left' | 'centre' | 'right'
  dates: (day: number) => string
  money: (paise: number, balance?: boolean) => string
  narration: (ref: string, row: { name: string; note: string; isCredit: boolean }) => string
  /** Where the other cells stand beside a wrapped narration. */
  place: 'top' | 'middle' | 'bottom'
  /** Between rows, in points. */
  padding: number
  newestFirst?: true
  opening?: true
  /** Without headings on the second page and later ones. */
  headOnce?: true
  /** What stands where no money went or came. */
  nothing?: string
}

export interface Row {
  day: string
  paise: number
  ref: string
}

const MONTHS = ['Nov', 'NOV', 'November']
const two = (day: number) => String(day).padStart(2, '0')
const plain = (paise: number) => (paise / 100).toFixed(2)
const grouped = (paise: number) => {
  const [rupees = '', rest = ''] = plain(Math.abs(paise)).split('.')
  return `${paise < 0 ? '-' : ''}${rupees.replaceAll(/(\d)(?=(\d\d)+\d$)/g, '$1,')}.${rest}`
}

const column = (kind: Kind, names: string, width: number, align?: 'left' | 'right'): Column => ({
  kind,
  names: names.split('|'),
  width,
  ...(align && { align }),
})

export const LAYOUTS: readonly Layout[] = [
  {
    name: 'HDFC',
    about: ['HDFC BANK LIMITED', 'Account No : 50100012345678', 'From : 17/11/2026 To : 22/11/2026'],
    columns: [
      column('date', 'Date', 50),
      column('narration', 'Narration', 165),
      column('reference', 'Chq./Ref.No.', 85),
      column('value', 'Value Dt', 50),
      column('debit', 'Withdrawal Amt.', 70, 'right'),
      column('credit', 'Deposit Amt.', 65, 'right'),
      column('balance', 'Closing Balance', 75, 'right'),
    ],
    heads: 'centre',
    dates: (day) => `${two(day)}/11/26`,
    money: grouped,
    narration: (ref, { name, note }) => `UPI-${name}-${name.replaceAll(' ', '')}@OKAXIS-UTIB0000123-${ref}-${note}`,
    place: 'top',
    padding: 4,
  },
  {
    name: 'SBI',
    about: [
      'State Bank of India',
      'Account Number : 00000031234567890',
      'Account Statement from 17 Nov 2026 to 22 Nov 2026',
    ],
    columns: [
      column('date', 'Txn Date', 60),
      column('value', 'Value|Date', 60),
      column('narration', 'Description', 150),
      column('cheque', 'Ref No./Cheque|No.', 90),
      column('debit', 'Debit', 60, 'right'),
      column('credit', 'Credit', 60, 'right'),
      column('balance', 'Balance', 70, 'right'),
    ],
    heads: 'left',
    dates: (day) => `${day} ${MONTHS[0]} 2026`,
    money: grouped,
    narration: (ref, { name, note, isCredit }) =>
      [
        `${isCredit ? 'BY' : 'TO'} TRANSFER-UPI/${isCredit ? 'CR' : 'DR'}`,
        `${ref}/${name}/HDFC/${name.slice(0, 4)}@okaxis/${note}--`,
      ].join('/'),
    place: 'top',
    padding: 3,
  },
  {
    name: 'Karnataka',
    about: ['Karnataka Bank Ltd', 'Account No : 0012500100012345'],
    columns: [
      column('date', 'Date', 58),
      column('narration', 'Particulars', 180),
      column('cheque', 'Chq No', 45),
      column('debit', 'Withdrawals', 80, 'right'),
      column('credit', 'Deposits', 80, 'right'),
      column('balance', 'Balance', 85, 'right'),
    ],
    heads: 'right',
    dates: (day) => `${two(day)}-11-2026`,
    money: plain,
    narration: (ref, { name, note }) => `UPI:${ref}:${name.slice(0, 3).toLowerCase()}@okaxis(${name} ${note})`,
    place: 'middle',
    padding: 5,
  },
  {
    name: 'Kotak',
    about: ['Kotak Mahindra Bank', 'Account No. 1234567899'],
    columns: [
      column('serial', '#', 20),
      column('date', 'Date', 62),
      column('narration', 'Description', 150),
      column('reference', 'Chq / Ref No', 95),
      column('debit', 'Withdrawal (Dr.)', 75, 'right'),
      column('credit', 'Deposit (Cr.)', 70, 'right'),
      column('balance', 'Balance', 75, 'right'),
    ],
    heads: 'left',
    dates: (day) => `${two(day)} ${MONTHS[0]} 2026`,
    money: grouped,
    narration: (ref, { name, note }) => `UPI/${name}/${ref}/${note}`,
    place: 'top',
    padding: 6,
    opening: true,
  },
  {
    name: 'Union',
    about: ['Union Bank of India', 'Account Number 123456789012345'],
    columns: [
      column('serial', 'S.No', 28),
      column('date', 'Date', 60),
      column('narration', 'Remarks', 190),
      column('amount', 'Amount(Rs.)', 110, 'right'),
      column('balance', 'Balance(Rs.)', 120, 'right'),
    ],
    heads: 'left',
    dates: (day) => `${two(day)}-11-2026`,
    money: (paise, isBalance) => `${grouped(Math.abs(paise))} (${isBalance || paise > 0 ? 'Cr' : 'Dr'})`,
    narration: (ref, { name, note, isCredit }) =>
      `UPIAR/${ref}/${isCredit ? 'CR' : 'DR'}/${name}/SBIN/${name.slice(0, 3).toLowerCase()}@ybl/${note}`,
    place: 'top',
    padding: 4,
    newestFirst: true,
  },
  {
    name: 'Indian Bank',
    about: ['INDIAN BANK', 'Account Number : 7123454567'],
    columns: [
      column('date', 'Date', 65),
      column('narration', 'Transaction|Details', 180),
      column('debit', 'Debits', 90, 'right'),
      column('credit', 'Credits', 90, 'right'),
      column('balance', 'Balance', 95, 'right'),
    ],
    heads: 'right',
    dates: (day) => `${two(day)} ${MONTHS[0]} 2026`,
    money: (paise) => `INR ${grouped(paise)}`,
    narration: (ref, { name, note, isCredit }) =>
      `UPI/${ref}/${isCredit ? 'CR' : 'DR'}/${name}/YESB/${name.slice(0, 3).toLowerCase()}@ybl/${note}`,
    place: 'bottom',
    padding: 3,
  },
  {
    name: 'Karur Vysya',
    about: ['Karur Vysya Bank', 'Account Number 1276135000008895'],
    columns: [
      column('date', 'Transaction Date', 95),
      column('value', 'Value Date', 62),
      column('narration', 'Particulars', 140),
      column('reference', 'Ref.No.', 70),
      column('debit', 'Debit', 55, 'right'),
      column('credit', 'Credit', 55, 'right'),
      column('balance', 'Running|Balance', 65, 'right'),
    ],
    heads: 'left',
    dates: (day) => `${two(day)}-${MONTHS[1]}-2026`,
    money: plain,
    narration: (ref, { name, note, isCredit }) =>
      `UPI-${isCredit ? 'CR' : 'DR'}-${ref}-${name}-KVBL-1708155000018895-${note}`,
    place: 'top',
    padding: 4,
  },
  {
    name: 'Federal',
    about: ['THE FEDERAL BANK LTD', 'Account Number : 12340100012345'],
    columns: [
      column('date', 'Date', 62),
      column('value', 'Value Date', 62),
      column('narration', 'Particulars', 150),
      column('debit', 'Withdrawals', 75, 'right'),
      column('credit', 'Deposits', 75, 'right'),
      column('balance', 'Balance', 75, 'right'),
      column('side', 'Cr/Dr', 30),
    ],
    heads: 'right',
    dates: (day) => `${two(day)}-${MONTHS[1]}-2026`,
    money: grouped,
    narration: (ref, { name, note, isCredit }) =>
      `UPI ${isCredit ? 'IN' : 'OUT'}/${ref}/${name.slice(0, 3).toLowerCase()}@ptsbi/${note}/0000`,
    place: 'middle',
    padding: 4,
    headOnce: true,
  },
  {
    name: 'Axis',
    about: ['AXIS BANK LTD', 'Statement of Axis Account No : 912010012345678', 'Opening Balance : 50,000.00'],
    columns: [
      column('date', 'Tran Date', 62),
      column('cheque', 'Chq No', 45),
      column('narration', 'Particulars', 180),
      column('debit', 'Debit', 75, 'right'),
      column('credit', 'Credit', 75, 'right'),
      column('balance', 'Balance', 80, 'right'),
      column('serial', 'Init.|Br', 30),
    ],
    heads: 'centre',
    dates: (day) => `${two(day)}-11-2026`,
    money: plain,
    narration: (ref, { name, note }) => `UPI/P2A/${ref}/${name}/HDFC BANK/${note}`,
    place: 'top',
    padding: 2,
  },
  {
    name: 'IDFC',
    about: ['IDFC FIRST Bank', 'ACCOUNT NO 10100000009999'],
    columns: [
      column('date', 'Transaction|Date', 65),
      column('value', 'Value|Date', 65),
      column('narration', 'Particulars', 160),
      column('cheque', 'Cheque|No.', 45),
      column('debit', 'Debit', 70, 'left'),
      column('credit', 'Credit', 70, 'left'),
      column('balance', 'Balance', 80, 'left'),
    ],
    heads: 'left',
    dates: (day) => `${two(day)}-${MONTHS[0]}-2026`,
    money: grouped,
    narration: (ref, { name, note, isCredit }) => `UPI/${isCredit ? 'CR' : 'DR'}/${ref}/${name}/HDFC/12345/${note}`,
    place: 'middle',
    padding: 6,
  },
  {
    name: 'Bandhan',
    about: ['Bandhan Bank', 'Account Number 50190012345678'],
    columns: [
      column('date', 'Transaction Date', 90),
      column('narration', 'Description', 160),
      column('amount', 'Amount', 75, 'right'),
      column('side', 'Dr / Cr', 60),
      column('balance', 'Balance', 80, 'right'),
    ],
    heads: 'left',
    dates: (day) => `${MONTHS[2]}${two(day)}, 2026`,
    money: (paise) => `INR${grouped(paise)}`,
    narration: (ref, { name, note, isCredit }) => `UPI/${isCredit ? 'CR' : 'DR'}/${ref}/${name}/SBIN/${note}`,
    place: 'top',
    padding: 4,
    newestFirst: true,
  },
]

export interface Form {
  layout: Layout
  font: Font
  size: number
  rows: number
  password?: string | undefined
  /** What the payers wrote. */
  notes: readonly string[]
  random: () => number
  /** Changes an amount, a balance or a direction as it is printed. */
  altered?: ((row: { paise: number; balance: number }, at: number) => { paise: number; balance: number }) | undefined
}

const NAMES = ['RAVI KUMAR', 'ANU S', 'KAVYA MENON', 'IMRAN SHEIKH', 'DEEPA NAIR', 'SURESH PATIL']
const LEFT = 15
const [TOP, BOTTOM] = [40, 790]
const LEADING = 1.15

/** @returns the file, and the credits that it shows, oldest first */
export function pdfStatement(form: Form): { file: Uint8Array<ArrayBuffer>; credits: Row[] } {
  const { layout, random, font, size } = form
  let balance = 5_000_000
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  const rows = Array.from({ length: form.rows }, (_, at) => {
    const isCredit = at === 0 || random() < 0.7
    const paise = isCredit
      ? 100 + Math.floor(random() * (random() < 0.1 ? 20_000_000 : 100_000))
      : -100 - Math.floor(random() * 20_000)
    balance += paise
    const ref = `6325${String(Math.floor(random() * 1e8)).padStart(8, '0')}`
    const day = 17 + Math.floor((at * 6) / form.rows)
    const printed = form.altered?.({ paise, balance }, at) ?? { paise, balance }
    return {
      ...printed,
      ref,
      day,
      narration: layout.narration(ref, { name: pick(NAMES), note: pick(form.notes), isCredit }),
    }
  })
  const credits = rows.flatMap(({ paise, ref, day }) => (paise > 0 ? [{ day: `2026-11-${day}`, paise, ref }] : []))
  const printed = layout.newestFirst ? rows.toReversed() : rows
  const cells = printed.map((row, at) => layout.columns.map(({ kind }) => cellOf(kind, row, at, layout)))
  if (layout.opening)
    cells.unshift(
      layout.columns.map(({ kind }) =>
        kind === 'narration' ? 'Opening Balance' : kind === 'balance' ? layout.money(5_000_000, true) : '',
      ),
    )
  return { file: writePdf(pagesOf(cells, form), { font, size, password: form.password }), credits }
}

function cellOf(
  kind: Kind,
  row: { paise: number; balance: number; ref: string; day: number; narration: string },
  at: number,
  { columns, dates, money, nothing = '' }: Layout,
): string {
  if (kind === 'serial') return String(at + 1)
  if (kind === 'date' || kind === 'value') return dates(row.day)
  if (kind === 'narration') return row.narration
  if (kind === 'reference') return row.ref
  if (kind === 'debit') return row.paise < 0 ? money(0 - row.paise) : nothing
  if (kind === 'credit') return row.paise > 0 ? money(row.paise) : nothing
  const hasSide = columns.some((each) => each.kind === 'side')
  if (kind === 'amount') return money(hasSide ? Math.abs(row.paise) : row.paise)
  if (kind === 'balance') return money(row.balance, true)
  const isAmounts = columns.some((each) => each.kind === 'amount')
  return kind === 'side' ? (isAmounts && row.paise < 0 ? 'DR' : 'CR') : ''
}

/** Cut at any letter, as banks do; a space at a line's end is lost. */
function wrapped(text: string, width: number, font: Font, size: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const letter of text) {
    if (widthOf(line + letter, font, size) > width) {
      lines.push(line.trim())
      line = ''
    }
    line += letter
  }
  return [...lines, line.trim()].filter((part) => part !== '')
}

function pagesOf(rows: readonly string[][], { layout, font, size }: Form): Placed[][] {
  const leading = LEADING * size
  const scale = 565 / layout.columns.reduce((sum, { width }) => sum + width, 0)
  const places: { left: number; width: number }[] = []
  let left = LEFT
  for (const { width } of layout.columns) {
    places.push({ left, width: width * scale - 4 })
    left += width * scale
  }
  const put = (text: string, at: number, y: number, align: 'left' | 'centre' | 'right'): Placed => {
    const { left: start = 0, width = 0 } = places[at] ?? {}
    const free = width - widthOf(text, font, size)
    return { text, x: start + (align === 'right' ? free : align === 'centre' ? free / 2 : 0), y }
  }
  const head = (y: number): Placed[] =>
    layout.columns.flatMap(({ names, kind }, at) =>
      names.map((name, line) => {
        const isMoney = ['debit', 'credit', 'amount', 'balance'].includes(kind)
        return put(name, at, y + line * leading, layout.heads === 'right' && !isMoney ? 'left' : layout.heads)
      }),
    )
  const headHeight = Math.max(...layout.columns.map(({ names }) => names.length)) * leading + 6
  let page: Placed[] = layout.about.map((text, line) => ({ text, x: LEFT, y: TOP + line * leading * 1.5 }))
  let y = TOP + layout.about.length * leading * 1.5 + 10
  page.push(...head(y))
  y += headHeight
  const pages = [page]
  for (const cells of rows) {
    const lines = cells.map((cell, at) => wrapped(cell, places[at]?.width ?? 0, font, size))
    const height = Math.max(...lines.map(({ length }) => length)) * leading
    if (y + height > BOTTOM) {
      page = []
      pages.push(page)
      y = TOP
      if (!layout.headOnce) {
        page.push(...head(y))
        y += headHeight
      }
    }
    for (const [at, parts] of lines.entries()) {
      const free = height - parts.length * leading
      const down = layout.place === 'middle' ? free / 2 : layout.place === 'bottom' ? free : 0
      for (const [line, text] of parts.entries())
        page.push(put(text, at, y + down + line * leading, layout.columns[at]?.align ?? 'left'))
    }
    y += height + layout.padding
  }
  return pages.map((texts, at) => [...texts, { text: `Page ${at + 1} of ${pages.length}`, x: 270, y: 820 }])
}
