import { unbroken } from '../../platform/i18n.ts'
import { perLocale } from '../../platform/per-locale.ts'

// Months are India's, so their names must not move with the reader's time zone
const monthYear = perLocale(
  (each) => new Intl.DateTimeFormat(each, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
)

/** "November 2026" for 2026-11. */
export const monthName = (month: string): string => unbroken(monthYear().format(new Date(`${month}-01T00:00:00Z`)))

const MONTHS = 24

/** The newest months, this one first. @param today YYYY-MM-DD */
export function recentMonths(today: string): string[] {
  const [year = 0, month = 1] = today.split('-').map(Number)
  return Array.from({ length: MONTHS }, (_, back) =>
    new Date(Date.UTC(year, month - 1 - back)).toISOString().slice(0, 7),
  )
}

/** The first and the last day of a month. */
export function daysOf(month: string): { from: string; to: string } {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return { from: `${month}-01`, to: new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10) }
}
