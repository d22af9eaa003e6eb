import { expect, test } from 'vitest'
import { ask, send, withPush } from '../../test/worlds/push-shop.ts'
import { alertOf, phone } from '../../test/worlds/phones.ts'
import { AlarmKind } from '../../contract/bank-shapes.ts'
import { tellSilentPhones } from '../bank/phones/silent-phones.ts'
import { raiseAlarm, switchOff } from '../bank/credits/alarms.ts'
import { sql } from '../platform/database/database.ts'

test('each alarm of the bank is told at once, and what follows within the hour as one', () =>
  withPush(async ({ shop, push }) => {
    const { db, clock } = shop.store
    const topUps: string[] = []
    for (const buyer of [await shop.buyer(), await shop.buyer()])
      for (let each = 0; each < 2; each += 1) topUps.push((await ask(buyer)).payment._id)
    await send(shop.store)
    clock.advance(60_000)
    await send(shop.store)
    const raise = (kind: AlarmKind, topUpId = null as string | null) =>
      db.transaction((tx) => raiseAlarm(tx, kind, { topUpId }, clock.now()))
    const more = async (few: string[]) => {
      for (const topUpId of few) await raise('approved-without-money', topUpId)
    }
    const told = async (minutes = 0) => {
      clock.advance(minutes * 60_000)
      push.arrived.length = 0
      await send(shop.store)
      return push.arrived.map(({ message }) => message['title'])
    }
    const kinds = AlarmKind.options.filter((kind) => kind !== 'automation-off')
    for (const kind of kinds) {
      await raise(kind)
      expect(await told(), kind).toEqual(['Bank alarm'])
      expect(push.arrived[0]?.message).toMatchObject({ path: '/admin/payment-manager' })
    }
    await more(topUps.slice(0, 2))
    expect([await told(59), await told(1), await told(60)]).toEqual([[], ['3 bank alarms'], []])

    await more(topUps.slice(2))
    for (const { _id: id } of (await shop.owner.api.bank.alarms({ open: true })).alarms)
      await shop.owner.api.bank.closeAlarm({ id, note: 'Seen' })
    expect([await told(), await told(60)]).toEqual([[], []])

    const off = () => db.transaction((tx) => switchOff(tx, 'sources-differ', clock.now()))
    await off()
    expect(await told()).toEqual([])
    await db.run(sql`update bank_rules set mode = 'auto'`)
    await off()
    expect(await told()).toEqual(['Automatic approval turned itself off'])
    expect(push.arrived[0]?.message['body']).toBe(
      'Alert and statement differ for money that was approved. New requests wait for your approval.',
    )
  }))

test('a phone that is silent for a day while buyers pay is told once a silence, and not when it was heard again', () =>
  withPush(async ({ shop, buyer, push }) => {
    const { db, clock } = shop.store
    const [one, other] = [await phone(shop), await phone(shop)]
    const told = async (hours: number) => {
      clock.advance(hours * 3_600_000)
      push.arrived.length = 0
      await tellSilentPhones(db, clock.now())
      await send(shop.store)
      return push.arrived.map(({ message }) => message['title']).filter((title) => /silent/.test(title as string))
    }
    await one.say(alertOf({}))
    expect(await told(25), 'nobody pays').toEqual([])
    await ask(buyer)
    expect(await told(0)).toEqual(['2 phones are silent'])
    expect(push.arrived.at(-1)?.message).toMatchObject({ path: '/admin/settings/bank' })
    expect([await told(0.5), await told(1), await told(1)]).toEqual([[], ['2 phones are silent'], []])

    await one.say(alertOf({}))
    await db.run(
      sql`update bank_devices set paused_at = ${clock.now()}, paused_why = 'by-admin' where id = ${other.id}`,
    )
    expect(await told(23)).toEqual([])
    await ask(buyer)
    // An app's own test doesn't show that SMS arrive
    await one.say('Test', 'Test')
    expect(await told(2)).toEqual(['A phone is silent'])
  }))
