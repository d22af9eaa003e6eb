import { describe, expect, test } from 'vitest'
import { openShop, OWNER, PASSWORD } from '../../test/worlds/shop.ts'
import { withStore } from '../../test/store.ts'
import { TEST_NOW, unique } from '../../test/worlds/constants.ts'
import { newId } from '../platform/ids.ts'

describe('validating a code', () => {
  test('answers with the code in upper case and what it is for', () =>
    withStore(async (store) => {
      const { owner } = await openShop(store)
      await owner.post('/referral', { code: 'Friends-50', description: '₹50 to start with' })

      const answer = await store.browser().get('/referral/validate/%20friends-50')

      expect(answer.status).toBe(200)
      expect(answer.body).toEqual({ valid: true, code: 'FRIENDS-50', description: '₹50 to start with' })
    }))

  test('says that it is not valid in every refusal', () =>
    withStore(async (store) => {
      const { owner, referralCode, visitor } = await openShop(store)
      const { body: off } = await owner.post('/referral', { code: 'OFF', description: 'Off', isActive: false })
      const { body: used } = await owner.post('/referral', { code: 'USED', description: 'One', maxUsage: '1' })
      const { body: gone } = await owner.post('/referral', { code: 'GONE', description: 'Gone' })
      await owner.delete(`/referral/${(gone as { _id: string })._id}`)
      const form = { username: 'newcomer', email: 'n@example.in', password: PASSWORD, referralCode: 'used' }
      expect((await visitor().post('/auth/register', form)).status).toBe(201)
      expect([off, used]).toMatchObject([{ isActive: false }, { usageCount: 0, maxUsage: 1 }])

      const ask = async (code: string) => {
        const { status, body } = await visitor().get(`/referral/validate/${code}`)
        return { status, ...(body as { valid: boolean; code: string; message: string }) }
      }
      const unknown = { status: 404, valid: false, code: 'REFERRAL_NOT_FOUND', message: 'Invalid referral code' }
      expect(await ask('NOSUCH')).toEqual(unknown)
      expect(await ask('OFF')).toEqual(unknown)
      expect(await ask('GONE')).toEqual(unknown)
      expect(await ask(encodeURIComponent("' or 1=1 --"))).toEqual(unknown)
      expect(await ask('USED')).toMatchObject({ status: 400, valid: false, code: 'REFERRAL_USED_UP' })
      expect(await ask('X'.repeat(65))).toEqual(unknown)
      // Tries paths of every kind, also those that no router can read
      for (const written of ['50%25OFF', '50%OFF', '%', '%c0%ae', 'X'.repeat(2_000), 'a/b', ''])
        expect(await ask(written), written).toMatchObject({ valid: false, message: expect.any(String) as string })
      expect(await ask(referralCode)).toMatchObject({ status: 200, valid: true })
    }))

  test('is rate limited, also with `valid: false`', () =>
    withStore(
      async (store) => {
        const visitor = store.browser()

        const answers = []
        for (let n = 0; n < 4; n++) answers.push(await visitor.get('/referral/validate/NOSUCH'))

        expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404, 429])
        expect(answers[3]?.body).toMatchObject({
          valid: false,
          code: 'RATE_LIMITED',
          message: expect.any(String) as string,
        })
        expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThan(0)
      },
      { rateLimitScale: 3 / 120 },
    ))
})

describe('an admin', () => {
  test('adds codes and lists them, newest first', () =>
    withStore(async (store) => {
      const { owner, referralCode } = await openShop(store)
      store.clock.advance(1_000)

      const created = await owner.post('/referral', {
        code: 'welcome50',
        description: 'Fifty',
        maxUsage: '500',
        rewardAmount: '50.50',
      })

      expect(created.status).toBe(201)
      expect(created.body).toEqual({
        _id: expect.any(String) as string,
        code: 'WELCOME50',
        description: 'Fifty',
        maxUsage: 500,
        rewardAmount: 50.5,
        isActive: true,
        paysAfterTopUp: false,
        dayMax: null,
        given: 0,
        usageCount: 0,
        createdBy: { username: OWNER.username },
        createdAt: store.clock.now().toISOString(),
      })
      const { body: list } = await owner.get('/referral')
      expect(list).toMatchObject([created.body, { code: referralCode, maxUsage: null, createdAt: TEST_NOW }])
    }))

  test('changes one thing at a time, and frees the text of a deleted code', () =>
    withStore(async (store) => {
      const { owner } = await openShop(store)
      const one = await owner.api.referrals.create({ code: 'ONE', description: 'One', maxUsage: 5, rewardAmount: 10 })

      expect((await owner.put(`/referral/${one._id}`, { isActive: false })).body).toEqual({ ...one, isActive: false })
      expect((await owner.put(`/referral/${one._id}`, { maxUsage: '' })).body).toMatchObject({ maxUsage: null })
      expect((await owner.put(`/referral/${one._id}`, { code: 'two', rewardAmount: 0 })).body).toMatchObject({
        code: 'TWO',
        rewardAmount: 0,
        description: 'One',
        isActive: false,
      })
      expect((await owner.delete(`/referral/${one._id}`)).status).toBe(200)
      expect((await owner.delete(`/referral/${one._id}`)).status).toBe(404)
      expect((await owner.put(`/referral/${one._id}`, { isActive: true })).status).toBe(404)
      expect((await owner.post('/referral', { code: 'TWO', description: 'Again' })).status).toBe(201)
    }))

  test('cannot allow less use than there was', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      await shop.buyer()
      await shop.buyer()
      const [code] = await shop.owner.api.referrals.list({})

      const answer = await shop.owner.put(`/referral/${code?._id}`, { maxUsage: 1 })

      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', fields: { maxUsage: expect.stringMatching('2 times') as string } },
      })
      expect((await shop.owner.put(`/referral/${code?._id}`, { maxUsage: 2 })).status).toBe(200)
    }))

  test('is refused a taken code and fields that are no numbers', () =>
    withStore(async (store) => {
      const { owner, referralCode } = await openShop(store)
      const other = await owner.api.referrals.create({ code: 'OTHER', description: 'Other' })
      const add = (fields: object) => owner.post('/referral', { code: 'NEW', description: 'New', ...fields })

      expect(await add({ code: referralCode.toLowerCase() })).toMatchObject({
        status: 409,
        body: { code: 'CODE_TAKEN', fields: { code: expect.any(String) as string } },
      })
      expect((await owner.put(`/referral/${other._id}`, { code: referralCode })).status).toBe(409)
      expect(await add({ code: '', description: '', maxUsage: 0, rewardAmount: -1 })).toMatchObject({
        status: 400,
        body: {
          fields: {
            code: expect.any(String) as string,
            description: 'Description is required',
            maxUsage: expect.any(String) as string,
            rewardAmount: expect.any(String) as string,
          },
        },
      })
      expect((await owner.put(`/referral/${newId()}`, { isActive: true })).status).toBe(404)
      expect((await owner.put('/referral/x', { isActive: true })).status).toBe(400)
    }))

  test('sees counts over all codes and the five most used active ones', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const codes: { _id: string }[] = []
      for (let n = 0; n < 6; n++)
        codes.push(await shop.owner.api.referrals.create({ code: `TOP${n}`, description: 'Top', maxUsage: 9 }))
      const signUp = (referralCode: string) => {
        const username = unique('new')
        const form = { username, email: `${username}@example.in`, password: PASSWORD, referralCode }
        return shop.visitor().post('/auth/register', form)
      }
      await signUp('TOP3')
      await signUp('TOP3')
      await signUp('TOP1')
      await signUp('TOP5')
      await shop.owner.put(`/referral/${codes[5]?._id}`, { isActive: false })

      const { body } = await shop.owner.get('/referral/stats')

      const top = (n: number, usageCount: number) => ({ _id: codes[n]?._id, code: `TOP${n}`, usageCount, maxUsage: 9 })
      expect(body).toMatchObject({ totalCodes: 7, activeCodes: 6, totalUsage: 4 })
      expect((body as { topCodes: unknown[] }).topCodes.slice(0, 2)).toEqual([top(3, 2), top(1, 1)])
      expect((body as { topCodes: unknown[] }).topCodes).toHaveLength(5)
    }))
})
