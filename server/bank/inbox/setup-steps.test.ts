import { describe, expect, test } from 'vitest'
import type { BankAccount } from '../../../contract/bank-shapes.ts'
import { shopForFile } from '../../../test/shop-for-file.ts'
import { account } from '../../../test/worlds/bank.ts'
import { alertOf, pairing, phone, type Phone } from '../../../test/worlds/phones.ts'

const shop = await shopForFile()

type Own = Pick<Phone, 'id' | 'token'>
const phoneOf = async (...accounts: BankAccount[]): Promise<Own> => {
  const { device, token } = await shop.visitor().api.bank.pair({ code: await pairing(shop, ...accounts) })
  return { id: device._id, token }
}
const stepsOf = async ({ token }: Own) => {
  const answer = await shop.visitor().call('GET', '/bank/devices/own', undefined, { authorization: `Bearer ${token}` })
  return answer.body as { test: string; reached: boolean; sms: boolean; bank: boolean; smsAbove?: number }
}
const stateOf = async ({ id }: Own) => {
  const { devices } = await shop.owner.api.bank.devices({})
  return devices.find(({ _id }) => _id === id)
}

describe('the setup of a phone', () => {
  test('has come nowhere before its first message', async () => {
    expect(await stepsOf(await phone(shop))).toMatchObject({ reached: false, sms: false, bank: false })
  })

  test('reaches the store with any message, which is no sign that the phone works', async () => {
    const one = await phone(shop)
    await one.say('Test', 'Test')
    await one.say('Your lunch is here', '+919812345678')
    // Of a bank that this phone does not have, of an advertiser, and of a name that anybody can have
    for (const sender of ['VM-SBIUPI-S', 'AD-HDFCBK-P', 'HDFC Bank']) await one.say(alertOf({}), sender)

    expect(await stepsOf(one)).toMatchObject({ reached: true, sms: false, bank: false })
    expect((await stateOf(one))?.lastSeenAt).toBeNull()
  })

  test('hears SMS when the owner’s own words come, those of this phone alone', async () => {
    const [one, other] = [await phone(shop), await phone(shop)]
    const { test: words } = await stepsOf(one)
    expect(words).toMatch(/^credited \d{4}$/)
    await one.say((await stepsOf(other)).test === words ? 'credited 1' : (await stepsOf(other)).test, '+919812345678')
    expect((await stepsOf(one)).sms).toBe(false)

    const { body } = await one.say(` ${words.toUpperCase()}\n`, '+919812345678')

    expect(body).toEqual({ outcome: 'ignored' })
    expect(await stepsOf(one)).toMatchObject({ sms: true, bank: false })
    expect((await stateOf(one))?.lastSeenAt).not.toBeNull()
    const { alerts } = await shop.owner.api.bank.unread({})
    expect(alerts.filter(({ device, why }) => device?._id === one.id && why !== 'sender')).toEqual([])
  })

  test.each([
    ['an alert', alertOf({}), 'VM-HDFCBK-S'],
    ['a one-time code', '482913 is OTP for txn of INR 500.00 at SHOP. DO NOT SHARE.', 'VM-HDFCBK-S'],
    ['a payment app', 'Sensitive notification content hidden', 'com.phonepe.app.business'],
  ])('hears the bank with %s', async (_, text, sender) => {
    const one = await phone(shop)
    await one.say(text, sender)
    expect(await stepsOf(one)).toMatchObject({ reached: true, sms: false, bank: true })
  })

  test('says of a notification that Android hides its text', async () => {
    const one = await phone(shop)
    await one.say('Sensitive notification content hidden', 'com.phonepe.app.business')
    const { heard } = await shop.owner.api.bank.heard({ id: one.id })
    expect(heard).toMatchObject([{ sender: 'com.phonepe.app.business', outcome: 'ignored', why: 'hidden' }])
  })

  test('says above which sum the banks of its open accounts send an SMS, and nothing where they send all', async () => {
    const [silent, loud] = [await account(shop), await account(shop, { bank: 'SBI' })]
    const [both, other] = [await phoneOf(silent, loud), await phoneOf(loud)]
    const floors = async (one: Own) => [(await stepsOf(one)).smsAbove, (await stateOf(one))?.smsAbove]
    expect([await floors(both), await floors(other)]).toEqual([
      [500, 500],
      [undefined, undefined],
    ])
    const { _id: id, coveredTo: _, closedAt: __, ...fields } = silent
    await shop.owner.api.bank.saveAccount({ id, ...fields, closed: true })
    expect(await floors(both)).toEqual([undefined, undefined])
  })

  test('goes on while the phone is paused', async () => {
    const one = await phone(shop)
    await shop.owner.api.bank.updateDevice({ id: one.id, paused: true })
    await one.say(alertOf({}))
    expect(await stepsOf(one)).toMatchObject({ bank: true })
  })
})
