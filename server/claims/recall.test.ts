import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { DAY_MS } from '../../contract/time.ts'
import { withStore } from '../../test/store.ts'
import { unique } from '../../test/worlds/constants.ts'
import { openShop, OWNER, type Buyer, type Shop } from '../../test/worlds/shop.ts'
import { sql } from '../platform/database/database.ts'
import { findBroken } from '../platform/database/invariants.ts'

const duration = '10 Days'

interface Given {
  shop: Shop
  productId: string
  batchId: string
  texts: string[]
  buys(quantity: number): Promise<Buyer>
}

/** A batch of six keys. */
const withBatch = (work: (given: Given) => Promise<void>) =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const { _id: productId } = await shop.product()
    const texts = Array.from({ length: 6 }, () => unique('BAD-'))
    const { batchId = '' } = await shop.owner.api.keys.add({ productId, duration, keys: texts })
    await work({
      shop,
      productId,
      batchId,
      texts,
      async buys(quantity) {
        const buyer = await shop.buyer({ balance: 1_000 })
        await buyer.api.orders.place({ productId, duration, quantity })
        return buyer
      },
    })
    expect(await findBroken(store.db, 'server/migrations')).toEqual([])
  })

test('a recall empties the stock of the batch, opens claims for sold keys, and tells each buyer once', () =>
  withBatch(async ({ shop, productId, batchId, buys }) => {
    const [one, two] = [await buys(2), await buys(1)]
    const own = await one.api.keys.mine()
    await one.api.claims.open({ keyId: own[0]?._id ?? '', reason: 'stopped' })

    expect(await shop.owner.api.claims.recall({ id: batchId, note: 'Stolen', openClaims: true })).toEqual({
      withdrawn: 3,
      opened: 2,
    })

    expect((await one.api.keys.stock())[`${productId}_${duration}`]?.available).toBe(0)
    expect(await shop.owner.api.keys.batch({ id: batchId })).toMatchObject({
      left: 0,
      sold: 3,
      removed: 3,
      openClaims: 3,
    })
    expect((await two.api.claims.mine()).map(({ reason }) => reason)).toEqual(['recalled'])
    const told = await shop.store.db.rows(sql(z.object({ userId: z.string() }))`
      select user_id as "userId" from outbox_messages where kind = 'key.recalled'`)
    expect(told.map(({ userId }) => userId).toSorted()).toEqual([one.id, two.id].toSorted())
    expect(
      (await shop.owner.post(`/keys/batches/${batchId}/recall`, { note: 'Again', openClaims: true })).body.code,
    ).toBe('BATCH_RECALLED')
  }))

test('a recall that broke off is finished by the next one', () =>
  withBatch(async ({ shop, batchId, buys }) => {
    await buys(2)
    await shop.store.db.run(sql`update key_batches set recalled_at = now() where id = ${batchId}`)
    expect(await shop.owner.api.claims.recall({ id: batchId, note: 'Stolen', openClaims: true })).toEqual({
      withdrawn: 4,
      opened: 2,
    })
  }))

test('a recall that opens claims later is in the log twice, and one that does nothing is not', () =>
  withBatch(async ({ shop, batchId, buys }) => {
    await buys(2)
    const recall = (openClaims: boolean) =>
      shop.owner.post(`/keys/batches/${batchId}/recall`, { note: 'Stolen', openClaims })
    await recall(false)
    expect((await recall(true)).body).toEqual({ withdrawn: 0, opened: 2 })
    expect((await recall(true)).body.code).toBe('BATCH_RECALLED')
    const { entries } = await shop.owner.api.reports.audit({ action: 'keys.recall' })
    expect(entries.map(({ after }) => after)).toMatchObject([{ openClaims: true }, { openClaims: false }])
  }))

test('a recalled text never comes back: not by an import, not by an edit, not into its batch', () =>
  withBatch(async ({ shop, productId, batchId, texts }) => {
    await shop.owner.api.claims.recall({ id: batchId, note: 'Stolen', openClaims: false })
    const answer = await shop.owner.post('/keys/bulk', { productId, duration, keys: [texts[0], 'GOOD-1', texts[1]] })
    expect(answer.body).toMatchObject({ code: 'DUPLICATE_KEYS', added: 1, duplicates: 2 })
    expect(answer.body.message).toMatch(
      /^1 key added; 0 keys not added, as duplicates .*\. 2 keys withdrawn by a recall/,
    )
    const check = await shop.owner.api.keys.check({ productId, duration, keys: [texts[0] ?? ''] })
    expect(check.lines[0]?.fault).toContain('Withdrawn')
    const [good] = await shop.owner.api.keys.list({ productId })
    expect((await shop.owner.put(`/keys/${good?._id}`, { key: texts[2] })).body.code).toBe('KEY_EXISTS')
    const into = await shop.owner.post('/keys/bulk', { productId, duration, keys: ['GOOD-2'], batchId })
    expect(into.body.code).toBe('BATCH_UNDONE')
  }))

test('the claims of a batch are answered together: new keys while there are any, then the unused part', () =>
  withBatch(async ({ shop, productId, batchId, buys }) => {
    const buyers = [await buys(1), await buys(2), await buys(1)]
    await shop.owner.api.claims.recall({ id: batchId, note: 'Stolen', openClaims: true })
    await shop.owner.api.keys.add({ productId, duration, keys: ['NEW-1', 'NEW-2'] })
    shop.store.clock.advance(5 * DAY_MS)
    await shop.owner.api.sessions.adminLogin(OWNER)

    const answered = await shop.owner.api.claims.answerAll({ id: batchId, do: 'replace', answer: 'Sorry.' })

    expect(answered).toEqual({ replaced: 2, refunded: 2, left: 0 })
    const balances = await Promise.all(buyers.map(async ({ api }) => (await api.sessions.me()).balance))
    expect(balances.reduce((sum, each) => sum + each, 0)).toBe(900 + 800 + 900 + 200)
    expect(await shop.owner.api.claims.answerAll({ id: batchId, do: 'full', answer: '' })).toEqual({
      replaced: 0,
      refunded: 0,
      left: 0,
    })
  }))

test('several keys of one purchase are refunded together, each from where the one before ended', () =>
  withBatch(async ({ shop, productId, batchId }) => {
    const buyer = await shop.buyer()
    for (const [rupees, expiresInDays] of [
      [150, 20],
      [250, 60],
    ])
      await shop.owner.api.users.update({ id: buyer.id, balance: rupees ?? 0, expiresInDays: expiresInDays ?? null })
    await buyer.api.orders.place({ productId, duration, quantity: 3 })
    await shop.owner.api.claims.recall({ id: batchId, note: 'Stolen', openClaims: true })

    await shop.owner.api.claims.answerAll({ id: batchId, do: 'full', answer: '' })

    const { wallet, balance } = await buyer.api.sessions.me()
    expect(balance).toBe(400)
    expect(wallet.map(({ amount }) => amount)).toEqual([150, 250])
  }))

test('the warranty list has one line a claimed key, and no buyer', () =>
  withBatch(async ({ shop, batchId, buys, texts }) => {
    const buyer = await buys(2)
    const [, key] = await buyer.api.keys.mine()
    shop.store.clock.advance(2 * DAY_MS + 1)
    await shop.owner.api.sessions.adminLogin(OWNER)
    await buyer.api.claims.open({ keyId: key?._id ?? '', reason: 'already-used', note: 'Ask me' })
    const { body } = await shop.owner.post(`/keys/batches/${batchId}/warranty`)
    const lines = String(body).trim().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatch(new RegExp(`^${texts[0]},.*,already-used,2,open$`))
    expect(String(body)).not.toContain(buyer.username)
  }))
