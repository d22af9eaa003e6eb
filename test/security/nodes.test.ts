/**
 * A decision at one node holds at every other one, from its very next request: sessions are kept in memory there,
 * and must not be believed for longer than they stand (security.md: 6.3.1, 6.4.1, 6.5.1, 7.4.1, 7.4.2, 7.5.1, 8.2.1).
 */
import { describe, expect, test } from 'vitest'
import { DEVICE_RESET_AFTER_MS } from '../../contract/limits.ts'
import { REPLACED_READS_FOR_MS } from '../../server/admins/admin-sessions.ts'
import { LIMITS } from '../../contract/rate-limits.ts'
import { anAdmin, codeOf, enrolled, type AdminBrowser } from '../worlds/admins.ts'
import { openShop, OWNER, PASSWORD, type Buyer, type Shop } from '../worlds/shop.ts'
import { copyOf, openBrowser, withSecondNode, withStore, type Browser, type StoreOptions } from '../store.ts'

const STEP_MS = 30_000
/** Less than the four seconds to the next look at all sessions, which ends a stream without an event. */
const AT_ONCE_MS = 2_000

type Enrolled = Awaited<ReturnType<typeof enrolled>>

interface TwoNodes {
  shop: Shop
  url: string
  /** A browser at the second node, with the cookies of one at the first. */
  there(browser: Browser): Browser
  strangerThere(): Browser
}

function onTwoNodes(work: (nodes: TwoNodes) => Promise<void>, options: StoreOptions = {}): Promise<void> {
  return withStore(async (store) => {
    const shop = await openShop(store)
    await withSecondNode(
      store,
      ({ url }) => work({ shop, url, there: (browser) => copyOf(url, browser), strangerThere: () => openBrowser(url) }),
      options,
    )
  }, options)
}

const sessionIdOf = async ({ owner }: Shop, { id }: Buyer) =>
  (await owner.api.users.sessions({ id })).sessions[0]?._id ?? ''

const BUYERS_ENDINGS: Record<string, (shop: Shop, buyer: Buyer) => Promise<unknown>> = {
  'a logout': (_, buyer) => buyer.api.sessions.logout(),
  'a login on the same device': (_, buyer) =>
    buyer.api.sessions.login({ username: buyer.username, password: PASSWORD }),
  'a reset of the device lock': ({ store, visitor }, { username }) => {
    store.clock.advance(DEVICE_RESET_AFTER_MS)
    return visitor().api.sessions.resetDeviceLock({ username, password: PASSWORD })
  },
  'a change of the password': (_, buyer) =>
    buyer.api.sessions.changePassword({ currentPassword: PASSWORD, newPassword: 'another long password' }),
  'a password by a link': async ({ owner, visitor }, { id }) => {
    const { link } = await owner.api.users.issueResetLink({ id })
    await visitor().api.sessions.resetPassword({ token: link.split('#')[1] ?? '', newPassword: 'a forgotten password' })
  },
  'its owner in the list of sessions': async (_, buyer) => {
    const { sessions } = await buyer.api.sessions.list()
    await buyer.api.sessions.end({ id: sessions[0]?._id ?? '' })
  },
  'an admin in the list of sessions': async (shop, buyer) =>
    shop.owner.api.users.endSession({ id: buyer.id, sessionId: await sessionIdOf(shop, buyer) }),
  'an admin who frees the device': ({ owner }, { id }) => owner.api.users.unlockDevice({ id }),
  'an admin who blocks the buyer': ({ owner }, { id }) => owner.api.users.block({ id, reason: 'Made-up payments' }),
  'an admin who closes the account': ({ owner }, { id }) => owner.api.users.remove({ id }),
  'its owner who closes the account': (_, buyer) => buyer.api.privacy.closeAccount({ password: PASSWORD }),
}

describe('v5.0.0-7.4.1 v5.0.0-7.4.2 a buyer’s session', () => {
  // With the sessions kept for a second, whatever the database says, each of them goes on.
  for (const [name, end] of Object.entries(BUYERS_ENDINGS))
    test(`that is ended by ${name} is over at the other node’s next request, and so is its stream`, () =>
      onTwoNodes(async ({ shop, url, there }) => {
        const buyer = await shop.buyer()
        const thief = there(buyer)
        for (let n = 0; n < 3; n++) expect((await thief.get('/auth/me')).body).toMatchObject({ id: buyer.id })
        const streams = [await openStream(shop.store.url, thief), await openStream(url, thief)]

        await end(shop, buyer)

        for (const path of ['/auth/me', '/keys/user', '/auth/my-data', '/payments/mine', '/auth/balance-history'])
          expect((await thief.get(path)).status, path).toBe(401)
        expect((await thief.post('/keys/buy', {})).status).toBe(401)
        expect(JSON.stringify((await thief.get('/products')).body)).not.toContain('"price"')
        for (const stream of streams) expect(await stream.endedWithinMs()).toBeLessThan(AT_ONCE_MS)
      }))
})

const ADMINS_ENDINGS: Record<string, (shop: Shop, admin: AdminBrowser) => Promise<unknown>> = {
  'a logout': (_, { browser }) => browser.api.sessions.adminLogout(),
  'a login in the same browser': (_, { admin, browser }) =>
    browser.api.sessions.adminLogin({ username: admin.username, password: OWNER.password }),
  'an owner who disables the account': ({ owner }, { admin }) =>
    owner.api.admins.update({ id: admin._id, disabled: true }),
  'an owner who gives a lesser role': ({ owner }, { admin }) =>
    owner.api.admins.update({ id: admin._id, role: 'read-only' }),
  'an owner who sets another password': ({ owner }, { admin }) =>
    owner.api.admins.update({ id: admin._id, password: 'another long admin password' }),
  'its admin in the list of sessions': async (_, { browser }) => {
    const { sessions } = await browser.api.admins.sessions()
    await browser.api.admins.endSession({ id: sessions.find(({ current }) => current)?._id ?? '' })
  },
}

describe('v5.0.0-7.4.2 v5.0.0-8.2.1 an admin’s session', () => {
  for (const [name, end] of Object.entries(ADMINS_ENDINGS))
    test(`that is ended by ${name} is over at the other node’s next request, and so is its stream`, () =>
      onTwoNodes(async ({ shop, url, there }) => {
        const one = await anAdmin(shop)
        const thief = there(one.browser)
        for (let n = 0; n < 3; n++) expect((await thief.get('/admin/users')).status).toBe(200)
        const streams = [await openStream(shop.store.url, thief), await openStream(url, thief)]

        await end(shop, one)

        for (const path of ['/admin/users', '/admin/check', '/payments', '/keys', '/auth/me'])
          expect((await thief.get(path)).status, path).toBe(401)
        expect((await thief.put('/settings/upi', { upiId: 'thief@okaxis' })).status).toBe(401)
        for (const stream of streams) expect(await stream.endedWithinMs()).toBeLessThan(AT_ONCE_MS)
        expect(await shop.owner.api.settings.upi()).toMatchObject({ upiId: 'shop@okaxis' })
      }))

  test('of somebody with another password or a second factor ends everywhere but where that was done', () =>
    onTwoNodes(async ({ shop, strangerThere }) => {
      const { admin, browser } = await anAdmin(shop)
      const other = strangerThere()
      const logIn = () => other.api.sessions.adminLogin({ username: admin.username, password: OWNER.password })
      await logIn()
      const { secret } = await browser.api.admins.enrol({ password: OWNER.password })
      expect((await other.get('/admin/check')).status, 'nothing is turned on yet').toBe(200)
      await browser.api.admins.confirm({ totp: codeOf(shop, secret) })
      expect((await other.get('/admin/check')).status).toBe(401)
      expect((await browser.get('/admin/check')).status).toBe(200)

      shop.store.clock.advance(STEP_MS)
      const totp = codeOf(shop, secret)
      await other.api.sessions.adminLogin({ username: admin.username, password: OWNER.password, totp })
      await browser.api.admins.changePassword({
        currentPassword: OWNER.password,
        newPassword: 'another long admin password',
      })
      expect((await other.get('/admin/check')).status).toBe(401)
      expect((await browser.get('/admin/check')).status).toBe(200)
    }))
})

describe('v5.0.0-7.2.4 a new proof gives the session a new token', () => {
  const WAYS: Record<string, (one: Enrolled, shop: Shop) => Promise<unknown>> = {
    'a password': ({ browser }) => browser.api.admins.stepUp({ password: OWNER.password }),
    'a code': ({ browser, secret }, shop) => {
      shop.store.clock.advance(STEP_MS)
      return browser.api.admins.stepUp({ totp: codeOf(shop, secret) })
    },
    'a change of the password': ({ browser }) =>
      browser.api.admins.changePassword({
        currentPassword: OWNER.password,
        newPassword: 'another long admin password',
      }),
    'another second factor': async ({ browser, recoveryCodes: [, totp = ''] }, shop) => {
      await browser.api.admins.disable({ password: OWNER.password, totp })
      const { secret } = await browser.api.admins.enrol({ password: OWNER.password })
      await browser.api.admins.confirm({ totp: codeOf(shop, secret) })
    },
  }
  const ENDS_THE_OLD = ['a change of the password', 'another second factor']
  for (const [name, prove] of Object.entries(WAYS))
    test(`by ${name}; the one before ${
      ENDS_THE_OLD.includes(name) ? 'is over at once' : 'only reads, proves nothing and is over in ten seconds'
    }, at both nodes`, () =>
      onTwoNodes(async ({ shop, url, there }) => {
        const one = await enrolled(shop)
        const { browser } = one
        const thieves = [copyOf(shop.store.url, browser), there(browser)]
        const streams = [await openStream(shop.store.url, browser), await openStream(url, browser)]

        await prove(one, shop)

        for (const stream of streams) expect(await stream.endedWithinMs()).toBeLessThan(AT_ONCE_MS)
        for (const thief of thieves) {
          const isOver = ENDS_THE_OLD.includes(name)
          expect((await thief.get('/admin/users')).status, 'a tab that has not heard of it').toBe(isOver ? 401 : 200)
          expect((await thief.get('/keys')).body).toMatchObject({ code: isOver ? 'NO_SESSION' : 'STEP_UP_REQUIRED' })
          for (const path of ['/notice', '/settings/upi'])
            expect((await thief.put(path, { text: 'Hacked', upiId: 'thief@okaxis' })).status, path).toBe(401)
          expect((await thief.post('/admin/step-up', { password: OWNER.password })).status).toBe(401)
        }
        shop.store.clock.advance(REPLACED_READS_FOR_MS)
        for (const thief of thieves) expect((await thief.get('/admin/users')).status).toBe(401)
        for (const tab of [browser, there(browser)]) {
          expect((await tab.get('/admin/users')).status).toBe(200)
          expect((await tab.put('/notice', { text: 'Open' })).status).toBe(200)
        }
        expect((await openStream(url, browser)).endedWithinMs).toBeDefined()
      }))

  test('once: of two proofs with one token, one is refused and the session stands', () =>
    onTwoNodes(async ({ shop, there }) => {
      const { browser } = await anAdmin(shop)
      const tabs = [copyOf(shop.store.url, browser), there(browser)]
      const answers = await Promise.all(tabs.map((tab) => tab.post('/admin/step-up', { password: OWNER.password })))
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
      const held = tabs[answers.findIndex(({ status }) => status === 200)]
      expect((await held?.put('/notice', { text: 'Open' }))?.status).toBe(200)
    }))

  test('and a logout that was sent with the one before still ends it', () =>
    onTwoNodes(async ({ shop, there }) => {
      const { browser } = await anAdmin(shop)
      const tab = there(browser)
      await browser.api.admins.stepUp({ password: OWNER.password })
      await tab.api.sessions.adminLogout()
      expect((await browser.get('/admin/users')).status).toBe(401)
    }))
})

describe('v5.0.0-6.5.1 a code', () => {
  test('of this moment logs in once, at whichever node, however many try', () =>
    onTwoNodes(async ({ shop, url }) => {
      const { admin, secret } = await enrolled(shop)
      shop.store.clock.advance(STEP_MS)
      const totp = codeOf(shop, secret)
      const logIn = (node: string) =>
        openBrowser(node).post('/admin/login', { username: admin.username, password: OWNER.password, totp })
      const answers = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((n) => logIn(n % 2 ? url : shop.store.url)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ body }) => (body as { code?: string }).code === 'TOTP_INVALID')).toHaveLength(7)
    }))

  test('v5.0.0-7.5.1 that has proven a session counts for that session alone, and opens none', () =>
    onTwoNodes(async ({ shop, there, strangerThere }) => {
      const { admin, secret, recoveryCodes } = await enrolled(shop)
      const [here, elsewhere] = [shop.visitor(), strangerThere()]
      for (const [n, browser] of [here, elsewhere].entries())
        await browser.api.sessions.adminLogin({
          username: admin.username,
          password: OWNER.password,
          totp: recoveryCodes[n] ?? '',
        })
      const takeOver = (browser: Browser) => browser.put('/settings/upi', { upiId: 'next@okaxis' })
      shop.store.clock.advance(STEP_MS)
      const totp = codeOf(shop, secret)

      expect((await takeOver(here)).status).toBe(403)
      await here.api.admins.stepUp({ totp })

      expect((await elsewhere.post('/admin/step-up', { totp })).body).toMatchObject({ code: 'WRONG_CODE' })
      expect((await there(here).post('/admin/step-up', { totp })).body).toMatchObject({ code: 'WRONG_CODE' })
      const again = { username: admin.username, password: OWNER.password, totp }
      expect((await strangerThere().post('/admin/login', again)).body).toMatchObject({ code: 'TOTP_INVALID' })
      expect((await takeOver(elsewhere)).body).toMatchObject({ code: 'STEP_UP_REQUIRED' })
      expect((await takeOver(there(here))).status, 'the proof of this session, at the other node').toBe(200)
    }))
})

test('v5.0.0-6.4.1 a reset link works once, at whichever node', () =>
  onTwoNodes(async ({ shop, url }) => {
    const { link } = await shop.owner.api.users.issueResetLink({ id: (await shop.buyer()).id })
    const reset = (node: string) =>
      openBrowser(node).post('/auth/reset-password', { token: link.split('#')[1], newPassword: 'a forgotten password' })
    const answers = await Promise.all([0, 1, 2, 3, 4, 5].map((n) => reset(n % 2 ? url : shop.store.url)))
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400, 400, 400, 400, 400])
  }))

test('v5.0.0-6.3.1 tries of a password are counted by all nodes together', () =>
  onTwoNodes(
    async ({ shop, url }) => {
      const { username } = await shop.buyer()
      const tryAt = (node: string) => openBrowser(node).post('/auth/login', { username, password: 'a wrong password' })
      const most = LIMITS.login.origin?.points ?? 0
      const answers = await Promise.all(
        Array.from({ length: most + 10 }, (_, n) => tryAt(n % 2 ? url : shop.store.url)),
      )
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(most)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
    },
    { rateLimitScale: 1 },
  ))

async function openStream(url: string, { cookies }: Browser): Promise<{ endedWithinMs(): Promise<number> }> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(`${url}/api/events`, { headers: { cookie } })
  expect(response.status).toBe(200)
  const ended = (async () => {
    for await (const _ of response.body ?? []);
    return performance.now()
  })()
  return {
    async endedWithinMs() {
      const asked = performance.now()
      return Math.max(0, (await ended) - asked)
    },
  }
}
