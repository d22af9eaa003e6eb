/** Tries of passwords and codes (security.md: 2.4.1, 4.1.3, 6.1.1, 6.1.3, 6.3.1, 15.3.4), with the limits as they are. */
import { describe, expect, test } from 'vitest'
import { LIMITS, network } from '../../server/platform/rate-limits.ts'
import { openShop, OWNER, PASSWORD } from '../shop.ts'
import { withStore, type Browser } from '../store.ts'
import { unique } from '../world.ts'

const REAL = { rateLimitScale: 1 }
const TRIES = LIMITS.login.account?.points ?? 0
const tryAs = (browser: Browser, username: string, path = '/auth/login') =>
  browser.post(path, { username, password: 'a wrong password' })

describe('v5.0.0-6.3.1 tries at an account', () => {
  test('end with 429 and Retry-After at the limit and one, by whatever way and name they come', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const { username, email } = await shop.buyer()
      const ways = ['/auth/login', '/auth/reset-device-lock']
      for (let n = 0; n < TRIES; n++)
        expect((await tryAs(store.browser(), n % 2 ? username : email, ways[n % 2])).status).toBe(401)

      for (const path of ways) {
        const answer = await tryAs(store.browser(), username, path)
        expect(answer).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      }
    }, REAL))

  test(
    'v5.0.0-6.1.1 of a thousand in a quarter of an hour twenty are looked at, and the owner still gets in',
    { timeout: 120_000 },
    () =>
      withStore(async (store) => {
        const buyer = await (await openShop(store)).buyer()
        await buyer.post('/auth/logout')
        const statuses: number[] = []
        for (let n = 0; n < 50; n++)
          statuses.push(
            ...(await Promise.all(
              Array.from({ length: 20 }, async () => (await tryAs(store.browser(), buyer.username)).status),
            )),
          )

        expect(statuses.filter((status) => status === 401)).toHaveLength(TRIES)
        expect(statuses.filter((status) => status === 429)).toHaveLength(1_000 - TRIES)
        expect((await buyer.post('/auth/login', { username: buyer.username, password: PASSWORD })).status).toBe(200)
      }, REAL),
  )

  test('many at one moment get no more than the limit', () =>
    withStore(async (store) => {
      const { username } = await (await openShop(store)).buyer()

      const answers = await Promise.all(Array.from({ length: 40 }, () => tryAs(store.browser(), username)))

      expect(answers.filter((each) => each.status === 401)).toHaveLength(TRIES)
    }, REAL))

  test('v5.0.0-6.1.1 by strangers do not lock out the owner on a known device', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer()
      await buyer.post('/auth/logout')
      for (let n = 0; n <= TRIES; n++) await tryAs(store.browser(), buyer.username)

      expect((await buyer.post('/auth/login', { username: buyer.username, password: PASSWORD })).status).toBe(200)
      expect((await store.browser().post('/auth/login', { username: buyer.username, password: PASSWORD })).status).toBe(
        429,
      )
    }, REAL))

  test('by strangers do not lock out the store’s owner on a known device', () =>
    withStore(async (store) => {
      const { owner } = await openShop(store)
      for (let n = 0; n <= (LIMITS['admin-login'].account?.points ?? 0); n++)
        await tryAs(store.browser(), OWNER.username, '/admin/login')

      expect((await store.browser().post('/admin/login', OWNER)).status).toBe(429)
      expect((await owner.post('/admin/login', OWNER)).status).toBe(200)
    }, REAL))

  test('that are right use up nothing', () =>
    withStore(async (store) => {
      const buyer = await (await openShop(store)).buyer()
      for (let n = 0; n < TRIES + 5; n++)
        expect((await buyer.post('/auth/login', { username: buyer.username, password: PASSWORD })).status).toBe(200)
    }, REAL))

  test('at a name that nobody has are limited in the same way', () =>
    withStore(async (store) => {
      const name = unique('nobody')
      for (let n = 0; n < TRIES; n++) await tryAs(store.browser(), name)
      expect((await tryAs(store.browser(), name)).status).toBe(429)
    }, REAL))
})

describe('v5.0.0-2.4.1 every limited call', () => {
  test('answers 429 with Retry-After at the limit and one: referral codes by address', () =>
    withStore(async (store) => {
      const most = LIMITS.referral.address?.points ?? 0
      for (let n = 0; n < most; n++)
        expect((await store.browser().get('/referral/validate/NOSUCHCODE')).status).toBe(404)
      const answer = await store.browser().get('/referral/validate/NOSUCHCODE')
      expect(answer).toMatchObject({ status: 429, body: { message: expect.any(String) as string } })
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }, REAL))
})

describe('v5.0.0-4.1.3 where a request comes from', () => {
  const HOSTILE = ["1.1.1.1' or 1=1 --", '127.0.0.1, 8.8.8.8', '::1', '<script>alert(1)</script>', '9'.repeat(5_000)]

  test('is not what a stranger writes into X-Forwarded-For', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer()
      for (const address of HOSTILE) {
        const answer = await buyer.post(
          '/auth/login',
          { username: buyer.username, password: PASSWORD },
          { 'x-forwarded-for': address, 'x-real-ip': address, 'x-user-id': shop.referralCode },
        )
        expect(answer.status).toBe(200)
        const { sessions } = await buyer.api.sessions.list()
        expect(sessions).toMatchObject([{ address: '127.0.0.1', current: true }])
      }
    }))

  test('nor what a trusted proxy passes on when it is no address', () =>
    withStore(
      async (store) => {
        const buyer = await (await openShop(store)).buyer()
        const from = async (address: string) => {
          await buyer.post(
            '/auth/login',
            { username: buyer.username, password: PASSWORD },
            { 'x-forwarded-for': address },
          )
          return (await buyer.api.sessions.list()).sessions[0]?.address
        }
        expect(await from("1.1.1.1' or 1=1 --")).toBe('127.0.0.1')
        expect(await from('6.6.6.6, 203.0.113.9')).toBe('203.0.113.9')
        expect(await from('2001:db8:1:2::3')).toBe('2001:db8:1:2::3')
      },
      { trustProxy: ['127.0.0.1'] },
    ))

  test('v5.0.0-15.3.4 is a /64 for IPv6, however it is written', () => {
    for (const same of [
      '2001:db8:0:1::1',
      '2001:0db8::1:2:3:4:5',
      '2001:DB8:0:1:ffff:ffff:ffff:ffff',
      '2001:db8:0:1::%eth0',
    ])
      expect(network(same), same).toBe('2001:db8:0:1')
    expect(network('2001:db8:0:2::1')).not.toBe('2001:db8:0:1')
    expect(network('203.0.113.9')).toBe('203.0.113.9')
  })
})
