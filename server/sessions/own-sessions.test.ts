import { expect, test } from 'vitest'
import { logIn, openShop, OWNER } from '../../test/worlds/shop.ts'
import { copyOf, withStore } from '../../test/store.ts'
import { TEST_NOW } from '../../test/worlds/constants.ts'

test('v5.0.0-7.5.2 a buyer sees and ends the open session; then its cookie is worth nothing', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const [buyer, other] = [await shop.buyer(), await shop.buyer()]
    await logIn(buyer, buyer.username)
    const { sessions } = await buyer.api.sessions.list()
    expect(sessions).toEqual([
      {
        _id: expect.any(String) as string,
        createdAt: TEST_NOW,
        lastActiveAt: TEST_NOW,
        address: '127.0.0.1',
        userAgent: 'node',
        current: true,
      },
    ])
    const [session] = sessions
    expect((await other.delete(`/auth/sessions/${session?._id}`)).status).toBe(404)
    const copy = copyOf(store.url, buyer)

    expect((await buyer.delete(`/auth/sessions/${session?._id}`)).status).toBe(200)

    expect(buyer.cookies.has('chaabi_session')).toBe(false)
    expect((await copy.get('/auth/me')).status).toBe(401)
    expect((await copy.delete(`/auth/sessions/${session?._id}`)).status).toBe(401)
    expect((await logIn(store.browser(), buyer.username)).status).toBe(200)
  }))

test('v5.0.0-7.5.2 an admin sees their sessions in all browsers, newest first, and ends one, but none of others', () =>
  withStore(async (store) => {
    const { owner } = await openShop(store)
    const second = store.browser()
    store.clock.advance(1_000)
    await second.api.sessions.adminLogin(OWNER)
    const { sessions } = await owner.api.admins.sessions()
    expect(sessions.map(({ current }) => current)).toEqual([false, true])

    expect((await owner.delete(`/admin/sessions/${sessions[0]?._id}`)).status).toBe(200)

    expect((await second.get('/admin/check')).status).toBe(401)
    expect((await owner.delete(`/admin/sessions/${sessions[0]?._id}`)).status).toBe(404)
    expect((await owner.api.admins.sessions()).sessions).toHaveLength(1)
    const { entries } = await owner.api.reports.audit({})
    expect(entries.filter(({ action }) => action === 'admin.end-session')).toMatchObject([
      { admin: OWNER.username, subject: expect.stringMatching(/^owner \(/) as string },
    ])
  }))
