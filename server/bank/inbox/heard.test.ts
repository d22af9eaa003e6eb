import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { shopForFile } from '../../../test/shop-for-file.ts'
import { alertOf, phone } from '../../../test/worlds/phones.ts'
import { sql } from '../../platform/database/database.ts'
import { forgetHeard } from './heard.ts'

const shop = await shopForFile()
const { store, owner } = shop
const rows = async () =>
  (await store.db.one(sql(z.object({ n: z.number() }))`select count(*)::int as n from bank_heard`)).n

test('an owner sees what a phone has sent today, and why it did not count', async () => {
  const { id, say } = await phone(shop)
  const forged = alertOf({ ref: '632545103111' })
  await say(alertOf({}))
  await say(forged, 'VM-KARBNK-S')
  await say('A/c XX5678 debited for Rs 5; TEA credited')
  await say('Mum: call me on 9812345678', '+919812345678')
  await say('483911 is your OTP for Rs.5 credited to A/c XX5678')
  await say('I am Ravi', 'Ravi')

  const { heard, counts } = await owner.api.bank.heard({ id })
  expect(heard).toHaveLength(3)
  expect(heard.map(({ sender, outcome, why }) => [sender, outcome, why])).toEqual(
    expect.arrayContaining([
      ['VM-HDFCBK-S', 'ignored', 'debit'],
      ['VM-KARBNK-S', 'refused', 'sender'],
      ['VM-HDFCBK-S', 'credit', null],
    ]),
  )
  const textOf = (wanted: string) => heard.find(({ outcome }) => outcome === wanted)?.text
  expect(textOf('refused')).toBe(forged.replaceAll('\n', ' ').replaceAll(/\d/g, '#'))
  expect(textOf('credit'), 'what was read').toBeNull()
  expect(new Map(counts.map(({ outcome, count }) => [outcome, count]))).toEqual(
    new Map([
      ['credit', 1],
      ['ignored', 4],
      ['refused', 1],
    ]),
  )
  const { devices } = await owner.api.bank.devices({})
  expect(devices.find(({ _id }) => _id === id)?.unknownSenders).toEqual(['VM-KARBNK-S'])
  await expect((await shop.buyer()).get(`/bank/devices/${id}/heard`)).resolves.toMatchObject({ status: 403 })
})

test('messages are gone after a day, and a phone that sends without end leaves two hundred', async () => {
  const { id } = await phone(shop)
  const now = store.clock.now()
  await store.db.run(sql`
    insert into bank_heard (id, device_id, sender, outcome, heard_at)
    select gen_random_uuid(), ${id}, 'VM-HDFCBK-S', 'ignored', ${now}::timestamptz - make_interval(secs => n)
      from generate_series(1, 500) n`)
  await forgetHeard(store.db, now)
  expect((await owner.api.bank.heard({ id })).heard).toHaveLength(200)
  await forgetHeard(store.db, new Date(now.getTime() + 25 * 3_600_000))
  expect(await rows()).toBe(0)
  await forgetHeard(store.db, new Date(now.getTime() + 31 * 24 * 3_600_000))
  expect((await owner.api.bank.heard({ id })).counts).toEqual([])
})
