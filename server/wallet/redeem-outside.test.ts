/** What went wrong with redeem codes and gift cards in other programs, by the reports of their users. */
import { expect, test } from 'vitest'
import { untilBlocked } from '../../test/blocked.ts'
import { codeForm } from '../../test/worlds/codes.ts'
import { logIn, openShop, OWNER, PASSWORD, type Buyer, type Shop } from '../../test/worlds/shop.ts'
import { withStore, type TestStore } from '../../test/store.ts'
import { DAY_MS } from '../../contract/time.ts'
import { sql } from '../platform/database/database.ts'
import { findBroken } from '../platform/database/invariants.ts'

const withShop = (work: (given: { store: TestStore; shop: Shop; make: Make }) => Promise<void>) =>
  withStore(async (store) => {
    const shop = await openShop(store)
    await work({
      store,
      shop,
      make: async (more = {}) => (await shop.owner.api.wallet.makeCodes(codeForm(store, more))).codes,
    })
    expect(await findBroken(store.db, 'server/migrations')).toEqual([])
  })
type Make = (more?: object) => Promise<string[]>

const redeem = async (buyer: Buyer, code: string | undefined) => {
  const { status, body } = await buyer.post('/wallet/redeem', { code })
  return status === 200 ? (body.amount as number) : `${status} ${body.code}`
}
const balanceOf = async (buyer: Buyer) => (await buyer.api.sessions.me()).balance

test('a line that dies between the credit and its mark leaves neither (The-Leetcode-City#274)', () =>
  withShop(async ({ store: { db }, shop, make }) => {
    const [[code], buyer] = [await make(), await shop.buyer()]
    const dead = await db.transaction(async (tx) => {
      await tx.run(sql`select from admins for update`)
      const trying = redeem(buyer, code)
      await untilBlocked(db)
      await tx.run(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
         where wait_event_type = 'Lock' and datname = current_database() and pid <> pg_backend_pid()`)
      return trying
    })
    expect([dead, await balanceOf(buyer)]).toEqual(['503 SERVICE_UNAVAILABLE', 0])
    expect([await redeem(buyer, code), await balanceOf(buyer)]).toEqual([100, 100])
  }))

test('signs of any kind between the letters don’t matter (pimcore#102, NumberSearch#291)', () =>
  withShop(async ({ shop, make }) => {
    const [[code = ''], buyer] = [await make(), await shop.buyer()]
    for (const sign of ['.', '_', '/', ' - ', '\t', '·', '—'])
      expect(await redeem(buyer, ` "${code.replaceAll('-', sign)}"`), sign).toBe(100)
  }))

test('credit ends with its own term, also when the code would still be good (new-api#3520)', () =>
  withShop(async ({ store, shop, make }) => {
    const [[code], buyer] = [await make({ creditDays: 7 }), await shop.buyer()]
    await redeem(buyer, code)
    store.clock.advance(7 * DAY_MS - 1)
    await logIn(buyer, buyer.username)
    expect(await balanceOf(buyer)).toBe(100)
    store.clock.advance(1)
    expect(await balanceOf(buyer)).toBe(0)
  }))

test('a name is counted in letters, and written as it was given (new-api#1437)', () =>
  withShop(async ({ shop, make }) => {
    const name = 'दीवाली की शुभकामनाएँ 🪔 '.repeat(3).trim().slice(0, 60).trim()
    const [[code], buyer] = [await make({ name }), await shop.buyer()]
    await redeem(buyer, code)
    const [entry] = await buyer.api.wallet.history({})
    expect(entry?.description).toBe(`Code: ${name.normalize('NFC')}`)
  }))

test('after a gift has ended, one of another batch is taken (gamesdk-and-dispatch#86)', () =>
  withShop(async ({ store, shop, make }) => {
    const [[first, second], buyer] = [await make({ creditDays: 7 }), await shop.buyer()]
    await redeem(buyer, first)
    store.clock.advance(8 * DAY_MS)
    await logIn(buyer, buyer.username)
    await shop.owner.api.sessions.adminLogin(OWNER)
    await shop.owner.api.admins.stepUp({ password: OWNER.password })
    expect(await redeem(buyer, second)).toBe('409 ONE_EACH')
    const [other] = await make()
    expect([await redeem(buyer, other), await balanceOf(buyer)]).toEqual([100, 100])
  }))

test('a buyer can redeem while payments are off, and without any money (XManagerPlus#300)', () =>
  withShop(async ({ shop, make }) => {
    const [[code], buyer] = [await make(), await shop.buyer()]
    await shop.owner.api.settings.saveUpi({ upiId: 'shop@okaxis', paymentEnabled: false })
    expect(await redeem(buyer, code)).toBe(100)
  }))

test('of two codes the sooner to end is spent first, and no more than it costs (medusa#4892)', () =>
  withShop(async ({ shop, make }) => {
    const buyer = await shop.buyer()
    const [late] = await make({ sold: true, creditDays: 300 })
    const [soon] = await make({ creditDays: 30 })
    for (const code of [late, soon]) await redeem(buyer, code)
    const product = await shop.product({ stock: 1, prices: { '10 Days': 150 } })
    await buyer.api.orders.place({ productId: product._id, duration: '10 Days', quantity: 1 })
    const lots = async () => (await buyer.api.sessions.me()).wallet.map(({ amount }) => amount)
    expect(await lots()).toEqual([50])
    const [key] = await buyer.api.keys.mine()
    const { _id: id } = await buyer.api.claims.open({ keyId: key?._id ?? '', reason: 'never-worked' })
    await shop.owner.api.claims.refund({ id, rule: 'full', expected: 150 })
    expect(await lots()).toEqual([100, 100])
  }))

test('a used code stays used when its account is deleted (aevatar-station#797)', () =>
  withShop(async ({ shop, make }) => {
    const [[code], buyer, other] = [await make(), await shop.buyer(), await shop.buyer()]
    await redeem(buyer, code)
    await shop.owner.api.users.update({ id: buyer.id, balance: -100 })
    await buyer.api.privacy.closeAccount({ password: PASSWORD })
    expect(await redeem(other, code)).toBe('409 CODE_USED')
    const removed = await shop.buyer()
    const [, second] = await make({ name: 'Next' })
    await redeem(removed, second)
    await shop.owner.api.users.update({ id: removed.id, balance: -100 })
    await shop.owner.api.users.remove({ id: removed.id })
    expect(await redeem(other, second)).toBe('409 CODE_USED')
  }))

test('an admin redeems nothing, and a new batch is unused (php-panel-v2#5, Umbraco.Commerce#729)', () =>
  withShop(async ({ store, shop, make }) => {
    const [code] = await make()
    const { status } = await shop.owner.post('/wallet/redeem', { code })
    expect(status).toBe(401)
    expect(await shop.owner.api.wallet.codes()).toMatchObject([{ used: 0, count: 2, endedAt: null }])
    expect(await store.db.count(sql`select count(*) from wallet_movements`)).toBe(0)
  }))
