import { expect, test } from 'vitest'
import { untilBlocked } from '../../test/blocked.ts'
import { openShop } from '../../test/worlds/shop.ts'
import { withStore } from '../../test/store.ts'
import { sql } from '../platform/database/database.ts'

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

// Seen to fail without the lock in save-channel.ts: approving in Telegram is on again
test('two changes of one channel at the same moment both stay', () =>
  withStore(async (store) => {
    const { owner } = await openShop(store)
    const save = (change: object) => owner.put('/messages/channels/telegram', change)
    await save({ decide: true, decideUpTo: 100 })
    let both: Promise<unknown> | undefined

    await store.db.transaction(async (tx) => {
      await tx.run(sql`select from channels where name = 'telegram' for update`)
      both = Promise.all([save({ decide: false }), save({ decideUpTo: 50 })])
      await untilBlocked(store.db, 2)
    })
    await both

    const { channels } = await owner.api.messages.channels({})
    expect(channels.find(({ name }) => name === 'telegram')?.facts).toMatchObject({ decide: false, decideUpTo: 50 })
  }))
