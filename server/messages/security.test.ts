import { expect, test } from 'vitest'
import { settings } from '../../contract/settings.ts'
import { DAY_MS } from '../../contract/time.ts'
import { anAdmin, enrolled, unproven, withPasswordOnly } from '../../test/worlds/admins.ts'
import { OWNER } from '../../test/worlds/shop.ts'
import { send, withPush } from '../../test/worlds/push-shop.ts'
import { sql } from '../platform/database/database.ts'

const titles = (push: { arrived: { message: Record<string, unknown> }[] }) =>
  push.arrived.map(({ message }) => String(message['title'])).toSorted()

test('every owner is told of what a thief in the house would do, each on its own, with no value in it', () =>
  withPush(async ({ shop, buyer, push }) => {
    await shop.owner.api.settings.saveUpi({ upiId: '9876543210@ybl' })
    const { admin } = await anAdmin(shop)
    await shop.owner.api.users.issueResetLink({ id: buyer.id })
    await shop.owner.api.users.unlockDevice({ id: buyer.id })
    await send(shop.store)
    expect(titles(push)).toEqual([
      `Security: Device lock reset (${buyer.username})`,
      `Security: Password reset link created (${buyer.username})`,
      `Security: ${admin.username} is a new owner`,
      `Security: ${admin.username} logged in on a new device`,
      'Security: another UPI ID',
    ])
    expect(new Set(push.arrived.map(({ message }) => message['tag'])).size, 'none hides another').toBe(5)
    expect(JSON.stringify(push.arrived)).not.toContain('9876543210')
    expect(push.arrived.find(({ message }) => message['title'] === 'Security: another UPI ID')?.message).toMatchObject({
      body: 'Done by owner. If none of your admins did this, open the panel, undo it and change your password.',
      path: '/admin/audit?status=settings.upi',
    })
  }))

test('nobody can turn these messages off', () =>
  withPush(async ({ shop, push }) => {
    const { choices } = await shop.owner.api.messages.choices({ as: 'admin' })
    expect(choices.map(({ kind }) => kind)).not.toContain('admin.security')
    const off = { kind: 'admin.security', channel: 'push', on: false } as const
    await shop.owner.api.messages.choose({ choices: [off], as: 'admin' })
    await shop.owner.api.settings.saveUpi({ upiId: 'other@ybl' })
    await send(shop.store)
    expect(titles(push)).toEqual(['Security: another UPI ID'])
  }))

test('an owner whom another disables is still told of it, and of nothing later', () =>
  withPush(async ({ shop, push }) => {
    const { browser: thief } = await anAdmin(shop)
    const { admin } = await shop.owner.api.sessions.adminCheck()
    await send(shop.store)
    push.arrived.length = 0
    shop.store.clock.advance(1_000)
    await thief.api.admins.update({ id: admin.id, disabled: true })
    shop.store.clock.advance(1_000)
    await thief.api.settings.saveUpi({ upiId: 'thief@ybl' })
    await send(shop.store)
    expect(titles(push)).toEqual([`Security: Admin changed (${OWNER.username})`])
  }))

test('a login in a browser that the admin has used before is no news', () =>
  withPush(async ({ shop, push }) => {
    await shop.owner.api.sessions.adminLogin(OWNER)
    await send(shop.store)
    expect(titles(push)).toEqual([])
    await shop.visitor().api.sessions.adminLogin(OWNER)
    await send(shop.store)
    expect(titles(push)).toEqual([`Security: ${OWNER.username} logged in on a new device`])
  }))

/** Of each setting that is no text: one that relaxes it, or leads elsewhere. */
const OTHER: Record<string, unknown> = {
  upiId: 'other@ybl',
  payeeName: 'OTHER NAME',
  paymentEnabled: false,
  supportUrl: 'https://t.me/other',
  merchantVpa: true,
  topupMax: 500,
  topupValidityDays: 30,
  stepUpAbove: 20_000,
  carefulAbove: null,
  turnoverLine: null,
  refundFee: 1,
  secondFactorRequired: false,
}

test('each setting that asks for a proof is told when it changes', () =>
  withPush(async ({ shop, push }) => {
    const [thief, { browser: owner }] = [await unproven(shop), await enrolled(shop)]
    await shop.store.db.run(sql`update settings set second_factor_required = true`)
    const asked: string[] = []
    for (const { route, input } of [settings.saveUpi, settings.saveStore])
      for (const field of Object.keys(input.shape).filter((name) => !name.startsWith('refundNote'))) {
        const path = route.replace('PUT ', '')
        if ((await thief.put(path, { [field]: OTHER[field] })).body.code !== 'STEP_UP_REQUIRED') continue
        asked.push(field)
        await send(shop.store)
        push.arrived.length = 0
        expect(await owner.put(path, { [field]: OTHER[field] }), field).toMatchObject({ status: 200 })
        await send(shop.store)
        expect(push.arrived, field).toHaveLength(1)
      }
    const rules = ['supportUrl', 'topupValidityDays', 'secondFactorRequired', 'stepUpAbove', 'carefulAbove']
    expect(asked).toEqual(['upiId', 'payeeName', ...rules])
  }))

test('what an older client does without a proof is told, once a day for each kind of change', () =>
  withPush(async ({ shop, buyer, push }) => {
    const old = await withPasswordOnly(shop, false)
    const { username } = (await old.api.sessions.adminCheck()).admin
    const credit = async (balance: number) => {
      push.arrived.length = 0
      expect((await old.put(`/admin/users/${buyer.id}/custom-prices`, { balance })).status).toBe(200)
      await send(shop.store)
      return titles(push)
    }
    await send(shop.store)
    expect(await credit(10_000), 'as much as one may').toEqual([])
    const told = [`Security: User changed (${buyer.username})`]
    expect(await credit(9_00_000)).toEqual(told)
    expect(await credit(1)).toEqual([])
    await old.put('/notice', { text: 'Pay other@ybl' })
    await send(shop.store)
    expect(titles(push), 'of another kind').toEqual(['Security: Notice changed'])
    shop.store.clock.advance(DAY_MS)
    await old.api.sessions.adminLogin({ username, password: OWNER.password })
    expect(await credit(9_00_000)).toEqual(told)
  }))

test('with e-mail on, the store’s own mailbox gets them, too', () =>
  withPush(async ({ shop }) => {
    const { db } = shop.store
    await db.run(sql`
      insert into channels (name, is_on, facts)
      values ('email', true, '{"host":"localhost","port":1,"user":"","from":"shop@shop.test"}')
      on conflict (name) do update set is_on = true, facts = excluded.facts`)
    const demoMails: { to: string; subject: string; text: string }[] = []
    Object.assign(shop.store.app.reach, { demoMails })
    await shop.owner.api.settings.saveUpi({ upiId: 'other@ybl' })
    await send(shop.store)
    expect(demoMails.map(({ to, subject }) => ({ to, subject }))).toEqual([
      { to: 'shop@shop.test', subject: 'Security: another UPI ID' },
    ])
  }))
