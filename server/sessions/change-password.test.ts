import { describe, expect, test } from 'vitest'
import { logIn, openShop, PASSWORD } from '../../test/worlds/shop.ts'
import { copyOf, withStore } from '../../test/store.ts'

describe('changing the password', () => {
  test('goes on under a new token and ends the old one; only the new password logs in', () =>
    withStore(async (store) => {
      const buyer = await (await openShop(store)).buyer()
      const copy = copyOf(store.url, buyer)

      const answer = await buyer.post('/auth/change-password', {
        currentPassword: PASSWORD,
        newPassword: 'a new long password 🔑',
      })

      expect(answer).toMatchObject({ status: 200, body: { message: 'Password changed' } })
      expect((await buyer.get('/auth/me')).status).toBe(200)
      expect(await copy.get('/auth/me')).toMatchObject({ status: 401, body: { code: 'SESSION_EXPIRED' } })
      expect((await logIn(buyer, buyer.username)).status).toBe(401)
      expect((await logIn(buyer, buyer.username, 'a new long password 🔑')).status).toBe(200)
    }))

  test('ends a reset link that is on its way', () =>
    withStore(async (store) => {
      const { owner, ...shop } = await openShop(store)
      const buyer = await shop.buyer()
      const { link } = await owner.api.users.issueResetLink({ id: buyer.id })

      await buyer.api.sessions.changePassword({ currentPassword: PASSWORD, newPassword: 'a new long password' })

      const token = link.slice(link.indexOf('#') + 1)
      expect(
        await store.browser().post('/auth/reset-password', { token, newPassword: 'of a thief, long' }),
      ).toMatchObject({
        body: { code: 'RESET_LINK_INVALID' },
      })
    }))

  test('asks for the current password, and for one that is not guessed first', () =>
    withStore(async (store) => {
      const buyer = await (await openShop(store)).buyer()
      const change = (currentPassword: string, newPassword: string) =>
        buyer.post('/auth/change-password', { currentPassword, newPassword })

      expect(await change('wrong', 'a new long password')).toMatchObject({
        status: 400,
        body: { code: 'WRONG_PASSWORD', fields: { currentPassword: 'Your current password is incorrect.' } },
      })
      expect(await change(PASSWORD, 'QWERTYuiop')).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', fields: { newPassword: expect.any(String) as string } },
      })
      expect((await logIn(buyer, buyer.username)).status).toBe(200)
    }))
})
