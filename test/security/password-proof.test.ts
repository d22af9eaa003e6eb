/** Admins without a second factor prove themselves by their password (security.md: 7.5.1). */
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { MINUTE_MS } from '../../contract/time.ts'
import { sql } from '../../server/platform/database/database.ts'
import { endpoints } from '../contract/endpoints.ts'
import { oneShop } from '../contract/one-shop.ts'
import { anAdmin, withPasswordOnly } from '../worlds/admins.ts'
import { openShop, OWNER } from '../worlds/shop.ts'
import { withStore, type Browser } from '../store.ts'

/**
 * What clients that others wrote call, so that it asks a session for nothing which they opened. All of it leaves a
 * marked entry in the audit log but the first, which only reads.
 */
const FOR_OLD_CLIENTS = [
  'GET /keys',
  'PUT /keys/{id}',
  'DELETE /keys/{id}',
  'DELETE /keys/bulk/{productId}/{duration}',
  'POST /products',
  'PUT /products/{id}',
  'PUT /admin/users/{id}/custom-prices',
  'DELETE /admin/users/{id}',
  'PUT /payments/{id}/approve',
  'PUT /payments/{id}/reject',
  'DELETE /payments/{id}',
  'POST /payments/topup-plans',
  'PUT /payments/topup-plans/{id}',
  'POST /referral',
  'PUT /referral/{id}',
  'PUT /notice',
  'PUT /settings/site',
  'PUT /settings/upi',
]

const guarded = endpoints.filter(({ endpoint }) => endpoint.refusals?.includes('STEP_UP_REQUIRED'))

describe('v5.0.0-7.5.1 an admin without a second factor who has given no proof', () => {
  const one = oneShop()
  const rows: string[] = []

  test.each(guarded)('$name', async ({ name, endpoint, provoke }) => {
    const [, act] = provoke.find(([code]) => code === 'STEP_UP_REQUIRED') ?? []
    const answer = (canProve: boolean) =>
      act?.({ ...one.shop, unproven: (role) => withPasswordOnly(one.shop, canProve, role) })
    const refused = { status: 403, body: { code: 'STEP_UP_REQUIRED' } }
    expect(await answer(true), 'in the panel').toMatchObject(refused)
    const ofOldClient = await answer(false)
    if (endpoint.forOldClients) expect(ofOldClient?.body).not.toMatchObject({ code: 'STEP_UP_REQUIRED' })
    else expect(ofOldClient, 'in a client that knows no proofs').toMatchObject(refused)
    rows.push(
      `${name.padEnd(56)} refused   ${endpoint.forOldClients ? `${ofOldClient?.status}, for old clients` : 'refused'}`,
    )
  })

  test('asks old clients for nothing only in what the specification has', () => {
    const lenient = endpoints.filter(({ endpoint }) => endpoint.forOldClients).map(({ name }) => name)
    expect(lenient.toSorted()).toEqual(FOR_OLD_CLIENTS.toSorted())
    // `PRINT=1 npx vitest run test/security/password-proof.test.ts`
    if (process.env.PRINT) console.log([`${'call'.padEnd(56)} panel     old client`, ...rows].join('\n'))
  })
})

const noted = async ({ db }: { db: Parameters<Parameters<typeof withStore>[0]>[0]['db'] }) =>
  (
    await db.rows(sql(z.object({ action: z.string(), unproven: z.boolean() }))`
      select action, coalesce((after ->> 'withoutProof')::boolean, false) as unproven
        from audit_entries order by seq`)
  )
    .filter(({ unproven }) => unproven)
    .map(({ action }) => action)

describe('v5.0.0-7.5.1 a password', () => {
  test('is a proof for ten minutes, in the session that gave it', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const admin = await withPasswordOnly(shop, true)
      const thief = await withPasswordOnly(shop, true)
      const save = async (browser: Browser, upiId: string) => (await browser.put('/settings/upi', { upiId })).status

      expect(await save(admin, 'thief@okaxis')).toBe(403)
      expect((await admin.post('/admin/step-up', { password: 'a wrong password' })).body).toMatchObject({
        code: 'WRONG_PASSWORD',
      })
      expect(await save(admin, 'thief@okaxis')).toBe(403)
      await admin.api.admins.stepUp({ password: OWNER.password })
      expect(await save(admin, 'other@okaxis')).toBe(200)
      expect(await save(thief, 'thief@okaxis')).toBe(403)
      store.clock.advance(10 * MINUTE_MS)
      expect(await save(admin, 'thief@okaxis')).toBe(403)
      expect((await shop.visitor().get('/settings/upi')).body.upiId).toBe('other@okaxis')
      expect(await noted(store), 'what was proven has no mark').toEqual([])
    }))

  test('is not known to old clients: another UPI ID and credit above the day’s sum are marked in the log', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer()
      const old = await withPasswordOnly(shop, false)
      const credit = async (browser: Browser, balance: number) =>
        (await browser.put(`/admin/users/${buyer.id}/custom-prices`, { balance })).status

      expect(await credit(old, 10_000)).toBe(200)
      expect(await noted(store), 'as much as one may be').toEqual([])
      expect(await credit(old, 999_999)).toBe(200)
      expect(await credit(old, 1)).toBe(200)
      expect((await old.put('/settings/upi', { upiId: 'other@okaxis' })).status).toBe(200)
      expect((await old.put('/settings/upi', { paymentEnabled: false })).status).toBe(200)
      expect(await noted(store)).toEqual(['user.update', 'user.update', 'settings.upi'])
      expect((await shop.owner.get('/admin/audit/verify')).status).not.toBe(500)

      const panel = await withPasswordOnly(shop, true)
      expect(await credit(panel, 10_000)).toBe(200)
      expect(await credit(panel, 0.01)).toBe(403)
    }))

  test('is asked of old clients too where the store demands two-step verification', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const { admin } = await anAdmin(shop)
      await shop.owner.api.settings.saveStore({ secondFactorRequired: true })
      const old = shop.visitor()
      await old.api.sessions.adminLogin({ username: admin.username, password: OWNER.password })
      expect((await old.put('/settings/upi', { upiId: 'thief@okaxis' })).status).toBe(403)
    }))
})
