/** India's calendar, which has one time zone and no daylight saving time. A day is YYYY-MM-DD. */
import { DAY_MS, HOUR_MS } from './time.ts'

/** As a date, as ms, or in ISO 8601. */
type Moment = Date | number | string

/** For formats, which need a name. */
export const INDIA_ZONE = 'Asia/Kolkata'

const AHEAD_MS = 5.5 * HOUR_MS

/** Returns the date and time in India, like 2026-11-20T21:14:05.000 with a Z that does not count. */
const clockOf = (at: Moment): string => new Date(new Date(at).getTime() + AHEAD_MS).toISOString()

export const dayOf = (at: Moment): string => clockOf(at).slice(0, 10)

/** Returns a moment of a day by the clock. @param time HH:MM:SS */
export const atTime = (day: string, time: string): Date => new Date(`${day}T${time}+05:30`)

/** Returns the moment at which a day begins. */
export const startOf = (day: string): Date => atTime(day, '00:00:00')

/** Returns the moment at which the day of `at` began. */
export const startOfDay = (at: Moment): Date => startOf(dayOf(at))

/** Returns the year in which the financial year of a day began, on 1 April. @param day YYYY-MM-DD or YYYY-MM */
export const financialYear = (day: string): number => Number(day.slice(0, 4)) - (day.slice(5, 7) < '04' ? 1 : 0)

/** "2026–27" */
export const yearText = (year: number): string => `${year}–${String((year + 1) % 100).padStart(2, '0')}`

/** Returns the middle of a day, which is on that day in every place where the store is read. */
export const middayOf = (day: string): string => `${day}T12:00:00+05:30`

/** Returns the milliseconds since midnight. */
export const timeOfDayMs = (at: Date): number => (at.getTime() + AHEAD_MS) % DAY_MS

/** Messages that can wait go out from 10:00 until this hour. */
export const DAYTIME_UNTIL = 22
export const isDaytime = (at: Date): boolean =>
  timeOfDayMs(at) >= 10 * HOUR_MS && timeOfDayMs(at) < DAYTIME_UNTIL * HOUR_MS

export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
}

export function daysBetween(one: string, other: string): number {
  return Math.abs(Date.parse(one) - Date.parse(other)) / DAY_MS
}

/** Writes 2026-11-20 21:14:05, which sorts as text and opens in any spreadsheet. */
export const inIndia = (at: Moment): string => clockOf(at).slice(0, 19).replace('T', ' ')
