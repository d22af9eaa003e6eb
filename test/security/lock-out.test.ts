/** Whom the limits hurt: nobody is locked out by what strangers do elsewhere (security.md: 6.1.1, 6.3.1, 6.5.5). */
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { DAY_MS } from '../../contract/time.ts'
import { storeJobs } from '../../server/operations/jobs.ts'
import { sql } from '../../server/platform/database/database.ts'
import { runDueJobs } from '../../server/platform/jobs.ts'
import { siteOf } from '../../server/platform/rate-limits.ts'
import { recoverAdmin } from '../../server/admins/recover-admin.ts'
import { codeOf, enrolled } from '../worlds/admins.ts'
import { openShop, OWNER, PASSWORD } from '../worlds/shop.ts'
import { withStore, type Answer, type StoreOptions, type TestStore } from '../store.ts'
import { unique } from '../worlds/constants.ts'

const behindProxy = (rateLimitScale: number): StoreOptions => ({ rateLimitScale, trustProxy: ['127.0.0.1'] })

/** A browser without cookies tries to log in from this address. */
const tryFrom = (store: TestStore, address: string, path: string, body: Record<string, string>): Promise<Answer> =>
  store.browser().post(path, { password: 'a wrong password', ...body }, { 'x-forwarded-for': address })

const stranger = (n: number) => `198.51.${Math.floor(n / 250)}.${(n % 250) + 1}`
const HOME = '203.0.113.9'

const cleanUp = (store: TestStore): Promise<unknown> => {
  const checkNothing = () => Promise.resolve({ broken: [], warnings: [] })
  const jobs = storeJobs(store.db, checkNothing).filter(({ name }) => name === 'clean-up')
  return runDueJobs(store.db, jobs, store.clock)
}

async function givenNewBuyer(store: TestStore): Promise<{ username: string }> {
  const { referralCode } = await openShop(store)
  const username = unique('buyer')
  const form = { username, email: `${username}@example.in`, password: PASSWORD, referralCode }
  await store.browser().api.sessions.register(form)
  return { username }
}

describe('v5.0.0-6.1.1 wrong passwords of strangers', () => {
  test('from one network lock neither the owner nor a buyer’s first login out', () =>
    withStore(async (store) => {
      const { username } = await givenNewBuyer(store)
      for (let n = 0; n < 25; n++) {
        await tryFrom(store, stranger(1), '/auth/login', { username })
        await tryFrom(store, stranger(1), '/admin/login', { username: OWNER.username })
      }

      expect((await tryFrom(store, stranger(1), '/auth/login', { username, password: PASSWORD })).status).toBe(429)
      expect((await tryFrom(store, HOME, '/auth/login', { username, password: PASSWORD })).status).toBe(200)
      expect((await tryFrom(store, HOME, '/admin/login', OWNER)).status).toBe(200)
    }, behindProxy(1)))

  test('from very many networks leave each network few tries, and the owner gets in', () =>
    withStore(async (store) => {
      await openShop(store)
      const looked: number[] = []
      for (let n = 0; n < 40; n++) {
        let count = 0
        for (let tries = 0; tries < 3; tries++)
          if ((await tryFrom(store, stranger(n), '/admin/login', { username: OWNER.username })).status === 401) count++
        looked.push(count)
      }

      // A tenth of the figures: 2 a network, 30 for the account, then 1 a network
      expect(looked).toEqual([...Array<number>(15).fill(2), ...Array<number>(25).fill(1)])
      expect((await tryFrom(store, HOME, '/admin/login', OWNER)).status).toBe(200)
    }, behindProxy(0.1)))

  // Without the limit by area, each of the 65,536 networks has tries of its own.
  test('from the networks of one /48 share few tries at an account, and the owner gets in from elsewhere', () =>
    withStore(async (store) => {
      const { username } = await givenNewBuyer(store)
      const from = (n: number) => tryFrom(store, `2001:db8:7:${n.toString(16)}::1`, '/auth/login', { username })
      const statuses: number[] = []
      for (let n = 0; n < 10; n++) statuses.push((await from(n)).status)

      // A tenth of the figures
      expect(statuses).toEqual([...Array<number>(6).fill(401), ...Array<number>(4).fill(429)])
      const login = { username, password: PASSWORD }
      expect((await tryFrom(store, '2001:db8:8::1', '/auth/login', login)).status).toBe(200)
    }, behindProxy(0.1)))

  test('v5.0.0-15.3.4 count for the /48 too, and not for its neighbours', () =>
    withStore(async (store) => {
      await openShop(store)
      const guess = async (address: string) =>
        (await tryFrom(store, address, '/auth/login', { username: unique('nobody') })).status
      const statuses: number[] = []
      for (let n = 0; n < 25; n++) statuses.push(await guess(`2001:db8:7:${n.toString(16)}::1`))

      expect(statuses).toEqual([...Array<number>(20).fill(401), ...Array<number>(5).fill(429)])
      expect(await guess('2001:db8:8::1')).toBe(401)
      expect(siteOf('2001:db8:7:ff::1')).toBe('2001:db8:7')
      expect(siteOf('203.0.113.9')).toBeUndefined()
    }, behindProxy(0.01)))

  test('are forgotten when the owner recovers the account on the machine', () =>
    withStore(async (store) => {
      await openShop(store)
      const wrong = { username: OWNER.username }
      for (let n = 0; n < 25; n++) await tryFrom(store, HOME, '/admin/login', wrong)
      expect((await tryFrom(store, HOME, '/admin/login', wrong)).status).toBe(429)

      const recovered = await recoverAdmin(store.db, OWNER.username, store.clock.now())

      expect((await tryFrom(store, HOME, '/admin/login', { ...recovered })).status).toBe(200)
    }, behindProxy(1)))

  test('leave the owner’s browser its own tries, a year after its last login', () =>
    withStore(async (store) => {
      const { owner } = await openShop(store)
      store.clock.advance(390 * DAY_MS)
      await cleanUp(store)
      for (let n = 0; n < 25; n++) await tryFrom(store, HOME, '/admin/login', { username: OWNER.username })

      const kept = await store.db.rows(sql(z.object({ address: z.string(), userAgent: z.string() }))`
        select address, user_agent as "userAgent" from admin_sessions`)
      expect(kept, 'without from where').toEqual([{ address: '', userAgent: '' }])
      expect((await tryFrom(store, HOME, '/admin/login', OWNER)).status).toBe(429)
      expect((await owner.post('/admin/login', OWNER, { 'x-forwarded-for': HOME })).status).toBe(200)

      store.clock.advance(401 * DAY_MS)
      await cleanUp(store)
      expect(await store.db.run(sql`delete from admin_sessions`), 'no browser keeps its cookie as long').toBe(0)
    }, behindProxy(1)))
})

describe('v5.0.0-6.5.5 wrong codes', () => {
  test('count for the account, from however many networks, and its own browser still gets in', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const { admin, browser, secret } = await enrolled(shop)
      store.clock.advance(60_000)
      const credentials = { username: admin.username, password: OWNER.password }
      const right = Number(codeOf(shop, secret))
      for (let n = 0; n < 20; n++) {
        const totp = String((right + 1 + n) % 1_000_000).padStart(6, '0')
        const { body } = await tryFrom(store, stranger(n), '/admin/login', { ...credentials, totp })
        expect(body).toMatchObject({ code: 'TOTP_INVALID' })
      }

      const login = { ...credentials, totp: codeOf(shop, secret) }
      expect((await tryFrom(store, HOME, '/admin/login', login)).status).toBe(429)
      expect((await browser.post('/admin/login', login)).status, 'the admin, on a known device').toBe(200)
    }, behindProxy(1)))

  test('that come with wrong passwords lock nobody out', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const { admin, secret } = await enrolled(shop)
      store.clock.advance(60_000)
      const wrong = { username: admin.username, totp: '000000' }
      for (let n = 0; n < 25; n++) await tryFrom(store, stranger(n), '/admin/login', wrong)

      const login = { username: admin.username, password: OWNER.password, totp: codeOf(shop, secret) }
      expect((await tryFrom(store, HOME, '/admin/login', login)).status).toBe(200)
    }, behindProxy(1)))
})

describe('sign-ups with a wrong referral code', () => {
  const form = (referralCode: string) => {
    const username = unique('buyer')
    return { username, email: `${username}@example.in`, password: PASSWORD, referralCode }
  }

  test('stop no right one from the same address up to a limit of their own, and none from elsewhere', () =>
    withStore(async (store) => {
      const { referralCode } = await openShop(store)
      const signUp = (code: string, from = HOME) =>
        store.browser().post('/auth/register', form(code), { 'x-forwarded-for': from })
      for (let n = 0; n < 1_000; n += 20) {
        const answers = await Promise.all(Array.from({ length: 20 }, () => signUp('NOSUCHCODE')))
        for (const { body } of answers) expect(body).toMatchObject({ code: 'INVALID_REFERRAL' })
      }
      expect((await signUp(referralCode)).status).toBe(201)

      await store.db.run(sql`update rate_limits set points = 5000 where key like 'register/apart:%'`)
      expect((await signUp('NOSUCHCODE')).status).toBe(429)
      // The price of short codes: beyond the limit, one address must not learn which of them are right
      expect((await signUp(referralCode)).status).toBe(429)
      expect((await signUp(referralCode, stranger(1))).status).toBe(201)
    }, behindProxy(1)))

  test('that are right may come from one address by the hundreds', () =>
    withStore(
      async (store) => {
        const { referralCode } = await openShop(store)
        for (let n = 0; n < 15; n++)
          expect((await store.browser().post('/auth/register', form(referralCode))).status).toBe(201)
      },
      // A hundredth of the figures
      { rateLimitScale: 0.01 },
    ))
})
