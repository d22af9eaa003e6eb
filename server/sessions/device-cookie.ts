/**
 * A device is a browser profile, known by a random cookie. Not by its user agent or address: those of phones
 * change many times a day.
 */
import type { Call } from '../platform/http.ts'
import { hashToken, newToken } from '../platform/ids.ts'

const TOKEN = /^[\w-]{43}$/

/** What is stored of the device whose cookie came along, if one did. */
export function deviceHashOf(cookies: Pick<Call['cookies'], 'read'>): Buffer | undefined {
  const token = cookies.read('chaabi_device')
  return token === undefined ? undefined : hashToken(token)
}

/** The cookie that came along, or a new one for a browser that has none of ours. */
export function deviceTokenOf(cookies: Pick<Call['cookies'], 'read'>): string {
  const token = cookies.read('chaabi_device')
  return token !== undefined && TOKEN.test(token) ? token : newToken()
}
