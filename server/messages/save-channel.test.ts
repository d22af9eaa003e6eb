import { expect, test } from 'vitest'
import { openShop } from '../../test/worlds/shop.ts'
import { withStore } from '../../test/store.ts'

test('the saved password goes to no other mail server, port or username', () =>
  withStore(
    async (store) => {
      const { owner } = await openShop(store)
      const save = (change: object) => owner.put('/messages/channels/email', change)
      const mail = { host: 'mail.example.in', port: 465, user: 'shop', from: 'shop@example.in' }
      expect((await save({ ...mail, password: 'a-mailbox-password' })).status).toBe(200)

      for (const elsewhere of [{ host: 'mail.evil.test' }, { port: 25 }, { user: 'other' }, { user: '' }])
        expect(await save({ ...mail, ...elsewhere }), JSON.stringify(elsewhere)).toMatchObject({
          status: 400,
          body: { fields: { password: expect.stringContaining('Enter the password again') as string } },
        })
      const { channels } = await owner.api.messages.channels({})
      expect(channels.find(({ name }) => name === 'email')?.facts).toEqual(mail)

      // The form sends all its fields, also those that nobody has changed
      expect((await save({ ...mail, from: 'till@example.in', isOn: true })).status).toBe(200)
      expect((await save({ host: 'mail.new.test', password: 'another-password' })).status).toBe(200)
      expect((await save({ host: 'mail.open.test', password: '' })).status, 'without any').toBe(200)
      expect((await save({ host: 'mail.third.test' })).status, 'nothing is saved').toBe(200)
    },
    { publicOrigin: 'https://shop.example.in' },
  ))
