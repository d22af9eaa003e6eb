/**
 * Knows a device, which is a browser profile, by a random cookie. User agent and address would not do, because phones
 * change them many times a day.
 */
import { DEVICE_COOKIE_MS } from '../../../contract/limits.ts'
import type { Call } from './http.ts'
import { hashToken, newToken } from '../ids.ts'

const TOKEN = /^[\w-]{43}$/

/** Returns the stored hash of the device whose cookie was sent, if one was. */
export function deviceHashOf(cookies: Pick<Call['cookies'], 'read'>): Buffer | undefined {
  const token = cookies.read('chaabi_device')
  return token === undefined ? undefined : hashToken(token)
}

/**
 * Gives a browser its cookie when it opens a page, before it logs in. With the login's answer it could get lost, and
 * the account would be locked to a device that nobody has, for a day.
 */
export function knowDevice(cookies: Pick<Call['cookies'], 'read' | 'write'>): void {
  if (deviceHashOf(cookies) === undefined) cookies.write('chaabi_device', newToken(), DEVICE_COOKIE_MS)
}

/** Returns the sent cookie, or a new one for a browser that has none of ours. */
export function deviceTokenOf(cookies: Pick<Call['cookies'], 'read'>): string {
  const token = cookies.read('chaabi_device')
  return token !== undefined && TOKEN.test(token) ? token : newToken()
}
