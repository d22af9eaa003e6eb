/**
 * A device is a browser profile, known by a random cookie. Not by its user agent or address: those of phones
 * change many times a day.
 */
import { DEVICE_COOKIE_MS } from '../../../contract/limits.ts'
import type { Call } from './http.ts'
import { hashToken, newToken } from '../ids.ts'

const TOKEN = /^[\w-]{43}$/

/** What is stored of the device whose cookie came along, if one did. */
export function deviceHashOf(cookies: Pick<Call['cookies'], 'read'>): Buffer | undefined {
  const token = cookies.read('chaabi_device')
  return token === undefined ? undefined : hashToken(token)
}

/**
 * Makes a browser known before it logs in, when it opens a page: were it first told with the answer to its login, and that
 * lost on the way, the account would belong to a device that nobody has, for a day.
 */
export function knowDevice(cookies: Pick<Call['cookies'], 'read' | 'write'>): void {
  if (deviceHashOf(cookies) === undefined) cookies.write('chaabi_device', newToken(), DEVICE_COOKIE_MS)
}

/** The cookie that came along, or a new one for a browser that has none of ours. */
export function deviceTokenOf(cookies: Pick<Call['cookies'], 'read'>): string {
  const token = cookies.read('chaabi_device')
  return token !== undefined && TOKEN.test(token) ? token : newToken()
}
