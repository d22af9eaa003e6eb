import { t } from '../../platform/i18n.ts'

/** What the two figures and the count of a day are called. */
export interface ChartWords {
  bars: string
  line: string
  count: string
  /** The caption of the table. */
  table: string
  counted: (count: number) => string
  /** Says the drawing in a sentence. */
  said: (sums: { count: number; sales: string; topUps: string }) => string
}

export const salesWords = (): ChartWords => ({
  bars: t('Sales'),
  line: t('Top-ups'),
  count: t('Orders'),
  table: t('Sales and top-ups by day'),
  counted: (count) => t('{count, plural, one {# sale} other {# sales}}', { count }),
  said: (sums) => t('Last {count} days: sales {sales}, top-ups {topUps}. Daily figures are in the table below.', sums),
})
