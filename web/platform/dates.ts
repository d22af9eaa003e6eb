/** Dates in the viewer's zone. Day before month everywhere in India, so the locale's habits beyond language don't matter. */
const STYLES = {
  dateTime: { day: 'numeric', month: 'short', year: 'numeric', hour: 'numeric', minute: '2-digit', hour12: true },
  date: { day: 'numeric', month: 'short', year: 'numeric' },
  dayMonth: { day: 'numeric', month: 'short' },
  exact: { dateStyle: 'full', timeStyle: 'long' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

type Style = keyof typeof STYLES
type Moment = string | number | Date

/** Undefined for this machine's own. */
let zone: string | undefined
const formats = new Map<string, Intl.DateTimeFormat>()

/** Each is made when it is first needed: the first of all takes a phone as long as drawing half of a page. */
function formatOf(style: Style): Intl.DateTimeFormat {
  const name = `${style} ${zone}`
  let made = formats.get(name)
  if (!made) formats.set(name, (made = new Intl.DateTimeFormat('en-IN', { ...STYLES[style], timeZone: zone })))
  return made
}

const format = (style: Style, moment: Moment) => formatOf(style).format(new Date(moment))

/** Each takes some 40 kB, and a viewer may spell a zone in thousands of ways. */
const FORMATS_MAX = 32

/** For drawing on the server. @param viewers a zone that exists */
export function drawInZone(viewers: string): void {
  if (viewers !== zone && formats.size >= FORMATS_MAX) formats.clear()
  zone = viewers
}

const INDIA = /^Asia\/(Kolkata|Calcutta)$/

/** Whether a page that was drawn for people in `drawnFor` is right for this viewer; if not, the next one will be. */
export function isOwnZone(drawnFor: string): boolean {
  // Asked of a format that such pages need as well
  const own = formatOf('dateTime').resolvedOptions().timeZone
  if (own === drawnFor || (INDIA.test(own) && INDIA.test(drawnFor))) return true
  document.cookie = `zone=${own}; Path=/; Max-Age=31536000; SameSite=Lax`
  return false
}

/** "20 Nov 2026, 9:14 pm" */
export function formatDateTime(moment: Moment): string {
  return format('dateTime', moment)
}

/** "20 Nov 2026" */
export function formatDate(moment: Moment): string {
  return format('date', moment)
}

/** "20 Nov", with the year when it is not this one. */
export function formatDay(moment: Moment, now: Moment = Date.now()): string {
  const whole = formatDate(moment)
  return whole.slice(-4) === formatDate(now).slice(-4) ? format('dayMonth', moment) : whole
}

/** To the second, with the zone; for the tooltip. */
export function formatExact(moment: Moment): string {
  return format('exact', moment)
}

let dayInIndia: Intl.DateTimeFormat | undefined

/** "2026-11-20", wherever the viewer is: the store's days are India's. */
export function indianDay(moment: Moment): string {
  dayInIndia ??= new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' })
  return dayInIndia.format(new Date(moment))
}
