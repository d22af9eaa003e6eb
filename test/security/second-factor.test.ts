/** Admins’ second factor (security.md: 6.3.3, 6.5). */
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { MINUTE_MS } from '../../contract/time.ts'
import { sql } from '../../server/platform/database/database.ts'
import { anAdmin, codeOf, enrolled } from '../worlds/admins.ts'
import { openShop, OWNER } from '../worlds/shop.ts'
import { withStore } from '../store.ts'

const STEP_MS = 30_000

describe('v5.0.0-6.3.3 the second factor', () => {
  test('is asked at login from the moment an admin has enrolled', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const { admin, secret } = await enrolled(shop)
      const logIn = (totp?: string) =>
        store.browser().post('/admin/login', { username: admin.username, password: OWNER.password, totp })
      store.clock.advance(STEP_MS)

      expect(await logIn()).toMatchObject({ status: 401, body: { code: 'TOTP_REQUIRED' } })
      expect(await logIn('12345')).toMatchObject({ status: 401, body: { code: 'TOTP_INVALID' } })
      expect((await logIn(codeOf(shop, secret))).status).toBe(200)
      expect(
        (await store.browser().post('/admin/login', { ...OWNER, username: admin.username, password: 'wrong' })).body,
      ).toMatchObject({ code: 'WRONG_CREDENTIALS' })
    }))

  test('v5.0.0-6.5.1 takes each code once, and none of an earlier step', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const { admin, secret } = await enrolled(shop)
      const logIn = (totp: string) =>
        store.browser().post('/admin/login', { username: admin.username, password: OWNER.password, totp })
      const first = codeOf(shop, secret)
      store.clock.advance(STEP_MS)
      const second = codeOf(shop, secret)

      expect((await logIn(first)).status, 'used up by enrolling').toBe(401)
      const atOnce = await Promise.all([logIn(second), logIn(second), logIn(second)])
      expect(atOnce.map((each) => each.status).sort((a, b) => a - b)).toEqual([200, 401, 401])
      store.clock.advance(3 * STEP_MS)
      expect((await logIn(second)).status, 'too old').toBe(401)
    }))

  test('v5.0.0-6.5.2 has ten recovery codes that work once each, and of which only hashes are stored', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const { admin, recoveryCodes, secret } = await enrolled(shop)
      const logIn = (totp = '') =>
        store.browser().post('/admin/login', { username: admin.username, password: OWNER.password, totp })

      expect(recoveryCodes).toHaveLength(10)
      expect((await logIn(recoveryCodes[0]?.toLowerCase())).status).toBe(200)
      expect((await logIn(recoveryCodes[0])).status).toBe(401)
      const stored = JSON.stringify(
        await store.db.rows(sql(z.object({ row: z.string() }))`select row_to_json(admins)::text as row from admins
              union all select row_to_json(admin_recovery_codes)::text from admin_recovery_codes`),
      )
      for (const plain of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))])
        expect(stored).not.toContain(plain)
    }))

  test('v5.0.0-6.5.2 renews the recovery codes after a new proof, and the old ones work no longer', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const { admin, browser, recoveryCodes: old } = await enrolled(shop)
      const logIn = (totp = '') =>
        store.browser().post('/admin/login', { username: admin.username, password: OWNER.password, totp })
      const { recoveryCodes } = await browser.api.admins.renewRecoveryCodes()

      expect((await logIn(old[0])).status).toBe(401)
      expect((await logIn(recoveryCodes[0])).status).toBe(200)
      store.clock.advance(11 * MINUTE_MS)
      expect(await browser.post('/admin/totp/recovery-codes')).toMatchObject({ body: { code: 'STEP_UP_REQUIRED' } })
    }))

  test('ends the sessions that were opened without it, and can be turned off with password and code', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const { admin, browser } = await anAdmin(shop)
      const other = store.browser()
      await other.api.sessions.adminLogin({ username: admin.username, password: OWNER.password })
      const { secret } = await browser.api.admins.enrol({ password: OWNER.password })
      const { recoveryCodes } = await browser.api.admins.confirm({ totp: codeOf(shop, secret) })

      expect((await other.get('/admin/check')).status).toBe(401)
      await browser.api.admins.disable({ password: OWNER.password, totp: recoveryCodes[3] ?? '' })
      expect((await other.post('/admin/login', { username: admin.username, password: OWNER.password })).status).toBe(
        200,
      )
    }))

  test('where the store requires it: who has none can enrol, and do nothing else', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const { browser } = await anAdmin(shop)
      await shop.owner.api.settings.saveStore({ secondFactorRequired: true })

      expect(await browser.get('/admin/users')).toMatchObject({ status: 403, body: { code: 'ENROLMENT_REQUIRED' } })
      expect((await browser.get('/admin/check')).body).toMatchObject({
        admin: { hasSecondFactor: false },
        secondFactorRequired: true,
      })
      const { secret } = await browser.api.admins.enrol({ password: OWNER.password })
      await browser.api.admins.confirm({ totp: codeOf(shop, secret) })
      expect((await browser.get('/admin/users')).status).toBe(200)
    }))
})
