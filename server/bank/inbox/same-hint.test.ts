import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { shopForFile } from '../../../test/shop-for-file.ts'
import { phone } from '../../../test/worlds/phones.ts'
import { sql } from '../../platform/database/database.ts'
import { isSameMessage, newHints } from './same-hint.ts'

const shop = await shopForFile()
const { store } = shop
const TEXT = (who: string) => `Payment received Received ₹7 from ${who}`
const APP = 'com.phonepe.app.business'

const hints = async () =>
  (
    await store.db.one(
      sql(z.object({ n: z.number() }))`select count(*)::int as n from bank_sightings where outcome = 'hint'`,
    )
  ).n

test('the same text is a new hint twenty days later, and one for retries and two phones', async () => {
  const [one, other] = [await phone(shop), await phone(shop)]
  const send = (token: string, at: Date) =>
    shop
      .visitor()
      .call('POST', '/bank/alerts', JSON.stringify({ from: APP, text: TEXT('RAVI'), sentStamp: at.getTime() }), {
        authorization: `Bearer ${token}`,
      })
  const start = store.clock.now()
  const later = (minutes: number) => new Date(start.getTime() + minutes * 60_000)

  for (let n = 0; n < 10; n++) await send(one.token, start)
  await send(other.token, later(1.5))
  expect(await hints()).toBe(1)
  await send(one.token, later(3))
  expect(await hints()).toBe(2)
  await send(one.token, later(20 * 24 * 60))
  expect(await hints()).toBe(3)
})

test('a thousand random series are counted exactly', async () => {
  const start = store.clock.now().getTime()
  const at = fc.integer({ min: 0, max: 40 * 60 }).map((seconds) => new Date(start + seconds * 1_000))
  const message = fc.record({ stampedAt: fc.option(at), seenAt: at })
  const series = fc.sample(fc.array(message, { minLength: 1, maxLength: 8 }), 1_000)
  const all = series.flatMap((messages, n) => messages.map((one) => ({ ...one, textKey: Buffer.from(`series ${n}`) })))

  const fresh = await store.db.transaction((tx) => newHints(tx, all))

  const expected = series.reduce((total, messages) => {
    const kept: typeof messages = []
    for (const one of messages) if (!kept.some((each) => isSameMessage(each, one))) kept.push(one)
    return total + kept.length
  }, 0)
  expect(fresh.size).toBe(expected)
})
