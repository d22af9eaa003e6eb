import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { withDatabase } from '../../test/database.ts'
import { givenProduct, givenUser, type GivenProduct } from '../../test/worlds/given.ts'
import { TEST_NOW } from '../../test/worlds/constants.ts'
import { sql, type Database } from '../platform/database/database.ts'
import { findBroken } from '../platform/database/invariants.ts'
import { openOrderBatcher, type OrderBatcher } from './place-order.ts'

const NOW = new Date(TEST_NOW)

function place(batcher: OrderBatcher, buyerId: string, { productId, duration }: GivenProduct, key?: string) {
  const idempotency = key === undefined ? undefined : { key, requestHash: Buffer.from(key) }
  return batcher.place({ buyerId, productId, duration, quantity: 1, idempotency }, NOW)
}

async function ordersOf(db: Database, buyer: string): Promise<number> {
  return (await db.one(sql(z.object({ n: z.number() }))`select count(*) as n from orders where user_id = ${buyer}`)).n
}

/** Waits less long than the batcher does for a lock. */
const soon = <T>(outcome: Promise<T>) => Promise.race([outcome, sleep(1_800).then(() => 'late' as const)])

// Seen to fail without `skip locked` in lockWallets: the neighbour then waits for the same lock.
test('an order whose wallet somebody else holds keeps no other order waiting', () =>
  withDatabase(async (db) => {
    const batcher = openOrderBatcher({ db })
    const product = await givenProduct(db, { price: 100, stock: 9 })
    const [held, neighbour] = [await givenUser(db, { balance: 100 }), await givenUser(db, { balance: 100 })]
    let heldOutcome: ReturnType<typeof place> | undefined

    await db.transaction(async (tx) => {
      await tx.run(sql`select from wallets where user_id = ${held} for update`)
      // Places both in one turn of the event loop, so that they share a transaction
      heldOutcome = place(batcher, held, product)
      const neighbourOutcome = place(batcher, neighbour, product)
      expect(await soon(neighbourOutcome)).toMatchObject({ amount: 100_00 })
      expect(await ordersOf(db, held)).toBe(0)
    })

    expect(await heldOutcome).toMatchObject({ amount: 100_00 })
    expect(await findBroken(db, 'server/migrations')).toEqual([])
  }))

test('a wallet that is held for too long is answered with "busy", and nothing was bought', () =>
  withDatabase(async (db) => {
    const batcher = openOrderBatcher({ db })
    const product = await givenProduct(db, { price: 100, stock: 1 })
    const buyer = await givenUser(db, { balance: 100 })
    const began = performance.now()

    await db.transaction(async (tx) => {
      await tx.run(sql`select from wallets where user_id = ${buyer} for update`)
      await expect(place(batcher, buyer, product)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    })

    expect(performance.now() - began).toBeLessThan(5_000)
    await sleep(300)
    expect(await ordersOf(db, buyer)).toBe(0)
  }))

// Seen to fail with `wasRolledBack` knowing the engine's errors only: the neighbour then fails as well.
test('an order that fails unexpectedly fails alone', () =>
  withDatabase(async (db) => {
    const batcher = openOrderBatcher({ db })
    const product = await givenProduct(db, { price: 100, stock: 9 })
    const odd = await givenProduct(db, { price: 100, stock: 1, duration: 'Soon' })
    const [guilty, neighbour] = [await givenUser(db, { balance: 100 }), await givenUser(db, { balance: 100 })]

    // Places both in one turn of the event loop, so that they share a transaction
    const outcomes = await Promise.allSettled([place(batcher, guilty, odd), place(batcher, neighbour, product)])

    expect(outcomes).toMatchObject([
      { status: 'rejected', reason: { message: '"Soon" is not a duration' } },
      { status: 'fulfilled', value: { amount: 100_00 } },
    ])
    expect(await ordersOf(db, guilty)).toBe(0)
    expect(await findBroken(db, 'server/migrations')).toEqual([])
  }))

/** Returns the same database, with answers to commits held back until `thaw`. */
function frozenAfterCommit(db: Database): { db: Database; thaw(): void } {
  let thaw = () => {}
  const thawed = new Promise<void>((resolve) => (thaw = resolve))
  return {
    db: {
      ...db,
      async transaction(work, options) {
        const result = await db.transaction(work, options)
        await thawed
        return result
      },
    },
    thaw,
  }
}

// Seen to fail without `needsAnother`: the second order then goes alone, and the third after it.
test('orders that arrive while a transaction is under way share the next one', () =>
  withDatabase(async (real) => {
    let transactions = 0
    const db: Database = {
      ...real,
      transaction(work, options) {
        transactions++
        return real.transaction(work, options)
      },
    }
    const batcher = openOrderBatcher({ db })
    const product = await givenProduct(real, { price: 100, stock: 9 })
    const buyers = [await givenUser(real, { balance: 100 }), await givenUser(real, { balance: 100 })]
    const first = place(batcher, await givenUser(real, { balance: 100 }), product)
    await nextTurn()

    const others: ReturnType<typeof place>[] = []
    for (const buyer of buyers) {
      others.push(place(batcher, buyer, product))
      await nextTurn()
    }

    expect(await Promise.all([first, ...others])).toMatchObject([
      { amount: 100_00 },
      { amount: 100_00 },
      { amount: 100_00 },
    ])
    expect(transactions).toBe(2)
  }))

// Seen to fail without the timer that looks again: the order then waits as long as the one that is stuck.
test('an order does not wait for a transaction that is held up', () =>
  withDatabase(async (real) => {
    const { db, thaw } = frozenAfterCommit(real)
    const batcher = openOrderBatcher({ db })
    const product = await givenProduct(real, { price: 100, stock: 9 })
    const [stuck, other] = [await givenUser(real, { balance: 100 }), await givenUser(real, { balance: 100 })]
    const first = place(batcher, stuck, product)
    await nextTurn()
    const second = place(batcher, other, product)

    await expect.poll(() => ordersOf(real, other)).toBe(1)

    thaw()
    expect(await Promise.all([first, second])).toMatchObject([{ amount: 100_00 }, { amount: 100_00 }])
  }))

// Seen to fail without the timer in `place`: nothing is answered then until the database answers.
test('a database that does not answer is a 503 in time, and the same Idempotency-Key finds what became of it', () =>
  withDatabase(async (real) => {
    const { db, thaw } = frozenAfterCommit(real)
    const batcher = openOrderBatcher({ db })
    const product = await givenProduct(real, { price: 100, stock: 9 })
    const buyers = [await givenUser(real, { balance: 300 }), await givenUser(real, { balance: 300 })]
    const late = await givenUser(real, { balance: 300 })
    const began = performance.now()

    // Leaves two stuck, each in a transaction of its own, so that a third finds none free
    const asked: ReturnType<typeof place>[] = []
    for (const buyer of [...buyers, late]) {
      asked.push(place(batcher, buyer, product, 'k'))
      await sleep(50)
    }
    const answers = await Promise.allSettled(asked)

    expect(performance.now() - began).toBeLessThan(5_000)
    const refused = { status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE', extras: { retryAfterMs: 1_000 } } }
    expect(answers).toMatchObject([refused, refused, refused])

    thaw()
    for (const buyer of buyers) {
      expect(await place(batcher, buyer, product, 'k')).toHaveProperty('repeatedOrderId')
      expect(await ordersOf(real, buyer)).toBe(1)
    }
    // A buyer who got "busy" while the order waited has not bought anything unseen
    expect(await ordersOf(real, late)).toBe(0)
    expect(await place(batcher, late, product, 'k')).toMatchObject({ amount: 100_00 })
    expect(await findBroken(real, 'server/migrations')).toEqual([])
  }))
