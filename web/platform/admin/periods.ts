/** Periods to look at, as days in India: the server counts days there, wherever the admin is. */
import { DAY_MS } from '../../../contract/time.ts'
import { dayOf } from '../../../contract/india.ts'

export type PeriodName = 'any' | 'today' | 'yesterday' | 'week' | 'month'

export interface Period {
  /** YYYY-MM-DD, both included; absent for no bound. */
  from?: string | undefined
  to?: string | undefined
}

const BACK: Record<Exclude<PeriodName, 'any'>, readonly [from: number, to: number]> = {
  today: [0, 0],
  yesterday: [1, 1],
  week: [6, 0],
  month: [29, 0],
}

/** The days of a period that ends now; `now` in milliseconds. */
export function periodOf(name: PeriodName, now: number): Period {
  if (name === 'any') return {}
  const [from, to] = BACK[name]
  const day = (back: number) => dayOf(now - back * DAY_MS)
  return { from: day(from), to: day(to) }
}

/** The name of a period, where it has one. */
export function nameOf({ from, to }: Period, now: number): PeriodName | undefined {
  if (!from && !to) return 'any'
  return (Object.keys(BACK) as (keyof typeof BACK)[]).find((name) => {
    const period = periodOf(name, now)
    return period.from === from && period.to === to
  })
}
