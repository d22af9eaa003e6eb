/** Positions on the chart of sales and top-ups. */
import { dayOf } from '../../../contract/india.ts'
import { serverNow } from '../../platform/clock.ts'
import { unbroken } from '../../platform/i18n.ts'
import { perLocale } from '../../platform/per-locale.ts'

interface Scale {
  /** Amounts at which lines are drawn, from 0 up. */
  ticks: number[]
  max: number
}

const TICKS = 4
const STEPS = [1, 2, 2.5, 5, 10]

/** Round amounts that reach over the largest one. */
export function scaleFor(largest: number): Scale {
  const rough = Math.max(largest, 1) / (TICKS - 1)
  const magnitude = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, (STEPS.find((each) => each * magnitude >= rough) ?? 10) * magnitude)
  const count = Math.max(1, Math.ceil(largest / step))
  return { ticks: Array.from({ length: count + 1 }, (_, index) => index * step), max: count * step }
}

/** Every how manieth day is named, so that names of `labelWidth` do not touch. */
export function labelEvery(days: number, width: number, labelWidth: number): number {
  return Math.max(1, Math.ceil((days * labelWidth) / Math.max(width, 1)))
}

/** The drawing's class for its height, also while it is loaded. */
export const CHART_HEIGHT = 'h-32 sm:h-64'

// The days are days in India, so that their names are read off as they are written.
const dayMonth = perLocale((each) => new Intl.DateTimeFormat(each, { day: 'numeric', month: 'short', timeZone: 'UTC' }))
const withYear = perLocale(
  (each) => new Intl.DateTimeFormat(each, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }),
)
const yearOf = (day: string) => day.slice(0, 4)

/** Returns "20 Nov", with the year if it is not this year in India. @param day YYYY-MM-DD */
export function nameOf(day: string): string {
  const format = yearOf(day) === yearOf(dayOf(serverNow())) ? dayMonth : withYear
  return unbroken(format().format(new Date(`${day}T00:00:00Z`)))
}
