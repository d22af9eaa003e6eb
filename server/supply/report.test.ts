/** A claim that is passed on to the supplier, on two real stores. */
import { describe, expect, test } from 'vitest'
import { OWNER, type Shop } from '../../test/worlds/shop.ts'
import {
  DURATION,
  PRICE,
  THEIR_PRICE,
  withSuppliers,
  type Meddling,
  type Supplied,
} from '../../test/worlds/suppliers.ts'
import { DAY_MS, MINUTE_MS } from '../../contract/time.ts'
import { sql } from '../platform/database/database.ts'

const BALANCE_LOOK_MS = 11 * MINUTE_MS

/** A buyer has claimed a key that came from there. */
async function claimed(given: Supplied) {
  const { here, there } = given
  await given.work()
  const buyer = await here.shop.buyer({ balance: 10 * PRICE })
  await buyer.api.orders.place({ productId: here.productId, duration: DURATION, quantity: 1 })
  const [key] = await buyer.api.keys.mine()
  const claim = await buyer.api.claims.open({ keyId: key?._id ?? '', reason: 'never-worked', note: 'I am Ravi' })
  const { api } = here.shop.owner
  return {
    buyer,
    keyId: key?._id ?? '',
    report: () => api.supply.reportThere({ id: claim._id }),
    read: async () => (await api.supply.claimThere({ id: claim._id })).there,
    /** The claim as they see it. */
    theirs: async () => (await there.shop.owner.api.claims.list({})).claims,
  }
}

/** Recalls the newest batch of a store. @returns its id */
async function recallAt({ api }: Shop['owner']): Promise<string> {
  const [batch] = (await api.keys.batches({})).batches
  const id = batch?._id ?? ''
  await api.claims.recall({ id, note: 'Stolen', openClaims: true })
  return id
}

async function recallsTold({ here }: Supplied): Promise<unknown[]> {
  const data = await here.store.db.texts(sql`
    select data::text from outbox_messages
     where kind = 'supply.trouble' and data ->> 'why' = 'recalled' order by created_at, id`)
  return data.map((text): unknown => JSON.parse(text))
}

/** Bends their list of the claims. */
const bendClaims =
  (bend: (claims: object[]) => object[]) =>
  ({ path }: { path: string }): Meddling =>
    path === '/api/claims/mine' ? ({ status, body }) => ({ status, body: bend(body as object[]) }) : 'pass'

test('a claim is passed on without a word of the buyer, once, and their answer is read', () =>
  withSuppliers(async (given) => {
    const { report, read, theirs } = await claimed(given)
    expect(await read()).toEqual({ supplier: 'Wholesale Keys', order: 'S-1001' })
    expect(await report()).toMatchObject({ there: { reported: { status: 'open', number: 'C-1001' } } })
    await report()
    const [claim, ...others] = await theirs()
    expect([claim, others]).toMatchObject([{ reason: 'never-worked', note: '', status: 'open' }, []])
    await given.there.shop.owner.api.claims.refund({ id: claim?._id ?? '', rule: 'full', expected: THEIR_PRICE })
    await given.pass(BALANCE_LOOK_MS)
    expect(await read()).toMatchObject({ reported: { status: 'refunded', refunded: THEIR_PRICE } })
    await given.pass(BALANCE_LOOK_MS)
    expect(await given.told()).toEqual(['refunded'])
  }))

test('a key that they give for it comes into stock at no cost, once', () =>
  withSuppliers(async (given) => {
    const { report, theirs } = await claimed(given)
    await report()
    await given.there.shop.owner.api.claims.replace({ id: (await theirs())[0]?._id ?? '' })
    for (const _ of [1, 2]) await given.pass(BALANCE_LOOK_MS)
    const { batches } = await given.here.shop.owner.api.keys.batches({})
    const free = batches.filter(({ costPerKey }) => costPerKey === 0)
    expect(free).toMatchObject([{ supplier: 'Wholesale Keys', added: 1, note: 'S-1001' }])
    expect(await given.told()).toEqual(['replaced'])
  }))

test('keys that they recall are told with their orders, once a day, until their batch is recalled here as well', () =>
  withSuppliers(async (given) => {
    const { here, there } = given
    await given.work()
    await recallAt(there.shop.owner)
    for (const _ of [1, 2]) await given.pass(BALANCE_LOOK_MS)
    expect(await recallsTold(given)).toEqual([{ why: 'recalled', count: 3, orders: 'S-1001' }])
    await recallAt(here.shop.owner)
    await given.pass(DAY_MS)
    expect(await given.told()).toEqual(['recalled'])
  }))

test('a recall whose claims they answer before the look is told, but for the keys of which they reject it', () =>
  withSuppliers(async (given) => {
    await given.work()
    const { owner } = given.there.shop
    const id = await recallAt(owner)
    const [claim] = (await owner.api.claims.list({})).claims
    await owner.api.claims.reject({ id: claim?._id ?? '', answer: 'This one works' })
    await owner.api.claims.answerAll({ id, do: 'full', answer: 'Sorry' })
    await given.pass(BALANCE_LOOK_MS)
    expect(await recallsTold(given)).toEqual([{ why: 'recalled', count: 2, orders: 'S-1001' }])
  }))

test('a recall that grows is told once a day, with all its keys and the first twenty orders', () =>
  withSuppliers(
    async (given) => {
      for (let keep = 1; keep <= 21; keep++) {
        await given.save({ keep })
        await given.work()
      }
      await recallAt(given.there.shop.owner)
      given.meddle(bendClaims((claims) => claims.slice(0, 1)))
      await given.pass(BALANCE_LOOK_MS)
      given.meddle(() => 'pass')
      await given.pass(BALANCE_LOOK_MS)
      expect(await recallsTold(given)).toMatchObject([{ count: 1 }])
      await given.pass(DAY_MS)
      const orders = Array.from({ length: 20 }, (_, nth) => `S-${1001 + nth}`).join(', ')
      expect(await recallsTold(given)).toMatchObject([{ count: 1 }, { count: 21, orders }])
    },
    { keep: 1, stock: 30 },
  ))

test('a recalled key whose order there has an odd id hides neither their other recalls nor an answer', () =>
  withSuppliers(async (given) => {
    const { report, theirs } = await claimed(given)
    await report()
    const [claim] = await theirs()
    await given.there.shop.owner.api.claims.refund({ id: claim?._id ?? '', rule: 'full', expected: THEIR_PRICE })
    await recallAt(given.there.shop.owner)
    given.meddle(bendClaims(([first, ...others]) => [{ ...first, orderId: '\0' }, ...others]))
    await given.pass(BALANCE_LOOK_MS)
    expect(await given.told()).toEqual(['refunded', 'recalled'])
    expect(await recallsTold(given)).toMatchObject([{ count: 1 }])
  }))

test.each(['lose request', 'lose answer', 'cut answer', 'send twice'] as const)(
  'a report is one claim there when the network does %s',
  (fault) =>
    withSuppliers(async (given) => {
      const { report, theirs } = await claimed(given)
      given.meddle(({ method, path }) => (method === 'POST' && path === '/api/claims' ? fault : 'pass'))
      await report()
      given.meddle(() => 'pass')
      expect(await report()).toMatchObject({ there: { reported: { status: 'open' } } })
      expect(await theirs()).toHaveLength(1)
    }),
)

test('a report whose answer was lost is found, also when they have answered it before it is repeated', () =>
  withSuppliers(async (given) => {
    const { report, read, theirs } = await claimed(given)
    given.meddle(({ method, path }) => (method === 'POST' && path === '/api/claims' ? 'lose answer' : 'pass'))
    expect(await report()).toMatchObject({ why: 'silent' })
    given.meddle(() => 'pass')
    await given.there.shop.owner.api.claims.replace({ id: (await theirs())[0]?._id ?? '' })
    expect(await report()).toMatchObject({ there: { reported: { number: 'C-1001' } } })
    await given.pass(BALANCE_LOOK_MS)
    expect(await read()).toMatchObject({ reported: { status: 'replaced' } })
    const { batches } = await given.here.shop.owner.api.keys.batches({})
    expect(batches.filter(({ costPerKey }) => costPerKey === 0)).toMatchObject([{ added: 1, note: 'S-1001' }])
  }))

/** They reject the first report, and its buyer claims the key again. @returns the report of the second claim */
async function claimedAgain(given: Supplied) {
  const { report, theirs, buyer, keyId } = await claimed(given)
  await report()
  await given.there.shop.owner.api.claims.reject({ id: (await theirs())[0]?._id ?? '', answer: 'It works here' })
  await given.pass(BALANCE_LOOK_MS)
  const { api } = given.here.shop.owner
  const [first] = (await api.claims.list({})).claims
  await api.claims.reject({ id: first?._id ?? '', answer: 'They say that it works' })
  const { _id: id } = await buyer.api.claims.open({ keyId, reason: 'stopped' })
  return { theirs, report: () => api.supply.reportThere({ id }) }
}

describe('a key that they rejected and that is reported again', () => {
  test('gets the answer to the new report, however their list is sorted', () =>
    withSuppliers(async (given) => {
      const { report, theirs } = await claimedAgain(given)
      given.meddle(({ method, path }) =>
        method === 'POST' && path === '/api/claims' ? 'lose answer' : bendClaims((all) => all.toReversed())({ path }),
      )
      expect(await report()).toMatchObject({ why: 'silent' })
      given.meddle(bendClaims((all) => all.toReversed()))
      expect(await report()).toMatchObject({ there: { reported: { number: 'C-1002', status: 'open' } } })
      expect(await theirs()).toMatchObject([{ status: 'open' }, { status: 'rejected' }])
    }))

  test('is no report of theirs while they do not take it', () =>
    withSuppliers(async (given) => {
      const { report } = await claimedAgain(given)
      given.meddle(({ method, path }) =>
        method === 'POST' && path === '/api/claims' ? { status: 404, body: { code: 'NOT_FOUND' } } : 'pass',
      )
      expect(await report()).toMatchObject({ why: 'settled' })
    }))
})

describe('a report that they do not take', () => {
  test('too late', () =>
    withSuppliers(async (given) => {
      const { report } = await claimed(given)
      await given.there.store.db.run(sql`
        update license_keys
           set assigned_at = assigned_at - interval '60 days', expires_at = expires_at - interval '60 days'
         where order_id is not null`)
      expect(await report()).toMatchObject({ why: 'late' })
    }))

  test('a key that is not the store’s there any more', () =>
    withSuppliers(async (given) => {
      const { report } = await claimed(given)
      given.meddle(({ path }) =>
        path.startsWith('/api/orders/') ? ({ status, body }) => ({ status, body: { ...body, keys: [] } }) : 'pass',
      )
      expect(await report()).toMatchObject({ why: 'settled' })
    }))

  test('their store is away', () =>
    withSuppliers(async (given) => {
      const { report, read } = await claimed(given)
      given.meddle(() => 'lose request')
      expect(await report()).toMatchObject({ why: 'silent' })
      expect(await read()).not.toHaveProperty('reported')
    }))
})

test('a key of one’s own has no supplier, and a claim of yesterday is still read', () =>
  withSuppliers(
    async (given) => {
      const { read, report } = await claimed(given)
      expect(await read()).toBeNull()
      await expect(report()).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await given.pass(DAY_MS)
      await given.here.shop.owner.api.sessions.adminLogin(OWNER)
      expect(await read()).toBeNull()
    },
    { own: 5 },
  ))
