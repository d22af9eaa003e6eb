/** Answers that come late: asked for without cookies, as by a second tab, and read after another tab has logged in. */
import { describe, expect, test } from 'vitest'
import { withStore, type Browser, type TestStore } from '../../test/store.ts'
import { withPages } from '../../test/worlds/pages.ts'
import { logIn, openShop, OWNER, PASSWORD } from '../../test/worlds/shop.ts'

interface Given {
  store: TestStore
  username: string
}

/** What a browser without cookies may ask. @returns the cookies of the answer */
const ASKED: readonly (readonly [what: string, ask: (given: Given) => Promise<string[]>])[] = [
  ...['/', '/login', '/signup', '/buy', '/no-such-page', '/?lang=hi', '/admin', '/admin-login'].map(
    (path) =>
      [
        `the page ${path}`,
        async ({ store }: Given) => (await fetch(store.url + path, { redirect: 'manual' })).headers.getSetCookie(),
      ] as const,
  ),
  [
    'a refused login',
    ({ store, username }) => ask(store, '/auth/login', { username, password: PASSWORD, needsCookie: true }),
  ],
  [
    'a login with a wrong password',
    ({ store, username }) => ask(store, '/auth/login', { username, password: 'wrong' }),
  ],
  ['a logout', ({ store }) => ask(store, '/auth/logout')],
  ['a refused login to the panel', ({ store }) => ask(store, '/admin/login', { ...OWNER, needsCookie: true })],
  ['a login to the panel', ({ store }) => ask(store, '/admin/login', OWNER)],
  ['a logout of the panel', ({ store }) => ask(store, '/admin/logout')],
]

const ask = async (store: TestStore, path: string, body?: unknown) =>
  (await store.browser().post(path, body)).headers.getSetCookie()

/** As a browser takes the cookies of an answer. */
function take({ cookies }: Browser, lines: readonly string[]): void {
  for (const [name, value] of lines.map((line) => line.split(';')[0]?.split('=') ?? []))
    if (value) cookies.set(name ?? '', value)
    else cookies.delete(name ?? '')
}

/** @param work gets a way to a new account each time, which is logged in nowhere */
const opened = (work: (store: TestStore, account: () => Promise<string>) => Promise<void>) =>
  withPages((webDirectory) =>
    withStore(
      async (store) => {
        const shop = await openShop(store)
        await work(store, async () => {
          const { username, post } = await shop.buyer()
          await post('/auth/logout')
          return username
        })
      },
      { webDirectory },
    ),
  )

describe('an answer to a browser that showed no cookie', () => {
  // Seen to fail with one cookie for both: each page replaces the device of the login, which locks the account
  test('takes the device of a login from nobody, however late it comes', () =>
    opened(async (store, account) => {
      const wrong: string[] = []
      for (const [what, late] of ASKED) {
        const [browser, username] = [store.browser(), await account()]
        take(browser, (await fetch(`${store.url}/login`)).headers.getSetCookie())
        const lines = await late({ store, username })
        await browser.post('/auth/login', { username, password: PASSWORD, needsCookie: true })
        take(browser, lines)

        const { status } = await browser.get('/auth/me')
        const again = await logIn(browser, username)
        if (status !== 200 && !what.includes('logout')) wrong.push(`${what}: ${status} after the login`)
        if (again.status !== 200) wrong.push(`${what}: ${again.body.code} at the next login`)
      }
      expect(wrong).toEqual([])
    }))

  test('and the one that comes first gives the device of the login', () =>
    opened(async (store, account) => {
      const [browser, username] = [store.browser(), await account()]
      take(browser, (await fetch(`${store.url}/login`)).headers.getSetCookie())
      const before = new Map(browser.cookies)
      expect((await browser.post('/auth/login', { username, password: PASSWORD, needsCookie: true })).status).toBe(200)

      // The answer of the login never came
      browser.cookies.clear()
      for (const [name, value] of before) browser.cookies.set(name, value)
      expect((await logIn(browser, username)).status).toBe(200)
      expect((await logIn(store.browser(), username)).status).toBe(403)
    }))
})
