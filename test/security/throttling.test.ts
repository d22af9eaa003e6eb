/**
 * Tries of passwords and codes (security.md: 2.4.1, 4.1.3, 6.1.1, 6.1.3, 6.3.1, 15.3.4), with the limits as they are.
 */
import { describe, expect, test } from 'vitest'
import type { Endpoint } from '../../contract/endpoint.ts'
import { LIMITS, type LimitName } from '../../contract/rate-limits.ts'
import { sql } from '../../server/platform/database/database.ts'
import { network } from '../../server/platform/rate-limits.ts'
import { codeOf, enrolled } from '../worlds/admins.ts'
import { endpoints } from '../contract/endpoints.ts'
import { nextUtr, openShop, OWNER, PASSWORD, type Buyer, type Shop } from '../worlds/shop.ts'
import { withStore, type Answer, type Browser } from '../store.ts'
import { unique } from '../worlds/constants.ts'

const REAL = { rateLimitScale: 1 }
const TRIES = LIMITS.login.origin?.points ?? 0
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

  /** A busy machine looks at a password later: 503, which uses up no try and is no answer to a guess. */
  function sort(statuses: readonly number[]) {
    const count = (status: number) => statuses.filter((each) => each === status).length
    return { looked: count(401), late: count(503), refused: count(429) }
  }

  test('v5.0.0-6.1.1 of a thousand in a quarter of an hour twenty are looked at, and the owner still gets in', () =>
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

      const { looked, late, refused } = sort(statuses)
      expect(looked).toBeLessThanOrEqual(TRIES)
      expect(looked + late).toBeGreaterThanOrEqual(TRIES)
      expect(refused).toBe(1_000 - looked - late)
      expect((await buyer.post('/auth/login', { username: buyer.username, password: PASSWORD })).status).toBe(200)
    }, REAL))

  test('many at one moment get no more than the limit', () =>
    withStore(async (store) => {
      const { username } = await (await openShop(store)).buyer()

      const answers = await Promise.all(Array.from({ length: 40 }, () => tryAs(store.browser(), username)))

      const { looked, late, refused } = sort(answers.map(({ status }) => status))
      expect(looked).toBeLessThanOrEqual(TRIES)
      expect(looked + late).toBeGreaterThanOrEqual(TRIES)
      expect(refused).toBe(40 - looked - late)
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
      for (let n = 0; n <= (LIMITS['admin-login'].origin?.points ?? 0); n++)
        await tryAs(store.browser(), OWNER.username, '/admin/login')

      expect((await store.browser().post('/admin/login', OWNER)).status).toBe(429)
      expect((await owner.post('/admin/login', OWNER)).status).toBe(200)
    }, REAL))

  // With the address counted for every browser, both are refused: people who share an address with the owner could do
  // that.
  test('v5.0.0-6.1.1 by strangers at the same address, at any names, lock out nobody on a known device', () =>
    withStore(
      async (store) => {
        const shop = await openShop(store)
        const buyer = await shop.buyer()
        await buyer.post('/auth/logout')
        await shop.owner.post('/admin/logout')
        for (const path of ['/auth/login', '/admin/login']) {
          let tried = 0
          while ((await tryAs(store.browser(), unique('nobody'), path)).status === 401) tried++
          expect(tried).toBeGreaterThan(0)
        }

        const credentials = { username: buyer.username, password: PASSWORD }
        expect((await store.browser().post('/auth/login', credentials)).status).toBe(429)
        expect((await buyer.post('/auth/login', credentials)).status).toBe(200)
        expect((await store.browser().post('/admin/login', OWNER)).status).toBe(429)
        expect((await shop.owner.post('/admin/login', OWNER)).status).toBe(200)
      },
      { rateLimitScale: 0.1 },
    ))

  test('v5.0.0-6.5.5 at a code end as those at a password do, and the right one comes too late', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const { admin, browser, secret } = await enrolled(shop)
      store.clock.advance(60_000)
      const tries = LIMITS['admin-login'].origin?.points ?? 0
      const credentials = { username: admin.username, password: OWNER.password }
      const guess = (n: number) => String((Number(codeOf(shop, secret)) + 1 + n) % 1_000_000).padStart(6, '0')

      for (let n = 0; n < tries; n++)
        expect((await store.browser().post('/admin/login', { ...credentials, totp: guess(n) })).body).toMatchObject({
          code: 'TOTP_INVALID',
        })
      const right = { ...credentials, totp: codeOf(shop, secret) }
      expect((await store.browser().post('/admin/login', right)).status).toBe(429)
      expect((await browser.post('/admin/login', right)).status, 'the admin, on a known device').toBe(200)

      store.clock.advance(60_000)
      for (let n = 0; n < tries; n++)
        expect((await browser.post('/admin/step-up', { totp: guess(n) })).body).toMatchObject({ code: 'WRONG_CODE' })
      expect((await browser.post('/admin/step-up', { totp: codeOf(shop, secret) })).status).toBe(429)
      expect((await browser.post('/admin/step-up', { password: OWNER.password })).status).toBe(429)
    }, REAL))

  test('by a stolen admin session are counted for the admin, whichever buyer’s session comes along', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const tries = LIMITS['admin-login'].origin?.points ?? 0
      const thief = store.browser()
      const guess = async () => {
        const { cookies } = await shop.buyer()
        for (const [name, value] of [...shop.owner.cookies, ...cookies]) thief.cookies.set(name, value)
        return thief.post('/admin/step-up', { password: 'a wrong password' })
      }
      for (let n = 0; n < tries; n++) expect((await guess()).body).toMatchObject({ code: 'WRONG_PASSWORD' })

      expect((await guess()).status).toBe(429)
      expect((await thief.post('/admin/totp/enrol', { password: OWNER.password })).status).toBe(429)
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

/** The call that uses a limit up, where it isn't the first call that has the limit. */
const USE_UP: Partial<Record<LimitName, (shop: Shop, buyer: Buyer) => Promise<Answer>>> = {
  login: (_, buyer) => tryAs(buyer, buyer.username),
  'reset-device': (_, buyer) => tryAs(buyer, buyer.username, '/auth/reset-device-lock'),
  'admin-login': ({ owner }) => owner.post('/admin/step-up', { password: 'a wrong password' }),
  register: (shop, buyer) => buyer.post('/auth/register', { ...FORM, referralCode: shop.referralCode }),
  export: async ({ owner }, buyer) => {
    await buyer.get('/auth/my-data')
    return owner.get('/admin/audit/export')
  },
}
const NOTHING = { productId: '00000000-0000-7000-8000-000000000000', duration: '10 Days' }
const FORM = { username: 'somebody', email: 'somebody@example.in', password: PASSWORD }

/** Valid input for any call with a limit. */
const bodyOf = ({ path }: Endpoint, { username }: Buyer) => ({
  ...NOTHING,
  ...FORM,
  username: path.startsWith('/auth') && path !== '/auth/register' ? username : FORM.username,
  currentPassword: 'a wrong password',
  newPassword: 'another long password',
  passphrase: 'four words and a sign',
  referralCode: 'NOSUCHCODE',
  token: 'made-up',
  ...(path === '/admin/step-up' ? {} : { totp: '123456' }),
  amount: 1,
  utr: nextUtr(),
  payerName: '9876543210',
  quantity: 1,
  name: 'push',
  canBuy: true,
  days: 30,
  kind: 'topup.requested',
  endpoint: 'https://fcm.googleapis.com/fcm/send/x',
  keys: { p256dh: 'key', auth: 'secret' },
  code: '12345678',
  text: 'Date,Narration,Amount,Balance',
  accountId: NOTHING.productId,
  keyId: NOTHING.productId,
  reason: 'never-worked',
})

describe('v5.0.0-2.4.1 every limited call', () => {
  /** Small enough that each limit is used up in a few calls. */
  const SCALE = 0.05
  /** Of phones (server/bank/inbox/phones.test.ts) and programs (tokens.test.ts), which call with tokens. */
  const OF_TOKENS: readonly LimitName[] = ['bank-alert', 'token', 'token-claim', 'wrong-token']
  const names = (Object.keys(LIMITS) as LimitName[]).filter((name) => !OF_TOKENS.includes(name))

  test('is one of those below', () => {
    expect(names.filter((name) => !endpoints.some(({ endpoint }) => endpoint.limit === name))).toEqual([])
  })

  for (const name of names)
    test(`answers 429 with a message and Retry-After at the limit and one: ${name}`, () =>
      withStore(
        async (store) => {
          const shop = await openShop(store)
          const buyer = await shop.buyer()
          await store.db.run(sql`delete from rate_limits`)
          // A known device draws on points of its own alone
          const { origin, account, address } = LIMITS[name]
          const most = Math.ceil((origin ?? account ?? address ?? { points: 0 }).points * SCALE)
          const limited = endpoints.filter(({ endpoint }) => endpoint.limit === name)
          const callOf = ({ endpoint, path }: (typeof endpoints)[number]) => {
            const caller = endpoint.access === 'admin' || endpoint.path === '/admin/login' ? shop.owner : buyer
            const input = { ...bodyOf(endpoint, buyer), ...(caller === shop.owner && { username: OWNER.username }) }
            const isRead = endpoint.method === 'GET'
            const query = isRead ? '?from=2026-11-01&to=2026-11-30&by=day&month=2026-11&year=2026' : ''
            return caller.call(
              endpoint.method,
              path.replace(/channels\/[^/]+/, 'channels/push') + query,
              isRead ? undefined : input,
            )
          }
          const useUp = USE_UP[name] ?? (() => callOf(limited[0] as (typeof endpoints)[number]))
          for (let n = 0; n < most; n++) expect((await useUp(shop, buyer)).status, `${n}`).not.toBe(429)
          for (const each of limited) {
            const answer = await callOf(each)
            expect(answer, `${each.name} ${JSON.stringify(answer.body)}`).toMatchObject({
              status: 429,
              body: { code: 'RATE_LIMITED', message: expect.stringMatching(/\w/) as string },
            })
            expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
          }
        },
        { rateLimitScale: SCALE },
      ))
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
    expect(network('::ffff:203.0.113.9')).toBe('203.0.113.9')
  })

  const guessFrom = (browser: Browser, address: string) =>
    browser.call('GET', '/referral/validate/NOSUCHCODE', undefined, { 'x-forwarded-for': address })

  test('v5.0.0-15.3.4 counts by the /64 that a trusted proxy has seen, and not by what its client says before', () =>
    withStore(
      async (store) => {
        const most = Math.ceil((LIMITS.referral.address?.points ?? 0) * 0.05)
        for (let n = 0; n < most; n++)
          expect((await guessFrom(store.browser(), `10.0.0.${n}, 2001:db8:1:2:${n}::${n}`)).status).toBe(404)
        expect((await guessFrom(store.browser(), '10.9.9.9, 2001:db8:1:2:ffff::1')).status).toBe(429)
        expect((await guessFrom(store.browser(), '2001:db8:1:3::1')).status, 'a neighbour').toBe(404)
      },
      { trustProxy: ['127.0.0.1'], rateLimitScale: 0.05 },
    ))

  test('v5.0.0-4.1.3 counts a stranger by the address of the connection, whatever the headers say', () =>
    withStore(
      async (store) => {
        const most = Math.ceil((LIMITS.referral.address?.points ?? 0) * 0.05)
        for (let n = 0; n < most; n++) expect((await guessFrom(store.browser(), `2001:db8:${n}::1`)).status).toBe(404)
        expect((await guessFrom(store.browser(), '2001:db8:ffff::1')).status).toBe(429)
      },
      { rateLimitScale: 0.05 },
    ))
})
