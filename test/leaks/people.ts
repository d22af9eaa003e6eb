/**
 * The people who ask for others' things. Each has an address of their own, and listens to live updates.
 */
import { ADMIN_ROLES, type AdminRole } from '../../contract/endpoint.ts'
import { anAdmin } from '../worlds/admins.ts'
import { OWNER, PASSWORD, type Shop } from '../worlds/shop.ts'
import type { Browser } from '../store.ts'
import { unique } from '../worlds/constants.ts'

export interface Person {
  name: string
  /** Undefined for who is no admin. */
  role: AdminRole | undefined
  browser: Browser
  /** Logged out by something that was asked: in again. */
  enter(): Promise<void>
  /** Method and path, whatever comes back: status, headers and body as one text. */
  ask(method: string, path: string, body?: unknown): Promise<string>
}

export async function everybodyElse(shop: Shop): Promise<Person[]> {
  const people: Person[] = [person(shop, 'a visitor', undefined, shop.visitor(), async () => {})]
  const buyer = await shop.buyer()
  const logIn = async () => void (await buyer.api.sessions.login({ username: buyer.username, password: PASSWORD }))
  people.push(person(shop, 'another buyer', undefined, buyer, logIn))
  for (const role of ADMIN_ROLES) {
    const { admin, browser } = await anAdmin(shop, role)
    const enter = async () => {
      await browser.api.sessions.adminLogin({ username: admin.username, password: OWNER.password })
      // Who has proven themselves sees the most
      await browser.api.admins.stepUp({ password: OWNER.password })
    }
    await enter()
    people.push(person(shop, `an admin (${role})`, role, browser, enter))
  }
  return people
}

let count = 0

function person(
  { store }: Shop,
  name: string,
  role: AdminRole | undefined,
  browser: Browser,
  enter: () => Promise<void>,
): Person {
  const address = `198.51.100.${++count % 250}`
  return {
    name,
    role,
    browser,
    enter,
    async ask(method, path, body) {
      const response = await fetch(store.url + path, {
        method,
        redirect: 'manual',
        headers: {
          'x-forwarded-for': address,
          'user-agent': unique('Browser/'),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          cookie: cookieOf(browser),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return `${response.status}\n${textOf(response.headers)}\n${await response.text()}`
    },
  }
}

export const cookieOf = ({ cookies }: Browser): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** Cookies are set once in `getSetCookie` and once among all. */
export const textOf = (headers: Headers): string => [...headers].map((header) => header.join(': ')).join('\n')

/** Listens until it is stopped. @returns the way to stop, which answers with all that came */
export function listen({ store }: Shop, browser: Browser): () => Promise<string> {
  const ending = new AbortController()
  let heard = ''
  const reading = (async () => {
    const response = await fetch(`${store.url}/api/events`, {
      headers: { cookie: cookieOf(browser) },
      signal: ending.signal,
    })
    heard += `${response.status}\n${textOf(response.headers)}\n`
    const decoder = new TextDecoder()
    for await (const bytes of response.body ?? []) heard += decoder.decode(bytes, { stream: true })
  })().catch((error: unknown) => {
    if (!ending.signal.aborted) throw error
  })
  return async () => {
    ending.abort()
    await reading
    return heard
  }
}
