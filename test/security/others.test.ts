/**
 * Another buyer’s things (security.md: 8.2.2): a call with any of their ids shows and touches nothing.
 */
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { prepared, sql } from '../../server/platform/database/database.ts'
import { endpoints } from '../contract/endpoints.ts'
import { DURATION, pending } from '../contract/things.ts'
import { nextUtr, openShop, type Buyer, type Shop } from '../worlds/shop.ts'
import { withStore, type TestStore } from '../store.ts'
import { unique } from '../worlds/constants.ts'

interface Victim {
  buyer: Buyer
  /** By what they name. */
  ids: Record<string, string>
  /** Things that nobody else may read. */
  secrets: string[]
}

/** A buyer who has one of everything. */
async function victimOf(shop: Shop): Promise<Victim> {
  const buyer = await shop.buyer({ balance: 500 })
  const product = await shop.product({ stock: 2 })
  const utr = nextUtr()
  const { payment } = await buyer.api.payments.addMoney({ amount: 70, utr, payerName: '9123456789' })
  const { order, keys } = await buyer.api.orders.place({ productId: product._id, duration: DURATION, quantity: 1 })
  await shop.owner.api.users.update({
    id: buyer.id,
    customPrices: [{ productId: product._id, duration: DURATION, price: 61 }],
  })
  const { wallet } = await buyer.api.sessions.me()
  const { sessions } = await buyer.api.sessions.list()
  const [approved] = (await buyer.api.payments.mine()).filter(({ status }) => status === 'approved')
  return {
    buyer,
    ids: {
      user: buyer.id,
      session: sessions[0]?._id ?? '',
      pending: payment._id,
      approved: approved?._id ?? '',
      order: order._id,
      key: keys[0]?._id ?? '',
      lot: wallet[0]?._id ?? '',
    },
    secrets: [keys[0]?.key ?? '', buyer.username, buyer.email, utr, '9123456789'],
  }
}

/** All rows of a buyer, in every table that says whose a row is, but for the times at which a session was used. */
async function rowsOf({ db }: TestStore, userId: string): Promise<Record<string, string[]>> {
  const tables = await db.rows(sql(z.object({ name: z.string(), column: z.string() }))`
    select table_name as name, column_name as column from information_schema.columns
     where table_schema = 'public' and (column_name = 'user_id' or (table_name = 'users' and column_name = 'id'))`)
  const all: Record<string, string[]> = {}
  for (const { name, column } of tables) {
    const rows = await db.texts(
      prepared(
        `select (to_jsonb(row) - 'last_active_at')::text from ${name} row where ${column} = '${userId}' ` +
          'order by 1',
      ),
    )
    all[name] = rows
  }
  return all
}

interface Schema {
  _zod: { def: { shape?: Record<string, Schema>; innerType?: Schema; format?: string } }
}
/** The fields of a form that take an id. */
function idFieldsOf(input: unknown): string[] {
  const isId = ({ _zod: { def } }: Schema): boolean => (def.innerType ? isId(def.innerType) : def.format === 'uuid')
  return Object.entries((input as Schema)._zod.def.shape ?? {}).flatMap(([name, schema]) =>
    isId(schema) ? [name] : [],
  )
}

/** Calls that end the caller's own session. */
const ENDS_THE_ASKER = new Set(['POST /auth/logout', 'POST /admin/logout', 'GET /events'])

describe('v5.0.0-8.2.2 what is another buyer’s', () => {
  // Planted and found: sessions that any caller ends by their id alone.
  test('is neither shown nor touched by any call of a buyer or a visitor, with any of its ids anywhere', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const { buyer, ids, secrets } = await victimOf(shop)
      const attacker = await shop.buyer({ balance: 300 })
      const before = await rowsOf(store, buyer.id)
      expect(Object.values(before).flat().length).toBeGreaterThan(8)
      const wrong: string[] = []
      let asked = 0

      for (const { name, endpoint } of endpoints) {
        if (endpoint.access === 'operator' || ENDS_THE_ASKER.has(name)) continue
        for (const [kind, id] of Object.entries(ids))
          for (const caller of [attacker, shop.visitor()]) {
            const fields = Object.fromEntries(idFieldsOf(endpoint.input).map((field) => [field, id]))
            const path = endpoint.path.replaceAll('{duration}', '10%20Days').replaceAll(/\{\w+\}/g, id)
            const input = {
              username: unique('other'),
              email: `${unique('other')}@example.in`,
              password: 'a wrong password',
              currentPassword: 'a wrong password',
              newPassword: 'another long password',
              referralCode: 'NOSUCHCODE',
              token: id,
              duration: DURATION,
              quantity: 1,
              amount: 5,
              utr: nextUtr(),
              payerName: '9876543210',
              meta: { offer: true, planId: id },
              userId: id,
              _id: id,
              id,
              ...fields,
            }
            const query = new URLSearchParams({ userId: id, _id: id, id, before: id, ...fields })
            const isRead = endpoint.method === 'GET' || endpoint.method === 'DELETE'
            const answer = await caller.call(
              endpoint.method,
              isRead ? `${path}?${query.toString()}` : path,
              isRead ? undefined : input,
            )
            asked++
            const text = JSON.stringify([answer.body, [...answer.headers]])
            const shown = secrets.filter((secret) => text.includes(secret))
            if (shown.length > 0 || answer.status >= 500)
              wrong.push(`${name} with the ${kind}: ${answer.status} ${shown.join(', ')}`)
            if (endpoint.access === 'admin' && answer.status < 400)
              wrong.push(`${name} with the ${kind}: ${answer.status}`)
          }
      }

      expect(wrong).toEqual([])
      expect(asked).toBeGreaterThan(1_000)
      expect(await rowsOf(store, buyer.id)).toEqual(before)
      expect((await buyer.get('/auth/me')).status).toBe(200)
    }))

  test('is not opened by its Idempotency-Key: each buyer has their own, and another order under it is refused', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const [one, other] = [await shop.buyer({ balance: 500 }), await shop.buyer({ balance: 500 })]
      const { _id: productId } = await shop.product({ stock: 4 })
      const order = { productId, duration: DURATION, quantity: 1 }
      const key = { 'idempotency-key': 'guessable-1' }
      const keyOf = ({ body }: { body: unknown }) => (body as { keys: { key: string }[] }).keys[0]?.key

      const first = await one.post('/keys/buy', order, key)
      const again = await one.post('/keys/buy', order, key)
      const theirs = await other.post('/keys/buy', order, key)
      const another = await one.post('/keys/buy', { ...order, quantity: 2 }, key)

      expect(again.body).toEqual(first.body)
      expect(theirs.status).toBe(200)
      expect(keyOf(theirs)).not.toBe(keyOf(first))
      expect(another).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } })
      expect(await one.api.sessions.me()).toMatchObject({ balance: 400 })
      expect(await other.api.sessions.me()).toMatchObject({ balance: 400 })
    }))

  test('is no plan, price or product of one’s own: a hidden product and another’s price are not to be had', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const [one, other] = [await shop.buyer({ balance: 500 }), await shop.buyer({ balance: 500 })]
      const { _id: productId } = await shop.product({ stock: 4 })
      await shop.owner.api.users.update({ id: one.id, customPrices: [{ productId, duration: DURATION, price: 1 }] })
      await shop.owner.api.users.update({ id: other.id, hiddenProducts: [productId] })

      const order = { productId, duration: DURATION, quantity: 1, price: 1, unitPrice: 1, userId: one.id }
      expect(await other.post('/keys/buy', order)).toMatchObject({ status: 404, body: { code: 'PRODUCT_NOT_FOUND' } })
      await shop.owner.api.users.update({ id: other.id, hiddenProducts: [] })
      expect(await other.post('/keys/buy', order)).toMatchObject({ status: 200, body: { order: { amount: 100 } } })
      expect(
        (
          await other.post('/payments/add-money', {
            amount: 100,
            utr: nextUtr(),
            payerName: '9876543210',
            meta: { offer: true, planId: await pending(shop) },
          })
        ).status,
      ).toBe(404)
    }))
})
