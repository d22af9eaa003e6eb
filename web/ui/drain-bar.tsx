import { COUNTDOWN_INTERVAL_MS } from '../../contract/limits.ts'
import { useNow } from '../platform/clock.ts'
import { cx } from './cx.ts'

const ENDS_SOON_MS = 3 * 24 * 3_600_000

interface DrainBarProps {
  /** ISO times. The whole bar is the time between them. */
  from: string
  until: string
  className?: string
}

/** Returns 'ends-soon' under three days and 'expired' at the end. */
export function timeState(until: string, now: number): 'active' | 'ends-soon' | 'expired' {
  const leftMs = Date.parse(until) - now
  if (leftMs <= 0) return 'expired'
  return leftMs < ENDS_SOON_MS ? 'ends-soon' : 'active'
}

const FILLS = { active: 'fill-brand', 'ends-soon': 'fill-warn', expired: 'fill-fg-3' }

/** Returns the part of the time that is left, from 0 to 1. A bar that still runs shows a little at its end. */
export function partLeft(from: string, until: string, now: number): number {
  const start = Date.parse(from)
  const end = Date.parse(until)
  return now >= end ? 0 : Math.min(1, Math.max(0.01, (end - now) / Math.max(1, end - start)))
}

/** Shows a key's time left: the accent, amber under three days, empty when over. The countdown says it in words. */
export function DrainBar({ from, until, className }: DrainBarProps) {
  const now = useNow(COUNTDOWN_INTERVAL_MS)
  const state = timeState(until, now)
  const left = partLeft(from, until, now)
  // Uses an SVG attribute, because a strict content security policy would refuse a style in server HTML.
  return (
    <svg aria-hidden className={cx('block h-1.5 w-full overflow-hidden rounded-full bg-hover', className)}>
      <rect width={`${(left * 100).toFixed(2)}%`} height="100%" rx="3" className={FILLS[state]} />
    </svg>
  )
}
