/** The books as CSV files, with rupees and India's days. */
import {
  type BookBatch,
  type BookFigures,
  type Books,
  type BooksBy,
  type Liability,
  type MonthStatement,
} from '../../contract/books.ts'
import { BYTE_ORDER_MARK, csvLine } from '../../contract/csv.ts'
import { inIndia } from '../../contract/india.ts'

type Cells = readonly (string | number)[]

// eslint-disable-next-line @typescript-eslint/require-await -- a stream of lines is asynchronous
async function* linesOf(head: Cells, rows: readonly Cells[]): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(head)
  for (const row of rows) yield csvLine(row)
}

const FIGURE_HEAD = [
  'Keys sold',
  'Sold (INR)',
  'Refunded (INR)',
  'Revenue (INR)',
  'Paid with bonus (INR)',
  'Cost (INR)',
  'Keys given as warranty',
  'Warranty (INR)',
  'Keys of unknown cost',
  'Profit (INR)',
]
const figureCells = (row: BookFigures): Cells => [
  row.keys,
  row.sold,
  row.refunded,
  row.revenue,
  row.bonus,
  row.cost,
  row.warrantyKeys,
  row.warranty,
  row.unknownCostKeys,
  row.profit,
]

const HEADS: Record<BooksBy, string> = { day: 'Day (India)', product: 'Product', supplier: 'Supplier' }

export const exportBooks = ({ total, rows }: Books, by: BooksBy): AsyncGenerator<string> =>
  linesOf(
    [HEADS[by], ...FIGURE_HEAD],
    [...rows.map((row) => [row.name || 'Unknown', ...figureCells(row)]), ['Total', ...figureCells(total)]],
  )

export const exportLiability = ({ total, bySource, byAge, byExpiry, monthEnds }: Liability): AsyncGenerator<string> =>
  linesOf(
    ['Unspent credit', 'Of', 'Amount (INR)'],
    [
      ['Total', 'now', total],
      ...bySource.map(({ source, amount }) => ['By source', source, amount]),
      ...byAge.map(({ days, amount }) => ['By age in days', `${days} days`, amount]),
      ...byExpiry.map(({ month, amount }) => ['By month of expiry (India)', month ?? 'never', amount]),
      ...monthEnds.map(({ month, amount }) => ['At the end of the month (India)', month, amount]),
    ],
  )

export const exportBatches = (batches: readonly BookBatch[]): AsyncGenerator<string> =>
  linesOf(
    [
      'Batch',
      'Added (India)',
      'Product',
      'Duration',
      'Supplier',
      'Cost per key (INR)',
      'Keys added',
      'Keys left',
      'Tied up (INR)',
      'Sold after 7 days (%)',
      'Sold after 30 days (%)',
      'Sold after 90 days (%)',
      'Days until empty',
      ...FIGURE_HEAD,
    ],
    batches.map((batch) => [
      batch._id,
      inIndia(batch.createdAt),
      batch.productId.name,
      batch.duration,
      batch.supplier,
      batch.costPerKey ?? '',
      batch.added,
      batch.left,
      batch.tiedUp ?? '',
      batch.soldWithin[7] ?? '',
      batch.soldWithin[30] ?? '',
      batch.soldWithin[90] ?? '',
      batch.daysToEmpty ?? '',
      ...figureCells(batch),
    ]),
  )

const LINES: Record<MonthStatement['lines'][number]['line'], string> = {
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
  linesOf(
    [`Month ${month} (India)`, 'Amount (INR)'],
    [
      ['Unspent credit before', before],
      ...lines.map(({ line, amount }) => [LINES[line], amount]),
      ['Unspent credit after', after],
    ],
  )
