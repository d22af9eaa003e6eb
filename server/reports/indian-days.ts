/** Calendar days in India, which has one time zone and no daylight saving time. */
const INDIA_AHEAD_MS = 5.5 * 3_600_000
const DAY_MS = 24 * 3_600_000

/** Returns the moment at which the day of `at` began in India. */
export function startOfDay(at: Date): Date {
  return new Date(Math.floor((at.getTime() + INDIA_AHEAD_MS) / DAY_MS) * DAY_MS - INDIA_AHEAD_MS)
}

/** Returns the last `count` days, today last, as YYYY-MM-DD. */
export function lastDays(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, index) => dayOf(addDays(now, index + 1 - count)))
}

export function dayOf(at: Date): string {
  return new Date(at.getTime() + INDIA_AHEAD_MS).toISOString().slice(0, 10)
}

export function addDays(at: Date, days: number): Date {
  return new Date(at.getTime() + days * DAY_MS)
}
