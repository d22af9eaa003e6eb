import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { untilBlocked } from '../../test/blocked.ts'
import { withDatabase } from '../../test/database.ts'
import { balanceOf } from '../../test/worlds/given.ts'
import { givenAdminCall } from '../../test/services.ts'
import { openShop, OWNER, PASSWORD, type Shop } from '../../test/worlds/shop.ts'
import { withStore, type Answer } from '../../test/store.ts'
import { TEST_NOW, TEST_SEALER } from '../../test/worlds/constants.ts'
import { TERMS_VERSION } from '../../contract/limits.ts'
import { paise } from '../../contract/money.ts'
import { sql, type Database } from '../platform/database/database.ts'
import { NO_COOKIES } from '../platform/http/cookies.ts'
import { findBroken } from '../platform/database/invariants.ts'
import { createReferral } from '../referrals/save-referral.ts'
import { register } from './register.ts'

const NOW = new Date(TEST_NOW)

const form = (shop: Shop, fields: Record<string, unknown> = {}) => ({
  username: 'asha',
  email: 'asha@example.in',
  password: PASSWORD,
  referralCode: shop.referralCode,
  ...fields,
})
const signUp = (shop: Shop, fields: Record<string, unknown> = {}): Promise<Answer> =>
  shop.visitor().post('/auth/register', form(shop, fields))

async function countUsers(db: Database): Promise<number> {
  return (await db.one(sql(z.object({ n: z.number() }))`select count(*) as n from users`)).n
}

describe('registering', () => {
  test('makes an account and opens no session', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const browser = shop.visitor()

      const answer = await browser.post('/auth/register', form(shop, { referralCode: shop.referralCode.toLowerCase() }))

      expect(answer.status).toBe(201)
      expect(answer.body).toEqual({ message: expect.any(String) as string })
      expect(browser.cookies.size).toBe(0)
      expect((await browser.post('/auth/login', { username: 'asha', password: PASSWORD })).body).toMatchObject({
        user: { email: 'asha@example.in', balance: 0, wallet: [], referralCode: shop.referralCode },
      })
      expect(await shop.owner.api.referrals.list({})).toMatchObject([{ usageCount: 1 }])
    }))

  test('credits the reward of the code, for good, as one line of the history', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      await shop.owner.api.referrals.create({ code: 'FIFTY', description: 'Fifty', rewardAmount: 50.5 })
      await signUp(shop, { referralCode: 'FIFTY' })
      const browser = shop.visitor()

      const { user } = await browser.api.sessions.login({ username: 'asha', password: PASSWORD })

      expect(user).toMatchObject({
        balance: 50.5,
        wallet: [{ amount: 50.5, expiresAt: null, source: 'referral_reward' }],
      })
      expect(await browser.api.wallet.history({})).toMatchObject([
        {
          type: 'referral_reward',
          kind: 'referral_reward',
          amount: 50.5,
          delta: 50.5,
          balanceAfter: 50.5,
          description: 'Referral reward (FIFTY)',
          referralCode: 'FIFTY',
        },
      ])
      expect(await findBroken(store.db, 'server/migrations')).toEqual([])
    }))

  test('is refused for a taken name or e-mail in letters of any case, and uses up nothing', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      await signUp(shop)
      const taken = { status: 409, body: { code: 'ACCOUNT_TAKEN' } }

      const byName = await signUp(shop, { username: 'ASHA', email: 'other@example.in' })
      const byEmail = await signUp(shop, { username: 'other', email: 'Asha@Example.IN' })

      expect(byName).toMatchObject(taken)
      expect(byEmail).toMatchObject(taken)
      // Answers alike for both, so that neither shows which is taken
      expect(byName.body).toEqual(byEmail.body)
      expect(await shop.owner.api.referrals.list({})).toMatchObject([{ usageCount: 1 }])
    }))

  test('is refused without a code that can be used', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      await shop.owner.api.referrals.create({ code: 'OFF', description: 'Off', isActive: false })
      await shop.owner.api.referrals.create({ code: 'ONCE', description: 'Once', maxUsage: 1 })
      await signUp(shop, { username: 'first', email: 'first@example.in', referralCode: 'ONCE' })

      for (const referralCode of ['NOSUCH', 'OFF', 'ONCE'])
        expect(await signUp(shop, { referralCode })).toMatchObject({
          status: 400,
          body: {
            code: 'INVALID_REFERRAL',
            message: 'Invalid referral code',
            fields: { referralCode: 'Invalid referral code' },
          },
        })
      expect(await countUsers(store.db)).toBe(1)
    }))

  test('says beside each field what is wrong with it', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const fieldsOf = async (fields: Record<string, unknown>) => {
        const { status, body } = await signUp(shop, fields)
        return { status, fields: Object.keys((body as { fields: object }).fields) }
      }

      expect(await fieldsOf({ username: 'a b', email: 'x', password: 'short', referralCode: ' ' })).toEqual({
        status: 400,
        fields: ['email', 'username', 'password', 'referralCode'],
      })
      for (const username of ['ab', 'a'.repeat(33), 'a@b', 'a\u202eb', 'a\nb', 5, null])
        expect(await fieldsOf({ username }), String(username)).toEqual({ status: 400, fields: ['username'] })
      for (const password of ['1234567', '12345678', 'PASSWORD1', 'chaabi123', 'x'.repeat(129)])
        expect(await fieldsOf({ password }), password).toEqual({ status: 400, fields: ['password'] })
      expect(await countUsers(store.db)).toBe(0)
    }))

  test('v5.0.0-1.3.3 takes no name that is drawn like another one, and takes names of one script as they are', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      expect((await signUp(shop)).status).toBe(201)
      const alike = {
        'a soft hyphen': 'as\u00adha',
        'a word joiner': 'asha\u2060',
        'a filler': 'asha\u3164',
        'a selector': 'asha\ufe0f',
        'a tag': 'asha\u{e0061}',
        'a Cyrillic a': '\u0430sha',
        'a Greek letter': 'ash\u03b1',
        'full width': 'ａｓｈａ',
        'mathematical letters': '𝐚𝐬𝐡𝐚',
        'a loose dot': 'ashi\u0307',
      }
      for (const [what, username] of Object.entries(alike))
        expect(await signUp(shop, { username, email: 'other@example.in' }), what).toMatchObject({
          status: 400,
          body: { fields: { username: 'Username has characters that aren’t allowed' } },
        })
      expect((await signUp(shop, { username: 'other', email: 'as\u00adha@example.in' })).status).toBe(400)
      expect((await signUp(shop, { username: 'ASHA', email: 'other@example.in' })).status).toBe(409)

      for (const [n, username] of ['आशा_राव', 'ஆஷா', 'José', 'asha-1', 'Иван'].entries())
        expect((await signUp(shop, { username, email: `other${n}@example.in` })).status, username).toBe(201)
    }))

  test('v5.0.0-1.3.3 takes no admin’s name, nor one that can be read as it', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      await shop.owner.api.admins.create({ username: 'Millward', password: OWNER.password, role: 'support' })
      let n = 0
      const statusOf = async (username: string) =>
        (await signUp(shop, { username, email: `alike${n++}@example.in` })).status

      const near = ['millward', 'MiIlward', 'mil1ward', 'rnillward', 'Millvvard', 'owner', '0wner', 'ovvner', 'OWNER']
      for (const username of near) expect(await statusOf(username), username).toBe(409)
      for (const username of ['user1', 'userl', 'rahul10', 'rahul1o', 'karna', 'kama', 'wilma', 'millward2', 'Иван'])
        expect(await statusOf(username), username).toBe(201)
    }))

  test('v5.0.0-1.3.3 takes no name that speaks for the store, in whatever spelling', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      await shop.owner.api.admins.create({ username: 'boss', password: OWNER.password, role: 'support' })
      await shop.owner.put('/settings/site', { websiteName: 'Ravi Keys', websiteTitle: 'Ravi Keys' })
      let n = 0
      const statusOf = async (username: string) =>
        (await signUp(shop, { username, email: `speaks${n++}@example.in` })).status

      const alike = ['bo5s', 'boss_', 'ßoss', 'b0s5', '_Boss-', 'support', 'Supp0rt', 'su_pport', 'admin', 'adm1n']
      alike.push('owner_', 'help', 'h3lp', 'ravikeys', 'Ravi-Keys', 'ravi_k3ys')
      alike.push('store', 'Store_24', 'Admin1', 'admin2', '1admin', 'owner2', 'Official', 'payments')
      for (const username of alike) expect(await statusOf(username), username).toBe(409)
      for (const username of ['bossy', 'bose', 'helpful', 'ravi', 'ravi2', 'supporter', 'restore', 'shopper', 'boss2'])
        expect(await statusOf(username), username).toBe(201)
    }))

  // Seen to fail when the name was looked at inside the transaction: the answer waits for the lock on the code.
  test('refuses a name that speaks for the store before it waits for the referral code', () =>
    withStore(async (store) => {
      const shop = await openShop(store)

      const answer = await store.db.transaction(async (tx) => {
        await tx.run(sql`select from referral_codes for update`)
        const late = sleep(5_000).then(() => 'it waits for the lock')
        return Promise.race([signUp(shop, { username: 'support' }), late])
      })

      expect(answer).toMatchObject({ status: 409, body: { code: 'ACCOUNT_TAKEN' } })
    }))

  test('v5.0.0-1.3.3 takes no name with letters that look like those of an admin or another buyer', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      for (const username of ['admin', 'joe'])
        await shop.owner.api.admins.create({ username, password: OWNER.password, role: 'support' })
      let n = 0
      const sign = (username: string) => signUp(shop, { username, email: `look${n++}@example.in` })
      for (const username of ['rahul', 'asha', 'jose', 'ıris', 'мария']) expect((await sign(username)).status).toBe(201)
      const taken = [
        'admın',
        'ɑdmin',
        'Ɑdmin',
        'јӧе',
        'admiņ',
        'ąđmin',
        'ɑsha',
        'rɑhul',
        'Rɑhul',
        'RⱭHUL',
        'iris',
        'јоѕе',
      ]

      for (const username of taken)
        expect(await sign(username), username).toMatchObject({ status: 409, body: { code: 'ACCOUNT_TAKEN' } })
      for (const username of ['josé', 'rahu1', 'asha1', 'ashal', 'марина'])
        expect((await sign(username)).status, username).toBe(201)
      const { body } = await shop.visitor().post('/auth/login', { username: 'ıris', password: PASSWORD })
      expect(body).toMatchObject({ user: { username: 'ıris' } })
    }))

  test('frees the names that look like that of a closed account', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      await signUp(shop)
      const [user] = (await shop.owner.api.users.list({})).users
      expect((await signUp(shop, { username: 'ɑsha', email: 'other@example.in' })).status).toBe(409)

      await shop.owner.api.users.remove({ id: user?._id ?? '' })

      expect((await signUp(shop, { username: 'ɑsha', email: 'other@example.in' })).status).toBe(201)
    }))

  test('takes ordinary passwords exactly as they are, up to 128 characters', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const passwords = [
        'Passw0rd!23',
        'secret123!',
        'Test@1234',
        ' spaces  count ',
        `${'é🔑'.repeat(40)}end`,
        'x'.repeat(128),
      ]

      for (const [index, password] of passwords.entries()) {
        const username = `user${index}`
        expect((await signUp(shop, { username, email: `${username}@example.in`, password })).status).toBe(201)
        const logIn = (typed: string) => shop.visitor().post('/auth/login', { username, password: typed })
        expect((await logIn(password.slice(0, -1))).status).toBe(401)
        expect((await logIn(password)).status).toBe(200)
      }
    }))
})

// Seen to fail without the index users_name_skeleton: all ten get an account.
test('of ten names that look the same, at the same moment, one gets an account', () =>
  withDatabase(async (db) => {
    const by = await givenAdminCall(db)
    await createReferral(
      db,
      {
        code: 'TEN',
        description: 'Ten',
        maxUsage: null,
        rewardAmount: paise(0),
        isActive: true,
        paysAfterTopUp: false,
        dayMax: null,
      },
      by,
    )
    const letters = ['o', 'ο', 'о', 'օ', 'ჿ', '০', '๐', '၀', 'ⲟ', 'ס']

    const results = await Promise.allSettled(
      letters.map((username, n) =>
        register(
          { db, sealer: TEST_SEALER },
          {
            username: username.repeat(3),
            email: `o${n}@example.in`,
            password: PASSWORD,
            referralCode: 'TEN',
            termsVersion: TERMS_VERSION,
          },
          { now: NOW, cookies: NO_COOKIES },
        ),
      ),
    )

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'ACCOUNT_TAKEN' })
  }))

// Seen to fail with the condition in a select before the update: all waiting ones pass it. The row's check
// constraint then stops them, as errors.
test('of fifty registrations at once on a code for five, exactly five get an account and the reward', () =>
  withDatabase(async (db) => {
    const by = await givenAdminCall(db)
    const code = {
      code: 'FIVE',
      description: 'Five',
      maxUsage: 5,
      rewardAmount: paise(10_00),
      isActive: true,
      paysAfterTopUp: false,
      dayMax: null,
    }
    await createReferral(db, code, by)

    // Holds as many waiting at the same moment as there are connections left; the others follow
    const registrations = await db.transaction(async (tx) => {
      await tx.run(sql`select from referral_codes for update`)
      const waiting = Array.from({ length: 50 }, (_, n) =>
        register(
          { db, sealer: TEST_SEALER },
          {
            username: `user${n}`,
            email: `u${n}@example.in`,
            password: PASSWORD,
            referralCode: 'FIVE',
            termsVersion: TERMS_VERSION,
          },
          { now: NOW, cookies: NO_COOKIES },
        ),
      )
      await untilBlocked(db, 10)
      return { waiting }
    })
    const results = await Promise.allSettled(registrations.waiting)

    const outcomes = results.map((result) =>
      result.status === 'fulfilled' ? 'done' : (result.reason as { code: string }).code,
    )
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(5)
    expect(outcomes.filter((outcome) => outcome === 'INVALID_REFERRAL')).toHaveLength(45)
    const users = await db.rows(sql(z.object({ id: z.string() }))`select id from users`)
    expect(await Promise.all(users.map(({ id }) => balanceOf(db, id)))).toEqual(Array<number>(5).fill(10_00))
    expect(await findBroken(db, 'server/migrations')).toEqual([])
  }))

// The unique indexes decide. There is no read before the insert to leave out.
test('of ten registrations of one name at once one gets it, and one use is counted', () =>
  withDatabase(async (db) => {
    const by = await givenAdminCall(db)
    const code = {
      code: 'MANY',
      description: 'Many',
      maxUsage: null,
      rewardAmount: paise(0),
      isActive: true,
      paysAfterTopUp: false,
      dayMax: null,
    }
    await createReferral(db, code, by)

    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) =>
        register(
          { db, sealer: TEST_SEALER },
          {
            username: 'Asha',
            email: `u${n}@example.in`,
            password: PASSWORD,
            referralCode: 'MANY',
            termsVersion: TERMS_VERSION,
          },
          { now: NOW, cookies: NO_COOKIES },
        ),
      ),
    )

    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
    expect(await countUsers(db)).toBe(1)
    expect(await findBroken(db, 'server/migrations')).toEqual([])
  }))
