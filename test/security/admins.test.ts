/** Admins’ roles, and their reset links (security.md: 6.4, 8.2.1). */
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { api } from '../../contract/api.ts'
import { ADMIN_ROLES, mayCall, type Endpoint } from '../../contract/endpoint.ts'
import { MINUTE_MS } from '../../contract/time.ts'
import { sql } from '../../server/platform/database/database.ts'
import { newId } from '../../server/platform/ids.ts'
import { anAdmin } from '../worlds/admins.ts'
import { untilBlocked } from '../blocked.ts'
import { openShop, OWNER } from '../worlds/shop.ts'
import { withStore } from '../store.ts'

describe('v5.0.0-8.2.1 roles', () => {
  const endpoints = Object.values(api).flatMap((all) => Object.values(all as Record<string, Endpoint>))
  const ofAdmins = endpoints.filter((endpoint) => endpoint.access === 'admin')

  test('every admin call answers FORBIDDEN_ROLE to the roles that it does not name', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      for (const role of ADMIN_ROLES.filter((each) => each !== 'owner')) {
        const { browser } = await anAdmin(shop, role)
        for (const endpoint of ofAdmins) {
          if (endpoint.path === '/admin/sessions/{id}') continue
          const path = endpoint.path.replaceAll('{duration}', '10%20Days').replaceAll(/\{\w+\}/g, () => newId())
          const { status, body } = await browser.call(endpoint.method, path)
          const isForbidden = status === 403 && body.code === 'FORBIDDEN_ROLE'
          expect(isForbidden, `${role}: ${endpoint.method} ${path}`).toBe(!mayCall(endpoint, role))
        }
      }
    }))

  test('who only reads can change nothing but their own account', () => {
    const changes = ofAdmins.filter((endpoint) => endpoint.method !== 'GET' && mayCall(endpoint, 'read-only'))
    expect(changes.map((endpoint) => endpoint.path).sort()).toEqual([
      '/admin/active',
      '/admin/change-password',
      '/admin/sessions/{id}',
      '/admin/step-up',
      '/admin/totp/confirm',
      '/admin/totp/disable',
      '/admin/totp/enrol',
      '/admin/totp/recovery-codes',
    ])
  })

  test('a password that another admin has chosen is marked as such, until its admin has chosen one', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const { admin, browser } = await anAdmin(shop)
      const isGiven = async () => (await browser.api.sessions.adminCheck()).admin.hasGivenPassword
      const own = 'another long admin password'

      expect((await shop.owner.api.sessions.adminCheck()).admin.hasGivenPassword, 'chosen at the start').toBe(false)
      expect(await isGiven()).toBe(true)
      await browser.api.admins.changePassword({ currentPassword: OWNER.password, newPassword: own })
      expect(await isGiven()).toBe(false)
      await shop.owner.api.admins.update({ id: admin._id, password: OWNER.password })
      await browser.api.sessions.adminLogin({ username: admin.username, password: OWNER.password })
      expect(await isGiven()).toBe(true)
    }))

  test('a stolen session without a second factor does not give its owner a new password', () =>
    withStore(async (store) => {
      const { owner } = await openShop(store)
      const { admin } = await owner.api.sessions.adminCheck()

      for (const id of [admin.id, admin.id.toUpperCase()]) {
        const answer = await owner.put(`/admin/admins/${id}`, { password: 'another long admin password' })
        expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
        expect(answer.body.fields.password).toContain('To change your own password, go to Account & security')
      }
      expect((await store.browser().post('/admin/login', OWNER)).status).toBe(200)
    }))

  test('a changed role ends the sessions, and two owners cannot take the role from each other at once', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const { admin: second, browser } = await anAdmin(shop)
      const { admin: first } = await shop.owner.api.sessions.adminCheck()

      // Both have been recognised when they come to the owners, and neither's session has ended yet
      const { waiting } = await store.db.transaction(async (tx) => {
        await tx.run(sql`select from admins for no key update`)
        const changes = [
          shop.owner.put(`/admin/admins/${second._id}`, { role: 'stock' }),
          browser.put(`/admin/admins/${first.id}`, { role: 'stock' }),
        ]
        await untilBlocked(store.db, changes.length)
        return { waiting: changes }
      })
      const answers = await Promise.all(waiting)

      // The second one is no owner any more
      expect(answers.map((each) => each.status).sort((a, b) => a - b)).toEqual([200, 401])
      const owners = await store.db.rows(sql(z.object({ id: z.string() }))`select id from admins where role = 'owner'`)
      expect(owners).toHaveLength(1)
    }))
})

describe('v5.0.0-6.4.1 a reset link', () => {
  test('works once, within its time, ends the sessions, and is stored as a hash', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer()
      const issue = async () => (await shop.owner.api.users.issueResetLink({ id: buyer.id })).link.split('#')[1] ?? ''
      const reset = (token: string) =>
        store.browser().post('/auth/reset-password', { token, newPassword: 'the next long password' })
      const [earlier, token] = [await issue(), await issue()]

      const stored = await store.db.rows(
        sql(z.object({ row: z.string() }))`select row_to_json(password_resets)::text as row from password_resets`,
      )
      expect(JSON.stringify(stored)).not.toContain(token)
      expect(token).toMatch(/^[\w-]{43}$/)
      expect((await reset(earlier)).body).toMatchObject({ code: 'RESET_LINK_INVALID' })
      const atOnce = await Promise.all([reset(token), reset(token)])
      expect(atOnce.map((each) => each.status).sort((a, b) => a - b)).toEqual([200, 400])
      expect((await buyer.get('/auth/me')).status).toBe(401)
      expect(
        (await buyer.post('/auth/login', { username: buyer.username, password: 'the next long password' })).status,
      ).toBe(200)

      const late = await issue()
      store.clock.advance(30 * MINUTE_MS)
      expect((await reset(late)).status).toBe(400)
    }))
})
