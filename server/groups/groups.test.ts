/** A group of buyers pays less, wherever its buyers look and buy, and nobody ever pays more for being in one. */
import { describe, expect, test } from 'vitest'
import { untilBlocked } from '../../test/blocked.ts'
import { withStore, type TestStore } from '../../test/store.ts'
import { unproven } from '../../test/worlds/admins.ts'
import { unique } from '../../test/worlds/constants.ts'
import { nextUtr, openShop, type Buyer, type Shop } from '../../test/worlds/shop.ts'
import { priceFor } from '../../contract/prices.ts'
import { MINUTE_MS } from '../../contract/time.ts'
import { seededDice } from '../demo/dice.ts'
import { sql } from '../platform/database/database.ts'

const duration = '10 Days'

interface Grouped {
  store: TestStore
  shop: Shop
  productId: string
  priceId: string
  groupId: string
  member: Buyer
  stranger: Buyer
}

/** 15 % off a product of ₹120, of which there are 30. */
const withGroup = (work: (given: Grouped) => Promise<void>) =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const { _id: productId, prices } = await shop.product({ prices: { [duration]: 120 }, stock: 30 })
    const { _id: groupId } = await shop.owner.api.groups.create({ name: 'Gold', percentOff: 15, prices: [] })
    const [member, stranger] = [await shop.buyer({ balance: 1_000 }), await shop.buyer({ balance: 1_000 })]
    await shop.owner.api.users.setGroup({ id: member.id, groupId })
    await work({ store, shop, productId, priceId: prices[0]?._id ?? '', groupId, member, stranger })
  })

const rowOf = async ({ productId }: Grouped, buyer: Pick<Buyer, 'api'>) =>
  (await buyer.api.catalogue.list()).find(({ _id }) => _id === productId)?.prices[0]
const ask = async ({ productId }: Grouped, buyer: Buyer, more: object = {}) => {
  const { status, body } = await buyer.post('/keys/buy', { productId, duration, quantity: 1, ...more })
  return status === 200 ? (body.order as { unitPrice: number }).unitPrice : body.code
}
const setPrice = ({ shop, productId, priceId }: Grouped, price: number, more: object = {}) =>
  shop.owner.api.catalogue.update({ id: productId, prices: [{ _id: priceId, duration, price, ...more }] })

describe('a buyer of a group', () => {
  test('sees the price and pays it, reads its name, and others don’t', () =>
    withGroup(async (given) => {
      const { member, stranger, shop } = given
      expect(await rowOf(given, member)).toMatchObject({ price: 102, listPrice: 120 })
      expect(await rowOf(given, stranger)).toMatchObject({ price: 120, listPrice: 120 })
      expect(await rowOf(given, shop.visitor())).not.toHaveProperty('price')
      expect(await ask(given, member, { expectedPrice: 102 })).toBe(102)
      expect(await ask(given, member, { expectedPrice: 120 })).toBe('PRICE_CHANGED')
      expect(await ask(given, stranger, { expectedPrice: 102 })).toBe('PRICE_CHANGED')
      expect((await member.api.sessions.me()).group).toEqual({ name: 'Gold', by: 'hand' })
      expect(await stranger.api.sessions.me()).not.toHaveProperty('group')
      expect((await shop.owner.api.groups.list())[0]).toMatchObject({ members: 1, sold90: 102 })
    }))

  test('pays the lowest of list, group and step, and an own price alone', () =>
    withGroup(async (given) => {
      const { shop, member, productId, priceId, groupId } = given
      await setPrice(given, 120, {
        steps: [
          { from: 2, price: 110 },
          { from: 3, price: 90 },
        ],
      })
      expect(await rowOf(given, member)).toMatchObject({ price: 102, steps: [{ from: 3, price: 90 }] })
      expect(await ask(given, member, { quantity: 2, expectedPrice: 102 })).toBe(102)
      expect(await ask(given, member, { quantity: 3, expectedPrice: 90 })).toBe(90)
      await shop.owner.api.groups.update({ id: groupId, prices: [{ priceId, price: 130 }] })
      expect(await rowOf(given, member)).toMatchObject({ price: 120 })
      await shop.owner.api.groups.update({ id: groupId, prices: [{ priceId, price: 50 }] })
      expect(await rowOf(given, member)).toMatchObject({ price: 50 })
      expect(await rowOf(given, member)).not.toHaveProperty('steps')
      for (const price of [60, 125]) {
        await shop.owner.api.users.update({ id: member.id, customPrices: [{ productId, duration, price }] })
        expect(await rowOf(given, member)).toMatchObject({ price })
        expect(await ask(given, member, { expectedPrice: price })).toBe(price)
      }
    }))

  test('buys what is for sale to the group only', () =>
    withGroup(async (given) => {
      const { shop, member, stranger, priceId, groupId } = given
      await setPrice(given, 0, { steps: [{ from: 2, price: 10 }] })
      expect([await ask(given, member), await ask(given, stranger)]).toEqual(['INVALID_PRICE', 'INVALID_PRICE'])
      await shop.owner.api.groups.update({ id: groupId, prices: [{ priceId, price: 40 }] })
      expect(await rowOf(given, member)).toMatchObject({ price: 40, available: 30 })
      expect(await rowOf(given, stranger)).toMatchObject({ price: 0, available: 0 })
      expect([await ask(given, member, { quantity: 2 }), await ask(given, stranger)]).toEqual([40, 'INVALID_PRICE'])
    }))

  test('is seen with it by an admin in the same browser', () =>
    withGroup(async (given) => {
      const { shop, member } = given
      await member.api.sessions.adminLogin({ username: 'owner', password: 'a long owner password' })
      expect(await rowOf(given, member)).toMatchObject({ price: 120, listPrice: 120, groupPrice: 102 })
      expect(await rowOf(given, shop.owner)).not.toHaveProperty('groupPrice')
    }))

  test('gets it in a wish, a place and a renewal', () =>
    withGroup(async (given) => {
      const { store, shop, member, productId } = given
      const then = { productId, duration, quantity: 1, expectedPrice: 102 }
      const request = { amount: 10, utr: nextUtr(), payerName: '9876543210', then }
      const { payment } = await member.api.payments.addMoney(request)
      await shop.owner.api.payments.approve({ id: payment._id })
      expect((await member.api.sessions.me()).balance).toBe(1_010 - 102)
      const [key] = await member.api.keys.mine()
      expect(await member.api.renewals.make({ keyId: key?._id ?? '' })).toMatchObject({ max: 102 })
      await shop.owner.api.waiting.saveSettings({ autoBuy: true })
      const { _id: other } = await shop.product({ prices: { [duration]: 200 } })
      await member.api.waiting.wait({ productId: other, duration, autoMax: 170 })
      expect((await shop.owner.api.waiting.demand({})).demand).toMatchObject([{ people: 1, ready: 170 }])
      await shop.owner.api.keys.add({ productId: other, duration, keys: [unique('K-')] })
      expect(await store.db.texts(sql`select end_reason from waiting_places`)).toEqual(['bought'])
      expect((await member.api.sessions.me()).balance).toBe(1_010 - 102 - 170)
    }))

  test('shares one kept list with the group, and gets another when the group changes', () =>
    withGroup(async (given) => {
      const { shop, member, groupId } = given
      const others = [await shop.buyer(), await shop.buyer()]
      for (const { id } of others) await shop.owner.api.users.setGroup({ id, groupId })
      for (const buyer of [member, ...others]) expect(await rowOf(given, buyer)).toMatchObject({ price: 102 })
      await shop.owner.api.groups.update({ id: groupId, percentOff: 50 })
      for (const buyer of [member, ...others]) expect(await rowOf(given, buyer)).toMatchObject({ price: 60 })
      await shop.owner.api.users.setGroup({ id: member.id, groupId: null })
      expect(await rowOf(given, member)).toMatchObject({ price: 120 })
      expect(await rowOf(given, others[0]!)).toMatchObject({ price: 60 })
    }))

  test('pays what the list says in 500 random baskets', { timeout: 60_000 }, () =>
    withGroup(async (given) => {
      const { shop, store, productId, priceId, groupId, member, stranger } = given
      const dice = seededDice(500)
      for (const { id } of [member, stranger])
        await shop.owner.api.users.update({ id, balance: 400_000, reason: 'Test' })
      for (let n = 0; n < 500; n++) {
        if (n % 20 === 0) {
          store.clock.advance(2 * MINUTE_MS)
          await shop.owner.api.keys.add({ productId, duration, keys: Array.from({ length: 150 }, () => unique('K-')) })
          await setPrice(given, 100, { steps: dice(3) === 0 ? [] : [{ from: 2 + dice(3), price: 40 + dice(60) }] })
          const prices = dice(2) === 0 ? [] : [{ priceId, price: 30 + dice(100) }]
          await shop.owner.api.groups.update({ id: groupId, percentOff: dice(60), prices })
          const customPrices = [{ productId, duration, price: dice(4) === 0 ? 30 + dice(120) : '' }]
          await shop.owner.api.users.update({ id: member.id, customPrices })
        }
        const buyer = n % 3 === 0 ? stranger : member
        const quantity = 1 + dice(7)
        const price = priceFor((await rowOf(given, buyer)) ?? {}, quantity)
        expect(await ask(given, buyer, { quantity, expectedPrice: price })).toBe(price)
      }
    }),
  )
})

describe('while a purchase is on its way', () => {
  const meeting = async (given: Grouped, change: () => Promise<unknown>) => {
    const { store, member } = given
    const { running } = await store.db.transaction(async (tx) => {
      await tx.run(sql`select from wallets where user_id = ${member.id} for update`)
      const sent = ask(given, member, { expectedPrice: 102 })
      await untilBlocked(store.db)
      await change()
      return { running: sent }
    })
    return [await running, (await member.api.sessions.me()).balance]
  }

  // All seen to fail without the comparison with `expectedPrice` (decide-orders.ts)
  test('the end of a membership asks the buyer again, and nothing is charged', () =>
    withGroup(async (given) => {
      const { shop, member } = given
      const leave = () => shop.owner.api.users.setGroup({ id: member.id, groupId: null })
      expect(await meeting(given, leave)).toEqual(['PRICE_CHANGED', 1_000])
    }))

  test('so does another percentage, and an exception', () =>
    withGroup(async (given) => {
      const { shop, priceId, groupId: id } = given
      expect(await meeting(given, () => shop.owner.api.groups.update({ id, percentOff: 10 }))).toEqual([
        'PRICE_CHANGED',
        1_000,
      ])
      await shop.owner.api.groups.update({ id, percentOff: 15 })
      const change = () => shop.owner.api.groups.update({ id, prices: [{ priceId, price: 90 }] })
      expect(await meeting(given, change)).toEqual(['PRICE_CHANGED', 1_000])
    }))

  test('and the removal of the group', () =>
    withGroup(async (given) => {
      const { shop, groupId: id } = given
      expect(await meeting(given, () => shop.owner.api.groups.remove({ id }))).toEqual(['PRICE_CHANGED', 1_000])
    }))
})

describe('an owner', () => {
  // Seen to fail without the lock on the group (set-group.ts): who joined got a 500
  test('who removes a group while a buyer joins leaves the buyer in none, or is told of the buyer', () =>
    withGroup(async ({ shop, stranger }) => {
      for (let n = 0; n < 20; n++) {
        const { _id: id } = await shop.owner.api.groups.create({ name: unique('G '), percentOff: 1, prices: [] })
        const [joined, removed] = await Promise.all([
          shop.owner.put(`/admin/users/${stranger.id}/group`, { groupId: id }),
          shop.owner.delete(`/groups/${id}?expected=0`),
        ])
        expect([
          [200, 409],
          [200, 200],
          [404, 200],
        ]).toContainEqual([joined.status, removed.status])
        if (removed.status === 200) continue
        expect(removed.body).toMatchObject({ code: 'AMOUNT_CHANGED' })
        await shop.owner.api.groups.remove({ id, expected: 1 })
      }
    }))

  // Seen to fail without the lock on the table (save-group.ts): all fifteen were made
  test('never has more than ten groups, however many are made at once', () =>
    withGroup(async ({ shop }) => {
      const answers = await Promise.all(
        Array.from({ length: 15 }, () => shop.owner.post('/groups', { name: unique('G '), percentOff: 0, prices: [] })),
      )
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(9)
      expect(await shop.owner.api.groups.list()).toHaveLength(10)
    }))

  test('confirms who he is to make something cheaper, and not to make it dearer', () =>
    withGroup(async ({ shop, priceId, groupId: id, stranger, member }) => {
      const thief = await unproven(shop, 'payments')
      const change = async (terms: object) => (await thief.put(`/groups/${id}`, terms)).body.code ?? 'saved'
      const put = async (buyer: Buyer, groupId: string | null) =>
        (await thief.put(`/admin/users/${buyer.id}/group`, { groupId })).body.code ?? 'saved'
      expect(await change({ percentOff: 16 })).toBe('STEP_UP_REQUIRED')
      expect(await change({ prices: [{ priceId, price: 101 }] })).toBe('STEP_UP_REQUIRED')
      expect(await change({ percentOff: 14, name: 'Silver' })).toBe('saved')
      expect(await change({ prices: [{ priceId, price: 500 }] })).toBe('saved')
      expect(await change({ prices: [] })).toBe('STEP_UP_REQUIRED')
      expect(await put(stranger, id)).toBe('saved')
      await shop.owner.api.groups.update({ id, prices: [] })
      expect(await put(member, null)).toBe('saved')
      expect(await put(member, id)).toBe('STEP_UP_REQUIRED')
      expect((await thief.delete(`/groups/${id}`)).status).toBe(200)
    }))

  test('who sends a wrong one gets one sentence for it, and nothing is changed', () =>
    withGroup(async ({ shop, groupId }) => {
      for (const [wrong, field] of [
        [{ name: '' }, 'name'],
        [{ name: 'x'.repeat(41) }, 'name'],
        [{ percentOff: 91 }, 'percentOff'],
        [{ percentOff: -1 }, 'percentOff'],
        [{ percentOff: 1.5 }, 'percentOff'],
        [{ percentOff: 'half' }, 'percentOff'],
        [{ prices: 'all' }, 'prices'],
      ] as const) {
        const { status, body } = await shop.owner.put(`/groups/${groupId}`, wrong)
        expect([status, Object.keys(body['fields'] as object)]).toEqual([400, [field]])
      }
      expect(await shop.owner.api.groups.list()).toMatchObject([{ name: 'Gold', percentOff: 15, prices: [] }])
    }))

  test('finds the buyers of a group, and a closed account leaves it', () =>
    withGroup(async ({ shop, groupId, member }) => {
      const { users, total } = await shop.owner.api.users.list({ group: groupId })
      expect([users.map(({ username, group }) => [username, group?.name]), total]).toEqual([
        [[member.username, 'Gold']],
        1,
      ])
      await shop.owner.api.users.remove({ id: member.id })
      expect((await shop.owner.api.groups.list())[0]).toMatchObject({ members: 0, sold90: 0 })
    }))
})
