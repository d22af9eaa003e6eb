/** Suppliers who are slow, send nonsense or send what is somebody else's: others go on, and nothing is had twice. */
import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../contract/time.ts'
import { unique } from '../../test/worlds/constants.ts'
import { TOKEN_FORM } from '../../test/worlds/resellers.ts'
import {
  CAP,
  DURATION,
  PRICE,
  THEIR_PRICE,
  withSuppliers,
  type Meddling,
  type Supplied,
} from '../../test/worlds/suppliers.ts'
import { sql } from '../platform/database/database.ts'
import { takeOrders } from './take-orders.ts'

/** A second supplier, which fills another product: the same store by a token of its own. */
async function withSecond({ here, there, link, work }: Supplied, keep = 2) {
  const { api } = here.shop.owner
  const { token } = await there.reseller.api.sessions.makeToken({ ...TOKEN_FORM, name: 'Second' })
  const theirs = await there.shop.product({ prices: { [DURATION]: THEIR_PRICE }, stock: 20, name: unique('Theirs ') })
  const ours = await here.shop.product({ prices: { [DURATION]: PRICE }, name: unique('Ours ') })
  const second = await api.supply.addLink({ name: 'Second', address: link.address, secret: token, dayMax: 5_000 })
  await work()
  const source = { linkId: second._id, theirProduct: theirs._id, theirDuration: DURATION, max: CAP, keep }
  await api.supply.saveSource({ ...source, priceId: ours.prices[0]?._id ?? '' })
  return { secondId: second._id, productId: ours._id }
}
const linkOf = async ({ here }: Supplied, id: string) =>
  (await here.shop.owner.api.supply.links()).links.find(({ _id }) => _id === id)
/** Bends what comes of purchases. */
const bendKeys = (given: Supplied, bend: (keys: { key: string }[]) => { key: string }[]) =>
  given.meddle(({ number }) =>
    number === undefined
      ? 'pass'
      : ({ status, body }) => ({ status, body: { ...body, ...(status === 200 && { keys: bend(body.keys) }) } }),
  )
/** One text in place of the first key. */
const withText = (text: string) => (keys: { key: string }[]) => keys.map((each, n) => (n === 0 ? { key: text } : each))

describe('a supplier that hangs', () => {
  // Seen to fail without OF_A_LINK
  test('holds up four calls at the most, and those of another go on', () =>
    withSuppliers(
      async (given) => {
        const { store, shop, priceId } = given.here
        for (let n = 0; n < 6; n++) await shop.owner.api.supply.order({ priceId, quantity: 1 })
        const hanging = await takeOrders(given.supplying, 8, store.clock.now())
        expect(hanging).toHaveLength(4)
        await withSecond(given)
        await given.work()
        expect(await given.orders()).toMatchObject([
          { state: 'came', quantity: 2 },
          ...Array.from({ length: 2 }, () => ({ state: 'waiting' })),
          ...Array.from({ length: 4 }, () => ({ state: 'asked' })),
        ])
      },
      { keep: 0 },
    ))
})

describe('a list of theirs', () => {
  const LISTS: Record<string, [Meddling, string]> = {
    'that is a page': [{ status: 200, body: '<html>Products</html>' }, 'unreadable'],
    'that is no list': [{ status: 200, body: { products: [] } }, 'unreadable'],
    'that is cut': ['cut answer', 'silent'],
    'that is huge': [{ status: 200, body: `["${'x'.repeat(3_000_000)}"]` }, 'unreadable'],
    'that is deep': [{ status: 200, body: '['.repeat(200_000) }, 'unreadable'],
    'that has moved': [{ status: 301, headers: { location: 'https://elsewhere.example/' } }, 'unreadable'],
    'that is refused': [{ status: 403, body: { code: 'TOKEN_REFUSED' } }, 'token'],
  }
  test.each(Object.keys(LISTS))('%s: what was read before stays, and the others go on', (name) =>
    withSuppliers(
      async (given) => {
        const { api } = given.here.shop.owner
        const [answer, why] = LISTS[name] ?? ['pass', '']
        given.meddle(({ path }) => (path === '/api/products' ? answer : 'pass'))
        await api.supply.changeLink({ id: given.link._id, on: true })
        await given.work()
        expect(await linkOf(given, given.link._id)).toMatchObject({ on: true, failing: why })
        expect((await api.supply.sources()).sources).toMatchObject([{ theirPrice: THEIR_PRICE, theirStock: 20 }])
        given.meddle(() => 'pass')
        await given.save({ keep: 1 })
        await given.pass(MINUTE_MS)
        expect(await given.orders()).toMatchObject([{ state: 'came' }])
      },
      { keep: 0 },
    ),
  )

  test('has names that the owner reads as one short line, and no buyer at all', () =>
    withSuppliers(
      async (given) => {
        const { here } = given
        const mark = unique('THEIRNAME')
        given.meddle(({ path }) =>
          path === '/api/products'
            ? ({ status, body }) => ({
                status,
                body: body.map((each: object) => ({ ...each, name: `${mark}\u{202E}\n<b>${'x'.repeat(5_000)}` })),
              })
            : 'pass',
        )
        await here.shop.owner.api.supply.changeLink({ id: given.link._id, on: true })
        await given.save({ keep: 1 })
        await given.work()
        const { products } = await here.shop.owner.api.supply.theirs({ id: given.link._id })
        expect(products[0]?.name).toMatch(new RegExp(`^${mark}  <b>x+$`))
        expect(products[0]?.name).toHaveLength(200)
        const buyer = await here.shop.buyer({ balance: PRICE })
        await buyer.api.orders.place({ productId: here.productId, duration: DURATION, quantity: 1 })
        for (const path of ['/products', '/keys/mine', '/orders', '/waiting'])
          expect(JSON.stringify((await buyer.get(path)).body), path).not.toContain(mark)
      },
      { keep: 0 },
    ))
})

describe('a key that is there already', () => {
  test('twice in one answer: it is had once', () =>
    withSuppliers(async (given) => {
      bendKeys(given, (keys) => keys.map((each, n) => (n === 1 ? (keys[0] ?? each) : each)))
      await given.work()
      expect(await given.orders()).toMatchObject([{ state: 'came', quantity: 3, came: 2 }])
      expect(await linkOf(given, given.link._id)).toMatchObject({ on: false, pausedWhy: 'known-key' })
      expect(await given.told()).toEqual(['known-key'])
    }))

  test('of another supplier: it stays where it is, and only the one that sent it again pauses', () =>
    withSuppliers(async (given) => {
      const { here, link } = given
      await given.work()
      const [first] = await here.shop.owner.api.keys.list({ productId: here.productId, duration: DURATION })
      bendKeys(given, withText(first?.key ?? ''))
      const { secondId, productId } = await withSecond(given)
      await given.work()
      expect((await given.orders())[0]).toMatchObject({ state: 'came', quantity: 2, came: 1 })
      expect(await linkOf(given, secondId)).toMatchObject({ on: false, pausedWhy: 'known-key' })
      expect(await linkOf(given, link._id)).toMatchObject({ on: true })
      expect(await here.shop.owner.api.keys.list({ productId, duration: DURATION })).toHaveLength(1)
    }))

  test('that was recalled here: it comes back to nobody', () =>
    withSuppliers(async (given) => {
      const { here } = given
      const { api } = here.shop.owner
      await given.work()
      const [batch] = (await api.keys.batches({})).batches
      const [known] = await api.keys.list({ productId: here.productId, duration: DURATION })
      await api.claims.recall({ id: batch?._id ?? '', note: 'Bad', openClaims: false })
      bendKeys(given, withText(known?.key ?? ''))
      await given.pass(MINUTE_MS)
      expect((await given.orders())[0]).toMatchObject({ state: 'came', quantity: 3, came: 2 })
      expect(await linkOf(given, given.link._id)).toMatchObject({ on: false, pausedWhy: 'known-key' })
      const free = await here.store.db.count(sql`
        select coalesce(sum(available), 0)::bigint from stock_counters where price_id = ${here.priceId}`)
      expect(free).toBe(2)
    }))
})

test('another address of a Chaabi needs the token again', () =>
  withSuppliers(
    async ({ here, link }) => {
      const { supply } = here.shop.owner.api
      const elsewhere = { id: link._id, address: 'https://other.example' }
      await expect(supply.changeLink(elsewhere)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        fields: { secret: 'Enter the token again' },
      })
      expect((await supply.links()).links).toMatchObject([{ address: link.address }])
      expect(await supply.changeLink({ ...elsewhere, secret: `chaabi_${'b'.repeat(43)}` })).toMatchObject({
        address: elsewhere.address,
      })
    },
    { keep: 0 },
  ))
