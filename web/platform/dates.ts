/** Dates in the viewer's zone. Day before month everywhere in India, so the locale's habits beyond language don't matter. */
const dateTime = new Intl.DateTimeFormat('en-IN', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  hour12: true,
})
const date = new Intl.DateTimeFormat('en-IN', { day: 'numeric', month: 'short', year: 'numeric' })
const dayMonth = new Intl.DateTimeFormat('en-IN', { day: 'numeric', month: 'short' })
const exact = new Intl.DateTimeFormat('en-IN', { dateStyle: 'full', timeStyle: 'long' })

const dayInIndia = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' })

type Moment = string | number | Date

/** "20 Nov 2026, 9:14 pm" */
export function formatDateTime(moment: Moment): string {
  return dateTime.format(new Date(moment))
}

/** "20 Nov 2026" */
export function formatDate(moment: Moment): string {
  return date.format(new Date(moment))
}

/** "20 Nov", with the year when it is not this one. */
export function formatDay(moment: Moment, now: Moment = Date.now()): string {
  const sameYear = new Date(moment).getFullYear() === new Date(now).getFullYear()
  return (sameYear ? dayMonth : date).format(new Date(moment))
}

/** To the second, with the zone; for the tooltip. */
export function formatExact(moment: Moment): string {
  return exact.format(new Date(moment))
}

/** "2026-11-20", wherever the viewer is: the store's days are India's. */
export function indianDay(moment: Moment): string {
  return dayInIndia.format(new Date(moment))
}
