import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { paise } from '../../contract/money.ts'
import { withDatabase } from '../../test/database.ts'
import {
  balanceOf,
  givenCredit,
  givenProduct,
  givenStock,
  givenUser,
  type GivenProduct,
} from '../../test/worlds/given.ts'
import { TEST_NOW } from '../../test/worlds/constants.ts'
import { prepared, sql, type Database, type Transaction } from '../platform/database/database.ts'
import { debit } from '../wallet/debit.ts'
import { lockWallet } from '../wallet/ledger.ts'
import { findBroken } from '../platform/database/invariants.ts'
import { openOrderBatcher } from './place-order.ts'
import { placeOrders, type PlaceOutcome } from './place-orders.ts'

const NOW = new Date(TEST_NOW)

type Batcher = ReturnType<typeof openOrderBatcher>

/**
 * Waits longer than a buyer would, because a rush on a busy machine may take long. order-batcher.test.ts tests the
 * limit.
 */
const openPatientBatcher = (db: Database): Batcher => openOrderBatcher({ db }, { answerMsMax: 60_000 })

interface Ask {
  quantity?: number
  key?: string
  /** In rupees. */
  expectedPrice?: number
}

function place(
  batcher: Batcher,
  buyerId: string,
  { productId, duration }: GivenProduct,
  { quantity = 1, key, expectedPrice }: Ask = {},
): Promise<PlaceOutcome> {
  const idempotency = key === undefined ? undefined : { key, requestHash: Buffer.from(`${productId} ${quantity}`) }
  const expected = expectedPrice === undefined ? {} : { expectedPrice: paise(expectedPrice * 100) }
  return batcher.place({ buyerId, productId, duration, quantity, idempotency, ...expected }, NOW)
}

/** Counts each outcome: 'placed', 'repeated', or a refusal's code. */
function tally(outcomes: readonly PlaceOutcome[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const outcome of outcomes) {
    const name =
      outcome instanceof Refusal
        ? outcome.code
        : typeof outcome === 'object' && 'offer' in outcome
          ? 'placed'
          : 'repeated'
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

async function count(db: Database, what: ReturnType<typeof sql>): Promise<number> {
  return (await db.one(sql(z.object({ n: z.number() }))`select count(*) as n from ${what}`)).n
}

async function expectSound(db: Database): Promise<void> {
  expect(await findBroken(db, 'server/migrations')).toEqual([])
}

test('a purchase takes the oldest keys, debits the wallet and stands in the ledger', () =>
  withDatabase(async (db) => {
    const buyer = await givenUser(db, { balance: 500 })
    const product = await givenProduct(db, { price: 100, stock: 3 })

    const outcome = await place(openPatientBatcher(db), buyer, product, { quantity: 2 })

    expect(outcome).toMatchObject({ amount: 200_00, balanceAfter: 300_00 })
    expect(await balanceOf(db, buyer)).toBe(300_00)
    const sold = await db.rows(
      sql(z.object({ seq: z.number() }))`select seq from license_keys where order_id is not null order by seq`,
    )
    const left = await db.one(sql(z.object({ seq: z.number() }))`select seq from license_keys where order_id is null`)
    expect(sold.every(({ seq }) => seq < left.seq)).toBe(true)
    await expectSound(db)
  }))

// Seen to fail if it spends from the lots as read before the term was settled.
test('what was deducted for a time and has come back by now is spent with the rest', () =>
  withDatabase(async (db) => {
    const buyer = await givenUser(db, { balance: 100 })
    const product = await givenProduct(db, { price: 100, stock: 1 })
    const now = new Date(NOW.getTime() - 1_000)
    const entry = {
      userId: buyer,
      amount: paise(60_00),
      kind: 'admin_debit',
      description: 'For a second',
      now,
    } as const
    await db.transaction(async (tx) => {
      await lockWallet(tx, buyer, now)
      await debit(tx, { ...entry, endsAt: NOW })
    })
    expect(await balanceOf(db, buyer)).toBe(40_00)

    expect(await place(openPatientBatcher(db), buyer, product)).toMatchObject({ amount: 100_00, balanceAfter: 0 })
    await expectSound(db)
  }))

test('nothing is bought at a price that the buyer did not see, and a placed order stays the same order', () =>
  withDatabase(async (db) => {
    const buyer = await givenUser(db, { balance: 500 })
    const product = await givenProduct(db, { price: 100, stock: 3 })
    const batcher = openPatientBatcher(db)
    const seen = { key: 'one', expectedPrice: 100 }
    expect(tally([await place(batcher, buyer, product, seen)])).toEqual({ placed: 1 })
    await db.run(sql`update prices set list_paise = 12050 where product_id = ${product.productId}`)

    expect(await place(batcher, buyer, product, { ...seen, key: 'two' })).toMatchObject({
      code: 'PRICE_CHANGED',
      message: 'The price is now ₹120.50 per key. You have not been charged.',
    })
    expect(tally([await place(batcher, buyer, product, seen)])).toEqual({ repeated: 1 })
    expect(tally([await place(batcher, buyer, product, { key: 'two', expectedPrice: 120.5 })])).toEqual({ placed: 1 })
    expect(await balanceOf(db, buyer)).toBe(279_50)
  }))

test('a refused order leaves wallet, stock and orders as they were', () =>
  withDatabase(async (db) => {
    const buyer = await givenUser(db, { balance: 150 })
    const product = await givenProduct(db, { price: 100, stock: 5 })

    const outcome = await place(openPatientBatcher(db), buyer, product, { quantity: 2 })

    expect(outcome).toMatchObject({ code: 'INSUFFICIENT_BALANCE', extras: { details: { shortfall: 50 } } })
    expect(await balanceOf(db, buyer)).toBe(150_00)
    expect(await count(db, sql`license_keys where order_id is null`)).toBe(5)
    expect(await count(db, sql`orders`)).toBe(0)
    await expectSound(db)
  }))

test('each refusal comes with its code, and stock is named before money', () =>
  withDatabase(async (db) => {
    const batcher = openPatientBatcher(db)
    const buyer = await givenUser(db, { balance: 10 })
    const product = await givenProduct(db, { price: 100, stock: 1 })
    const free = await givenProduct(db, { price: 0, stock: 1 })
    const hidden = await givenProduct(db, { price: 1, stock: 1 })
    await db.run(sql`insert into hidden_products (user_id, product_id) values (${buyer}, ${hidden.productId})`)

    expect(await place(batcher, buyer, { ...product, duration: '3 Years' })).toMatchObject({
      code: 'PRODUCT_NOT_FOUND',
    })
    expect(await place(batcher, buyer, hidden)).toMatchObject({ code: 'PRODUCT_NOT_FOUND' })
    expect(await place(batcher, buyer, free)).toMatchObject({ code: 'INVALID_PRICE' })
    expect(await place(batcher, buyer, product, { quantity: 2 })).toMatchObject({
      code: 'OUT_OF_STOCK',
      extras: { details: { available: 1 } },
    })
    expect(await place(batcher, buyer, product)).toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
      extras: { details: { shortfall: 90 } },
    })
  }))

test('credit that lapses soonest is spent first, and credit that lapses at this very moment is not spent', () =>
  withDatabase(async (db) => {
    const buyer = await givenUser(db, { balance: 100 })
    await givenCredit(db, buyer, { rupees: 30, expiresAt: new Date(NOW.getTime() + 60_000) })
    await givenCredit(db, buyer, { rupees: 50, expiresAt: NOW, now: new Date(NOW.getTime() - 60_000) })
    const product = await givenProduct(db, { price: 40, stock: 9 })

    const outcome = await place(openPatientBatcher(db), buyer, product)

    expect(outcome).toMatchObject({ balanceAfter: 90_00, shares: [{ amount: 30_00 }, { amount: 10_00 }] })
    await expectSound(db)
  }))

// Seen to fail with `for update` taken off license_keys in take-keys.ts, and off wallets in ledger.ts.
describe('under a rush', () => {
  test('400 buyers of 100 keys get 100 keys, once each, and 300 are told that it is out of stock', () =>
    withDatabase(async (db) => {
      const batchers = [openPatientBatcher(db), openPatientBatcher(db)]
      const product = await givenProduct(db, { price: 100, stock: 100 })
      const buyers = await Promise.all(Array.from({ length: 400 }, () => givenUser(db, { balance: 100 })))

      const outcomes = await Promise.all(
        buyers.map((buyer, index) => place(batchers[index % 2] as Batcher, buyer, product)),
      )

      expect(tally(outcomes)).toEqual({ placed: 100, OUT_OF_STOCK: 300 })
      await expectSound(db)
    }))

  test('a wallet that can pay for 7 of 400 orders pays for exactly 7', () =>
    withDatabase(async (db) => {
      const batchers = [openPatientBatcher(db), openPatientBatcher(db)]
      const buyer = await givenUser(db, { balance: 700 })
      const product = await givenProduct(db, { price: 100, stock: 400 })

      const outcomes = await Promise.all(
        Array.from({ length: 400 }, (_, index) => place(batchers[index % 2] as Batcher, buyer, product)),
      )

      expect(tally(outcomes)).toEqual({ placed: 7, INSUFFICIENT_BALANCE: 393 })
      expect(await balanceOf(db, buyer)).toBe(0)
      await expectSound(db)
    }))

  test('400 orders under one Idempotency-Key are one order', () =>
    withDatabase(async (db) => {
      const batchers = [openPatientBatcher(db), openPatientBatcher(db)]
      const buyer = await givenUser(db, { balance: 700 })
      const product = await givenProduct(db, { price: 100, stock: 400 })

      const outcomes = await Promise.all(
        Array.from({ length: 400 }, (_, index) =>
          place(batchers[index % 2] as Batcher, buyer, product, { key: 'once' }),
        ),
      )

      expect(tally(outcomes)).toEqual({ placed: 1, repeated: 399 })
      expect(await count(db, sql`orders`)).toBe(1)
      expect(await balanceOf(db, buyer)).toBe(600_00)
      await expectSound(db)
    }))

  test('orders of many sizes sell the stock to the last key and no further', () =>
    withDatabase(async (db) => {
      const batchers = [openPatientBatcher(db), openPatientBatcher(db), openPatientBatcher(db)]
      const product = await givenProduct(db, { price: 1, stock: 150 })
      const buyers = await Promise.all(Array.from({ length: 20 }, () => givenUser(db, { balance: 1_000 })))

      const outcomes = await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          place(batchers[index % 3] as Batcher, buyers[index % 20] ?? '', product, { quantity: 1 + (index % 5) }),
        ),
      )

      const sold = outcomes.reduce(
        (sum, outcome) => sum + (typeof outcome === 'object' && 'keys' in outcome ? outcome.keys.length : 0),
        0,
      )
      expect(sold).toBe(150)
      await expectSound(db)
    }))
})

test('the same Idempotency-Key with another order is refused', () =>
  withDatabase(async (db) => {
    const batcher = openPatientBatcher(db)
    const buyer = await givenUser(db, { balance: 700 })
    const product = await givenProduct(db, { price: 100, stock: 4 })

    await place(batcher, buyer, product, { key: 'mine', quantity: 1 })

    expect(await place(batcher, buyer, product, { key: 'mine', quantity: 2 })).toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    })
    const other = await givenUser(db, { balance: 100 })
    expect(tally([await place(batcher, other, product, { key: 'mine', quantity: 1 })])).toEqual({ placed: 1 })
  }))

describe('a buyer who wants keys that another purchase holds', () => {
  test('is refused when the purchase ahead goes through', () =>
    withDatabase(async (db) => {
      expect(await behindAnotherPurchase(db, () => {})).toMatchObject({ code: 'OUT_OF_STOCK' })
      await expectSound(db)
    }))

  // Seen to fail with `wait` ignored in take-keys.ts: skipping locked keys alone refuses wrongly.
  test('gets them when the purchase ahead comes to nothing', () =>
    withDatabase(async (db) => {
      const outcome = await behindAnotherPurchase(db, () => {
        throw new Error('comes to nothing')
      })
      expect(tally([outcome])).toEqual({ placed: 1 })
      await expectSound(db)
    }))
})

/** Takes the only key, lets a second buyer run into the lock, then ends the first purchase with `end`. */
async function behindAnotherPurchase(db: Database, end: () => void): Promise<PlaceOutcome> {
  const product = await givenProduct(db, { price: 100 })
  await givenStock(db, product.priceId, 1)
  const [first, second] = [await givenUser(db, { balance: 100 }), await givenUser(db, { balance: 100 })]
  const batcher = openPatientBatcher(db)
  let behind: Promise<PlaceOutcome> | undefined

  const ahead = db.transaction(async (tx) => {
    const wanted = {
      buyerId: first,
      productId: product.productId,
      duration: product.duration,
      quantity: 1,
      idempotency: undefined,
    }
    await placeOrders(tx, [wanted], { now: NOW, floors: new Map(), wait: false, shard: 7 })
    behind = place(batcher, second, product)
    await untilBlocked(db)
    end()
  })
  await ahead.catch((error: unknown) => expect(error).toMatchObject({ message: 'comes to nothing' }))
  if (!behind) throw new Error('The second purchase never began')
  return behind
}

async function untilBlocked(db: Database): Promise<void> {
  for (let look = 0; look < 400; look++) {
    if (
      (await count(
        db,
        sql`pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`,
      )) > 0
    )
      return
    await sleep(5)
  }
  throw new Error('Nobody waits for a lock')
}

// Seen to fail without the settings of `onePlan`, and, before there are statistics, with a plain join to the orders.
test.each(['no statistics', 'statistics of a few rows'])('a purchase reads no table whole, with %s', (known) =>
  withDatabase(async (db) => {
    const product = await givenProduct(db, { price: 100, stock: 2 })
    const buyerId = await givenUser(db, { balance: 200 })
    const buy = (tx: Transaction, key: string) => {
      const wanted = { buyerId, ...product, quantity: 1, idempotency: { key, requestHash: Buffer.from(key) } }
      return placeOrders(tx, [wanted], { now: NOW, floors: new Map(), wait: false, shard: 7 })
    }
    if (known !== 'no statistics') {
      await db.transaction((tx) => buy(tx, 'earlier'), { onePlan: true })
      await db.transaction(async (tx) => {
        await tx.run(prepared('set local role none'))
        await tx.run(prepared('analyze'))
      })
    }

    const readWhole = await db.transaction(
      async (tx) => {
        await buy(tx, 'k')
        return tx.rows(sql(z.object({ name: z.string() }))`
          select relname as name from pg_stat_user_tables where pg_stat_get_xact_numscans(relid) > 0`)
      },
      { onePlan: true },
    )

    expect(readWhole).toEqual([])
  }),
)
