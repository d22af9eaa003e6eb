/** Calendar days in India, as YYYY-MM-DD. */
const INDIA_AHEAD_MS = 5.5 * 3_600_000
const DAY_MS = 24 * 3_600_000

export function dayOf(at: Date): string {
  return new Date(at.getTime() + INDIA_AHEAD_MS).toISOString().slice(0, 10)
}

export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

export function daysBetween(one: string, other: string): number {
  return Math.abs(Date.parse(`${one}T00:00:00Z`) - Date.parse(`${other}T00:00:00Z`)) / DAY_MS
}
