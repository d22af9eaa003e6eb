/** Estimates how long stock lasts at the speed of its sales. */
import type { Forecast } from '../../contract/forecast.ts'

const HOURS = 24
const SURE_FROM = 30
const LIKELY_FROM = 5

/** Sales of a stretch of time, and how many hours of it there was something to sell. */
export interface Stretch {
  sold: number
  hours: number
}

type Estimate = Pick<Forecast, 'rate' | 'daysLeft' | 'confidence'>

/** The faster stretch counts, because running out costs more than a key too many. */
export function estimate(left: number, stretches: readonly Stretch[]): Estimate {
  const rateOf = ({ sold, hours }: Stretch) => (hours > 0 ? (sold / hours) * HOURS : 0)
  const fastest = stretches.toSorted((one, other) => rateOf(other) - rateOf(one))[0]
  if (!fastest || fastest.sold === 0 || fastest.hours <= 0) return { rate: 0, daysLeft: null, confidence: 'none' }
  const rate = rateOf(fastest)
  const mid = left / rate
  // Sales are independent, so the past count and the coming one each vary by their square root
  const stray = 1 + Math.sqrt(1 / fastest.sold + 1 / Math.max(left, 1))
  const { sold } = fastest
  return {
    rate: round(rate),
    daysLeft: { low: round(mid / stray), mid: round(mid), high: round(mid * stray) },
    confidence: sold >= SURE_FROM ? 'high' : sold >= LIKELY_FROM ? 'medium' : 'low',
  }
}

const round = (days: number): number => Math.round(days * 10) / 10
