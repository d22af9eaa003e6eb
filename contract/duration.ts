/**
 * Durations as owners write them: "10 Days", "5 Months", "1day". A month is 30 days and a year 365, so that a
 * key's expiry doesn't depend on the calendar.
 */
import * as z from 'zod/mini'
import { HOUR_MS } from './time.ts'

const UNIT_MS = {
  Hour: HOUR_MS,
  Day: 24 * HOUR_MS,
  Week: 7 * 24 * HOUR_MS,
  Month: 30 * 24 * HOUR_MS,
  Year: 365 * 24 * HOUR_MS,
} as const
type Unit = keyof typeof UNIT_MS

/** A hundred years. A longer duration is a typing mistake, and would leave the range of dates. */
const LONGEST_MS = 100 * UNIT_MS.Year
const UNITS = Object.keys(UNIT_MS) as Unit[]

interface ParsedDuration {
  /** The one spelling: "1 Day", "5 Months". Texts of the same duration share it. */
  text: string
  ms: number
}

/** Undefined unless `written` is a whole number above zero and a unit. */
export function parseDuration(written: string): ParsedDuration | undefined {
  const match = /^\s*(\d{1,6})\s*(hour|day|week|month|year)s?\s*$/i.exec(written)
  if (!match) return undefined
  const count = Number(match[1])
  const unit = UNITS.find((name) => name.toLowerCase() === match[2]?.toLowerCase())
  if (!unit || count < 1) return undefined
  const ms = count * UNIT_MS[unit]
  if (ms > LONGEST_MS) return undefined
  return { text: `${count} ${unit}${count === 1 ? '' : 's'}`, ms }
}

/** @throws RangeError for a text that `parseDuration` refuses; stored durations have passed it */
export function durationMs(duration: string): number {
  const parsed = parseDuration(duration)
  if (!parsed) throw new RangeError(`"${duration}" is not a duration`)
  return parsed.ms
}

/** A duration to save with a product. Only its spelling is made uniform. */
export const Duration = z.pipe(
  z
    .string({ error: 'Enter a duration like 10 Days, 5 Months or 1 Year' })
    .check(z.maxLength(40), z.describe('"10 Days", "5 Months", "1 Year"')),
  z.transform((written, ctx): string => {
    const parsed = parseDuration(written)
    if (parsed) return parsed.text
    ctx.issues.push({ code: 'custom', message: 'Enter a duration like 10 Days, 5 Months or 1 Year', input: written })
    return ''
  }),
)

/** A duration that somebody wants, in the store's spelling. One that the store could not sell stays as it is. */
export const WantedDuration = z.pipe(
  z
    .string({ error: 'Choose a duration' })
    .check(z.trim(), z.minLength(1, { error: 'Choose a duration' }), z.maxLength(40)),
  z.transform((written): string => parseDuration(written)?.text ?? written),
)
