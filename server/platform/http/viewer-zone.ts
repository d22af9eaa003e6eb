/** The time zone that a page is drawn in, by the cookie of its viewer's browser. */
const HOME_ZONE = 'Asia/Kolkata'

/**
 * The engine's own name of each zone, by the name in small letters. Only zones that exist are in it, so it is bounded.
 * A format is 40 kB that the collector does not see, so none is made for each page, or for each way to spell a zone.
 */
const ownNames = new Map<string, string>([[HOME_ZONE.toLowerCase(), HOME_ZONE]])

/**
 * @param cookie what the browser has named, if anything
 * @returns the zone as the browser spells it, and as pages are drawn in it; the store's where there is no such zone
 */
export function viewerZone(cookie: string = HOME_ZONE): { spelled: string; own: string } {
  const name = cookie.toLowerCase()
  let own = ownNames.get(name)
  if (own === undefined) {
    try {
      own = new Intl.DateTimeFormat('en', { timeZone: cookie }).resolvedOptions().timeZone
    } catch {
      return { spelled: HOME_ZONE, own: HOME_ZONE }
    }
    ownNames.set(name, own)
  }
  return { spelled: cookie, own }
}
