import type { ReactNode } from 'react'
import type { BookRow, BooksBy } from '../../../contract/books.ts'
import { daysBetween, middayOf } from '../../../contract/india.ts'
import { BOOK_BONUS_DAYS_MAX } from '../../../contract/limits.ts'
import { calls } from '../../platform/admin/roles.ts'
import { formatDate } from '../../platform/dates.ts'
import { t } from '../../platform/i18n.ts'
import { counted, formatCount, formatRupees } from '../../platform/money.ts'
import type { Column } from '../../ui/admin/lists/data-table.tsx'
import type { RecordFace } from '../../ui/admin/lists/record-card.tsx'
import { FigureLines, FigureLink, inBooks, Profit, UnknownCost, UnknownSales, type Place } from './book-parts.tsx'

/** A period in India, as YYYY-MM-DD. Both days are included. */
export interface Days {
  from: string
  to: string
}

interface Parts {
  row: BookRow
  by: BooksBy
  period: Days
}

/** Where the rows of each figure are. */
function placesOf({ row, by, period }: Parts) {
  const days = by === 'day' ? { from: row.id, to: row.id } : period
  // A day leads to its products, and all else to its batches
  const deeper = inBooks(
    by === 'day' ? { by: 'product', ...days } : { view: 'batches', ...(row.name && { search: row.name }) },
  )
  // Requests that were taken back are among the rejected ones
  const rejected = { status: 'rejected', ...days }
  const lost: Place = { call: calls.payments.list, to: '/admin/payment-manager', search: rejected }
  // A supplier's keys are sold in purchases of all suppliers, so its figures lead to its batches
  if (by === 'supplier') return { deeper, sales: deeper, refunded: deeper, replaced: deeper, bonus: deeper, lost }
  const which = by === 'product' ? { ...days, product: row.id } : days
  const claims = (status: string): Place => ({
    call: calls.claims.list,
    to: '/admin/claims',
    search: { status, ...which },
  })
  const sales: Place = { call: calls.orders.purchases, to: '/admin/purchases', search: which }
  // The bonus of a long period leads to its days, and each day leads to its sales
  const isLong = daysBetween(days.from, days.to) >= BOOK_BONUS_DAYS_MAX
  const bonus = inBooks(isLong ? { by: 'day', ...period } : { view: 'rows', status: 'bonus', ...which })
  return { deeper, sales, refunded: claims('refunded'), replaced: claims('replaced'), bonus, lost }
}

interface ToRowsProps {
  parts: Parts
  to: keyof ReturnType<typeof placesOf>
  className?: string
  children: ReactNode
}

function ToRows({ parts, to, className = 'tabular whitespace-nowrap', children }: ToRowsProps) {
  return (
    <FigureLink place={placesOf(parts)[to]} className={className}>
      {children}
    </FigureLink>
  )
}

const nameOf = ({ row, by }: Parts): string =>
  by === 'day' ? formatDate(middayOf(row.id)) : row.name || t('No supplier')

function Name({ parts }: { parts: Parts }) {
  return (
    <ToRows parts={parts} to="deeper" className="font-medium wrap-anywhere">
      {nameOf(parts)}
    </ToRows>
  )
}

/** What was spent of top-ups that were taken back. */
const Lost = ({ parts }: { parts: Parts }) =>
  parts.row.lost !== 0 && (
    <ToRows parts={parts} to="lost" className="block text-xs text-bad">
      {t('{amount} lost', { amount: formatRupees(parts.row.lost) })}
    </ToRows>
  )

interface Figure {
  key: 'sold' | 'refunded' | 'bonus' | 'cost' | 'warranty'
  title: () => string
  to: ToRowsProps['to']
}

/** Between the number of keys and the profit. */
const FIGURES: readonly Figure[] = [
  { key: 'sold', title: () => t('Sold', { context: 'money' }), to: 'sales' },
  { key: 'refunded', title: () => t('Refunded'), to: 'refunded' },
  { key: 'bonus', title: () => t('Paid with bonus'), to: 'bonus' },
  { key: 'cost', title: () => t('Cost'), to: 'deeper' },
  { key: 'warranty', title: () => t('Warranty'), to: 'replaced' },
]

/** @returns false for one that the row does not have */
function amountOf(parts: Parts, { key, to }: Figure): ReactNode {
  const { row } = parts
  if ((key === 'refunded' || key === 'bonus') && row[key] === 0) return false
  if (key === 'warranty' && row.warrantyKeys === 0) return false
  return (
    <>
      <ToRows parts={parts} to={to}>
        {formatRupees(row[key])}
      </ToRows>
      {key === 'cost' && <UnknownCost keys={row.unknownCostKeys} />}
    </>
  )
}

export function faceOf(parts: Parts): RecordFace {
  const { keys, profit } = parts.row
  return {
    name: nameOf(parts),
    title: <Name parts={parts} />,
    caption: t('{count, plural, one {# key} other {{text} keys}}', counted(keys)),
    figure: <Profit rupees={profit} />,
    figureName: t('Profit'),
    children: (
      <FigureLines lines={FIGURES.map((figure) => [figure.title(), amountOf(parts, figure)])}>
        <UnknownSales rupees={parts.row.unknownCostSales} />
        <Lost parts={parts} />
      </FigureLines>
    ),
  }
}

export function columnsOf(by: BooksBy, period: Days): Column<BookRow>[] {
  const heads: Record<BooksBy, string> = { day: t('Day'), product: t('Product'), supplier: t('Supplier') }
  const right = { align: 'right', className: 'px-2.5!' } as const
  const of = (row: BookRow): Parts => ({ row, by, period })
  return [
    {
      title: heads[by],
      cell: (row) => <Name parts={of(row)} />,
    },
    {
      title: t('Keys'),
      ...right,
      cell: (row) => (
        <ToRows parts={of(row)} to="sales">
          {formatCount(row.keys)}
        </ToRows>
      ),
    },
    ...FIGURES.map((figure) => ({
      title: figure.title(),
      ...right,
      cell: (row: BookRow) => amountOf(of(row), figure),
    })),
    {
      title: t('Profit'),
      align: 'right',
      cell: (row) => (
        <>
          <ToRows parts={of(row)} to="deeper">
            <Profit rupees={row.profit} />
          </ToRows>
          <UnknownSales rupees={row.unknownCostSales} />
          <Lost parts={of(row)} />
        </>
      ),
    },
  ]
}
