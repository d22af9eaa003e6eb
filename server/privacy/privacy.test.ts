/** Buyers' rights over their data (security.md: 14.1.1, 14.2.4). */
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { untilBlocked } from '../../test/blocked.ts'
import { nextUtr, openShop, OWNER, PASSWORD, type Buyer, type Shop } from '../../test/worlds/shop.ts'
import { withStore, type TestStore } from '../../test/store.ts'
import { TEST_NOW, unique } from '../../test/worlds/constants.ts'
import { TERMS_VERSION } from '../../contract/limits.ts'
import { DAY_MS } from '../../contract/time.ts'
import { prepared, sql } from '../platform/database/database.ts'
import { findBroken } from '../platform/database/invariants.ts'
import { runDueJobs } from '../platform/jobs.ts'
import { storeJobs } from '../operations/jobs.ts'

const MIGRATIONS = 'server/migrations'
const IN_7_DAYS = '2026-11-27T15:44:00.000Z'

const NOTHING_FOUND = () => Promise.resolve({ broken: [], warnings: [] })
const runJobs = (store: TestStore) => runDueJobs(store.db, storeJobs(store.db, NOTHING_FOUND), store.clock)
const close = (buyer: Buyer) => buyer.post('/auth/close-account', { password: PASSWORD })
const logIn = (store: TestStore, username: string) =>
  store.browser().post('/auth/login', { username, password: PASSWORD })
const keep = (store: TestStore, username: string) =>
  store.browser().post('/auth/keep-account', { username, password: PASSWORD })

function isThere(store: TestStore, username: string): Promise<boolean> {
  return store.db.holds(sql`select exists (select from users where username = ${username} and deleted_at is null)`)
}

async function bought(shop: Shop): Promise<{ buyer: Buyer; key: string; utr: string }> {
  const buyer = await shop.buyer({ balance: 100 })
  const { productId, key } = await aKey(shop)
  await buyer.api.orders.place({ productId, duration: '10 Days', quantity: 1 })
  const [request] = await buyer.api.payments.mine()
  return { buyer, key, utr: request?.utr ?? '' }
}

async function aKey(shop: Shop): Promise<{ productId: string; key: string }> {
  const product = await shop.product({ stock: 1 })
  return { productId: product._id, key: product.keyTexts[0] ?? '' }
}

describe('the file of one’s own data', () => {
  test('holds the account, its wallet, purchases, keys, requests, sessions and consents, and nobody else’s', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const { buyer, key, utr } = await bought(shop)
      const other = await bought(shop)

      const answer = await buyer.get('/auth/my-data')

      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-disposition')).toBe('attachment; filename="my-data.json"')
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.body).toMatchObject({
        exportedAt: TEST_NOW,
        account: { username: buyer.username, email: buyer.email, balance: 0 },
        consents: [
          { termsVersion: TERMS_VERSION, givenFor: 'sign-up', at: TEST_NOW },
          { termsVersion: TERMS_VERSION, givenFor: 'payment', at: TEST_NOW },
        ],
        sessions: [{ endedAt: null, address: '127.0.0.1' }],
        topUps: [{ utr, payerName: '9876543210', status: 'approved', address: '127.0.0.1' }],
        purchases: [{ duration: '10 Days', quantity: 1, amount: 100 }],
        keys: [{ key }],
        history: [{ delta: -100 }, { delta: 100 }],
      })
      const text = JSON.stringify(answer.body)
      for (const theirs of [other.buyer.id, other.buyer.username, other.key, other.utr])
        expect(text).not.toContain(theirs)
    }))

  test('is sent while it is read, and is whole, for a buyer of many years', () =>
    withStore(async (store) => {
      const { buyer } = await bought(await openShop(store))
      await store.db.run(sql`
        insert into wallet_movements (id, user_id, kind, amount_paise, balance_after_paise, description, created_at)
        select gen_random_uuid(), ${buyer.id}, case when n % 2 = 1 then 'admin_credit' else 'admin_debit' end,
               case when n % 2 = 1 then 100 else -100 end, case when n % 2 = 1 then 100 else 0 end, repeat('x', 200),
               ${TEST_NOW}
          from generate_series(1, 5000) as n`)
      // Makes rows like those from before they were bounded
      await store.db.run(sql`
        insert into user_sessions (token_hash, user_id, device_hash, created_at, last_active_at, user_agent)
        select sha256(convert_to(n::text, 'UTF8')), ${buyer.id}, '', ${TEST_NOW}, ${TEST_NOW}, n::text
          from generate_series(1, 2500) as n`)

      const answer = await buyer.get('/auth/my-data')

      expect(answer.headers.get('content-length')).toBeNull()
      const { history, sessions } = answer.body as { history: unknown[]; sessions: { userAgent: string }[] }
      expect(history).toHaveLength(5_002)
      expect(new Set(sessions.map(({ userAgent }) => userAgent)).size).toBe(2_501)
    }))

  test('costs a limited number of calls', () =>
    withStore(
      async (store) => {
        const buyer = await (await openShop(store)).buyer()
        for (let n = 0; n < 30; n++) expect((await buyer.get('/auth/my-data')).status).toBe(200)
        expect((await buyer.get('/auth/my-data')).status).toBe(429)
      },
      { rateLimitScale: 1 },
    ))
})

describe('closing one’s own account', () => {
  test('ends every session at once, and shuts the door for seven days', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const { buyer } = await bought(shop)

      const answer = await close(buyer)

      expect(answer).toMatchObject({ status: 200, body: { closesAt: IN_7_DAYS } })
      expect((await buyer.get('/auth/me')).body).toMatchObject({ code: 'NO_SESSION' })
      expect(await logIn(store, buyer.username)).toMatchObject({
        status: 403,
        body: { code: 'ACCOUNT_CLOSING', closesAt: IN_7_DAYS },
      })
      // Looks like any other account without the right password
      expect((await buyer.post('/auth/login', { username: buyer.username, password: 'wrong' })).status).toBe(401)
      store.clock.advance(7 * DAY_MS - 1_000)
      await runJobs(store)
      expect(await isThere(store, buyer.username)).toBe(true)
    }))

  test('is undone within seven days by an explicit call, and by no login', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const { buyer, key } = await bought(shop)
      await close(buyer)
      expect((await logIn(store, buyer.username)).status).toBe(403)

      expect((await keep(store, buyer.email)).status).toBe(200)

      expect((await keep(store, buyer.email)).body).toMatchObject({ code: 'ACCOUNT_NOT_CLOSING' })
      expect((await buyer.post('/auth/login', { username: buyer.username, password: PASSWORD })).status).toBe(200)
      expect(JSON.stringify((await buyer.get('/keys/user')).body)).toContain(key)
      store.clock.advance(8 * DAY_MS)
      await runJobs(store)
      expect(await isThere(store, buyer.username)).toBe(true)
    }))

  test('erases the person after seven days, and keeps the books under a pseudonym', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const { buyer, utr } = await bought(shop)
      await close(buyer)
      store.clock.advance(7 * DAY_MS)

      await runJobs(store)

      const text = await rowsAbout(store)
      const answer = await logIn(store, buyer.username)
      expect(answer.status).toBe(401)
      expect((await keep(store, buyer.username)).status).toBe(401)
      await shop.owner.api.sessions.adminLogin(OWNER)
      const { purchases } = await shop.owner.api.orders.purchases({ search: '' })
      expect(purchases).toMatchObject([{ username: expect.stringMatching(/^deleted-/) as string, amount: 100 }])
      for (const personal of [buyer.username, buyer.email, '9876543210', '127.0.0.1'])
        expect(text).not.toContain(personal)
      expect(text).toContain(utr)
      const { entries } = await shop.owner.api.reports.audit({ action: 'user.closed' })
      expect(entries).toMatchObject([{ admin: 'system', subject: expect.stringContaining(buyer.id) as string }])
      expect(await findBroken(store.db, MIGRATIONS)).toEqual([])
      // Signs up with the name, which can be used again
      await shop.visitor().api.sessions.register({
        username: buyer.username,
        email: buyer.email,
        password: PASSWORD,
        referralCode: shop.referralCode,
      })
    }))

  test('waits for as long as money has come in since it was asked for', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer()
      await close(buyer)
      await shop.owner.api.users.update({ id: buyer.id, balance: 5, reason: 'Refund', expiresInDays: 10 })
      store.clock.advance(7 * DAY_MS)
      await runJobs(store)
      expect((await logIn(store, buyer.username)).body).toMatchObject({ code: 'ACCOUNT_CLOSING' })

      // Lets the credit expire, so that nothing holds the account up
      store.clock.advance(3 * DAY_MS)
      await runJobs(store)

      expect((await logIn(store, buyer.username)).status).toBe(401)
    }))

  test('waits for what a deduction takes for a time only, and loses none of it', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const [asked, since] = [await shop.buyer({ balance: 500 }), await shop.buyer()]
      const deduct = (buyer: Buyer) => shop.owner.api.users.update({ id: buyer.id, balance: -500 })
      await deduct(asked)

      expect(await close(asked)).toMatchObject({
        status: 409,
        body: {
          code: 'BALANCE_LEFT',
          message:
            '₹500 will be returned to your wallet later. ' +
            'Wait for it, or ask the person who gave you your referral code.',
        },
      })

      await close(since)
      await shop.owner.api.users.update({ id: since.id, balance: 500, expiresInDays: null })
      await deduct(since)
      store.clock.advance(7 * DAY_MS)
      await runJobs(store)
      expect((await logIn(store, since.username)).body).toMatchObject({ code: 'ACCOUNT_CLOSING' })
      store.clock.advance(53 * DAY_MS)
      await keep(store, since.username)
      for (const buyer of [asked, since]) {
        await buyer.api.sessions.login({ username: buyer.username, password: PASSWORD })
        expect((await buyer.get('/auth/me')).body).toMatchObject({ balance: 500 })
      }
      expect(await findBroken(store.db, MIGRATIONS)).toEqual([])
    }))

  // Seen to fail without the wallet's lock: the request comes after the check for pending ones, and stays in a shut
  // account.
  test('and a request for money at the same moment do not both succeed', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer()
      const { payment, closing } = await store.db.transaction(async (tx) => {
        await tx.run(sql`select from wallets where user_id = ${buyer.id} for update`)
        const first = buyer.post('/payments/add-money', { amount: 5, utr: nextUtr(), payerName: '9876543210' })
        await untilBlocked(store.db, 1)
        const second = close(buyer)
        await untilBlocked(store.db, 2)
        return { payment: first, closing: second }
      })

      expect((await payment).status).toBe(201)
      expect(await closing).toMatchObject({ status: 409, body: { code: 'REQUEST_PENDING' } })
    }))

  test('takes tries of a password from the same counter as logging in', () =>
    withStore(
      async (store) => {
        const buyer = await (await openShop(store)).buyer()
        for (let n = 0; n < 20; n++)
          await buyer.post('/auth/keep-account', { username: buyer.email, password: 'wrong' })
        expect((await buyer.post('/auth/login', { username: buyer.username, password: 'wrong' })).status).toBe(429)
      },
      { rateLimitScale: 1 },
    ))
})

describe('consent', () => {
  test('is kept with the version that the form showed, and with today’s for a client that does not say', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const username = unique('asha')
      const form = { username, email: `${username}@example.in`, password: PASSWORD, referralCode: shop.referralCode }
      const browser = store.browser()
      expect((await browser.post('/auth/register', { ...form, termsVersion: 'made-up' })).status).toBe(400)
      expect((await browser.post('/auth/register', { ...form, termsVersion: TERMS_VERSION })).status).toBe(201)
      await browser.api.sessions.login({ username, password: PASSWORD })
      await browser.post('/payments/add-money', { amount: 5, utr: nextUtr(), payerName: '9876543210' })

      const { consents } = await browser.api.privacy.myData()

      expect(consents.map((each) => [each.givenFor, each.termsVersion])).toEqual([
        ['sign-up', TERMS_VERSION],
        ['payment', TERMS_VERSION],
      ])
    }))

  test('cannot be altered or taken back by the store itself', () =>
    withStore(async (store) => {
      await (await openShop(store)).buyer()
      for (const statement of ['update consents set at = now()', 'delete from consents', 'truncate consents'])
        await expect(store.db.run(prepared(statement)), statement).rejects.toMatchObject({ code: '42501' })
    }))
})

describe('v5.0.0-14.2.4 what is kept no longer than docs/privacy.md says', () => {
  test('are phones and addresses of rejected requests, links for a password, sessions, and counters', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer({ balance: 5 })
      const { payment } = await buyer.api.payments.addMoney({ amount: 5, utr: nextUtr(), payerName: '9123456789' })
      await shop.owner.api.payments.reject({ id: payment._id })
      await shop.owner.api.users.issueResetLink({ id: buyer.id })
      const left = async () => {
        const text = await rowsAbout(store)
        const count = async (table: string) =>
          (await store.db.one(sql(z.object({ n: z.number() }))`${prepared(`select count(*) as n from ${table}`)}`)).n
        return {
          rejected: text.includes('9123456789'),
          approved: text.includes('9876543210'),
          links: await count('password_resets'),
          sessions: await count('user_sessions'),
          requestsFrom: await count("topup_requests where address = '127.0.0.1'"),
          addresses: (await rowsAbout(store, BUT_REQUESTS)).includes('127.0.0.1'),
        }
      }
      const all = { rejected: true, approved: true, links: 1, sessions: 1, requestsFrom: 2, addresses: true }
      await runJobs(store)
      expect(await left()).toEqual(all)

      store.clock.advance(2 * DAY_MS)
      await runJobs(store)
      expect(await left()).toEqual({ ...all, links: 0 })

      store.clock.advance(30 * DAY_MS)
      await runJobs(store)
      expect(await left()).toEqual({ ...all, links: 0, sessions: 0, addresses: false })

      store.clock.advance(60 * DAY_MS)
      await runJobs(store)
      expect(await left()).toEqual({
        rejected: false,
        approved: true,
        links: 0,
        sessions: 0,
        requestsFrom: 1,
        addresses: false,
      })
    }))
})

const BUT_REQUESTS = [
  'users',
  'user_sessions',
  'password_resets',
  'orders',
  'wallet_movements',
  'consents',
  'rate_limits',
]

/** Reads every row about buyers as text. The audit log is about admins. */
async function rowsAbout({ db }: TestStore, tables = [...BUT_REQUESTS, 'topup_requests']): Promise<string> {
  const texts = await Promise.all(
    tables.map((name) => db.rows(sql(z.object({ row: z.string() }))`${prepared(`select row::text from ${name} row`)}`)),
  )
  return texts
    .flat()
    .map(({ row }) => row)
    .join('\n')
}
