/**
 * Knows a device, which is a browser profile, by a random cookie. User agent and address would not do, because phones
 * change them many times a day.
 */
import { Refusal } from '../../../contract/errors.ts'
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

/**
 * Returns the sent cookie, or a new one for a browser that has none of ours. That browser has shown nothing yet.
 * @param isNeeded the refusal carries the new cookie, so that a browser which keeps it can ask again
 * @throws Refusal COOKIES_NEEDED
 */
export function deviceOf(
  cookies: Pick<Call['cookies'], 'read' | 'write'>,
  isNeeded = false,
): { token: string; isShown: boolean } {
  const sent = cookies.read('chaabi_device')
  if (sent !== undefined && TOKEN.test(sent)) return { token: sent, isShown: true }
  const token = newToken()
  if (!isNeeded) return { token, isShown: false }
  cookies.write('chaabi_device', token, DEVICE_COOKIE_MS)
  throw new Refusal('COOKIES_NEEDED')
}
