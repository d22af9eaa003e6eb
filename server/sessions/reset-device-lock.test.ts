import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../contract/time.ts'
import { logIn, openShop, PASSWORD } from '../../test/worlds/shop.ts'
import { withStore, type Browser } from '../../test/store.ts'
import { TEST_NOW } from '../../test/worlds/constants.ts'

describe('resetting the device lock', () => {
  const reset = (browser: Browser, username: string, password = PASSWORD) =>
    browser.post('/auth/reset-device-lock', { username, password })

  test('is allowed from 24 hours after the first login, to the second', () =>
    withStore(async (store) => {
      const buyer = await (await openShop(store)).buyer()
      const stranger = store.browser()
      store.clock.advance(20 * HOUR_MS + 39 * MINUTE_MS + 30 * SECOND_MS)
      // Logs in on the same device, which doesn't restart the day
      await logIn(buyer, buyer.username)
      expect(await reset(stranger, buyer.username)).toMatchObject({
        status: 400,
        body: {
          code: 'RESET_COOLDOWN',
          message: 'The device lock can be reset 24 hours after first login. Please wait 3 hr 21 min.',
          remainingHours: 3,
          remainingMinutes: 21,
          lockedAt: TEST_NOW,
          canResetAt: '2026-11-21T15:44:00.000Z',
        },
      })

      store.clock.set(new Date(new Date(TEST_NOW).getTime() + DAY_MS - SECOND_MS))
      expect(await reset(stranger, buyer.username)).toMatchObject({
        status: 400,
        body: { code: 'RESET_COOLDOWN', remainingHours: 0, remainingMinutes: 1 },
      })
      store.clock.advance(SECOND_MS)
      expect(await reset(stranger, buyer.username)).toMatchObject({
        status: 200,
        body: { success: true, message: 'Device lock reset successfully! You can now login on other devices' },
      })

      for (let call = 0; call < 2; call++)
        expect(await buyer.get('/auth/me')).toMatchObject({ status: 401, body: { code: 'SESSION_EXPIRED' } })
      expect((await logIn(stranger, buyer.username)).status).toBe(200)
      for (let call = 0; call < 2; call++)
        expect(await buyer.get('/auth/me')).toMatchObject({ status: 401, body: { code: 'DEVICE_MISMATCH' } })
      // Logs out on the old device, too late to free the new one's lock
      await buyer.post('/auth/logout')
      expect((await logIn(buyer, buyer.username)).status).toBe(403)
    }))

  test('is refused for wrong credentials and where there is no lock', () =>
    withStore(async (store) => {
      const buyer = await (await openShop(store)).buyer()
      await buyer.post('/auth/logout')

      expect(await reset(buyer, buyer.username, 'wrong')).toMatchObject({
        status: 401,
        body: { code: 'WRONG_CREDENTIALS' },
      })
      expect(await reset(buyer, buyer.email)).toMatchObject({ status: 400, body: { code: 'NO_DEVICE_LOCK' } })
    }))
})
