import { expect, test } from 'vitest'
import { untilBlocked } from '../../test/blocked.ts'
import { withStore, type Answer } from '../../test/store.ts'
import { unproven } from '../../test/worlds/admins.ts'
import { unique } from '../../test/worlds/constants.ts'
import { openShop, type Buyer, type Shop } from '../../test/worlds/shop.ts'
import { placeOrders } from '../orders/place-orders.ts'
import { sql, type Transaction } from '../platform/database/database.ts'
import { findBroken } from '../platform/database/invariants.ts'

const duration = '10 Days'

interface Given {
  shop: Shop
  productId: string
  batchId: string
  /** A buyer who has reported a key. */
  reported(): Promise<{ buyer: Buyer; id: string }>
  /** Buys a key in a transaction of the test. */
  buyIn(tx: Transaction, buyer: Buyer): Promise<unknown>
}

const withDesk = (work: (given: Given) => Promise<void>, { stock = 1 } = {}) =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const { _id: productId } = await shop.product()
    const add = async (count: number) =>
      shop.owner.api.keys.add({ productId, duration, keys: Array.from({ length: count }, () => unique('K-')) })
    const { batchId = '' } = await add(stock)
    const now = store.clock.now()
    await work({
      shop,
      productId,
      batchId,
      async reported() {
        const buyer = await shop.buyer({ balance: 100 })
        const { keys } = await buyer.api.orders.place({ productId, duration, quantity: 1 })
        const { _id: id } = await buyer.api.claims.open({ keyId: keys[0]?._id ?? '', reason: 'never-worked' })
        return { buyer, id }
      },
      buyIn: (tx, buyer) =>
        placeOrders(tx, [{ buyerId: buyer.id, productId, duration, quantity: 1, idempotency: undefined }], {
          now,
          floors: new Map(),
          wait: true,
          shard: 0,
        }),
    })
    expect(await findBroken(store.db, 'server/migrations')).toEqual([])
  })

const codes = (answers: readonly Answer[]) => answers.map(({ status, body }) => (status < 300 ? 'done' : body.code))

// The wallet's lock (wallet/ledger.ts), and the claim's (decide-claims.ts)
test('of two admins who answer at the same moment, one does', () =>
  withDesk(
    async ({ shop, reported }) => {
      const colleague = await unproven(shop, 'payments')
      for (let round = 0; round < 4; round++) {
        const { buyer, id } = await reported()
        const answers = await Promise.all([
          shop.owner.put(`/claims/${id}/refund`, { rule: 'full', expected: 100 }),
          round % 2 === 0
            ? colleague.put(`/claims/${id}/refund`, { rule: 'full', expected: 100 })
            : colleague.put(`/claims/${id}/replace`, {}),
        ])
        expect(codes(answers).toSorted((one, other) => one.localeCompare(other))).toEqual(['CLAIM_DECIDED', 'done'])
        const [claim] = await buyer.api.claims.mine()
        expect((await buyer.api.sessions.me()).balance).toBe(claim?.status === 'refunded' ? 100 : 0)
        expect(await buyer.api.keys.mine()).toHaveLength(claim?.status === 'refunded' ? 1 : 2)
      }
    },
    { stock: 8 },
  ))

// The claim's lock (decide-claims.ts)
test('a claim that is being answered can’t be withdrawn', () =>
  withDesk(
    async ({ shop, reported }) => {
      const { db } = shop.store
      const { buyer, id } = await reported()
      let both: Promise<Answer[]> | undefined
      await db.transaction(async (tx) => {
        await tx.run(sql`select from license_keys where order_id is null for update`)
        const answer = shop.owner.put(`/claims/${id}/replace`, {})
        await untilBlocked(db)
        const withdrawal = buyer.post(`/claims/${id}/withdraw`)
        both = Promise.all([answer, withdrawal])
        await Promise.race([untilBlocked(db, 2), withdrawal])
      })
      expect(codes((await both) ?? [])).toEqual(['done', 'CLAIM_DECIDED'])
    },
    { stock: 2 },
  ))

// `wait` in keys/replace-keys.ts
test.each(['is sold', 'stays'] as const)('a replacement waits for the last key, which %s', (end) =>
  withDesk(
    async ({ shop, reported, buyIn }) => {
      const { db } = shop.store
      const { id } = await reported()
      const other = await shop.buyer({ balance: 100 })
      let answer: Promise<Answer> | undefined
      await db
        .transaction(async (tx) => {
          await buyIn(tx, other)
          answer = shop.owner.put(`/claims/${id}/replace`, {})
          await Promise.race([untilBlocked(db), answer])
          if (end === 'stays') throw new Error('comes to nothing')
        })
        .catch(() => {})
      const answers = [await answer].filter((each) => each !== undefined)
      expect(codes(answers)).toEqual([end === 'stays' ? 'done' : 'OUT_OF_STOCK'])
    },
    { stock: 2 },
  ),
)

// `for update` in keys/withdraw-keys.ts
test('a recall waits for a purchase of its keys, and opens a claim for the sold one', () =>
  withDesk(
    async ({ shop, batchId, buyIn }) => {
      const { db } = shop.store
      const buyer = await shop.buyer({ balance: 100 })
      let recall: Promise<Answer> | undefined
      await db.transaction(async (tx) => {
        await buyIn(tx, buyer)
        recall = shop.owner.post(`/keys/batches/${batchId}/recall`, { note: 'Stolen', openClaims: true })
        await untilBlocked(db)
      })
      expect((await recall)?.body).toEqual({ withdrawn: 2, opened: 1 })
      expect(await buyer.api.claims.mine()).toMatchObject([{ reason: 'recalled', status: 'open' }])
    },
    { stock: 3 },
  ))

// The wallet's lock (open-claim.ts)
test('an account that is being closed opens no claim', () =>
  withDesk(async ({ shop, productId }) => {
    const { db } = shop.store
    const buyer = await shop.buyer({ balance: 100 })
    const { keys } = await buyer.api.orders.place({ productId, duration, quantity: 1 })
    let report: Promise<Answer> | undefined
    await db.transaction(async (tx) => {
      await tx.run(sql`select from wallets where user_id = ${buyer.id} for update`)
      report = buyer.post('/claims', { keyId: keys[0]?._id, reason: 'other' })
      await Promise.race([untilBlocked(db), report])
      await tx.run(sql`update users set closes_at = now() where id = ${buyer.id}`)
    })
    expect((await report)?.status).toBe(401)
  }))

// `for share` in recall-batch.ts
test('an account that is being closed gets no claim of a recall', () =>
  withDesk(async ({ shop, productId, batchId }) => {
    const { db } = shop.store
    const buyer = await shop.buyer({ balance: 100 })
    await buyer.api.orders.place({ productId, duration, quantity: 1 })
    let recall: Promise<Answer> | undefined
    await db.transaction(async (tx) => {
      await tx.run(sql`update users set closes_at = now() where id = ${buyer.id}`)
      recall = shop.owner.post(`/keys/batches/${batchId}/recall`, { note: 'Stolen', openClaims: true })
      await Promise.race([untilBlocked(db), recall])
    })
    expect((await recall)?.body).toEqual({ withdrawn: 0, opened: 0 })
  }))

// The batch is read after it is marked (recall-batch.ts)
test('a recall waits for an import into the batch, and opens claims for keys of it that were sold', () =>
  withDesk(
    async ({ shop, batchId, buyIn }) => {
      const { db } = shop.store
      const buyer = await shop.buyer({ balance: 100 })
      let recall: Promise<Answer> | undefined
      await db.transaction(async (tx) => {
        await buyIn(tx, buyer)
        // As if the sold one had come last
        await tx.run(sql`update license_keys set seq = default where order_id is not null`)
        await tx.run(sql`update key_batches set last_seq = (select max(seq) from license_keys) where id = ${batchId}`)
        recall = shop.owner.post(`/keys/batches/${batchId}/recall`, { note: 'Stolen', openClaims: true })
        await untilBlocked(db)
      })
      expect((await recall)?.body).toEqual({ withdrawn: 1, opened: 1 })
    },
    { stock: 2 },
  ))
