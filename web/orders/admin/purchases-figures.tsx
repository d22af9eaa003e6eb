import { t } from '../../platform/i18n.ts'
import { counted, formatCount, formatRupees } from '../../platform/money.ts'
import { StatCard } from '../../ui/stat-card.tsx'

interface FiguresProps {
  book: { totalRevenue: number; total: number } | undefined
  hasFailed: boolean
  isNarrowed: boolean
}

/** What all sales that the search finds add up to. */
export function Figures({ book, hasFailed, isNarrowed }: FiguresProps) {
  const none = hasFailed ? '–' : undefined
  return (
    <div className="grid grid-cols-2 gap-3 sm:gap-4 wide:grid-cols-3 large-text:*:col-span-2">
      <StatCard
        label={isNarrowed ? t('Revenue (search results)') : t('Total revenue')}
        value={book ? formatRupees(book.totalRevenue) : none}
        className="max-wide:col-span-2"
      />
      <StatCard label={t('Sales')} value={book ? formatCount(book.total) : none} />
      <StatCard label={t('Average order value')} value={book ? average(book.totalRevenue, book.total) : none} />
    </div>
  )
}

/** The figures in one line. */
export function summaryOf({ totalRevenue, total }: { totalRevenue: number; total: number }): string {
  return t('{revenue} · {count, plural, one {# sale} other {{text} sales}} · average {average}', {
    revenue: formatRupees(totalRevenue),
    ...counted(total),
    average: average(totalRevenue, total),
  })
}

function average(revenue: number, sales: number): string {
  return sales === 0 ? '–' : formatRupees(Math.round(revenue / sales))
}
