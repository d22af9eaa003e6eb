/** No limit locks an honest caller out for what strangers do elsewhere: each limit, one by one (security.md: 6.1.1). */
import { describe, expect, test } from 'vitest'
import type { RefusalCode } from '../../contract/errors.ts'
import { LIMITS, type Limit, type LimitName, type Rule } from '../../contract/rate-limits.ts'
import { sql } from '../../server/platform/database/database.ts'
import { endpoints } from '../contract/endpoints.ts'
import { pairing } from '../worlds/phones.ts'
import { openShop, type Shop } from '../worlds/shop.ts'
import { withStore, type TestStore } from '../store.ts'

const GATEWAY = '198.51.100.7'
const ELSEWHERE = '203.0.113.9'
const REAL = { rateLimitScale: 1, trustProxy: ['127.0.0.1'] }

const limitsOf = (rule: Rule): Limit[] => Object.values(rule) as Limit[]
const isOfAccount = ({ origin, account }: Rule) => (origin ?? account) !== undefined
const SECRETS: readonly RefusalCode[] = ['RESET_LINK_INVALID', 'PAIRING_INVALID', 'CODE_INVALID']
const takesSecret = (name: LimitName) =>
  endpoints.some(({ endpoint }) => endpoint.limit === name && endpoint.refusals?.some((code) => SECRETS.includes(code)))

/** Uses up all that these strangers, all behind one gateway, can use up. */
async function useUp({ app, db }: TestStore, name: LimitName, rule: Rule): Promise<void> {
  // Without a session nobody makes another's calls, but anybody can guess at another's password
  const isGuess = limitsOf(rule).every(({ only }) => only) || name === 'forgot-password'
  const accounts = isOfAccount(rule) ? ['a stranger', ...(isGuess ? ['honest'] : [])] : [undefined]
  const [failure] = limitsOf(rule).flatMap(({ only }) => [...(only ?? [])])
  for (const account of accounts) await (await app.services.limits(name, { account, address: GATEWAY }))(failure)
  await db.run(sql`update rate_limits set points = 1000000`)
  for (const account of accounts) {
    const again = async () => (await app.services.limits(name, { account, address: GATEWAY }))(failure)
    await expect(again(), 'they are at the limit').rejects.toMatchObject({ code: 'RATE_LIMITED' })
  }
}

describe('strangers who have used up a limit', () => {
  test.each(Object.entries<Rule>(LIMITS) as [LimitName, Rule][])('of %s stop no honest caller', (name, rule) =>
    withStore(async (store) => {
      await useUp(store, name, rule)
      const succeed = async (address: string, device?: string) => {
        const account = isOfAccount(rule) ? 'honest' : undefined
        return (await store.app.services.limits(name, { account, address, ...(device && { device }) }))(undefined)
      }

      if (isOfAccount(rule)) await succeed(GATEWAY, 'a browser that the account knows')
      if (takesSecret(name)) await succeed(GATEWAY)
      if (rule.account && !rule.account.leaves) await succeed(GATEWAY)
      else await succeed(ELSEWHERE)
    }, REAL),
  )
})

/** Calls until the limit refuses. @returns how many calls it let through */
async function guess(shop: Shop, path: string, body: Record<string, string>): Promise<number> {
  for (let n = 0; n < 5_000; n++) {
    const { status } = await shop.visitor().post(path, body, { 'x-forwarded-for': GATEWAY })
    if (status === 429) return n
  }
  throw new Error('There is no limit')
}

describe('behind the gateway of strangers who guess', () => {
  const from = { 'x-forwarded-for': GATEWAY }

  test('a right link sets a password and proves an address', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer()
      const { link } = await shop.owner.api.users.issueResetLink({ id: buyer.id })
      const newPassword = 'a forgotten password'
      expect(await guess(shop, '/auth/reset-password', { token: 'made-up', newPassword })).toBe(60)

      const token = link.split('#')[1]
      expect((await shop.visitor().post('/auth/email-proven', { token: 'made-up' }, from)).status).toBe(429)
      expect((await shop.visitor().post('/auth/reset-password', { token, newPassword }, from)).status).toBe(200)
    }, REAL))

  test('a right code connects a phone', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const account = await shop.owner.api.bank.createAccount({
        bank: 'HDFC',
        label: 'Till',
        tail: '5678',
        feedsStore: true,
      })
      const path = '/bank/devices/pair'
      expect(await guess(shop, path, { code: 'made-up' })).toBe(10)

      const code = await pairing(shop, account)
      expect((await shop.visitor().post(path, { code }, from)).status).toBe(200)
      expect((await shop.visitor().post(path, { code }, from)).status, 'the second time it is a guess').toBe(429)
    }, REAL))

  test('a thousand buyers look at their right referral codes', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const look = (code: string) => shop.visitor().call('GET', `/referral/validate/${code}`, undefined, from)
      for (let n = 0; n < 1_000; n += 20) {
        const answers = await Promise.all(Array.from({ length: 20 }, () => look(shop.referralCode)))
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      }
    }, REAL))

  test('who forgot a password is asked in a browser that the account knows', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer()
      const body = { email: buyer.email }
      expect(await guess(shop, '/auth/forgot-password', body)).toBe(20)

      // No mail server is set up
      expect(await buyer.post('/auth/forgot-password', body, from)).toMatchObject({ body: { code: 'CHANNEL_OFF' } })
      const others = { email: 'somebody.else@example.in' }
      expect((await shop.visitor().post('/auth/forgot-password', others, from)).status).toBe(409)
    }, REAL))
})
