/**
 * Writes dates in the viewer's zone. India writes the day before the month in every language. A screen leaves out the
 * year while it is this year. A paper, which is read in other years, says it always.
 */
import { serverNow } from './clock.ts'
import { locale, unbroken } from './i18n.ts'
import { keepCookie } from './tab-storage.ts'

export const STYLES = {
  dateTime: { day: 'numeric', month: 'short', year: 'numeric', hour: 'numeric', minute: '2-digit', hour12: true },
  date: { day: 'numeric', month: 'short', year: 'numeric' },
  exact: { dateStyle: 'full', timeStyle: 'long' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

type Style = keyof typeof STYLES
type Moment = string | number | Date

/** Undefined means this machine's zone. */
let zone: string | undefined
const formats = new Map<string, Intl.DateTimeFormat>()

/** Creates each format when first needed, because the first takes a phone as long as drawing half a page. */
function formatOf(style: Style): Intl.DateTimeFormat {
  const name = `${style} ${zone} ${locale()}`
  let made = formats.get(name)
  if (!made) formats.set(name, (made = new Intl.DateTimeFormat(locale(), { ...STYLES[style], timeZone: zone })))
  return made
}

const format = (style: Style, moment: Moment) => formatOf(style).format(new Date(moment))

/** Limits the kept formats, because each takes some 40 kB and a viewer may spell zones in thousands of ways. */
const FORMATS_MAX = 32

/** Sets the zone for drawing on the server. @param viewers a zone that exists */
export function drawInZone(viewers: string): void {
  if (viewers !== zone && formats.size >= FORMATS_MAX) formats.clear()
  zone = viewers
}

const INDIA = /^Asia\/(Kolkata|Calcutta)$/

/** True if a page drawn in zone `drawnFor` is right for this viewer. If not, the next page will be. */
export function isOwnZone(drawnFor: string): boolean {
  // Uses a format that such pages need anyway.
  const own = formatOf('dateTime').resolvedOptions().timeZone
  if (own === drawnFor || (INDIA.test(own) && INDIA.test(drawnFor))) return true
  keepCookie('zone', own, 31_536_000)
  return false
}

/** Returns "20 Nov 2026, 9:14 pm", for files. */
export function paperDateTime(moment: Moment): string {
  return format('dateTime', moment)
}

/** Returns "20 Nov 2026", for papers. */
export function paperDate(moment: Moment): string {
  return unbroken(format('date', moment))
}

/** Takes the year out of a text rather than making a second format, and uses one that such pages need anyway. */
function withoutThisYear(text: string): string {
  const [year] = /\d{4}/.exec(paperDateTime(serverNow())) ?? []
  return text.replace(`\u00A0${year}`, '')
}

/** Returns "20 Nov, 9:14 pm", with the year if it is not this year. */
export function formatDateTime(moment: Moment): string {
  return withoutThisYear(unbroken(paperDateTime(moment)))
}

/** Returns "20 Nov", with the year if it is not this year. */
export function formatDate(moment: Moment): string {
  return withoutThisYear(paperDate(moment))
}

/** Returns the time to the second with its zone, for the tooltip. */
export function formatExact(moment: Moment): string {
  return format('exact', moment)
}
