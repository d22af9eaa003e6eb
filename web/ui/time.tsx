import { formatDate, formatDateTime, formatDay, formatExact } from '../platform/dates.ts'

interface TimeProps {
  /** ISO moment. */
  value: string
  /** dateTime: 20 Nov 2026, 9:14 pm · date: 20 Nov 2026 · day: 20 Nov */
  format?: 'dateTime' | 'date' | 'day'
  className?: string
}

const FORMATS = { dateTime: formatDateTime, date: formatDate, day: formatDay }

/**
 * A moment in the viewer's zone; the exact time on hover. `<Time value format />`
 * Browsers differ in small things, such as the space before "pm": what the server has drawn then stays.
 */
export function Time({ value, format = 'dateTime', className }: TimeProps) {
  return (
    <time dateTime={value} title={formatExact(value)} className={className} suppressHydrationWarning>
      {FORMATS[format](value)}
    </time>
  )
}
