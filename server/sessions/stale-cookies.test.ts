/**
 * Cookies that say nothing true any more, beside ours and by the same name. Another program of the host can have set
 * them, or one of the domain above it, and no answer of ours can take those away.
 */
import { expect, test } from 'vitest'
import { openBrowser, withStore, type Browser } from '../../test/store.ts'
import { logIn, openShop, PASSWORD } from '../../test/worlds/shop.ts'
import { newToken } from '../platform/ids.ts'

type Pair = readonly [name: string, value: string]

/** @param order of the pairs as the browser sends them */
function sending(url: string, pairs: readonly Pair[]): Browser {
  const browser = openBrowser(url)
  const cookie = pairs.map(([name, value]) => `${name}=${value}`).join('; ')
  return { ...browser, call: (method, path, body) => browser.call(method, path, body, { cookie }) }
}

// Seen to fail with the first value of a name alone: nine in ten are refused
test('A stale cookie before or behind each of ours keeps nobody out', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const wrong: string[] = []
    const names = ['chaabi_session', 'chaabi_device', 'chaabi_device_offer', 'chaabi_admin', 'chaabi_language']
    for (const name of [...names, 'chaabi_panel_language'])
      for (const isFirst of [true, false])
        for (const values of [
          [newToken(), newToken(), newToken()],
          ['', '%', 'hi'],
        ]) {
          const buyer = await shop.buyer()
          const own: Pair[] = [...shop.owner.cookies, ...buyer.cookies, ['chaabi_language', 'en'] as const]
          const stale = values.map((value) => [name, value] as const)
          const both = sending(store.url, isFirst ? [...stale, ...own] : [...own, ...stale])
          const credentials = { username: buyer.username, password: PASSWORD, needsCookie: true }
          const told = [
            (await both.call('GET', '/auth/me')).status,
            (await both.call('GET', '/admin/check')).status,
            (await both.call('GET', '/auth/balance-history')).status,
            (await logIn(store.browser(), buyer.username)).status,
            (await both.call('POST', '/auth/logout')).status,
            (await both.call('POST', '/auth/login', credentials)).status,
            (await logIn(store.browser(), buyer.username)).status,
          ]
          if (told.join(' ') !== '200 200 200 403 200 200 403')
            wrong.push(`${values.length} ${name} ${isFirst ? 'before' : 'behind'} ours: ${told.join(' ')}`)
        }
    expect(wrong).toEqual([])
  }))

test('A store that came behind HTTPS knows the devices that logged in before, and believes no session of then', () =>
  withStore(
    async (store) => {
      const shop = await openShop(store)
      const https = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'shop.example' }
      const buyer = await shop.buyer()
      const credentials = { username: buyer.username, password: PASSWORD, needsCookie: true }
      const logInNow = (browser: Browser) => browser.post('/auth/login', credentials, https)
      const stranger = store.browser()
      stranger.cookies.set('chaabi_device', newToken())

      expect((await buyer.call('GET', '/auth/me', undefined, https)).status).toBe(401)
      for (const browser of [stranger, buyer])
        expect((await logInNow(browser)).body).toMatchObject({ code: 'COOKIES_NEEDED' })
      expect((await logInNow(stranger)).status).toBe(403)
      expect((await logInNow(buyer)).status).toBe(200)
      expect(buyer.cookies.get('__Host-chaabi_device')).toBe(buyer.cookies.get('chaabi_device'))
      expect((await buyer.call('GET', '/auth/me', undefined, https)).status).toBe(200)

      // A new lock is never given to a cookie of then, which anybody on the way may know
      await buyer.post('/auth/logout', undefined, https)
      const planted = store.browser()
      planted.cookies.set('chaabi_device', newToken())
      await logInNow(planted)
      expect((await logInNow(planted)).status).toBe(200)
      expect(planted.cookies.get('__Host-chaabi_device')).not.toBe(planted.cookies.get('chaabi_device'))
    },
    { trustProxy: ['127.0.0.1'] },
  ))
