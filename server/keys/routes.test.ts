import { expect, test } from 'vitest'
import { keys } from '../../contract/keys.ts'
import { wallet } from '../../contract/wallet.ts'
import { openShop } from '../../test/worlds/shop.ts'
import { withStore } from '../../test/store.ts'

const MISSING = '019a0000-0000-7000-8000-00000000dead'

test('a paste with duplicates stores the new ones and says how many there were of each', () =>
  withStore(async (store) => {
    const { owner, product } = await openShop(store)
    const { _id: productId } = await product()
    const paste = (keys: readonly string[]) => owner.post('/keys/bulk', { productId, duration: '10 days', keys })

    const first = await paste(['A', ' B ', ''])
    const second = await paste(['B', 'C', 'C'])

    expect(first).toMatchObject({ status: 200, body: { message: '2 keys added', added: 2 } })
    expect(second).toMatchObject({ status: 400, body: { code: 'DUPLICATE_KEYS', added: 1, duplicates: 2 } })
    expect(second.body.message).toContain('duplicate key error')
    const { body: keys } = await owner.get(`/keys?productId=${productId}&duration=10%20Days`)
    expect(keys.map(({ key }: { key: string }) => key)).toEqual(['A', 'B', 'C'])
  }))

test('a paste that cannot be is refused with the line, the place or the limit', () =>
  withStore(async (store) => {
    const { owner, product } = await openShop(store)
    const { _id: productId } = await product()
    const paste = (body: object) => owner.post('/keys/bulk', { productId, duration: '10 Days', keys: ['A'], ...body })

    expect(await paste({ keys: ['A', 'B\u0007'] })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', fields: { 'keys.1': expect.stringContaining('Line 2') } },
    })
    expect(await paste({ keys: [] })).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    expect(await paste({ keys: Array(50_001).fill('A') })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT' },
    })
    expect(await paste({ duration: '1 Year' })).toMatchObject({ status: 404, body: { code: 'PRODUCT_NOT_FOUND' } })
    expect(await paste({ productId: MISSING })).toMatchObject({ status: 404, body: { code: 'PRODUCT_NOT_FOUND' } })
  }))

test('a limit above the largest one is cut to it', () =>
  withStore(async (store) => {
    const { owner, product, buyer } = await openShop(store)
    await product({ stock: 2 })
    const person = await buyer({ balance: 100 })

    expect((await owner.get('/keys?limit=60000')).body).toHaveLength(2)
    expect((await person.get('/auth/balance-history?limit=5000')).body).toHaveLength(1)
    expect((await owner.get('/keys?limit=0')).status).toBe(400)
    expect((await person.get('/auth/balance-history?limit=0')).status).toBe(400)
    expect(keys.list.input.parse({ limit: '60000' })).toEqual({ limit: 50_000 })
    expect(wallet.history.input.parse({ limit: 5_000 })).toEqual({ limit: 1_000 })
  }))

test('any UUID is an id, in capitals too: what is not there is a 404', () =>
  withStore(async (store) => {
    const { owner, product } = await openShop(store)
    const { _id: productId } = await product()
    const add = (text: string) => owner.api.keys.add({ productId, duration: '10 Days', keys: [text] })
    const { batchId = '' } = await add('MINE')
    await add('OTHER')

    expect(await owner.get('/keys/batches/11111111-1111-1111-1111-111111111111')).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
    expect((await owner.get('/keys/batches/11111111')).status).toBe(400)
    const found = await owner.get(`/keys?productId=${productId.toUpperCase()}&batchId=${batchId.toUpperCase()}`)
    expect(found.body).toMatchObject([{ key: 'MINE' }])
    const capitals = { productId: productId.toUpperCase(), duration: '10 Days', keys: ['MINE'] }
    expect((await owner.post('/keys/bulk/check', capitals)).body).toMatchObject({
      lines: [{ status: 'duplicate-here' }],
    })
  }))

test('a sold key can be neither edited nor deleted; the deletion of all leaves it', () =>
  withStore(async (store) => {
    const { owner, product, buyer } = await openShop(store)
    const { _id: productId } = await product({ stock: 3 })
    const person = await buyer({ balance: 100 })
    await person.api.orders.place({ productId, duration: '10 Days', quantity: 1 })
    const [sold, free] = await owner.api.keys.list({ productId })

    for (const answer of [
      await owner.put(`/keys/${sold?._id}`, { key: 'X' }),
      await owner.delete(`/keys/${sold?._id}`),
    ])
      expect(answer).toMatchObject({ status: 409, body: { code: 'KEY_SOLD' } })
    expect(await owner.put(`/keys/${free?._id}`, { key: sold?.key })).toMatchObject({
      status: 409,
      body: { code: 'KEY_EXISTS' },
    })
    expect(await owner.put(`/keys/${free?._id}`, { key: ' NEW ' })).toMatchObject({ status: 200, body: { key: 'NEW' } })
    expect(await owner.delete(`/keys/${free?._id}`)).toMatchObject({ status: 200 })
    expect(await owner.delete(`/keys/${MISSING}`)).toMatchObject({ status: 404 })
    expect(await owner.delete(`/keys/bulk/${productId}/10%20days`)).toMatchObject({
      status: 200,
      body: { deletedCount: 1 },
    })
    expect(await owner.delete(`/keys/bulk/${productId}/10%2520Days`)).toMatchObject({ status: 400 })
    expect((await person.get('/keys/user')).body).toMatchObject([{ _id: sold?._id, key: sold?.key }])
  }))

test('the stock counts are those of what the caller may see, zeros included, and tell no price', () =>
  withStore(async (store) => {
    const { owner, product, buyer, visitor } = await openShop(store)
    const full = await product({ stock: 2, prices: { '1 Day': 10, '1 Month': 90 } })
    const empty = await product()
    const person = await buyer()
    await owner.api.users.update({ id: person.id, hiddenProducts: [empty._id] })

    const seenBy = async (browser: typeof owner) => (await browser.get('/keys/all-stats')).body

    expect(await seenBy(person)).toEqual({
      [`${full._id}_1 Day`]: { productId: full._id, duration: '1 Day', available: 2 },
      [`${full._id}_1 Month`]: { productId: full._id, duration: '1 Month', available: 2 },
    })
    const all = await seenBy(visitor())
    expect(all[`${empty._id}_10 Days`]).toEqual({ productId: empty._id, duration: '10 Days', available: 0 })
    expect(await seenBy(owner)).toEqual(all)
    expect(JSON.stringify(all)).not.toMatch(/price/i)
  }))

test('counts are right the moment keys are bought, added or deleted', () =>
  withStore(async (store) => {
    const { owner, product, buyer, visitor } = await openShop(store)
    const { _id: productId } = await product({ stock: 5 })
    const person = await buyer({ balance: 1_000 })
    const browser = visitor()
    const counted = async () => ({
      stats: (await browser.get('/keys/all-stats')).body[`${productId}_10 Days`].available,
      product: (await browser.get('/products')).body[0].available,
    })

    await person.api.orders.place({ productId, duration: '10 Days', quantity: 2 })
    expect(await counted()).toEqual({ stats: 3, product: 3 })
    await owner.api.keys.add({ productId, duration: '10 Days', keys: ['A'] })
    expect(await counted()).toEqual({ stats: 4, product: 4 })
    await owner.api.keys.removeAll({ productId, duration: '10 Days' })
    expect(await counted()).toEqual({ stats: 0, product: 0 })
  }))
