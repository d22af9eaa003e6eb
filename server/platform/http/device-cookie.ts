/**
 * Knows a device, which is a browser profile, by a random cookie. User agent and address would not do, because phones
 * change them many times a day.
 *
 * There are two such cookies, because an answer can come late, after another tab has logged in. The offer goes to
 * any browser that shows neither. The device's own cookie is what a buyer's login was given its lock for. Only that
 * login writes it, and later ones that show it. So no other answer can take the place of a login's device.
 */
import { Refusal } from '../../../contract/errors.ts'
import { DEVICE_COOKIE_MS } from '../../../contract/limits.ts'
import type { Call } from './http.ts'
import { hashToken, newToken } from '../ids.ts'

const TOKEN = /^[\w-]{43}$/

type Cookies = Call['cookies']

const sentTokens = (cookies: Pick<Cookies, 'all'>): string[] =>
  [...cookies.all('chaabi_device'), ...cookies.all('chaabi_device_offer')].filter((token) => TOKEN.test(token))

/** Returns the stored hashes of the device whose cookies were sent: mostly one, none if no cookie was. */
export const deviceHashesOf = (cookies: Pick<Cookies, 'all'>): Buffer[] => sentTokens(cookies).map(hashToken)

/**
 * Gives a browser its cookie when it opens a page, before it logs in. With the login's answer it could get lost, and
 * the account would be locked to a device that nobody has, for a day.
 */
export function knowDevice(cookies: Pick<Cookies, 'all' | 'write'>): void {
  if (sentTokens(cookies).length === 0) cookies.write('chaabi_device_offer', newToken(), DEVICE_COOKIE_MS)
}

interface Device {
  token: string
  hash: Buffer
  /** False for a new one, which the browser has not shown yet. */
  isShown: boolean
}

/**
 * Returns the device of a login: of the sent cookies the one that `isHolder` knows, else the first, else a new one.
 * A cookie of the time before HTTPS counts only if it is known.
 * @param isNeeded the refusal carries the new cookie, so that a browser which keeps it can ask again
 * @throws Refusal COOKIES_NEEDED
 */
export function deviceOf(cookies: Pick<Cookies, 'all' | 'plain' | 'write'>, isNeeded = false): DeviceChoice {
  const sent = sentTokens(cookies)
  if (sent.length === 0 && isNeeded) {
    knowDevice(cookies)
    throw new Refusal('COOKIES_NEEDED')
  }
  const of = (token: string, isShown: boolean): Device => ({ token, hash: hashToken(token), isShown })
  const [first] = sent
  const own = first === undefined ? of(newToken(), false) : of(first, true)
  const others = [...sent.slice(1), ...cookies.plain('chaabi_device')].map((token) => of(token, true))
  return (isHolder) => [own, ...others].find(({ hash }) => isHolder(hash)) ?? own
}

type DeviceChoice = (isHolder: (hash: Buffer) => boolean) => Device

/** Keeps a device's cookie for longer, under the name that it has. What is new and takes no lock is an offer. */
export function renewDevice(cookies: Pick<Cookies, 'all' | 'write'>, token: string): void {
  const isOwn = cookies.all('chaabi_device').includes(token)
  cookies.write(isOwn ? 'chaabi_device' : 'chaabi_device_offer', token, DEVICE_COOKIE_MS)
}
