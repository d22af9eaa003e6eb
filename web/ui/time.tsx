import { formatDate, formatDateTime, formatDay, formatExact } from '../platform/dates.ts'

interface TimeProps {
  /** ISO time. */
  value: string
  /** dateTime: 20 Nov 2026, 9:14 pm · date: 20 Nov 2026 · day: 20 Nov */
  format?: 'dateTime' | 'date' | 'day'
  className?: string
}

const FORMATS = { dateTime: formatDateTime, date: formatDate, day: formatDay }

/**
 * Shows a time in the viewer's zone, with the exact time on hover. `<Time value format />`
 * Browsers differ in small things, such as the space before "pm". The server's drawing then stays.
 */
export function Time({ value, format = 'dateTime', className }: TimeProps) {
  return (
    <time dateTime={value} title={formatExact(value)} className={className} suppressHydrationWarning>
      {FORMATS[format](value)}
    </time>
  )
}
