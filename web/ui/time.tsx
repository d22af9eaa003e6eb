import { formatDate, formatDateTime, formatExact } from '../platform/dates.ts'

interface TimeProps {
  /** ISO time. */
  value: string
  /** dateTime: 20 Nov, 9:14 pm · date: 20 Nov. With the year if it is not this year. */
  format?: 'dateTime' | 'date'
  className?: string
}

const FORMATS = { dateTime: formatDateTime, date: formatDate }

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
