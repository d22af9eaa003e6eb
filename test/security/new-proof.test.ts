/** Before what an admin is asked for a new proof, and how adjustments add up to one (security.md: 7.5.1). */
import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../contract/time.ts'
import { sql } from '../../server/platform/database/database.ts'
import { enrolled, unproven, withPasswordOnly } from '../worlds/admins.ts'
import { untilBlocked } from '../blocked.ts'
import { openShop, OWNER, type Buyer } from '../worlds/shop.ts'
import { withStore, type Browser } from '../store.ts'
import { unique } from '../worlds/constants.ts'

const adjust = (admin: Browser, { id }: Buyer, balance: number, headers = {}) =>
  admin.put(`/admin/users/${id}/custom-prices`, { balance }, headers)

describe('v5.0.0-7.5.1 a new proof', () => {
  test('is asked before another UPI ID or support link, a large adjustment, a reset link and a new admin', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer()
      const admin = await unproven(shop)
      const guarded = () => [
        admin.put('/settings/upi', { upiId: `${unique('other')}@okaxis` }),
        admin.put('/settings/store', { supportUrl: `https://${unique('other')}.example.in` }),
        admin.post(`/admin/users/${buyer.id}/reset-link`),
        admin.put(`/admin/users/${buyer.id}/custom-prices`, { balance: 10_001 }),
        admin.post('/admin/admins', { username: unique('new'), password: OWNER.password, role: 'stock' }),
      ]

      for (const answer of await Promise.all(guarded()))
        expect(answer).toMatchObject({ status: 403, body: { code: 'STEP_UP_REQUIRED' } })
      expect((await admin.put('/settings/upi', { upiId: 'shop@okaxis', paymentEnabled: false })).status).toBe(200)
      await admin.api.admins.stepUp({ password: OWNER.password })
      for (const answer of await Promise.all(guarded())) expect(answer.status).toBeLessThan(300)

      store.clock.advance(10 * MINUTE_MS)
      for (const answer of await Promise.all(guarded())) expect(answer.status).toBe(403)
    }))

  test('is asked before any text that buyers read, in each language; not to take one away or to leave it', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      await shop.owner.api.settings.saveNotice({ text: 'Closed on Diwali.', noticeHi: 'दीवाली पर बंद।' })
      const { websiteName, websiteTitle } = await shop.owner.api.settings.site({})
      const admin = await unproven(shop)
      const put = async (path: string, body: object) => {
        const { status, body: answer } = await admin.put(path, body)
        return answer.code ?? status
      }
      const pay = 'Our new UPI ID: thief@okaxis'
      const said: [string, object][] = [
        ['/notice', { text: pay, noticeHi: 'दीवाली पर बंद।' }],
        ['/notice', { text: '', noticeHi: pay }],
        ['/settings/site', { websiteName: pay, websiteTitle }],
        ['/settings/site', { websiteName, websiteTitle, websiteTitleHi: pay }],
        ['/settings/face', { heroLine: pay }],
        ['/settings/face', { heroLineHi: pay }],
        ['/settings/store', { refundNote: pay }],
        ['/settings/store', { refundNoteHi: pay }],
      ]

      for (const [path, body] of said) expect(await put(path, body), JSON.stringify(body)).toBe('STEP_UP_REQUIRED')
      expect(await put('/notice', { text: 'Closed on Diwali.', noticeHi: 'दीवाली पर बंद।' })).toBe(200)
      expect(await put('/notice', { text: '', noticeHi: '' })).toBe(200)
      expect(await put('/settings/site', { websiteName, websiteTitle })).toBe(200)
      expect(await put('/settings/face', { accent: 'lime' })).toBe(200)

      await admin.api.admins.stepUp({ password: OWNER.password })
      for (const [path, body] of said) expect(await put(path, body)).toBe(200)
    }))

  test('is asked before paid-in money expires sooner, and not before it lasts longer', () =>
    withStore(async (store) => {
      const admin = await unproven(await openShop(store))
      const save = async (topupValidityDays: number | null) =>
        (await admin.put('/settings/store', { topupValidityDays })).status
      expect(await save(30)).toBe(403)
      await admin.api.admins.stepUp({ password: OWNER.password })
      expect(await save(30)).toBe(200)
      store.clock.advance(10 * MINUTE_MS)
      for (const [days, status] of [
        [29, 403],
        [30, 200],
        [31, 200],
        [null, 200],
        [3_650, 403],
      ] as const)
        expect(await save(days), String(days)).toBe(status)
    }))

  test('is asked of no old client on a fresh store', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer()
      const owner = await withPasswordOnly(shop, false)
      expect((await owner.put('/settings/upi', { upiId: 'other@okaxis' })).status).toBe(200)
      for (const balance of [10_000, 50_000, -9_999, 0.5])
        expect((await adjust(owner, buyer, balance)).status).toBe(200)
    }))

  test('is asked before many adjustments come to more in a day than one may be', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const [buyer, other] = [await shop.buyer({ balance: 9_000 }), await shop.buyer()]
      const { admin, browser, recoveryCodes } = await enrolled(shop)
      const again = async (n: number) => {
        const fresh = shop.visitor()
        const totp = recoveryCodes[n] ?? ''
        await fresh.api.sessions.adminLogin({ username: admin.username, password: OWNER.password, totp })
        return fresh
      }
      const thief = await again(0)
      const stopped = { status: 403, body: { code: 'STEP_UP_REQUIRED' } }

      expect((await adjust(browser, buyer, 9_000)).status, 'proven, so it does not count').toBe(200)
      expect((await adjust(thief, buyer, -4_000)).status).toBe(200)
      store.clock.advance(MINUTE_MS)
      expect((await adjust(thief, other, 6_000)).status, 'exactly as much as one may be').toBe(200)
      expect(await adjust(thief, other, 0.01)).toMatchObject(stopped)
      expect(await adjust(await again(1), buyer, -0.01), 'and so it is in the admin’s other sessions').toMatchObject(
        stopped,
      )
      expect((await adjust(thief, buyer, 0)).status).toBe(200)
      const { browser: colleague } = await enrolled(shop)
      store.clock.advance(11 * MINUTE_MS)
      expect((await adjust(colleague, other, 10_000)).status, 'each admin by themselves').toBe(200)

      await thief.api.admins.stepUp({ password: OWNER.password })
      expect((await adjust(thief, other, 10_001)).status).toBe(200)
      store.clock.advance(24 * 60 * MINUTE_MS - 12 * MINUTE_MS)
      const next = await again(2)
      expect(await adjust(next, other, 4_001), 'the first is a day old, the second is not').toMatchObject(stopped)
      expect((await adjust(next, other, 4_000)).status).toBe(200)
    }))

  // Without the lock of the admin's row (wallet/allowance.ts) all eight pass: none sees what the others take.
  test('is asked of seven when eight adjustments of eight wallets come at once, and one is all that may be', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyers = await Promise.all(Array.from({ length: 8 }, () => shop.buyer()))
      const admin = await unproven(shop)
      const { waiting } = await store.db.transaction(async (tx) => {
        // All have been counted when they come to the audit log, or wait for the one that has
        await tx.run(sql`select from audit_head for update`)
        const changes = buyers.map((buyer) => adjust(admin, buyer, 9_999))
        await untilBlocked(store.db, 8)
        return { waiting: changes }
      })

      const statuses = (await Promise.all(waiting)).map(({ status }) => status)

      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(7).fill(403)])
    }))

  test('that is refused, or comes under an Idempotency-Key of before, counts for nothing', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer()
      const admin = await unproven(shop)
      const keyed = () => adjust(admin, buyer, 6_000, { 'idempotency-key': 'form-1' })

      expect((await adjust(admin, buyer, -9_000)).body).toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
      expect((await keyed()).status).toBe(200)
      expect((await keyed()).status).toBe(200)
      expect((await adjust(admin, buyer, 4_000)).status).toBe(200)
    }))
})
