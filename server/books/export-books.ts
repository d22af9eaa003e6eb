/** The books as CSV files, with rupees and India's days. */
import type {
  BookYear,
  BookBatch,
  BookFigures,
  BookRow,
  Books,
  BooksBy,
  Liability,
  MonthLine,
  MonthStatement,
} from '../../contract/books.ts'
import { inIndia, yearText } from '../../contract/india.ts'
import { linesOf, type SheetColumn } from '../audit/export-sheet.ts'

const FIGURES: readonly SheetColumn<BookFigures>[] = [
  ['Keys sold', ({ keys }) => keys],
  ['Sold (INR)', ({ sold }) => sold],
  ['Refunded (INR)', ({ refunded }) => refunded],
  ['Revenue (INR)', ({ revenue }) => revenue],
  ['Paid with bonus (INR)', ({ bonus }) => bonus],
  ['Cost (INR)', ({ cost }) => cost],
  ['Keys given as warranty', ({ warrantyKeys }) => warrantyKeys],
  ['Warranty (INR)', ({ warranty }) => warranty],
  ['Keys of unknown cost', ({ unknownCostKeys }) => unknownCostKeys],
  ['Sales of unknown cost (INR)', ({ unknownCostSales }) => unknownCostSales],
  ['Lost (INR)', ({ lost }) => lost],
  ['Profit (INR)', ({ profit }) => profit],
]

const HEADS: Record<BooksBy, string> = { day: 'Day (India)', product: 'Product', supplier: 'Supplier' }

export const exportBooks = ({ total, rows }: Pick<Books, 'total' | 'rows'>, by: BooksBy): AsyncGenerator<string> =>
  linesOf<Omit<BookRow, 'id'>>(
    [[HEADS[by], ({ name }) => name || 'Unknown'], ...FIGURES],
    [...rows, { ...total, name: 'Total' }],
  )

type Line = readonly [part: string, of: string, rupees: number]

export const exportLiability = ({
  total,
  held,
  bySource,
  byAge,
  byExpiry,
  monthEnds,
}: Liability): AsyncGenerator<string> =>
  linesOf<Line>(
    [
      ['Unspent credit', ([part]) => part],
      ['Of', ([, of]) => of],
      ['Amount (INR)', ([, , rupees]) => rupees],
    ],
    [
      ['Total', 'now', total],
      ['Held by banks', 'now', held.amount],
      ...bySource.map(({ source, amount }): Line => ['By source', source, amount]),
      ...byAge.map(({ days, amount }): Line => ['By age in days', `${days} days`, amount]),
      ...byExpiry.map(({ month, amount }): Line => ['By month of expiry (India)', month ?? 'never', amount]),
      ...monthEnds.map(({ month, amount }): Line => ['At the end of the month (India)', month, amount]),
    ],
  )

const BATCH: readonly SheetColumn<BookBatch>[] = [
  ['Batch', ({ _id }) => _id],
  ['Added (India)', ({ createdAt }) => inIndia(createdAt)],
  ['Product', ({ productId }) => productId.name],
  ['Duration', ({ duration }) => duration],
  ['Supplier', ({ supplier }) => supplier],
  ['Cost per key (INR)', ({ costPerKey }) => costPerKey ?? ''],
  ['Keys added', ({ added }) => added],
  ['Keys left', ({ left }) => left],
  ['Tied up (INR)', ({ tiedUp }) => tiedUp ?? ''],
  ['Sold after 7 days (%)', ({ soldWithin }) => soldWithin[7] ?? ''],
  ['Sold after 30 days (%)', ({ soldWithin }) => soldWithin[30] ?? ''],
  ['Sold after 90 days (%)', ({ soldWithin }) => soldWithin[90] ?? ''],
  ['Days until empty', ({ daysToEmpty }) => daysToEmpty ?? ''],
  ...FIGURES,
]

export const exportBatches = (batches: readonly BookBatch[]): AsyncGenerator<string> => linesOf(BATCH, batches)

const LINES: Record<MonthLine, string> = {
  'top-ups': 'Top-ups paid',
  bonus: 'Bonus on top-ups',
  rewards: 'Referral rewards',
  given: 'Given by admins',
  taken: 'Taken by admins',
  returned: 'Deductions that ended',
  sales: 'Sales',
  refunds: 'Refunds',
  'taken-back': 'Top-ups taken back',
  expired: 'Expired credit',
}

export const exportMonth = ({ month, before, lines, after }: MonthStatement): AsyncGenerator<string> =>
  linesOf<readonly [line: string, rupees: number]>(
    [
      [`Month ${month} (India)`, ([line]) => line],
      ['Amount (INR)', ([, rupees]) => rupees],
    ],
    [
      ['Unspent credit before', before],
      ...lines.map(({ line, amount }) => [LINES[line], amount] as const),
      ['Unspent credit after', after],
    ],
  )

export const exportYear = ({ year, months, total, unspent }: BookYear): AsyncGenerator<string> =>
  linesOf<Omit<BookYear['months'][number], 'month'> & { month: string; unspent?: number }>(
    [
      [`Financial year ${yearText(year)} (India)`, ({ month }) => month],
      ['Received (INR)', ({ received }) => received],
      ['Seen in the bank (INR)', ({ seen }) => seen],
      ['Taken back (INR)', ({ takenBack }) => takenBack],
      ['Sales (INR)', ({ sales }) => sales],
      ['Unspent credit at the end (INR)', (row) => row.unspent ?? ''],
    ],
    [...months, { ...total, month: 'Total', unspent }],
  )
