/** Finds the time zone of a page in the cookie of the viewer's browser. */
import { INDIA_ZONE } from '../../../../contract/india.ts'

/**
 * The engine's own name of each zone, by the name in lower case. Holds only real zones, so it is bounded. Saves making
 * a format for each page or spelling, because a format is 40 kB that the garbage collector does not see.
 */
const ownNames = new Map<string, string>([[INDIA_ZONE.toLowerCase(), INDIA_ZONE]])

/**
 * @param cookie the zone that the browser named, if any
 * @returns the zone as the browser spells it, and as the engine does; the store's zone if there is no such zone
 */
export function viewerZone(cookie: string = INDIA_ZONE): { spelled: string; own: string } {
  const name = cookie.toLowerCase()
  let own = ownNames.get(name)
  if (own === undefined) {
    try {
      own = new Intl.DateTimeFormat('en', { timeZone: cookie }).resolvedOptions().timeZone
    } catch {
      return { spelled: INDIA_ZONE, own: INDIA_ZONE }
    }
    ownNames.set(name, own)
  }
  return { spelled: cookie, own }
}
