/** Changes that ask an admin for a new proof (security.md: 7.5.1). */
import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../contract/time.ts'
import { unproven } from '../worlds/admins.ts'
import { openShop, OWNER } from '../worlds/shop.ts'
import { withStore, type Browser } from '../store.ts'

describe('v5.0.0-7.5.1 a lower price', () => {
  test('asks an enrolled admin for a new proof, also where the duration is renamed, or removed and added again', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const { _id, name, prices } = await shop.product({ prices: { '10 Days': 100, '1 Month': 250 }, stock: 1 })
      const [ten, month] = prices
      const admin = await unproven(shop, 'stock')
      const save = async (...rows: object[]) => {
        const { status, body } = await admin.put(`/products/${_id}`, { name, prices: rows })
        return body.code ?? status
      }

      expect(await save({ ...ten, price: 120 }, { ...month })).toBe(200)
      expect(await save({ ...ten, price: 119.99 }, { ...month })).toBe('STEP_UP_REQUIRED')
      expect(await save({ _id: ten?._id, duration: '3 Days', price: 1 }, { ...month })).toBe('STEP_UP_REQUIRED')
      expect(await save({ _id: ten?._id, duration: '3 Days', price: 120 }, { ...month })).toBe(200)
      expect(await save({ ...month })).toBe(200)
      expect(await save({ ...month }, { duration: '3 Days', price: 0.01 })).toBe('STEP_UP_REQUIRED')
      expect(await save({ ...month }, { duration: '2 Days', price: 0.01 }), 'of which there are no keys').toBe(200)
      expect((await shop.owner.api.catalogue.list({}))[0]?.prices.map(({ price }) => price)).toEqual([250, 0.01])

      await admin.api.admins.stepUp({ password: OWNER.password })
      expect(await save({ ...month, price: 200 })).toBe(200)
      expect((await shop.owner.put(`/products/${_id}`, { name, prices: [{ ...month, price: 1 }] })).status).toBe(200)
    }))

  test('is any price of stock that was not for sale, for everybody or for one user', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const { _id, name, prices } = await shop.product({ prices: { '10 Days': 0 }, stock: 1 })
      const [parked] = prices
      const { id } = await shop.buyer()
      const [stock, payments] = [await unproven(shop, 'stock'), await unproven(shop, 'payments')]
      const save = (price: number) => stock.put(`/products/${_id}`, { name, prices: [{ ...parked, price }] })
      const saveOwn = (price: number) => {
        const customPrices = [{ productId: _id, duration: '10 Days', price }]
        return payments.put(`/admin/users/${id}/custom-prices`, { customPrices })
      }
      const stopped = { status: 403, body: { code: 'STEP_UP_REQUIRED' } }

      for (const price of [1, 9_999]) expect(await save(price)).toMatchObject(stopped)
      for (const price of [1, 9_999]) expect(await saveOwn(price)).toMatchObject(stopped)
      expect([(await save(0)).status, (await saveOwn(0)).status]).toEqual([200, 200])
      for (const price of [1, 9_999]) expect(await saveOwn(price), 'from none of their own').toMatchObject(stopped)
      expect((await shop.owner.put(`/products/${_id}`, { name, prices: [{ ...parked, price: 100 }] })).status).toBe(200)
      expect(await saveOwn(99)).toMatchObject(stopped)
      expect((await saveOwn(100)).status, 'as everybody pays').toBe(200)
      expect((await save(0)).status, 'not for sale any more').toBe(200)
      expect(await save(100)).toMatchObject(stopped)
    }))

  test('for one user asks an enrolled admin for a new proof, and a higher or unchanged one does not', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const { _id: productId } = await shop.product({ prices: { '10 Days': 100 }, stock: 1 })
      const { id } = await shop.buyer()
      const admin = await unproven(shop, 'payments')
      const save = async (browser: Browser, price: number | null) => {
        const customPrices = [{ productId, duration: '10 Days', price }]
        const { status, body } = await browser.put(`/admin/users/${id}/custom-prices`, { customPrices })
        return (body as { code?: string }).code ?? status
      }

      for (const price of [0.01, 99.99]) expect(await save(admin, price)).toBe('STEP_UP_REQUIRED')
      expect((await shop.owner.api.users.list({})).users).toMatchObject([{ customPrices: [] }])
      for (const price of [100, 150]) expect(await save(admin, price)).toBe(200)
      expect(await save(admin, 99.99)).toBe('STEP_UP_REQUIRED')
      expect(await save(shop.owner, 50), 'with a proof').toBe(200)
      for (const price of [50, 60]) expect(await save(admin, price)).toBe(200)
      expect(await save(admin, 59.99)).toBe('STEP_UP_REQUIRED')
      expect(await save(admin, null)).toBe(200)

      await admin.api.admins.stepUp({ password: OWNER.password })
      expect(await save(admin, 0.01)).toBe(200)
    }))
})

describe('v5.0.0-7.5.1 an address that buyers open', () => {
  test('asks an enrolled admin for a new proof to change, the first of a product too', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const admin = await unproven(shop, 'stock')
      const GOOD = 'https://good.example/app'
      const BAD = 'https://bad.example/app'
      const saving = (id: string) => async (change: object) => {
        const { status, body } = await admin.put(`/products/${id}`, change)
        return body.code ?? status
      }

      const fresh = saving((await shop.product())._id)
      const first = { downloadUrl: GOOD, instructions: `Read ${GOOD}` }
      expect(await fresh(first)).toBe('STEP_UP_REQUIRED')
      expect(await fresh({ ...first, isListed: false }), 'that no buyer reads').toBe(200)
      expect(await fresh({ isListed: true }), 'that buyers then read').toBe('STEP_UP_REQUIRED')
      await admin.api.admins.stepUp({ password: OWNER.password })
      expect(await fresh({ isListed: true })).toBe(200)
      shop.store.clock.advance(10 * MINUTE_MS)
      expect(await fresh({ downloadUrl: BAD }), 'another one').toBe('STEP_UP_REQUIRED')
      expect(await fresh({ downloadUrl: '', instructions: '' }), 'none').toBe('STEP_UP_REQUIRED')

      const product = await shop.product({ stock: 1 })
      const buyer = await shop.buyer({ balance: 100 })
      await buyer.api.orders.place({ productId: product._id, duration: '10 Days', quantity: 1 })
      const save = saving(product._id)
      for (const change of [{ downloadUrl: BAD }, { instructions: `Get ${BAD}` }, { instructionsHi: `${BAD} खोलें` }])
        expect(await save(change)).toBe('STEP_UP_REQUIRED')
      expect(await save({ instructions: 'Type the key.', description: 'Better' })).toBe(200)
      expect((await buyer.api.keys.mine({}))[0]).not.toHaveProperty('downloadUrl')

      await admin.api.admins.stepUp({ password: OWNER.password })
      expect(await save({ downloadUrl: GOOD, instructions: `Get ${GOOD}.` })).toBe(200)
      shop.store.clock.advance(11 * MINUTE_MS)
      expect(await save({ downloadUrl: GOOD, instructions: `Open ${GOOD}, then restart.` }), 'other words').toBe(200)
      expect(await save({ instructions: `Open ${GOOD}.evil.example, then restart.` })).toBe('STEP_UP_REQUIRED')
    }))
})

describe('v5.0.0-7.5.1 keys in stock', () => {
  test('are read by an enrolled admin after a new proof; before that they are known by how they end', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const { _id: productId } = await shop.product({ prices: { '10 Days': 100 } })
      const keys = ['ABCDE-FGHIJ-KLMNO', 'ABCDE-FGHIJ-PQRST', 'SHORT-ONE']
      await shop.owner.api.keys.add({ productId, duration: '10 Days', keys })
      const admin = await unproven(shop, 'stock')
      const list = async (query: string) => (await admin.get(`/keys?productId=${productId}${query}`)).body
      const texts = async (query: string) => (await list(query)).map(({ key }: { key: string }) => key)
      const stopped = { code: 'STEP_UP_REQUIRED' }

      for (const query of ['', '&limit=1', '&status=available', `&search=${keys[0]}`, '&unproven=refuse'])
        expect(await list(query), query).toMatchObject(stopped)
      expect(await texts('&unproven=endings')).toEqual(['…LMNO', '…QRST', '…'])
      expect(await list('&unproven=endings')).toMatchObject([
        { isWhole: false },
        { isWhole: false },
        { isWhole: false },
      ])
      expect(await texts('&unproven=endings&search=LMNO')).toEqual(['…LMNO'])
      expect(await texts(`&unproven=endings&search=${keys[1]}`), 'who knows a key may look it up').toEqual(['…QRST'])
      expect(await texts('&unproven=endings&search=ABCDE'), 'and who does not cannot guess its way').toEqual([])

      await admin.api.admins.stepUp({ password: OWNER.password })
      expect(await texts('')).toEqual(keys)
      expect(await texts('&unproven=endings&search=ABCDE')).toEqual(keys.slice(0, 2))
      store.clock.advance(10 * MINUTE_MS)
      expect(await list('')).toMatchObject(stopped)
    }))

  test('are read by whoever is asked for no proof, as the contract says', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const { _id: productId } = await shop.product({ prices: { '10 Days': 100 } })
      await shop.owner.api.keys.add({ productId, duration: '10 Days', keys: ['ABCDE-FGHIJ-KLMNO'] })
      for (const query of ['', '?unproven=endings', '?unproven=refuse'])
        expect((await shop.owner.get(`/keys${query}`)).body).toMatchObject([
          { key: 'ABCDE-FGHIJ-KLMNO', isWhole: true },
        ])
    }))
})

describe('v5.0.0-7.5.1 what no call brings back', () => {
  test('asks an enrolled admin for a new proof: an account, a payment, the texts of unsold keys', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer({ balance: 100 })
      const [payment] = await buyer.api.payments.mine({})
      const product = await shop.product({ stock: 3 })
      const productId = product._id
      const keys = await shop.owner.api.keys.list({ productId })
      const other = await shop.product()
      const { batchId } = await shop.owner.api.keys.add({ productId: other._id, duration: '10 Days', keys: ['B-1'] })
      const admin = await unproven(shop)
      const calls = [
        () => admin.put(`/keys/${keys[0]?._id}`, { key: 'OTHER' }),
        () => admin.delete(`/keys/${keys[0]?._id}`),
        () => admin.delete(`/keys/bulk/${productId}/10%20Days`),
        () => admin.post(`/keys/batches/${batchId}/undo`),
        () => admin.delete(`/payments/${payment?._id}`),
        () => admin.delete(`/admin/users/${buyer.id}`),
      ]

      for (const call of calls) expect(await call()).toMatchObject({ status: 403, body: { code: 'STEP_UP_REQUIRED' } })
      expect(await shop.owner.api.keys.list({ productId })).toEqual(keys)
      expect((await buyer.api.sessions.me({})).balance).toBe(100)
      expect((await admin.delete(`/products/${productId}`)).status, 'which can be restored').toBe(200)

      await admin.api.admins.stepUp({ password: OWNER.password })
      for (const call of calls) expect((await call()).status).toBe(200)
    }))
})
