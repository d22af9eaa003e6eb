/** What an admin's change lets buyers get, and read (security.md: 7.5.1). */
import { describe, expect, test } from 'vitest'
import { api } from '../../contract/api.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { unproven } from '../worlds/admins.ts'
import { openShop } from '../worlds/shop.ts'
import { withStore } from '../store.ts'

describe('v5.0.0-7.5.1 what was not for sale', () => {
  const stopped = { status: 403, body: { code: 'STEP_UP_REQUIRED' } }

  test('asks an enrolled admin for a new proof to be sold at any price: a draft, a deleted one, a hidden one', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const [stock, payments] = [await unproven(shop, 'stock'), await unproven(shop, 'payments')]
      const { _id, prices } = await shop.product({ prices: { '10 Days': 100 }, stock: 1 })
      const [ten] = prices
      const put = async (change: object) => stock.put(`/products/${_id}`, change)

      expect((await put({ isListed: false })).status).toBe(200)
      expect((await put({ prices: [{ ...ten, price: 1 }] })).status, 'nobody can buy it').toBe(200)
      expect(await put({ isListed: true })).toMatchObject(stopped)
      expect(await put({ isListed: true, prices: [{ ...ten, price: 9_999 }] })).toMatchObject(stopped)
      expect((await put({ isListed: false, prices: [{ ...ten, price: 100 }] })).status).toBe(200)
      await shop.owner.api.catalogue.update({ id: _id, isListed: true })

      expect((await put({ prices: [{ duration: '1 Month', price: 50 }] })).status, 'a removed duration').toBe(200)
      expect(await put({ prices: [ten] }), 'that comes back at its price').toMatchObject(stopped)
      await shop.owner.api.catalogue.update({ id: _id, prices: [{ duration: '10 Days', price: 100 }] })

      expect((await stock.delete(`/products/${_id}`)).status).toBe(200)
      expect(await stock.post(`/products/${_id}/restore`)).toMatchObject(stopped)
      await shop.owner.api.catalogue.restore({ id: _id })

      const { id } = await shop.buyer()
      const own = (change: object) => payments.put(`/admin/users/${id}/custom-prices`, change)
      const customPrices = [{ productId: _id, duration: '10 Days', price: 1 }]
      expect((await own({ customPrices, hiddenProducts: [_id] })).status, 'hidden from this user').toBe(200)
      expect(await own({ hiddenProducts: [] })).toMatchObject(stopped)
      expect((await own({ customPrices: [{ ...customPrices[0], price: 100 }], hiddenProducts: [] })).status).toBe(200)
    }))

  test('asks for a new proof for a plan that was switched off', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const admin = await unproven(shop)
      const save = (id: string, change: object) => admin.put(`/payments/topup-plans/${id}`, change)
      const { body: plan } = await admin.post('/payments/topup-plans', { amount: 1, bonus: 5_001, isActive: false })
      expect(await save(plan._id, { isActive: true })).toMatchObject(stopped)
      expect((await save(plan._id, { bonus: 1 })).status).toBe(200)
      expect((await save(plan._id, { isActive: true })).status, 'that gives nothing').toBe(200)
      expect(await save(plan._id, { bonus: 5_001 })).toMatchObject(stopped)
    }))
})

describe('v5.0.0-7.5.1 words that lead buyers elsewhere', () => {
  const ELSEWHERE = {
    'a UPI ID': 'Pay thief@ybl for more',
    'a UPI ID in wide letters': 'Pay ｔｈｉｅｆ＠ｙｂｌ',
    'an e-mail': 'Write to help@evil.example',
    'an address': 'See https://evil.example/pay',
    'one without https': 'See evil.example/pay',
    'a short one': 'Chat at t.me/thief',
    'a phone': 'Call +91 98765-43210',
    'a phone in other digits': 'Call ९८७६५ ४३२१०',
  }
  const PLAIN = 'Works for 10 days, from 21-11-2026. Version 2.10, 1,00,000 players. 5/5!'

  test('ask an enrolled admin for a new proof, wherever buyers read them', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const admin = await unproven(shop)
      const missing = '00000000-0000-7000-8000-000000000000'
      const prices = [{ duration: '10 Days', price: 100 }]
      const { _id } = await shop.product()
      let names = 0
      const places: Record<string, (text: string) => Promise<{ body: { code?: string } }>> = {
        'a new product': (description) => admin.post('/products', { name: `New ${++names}`, description, prices }),
        'a name': (name) => admin.put(`/products/${_id}`, { name }),
        'a description': (description) => admin.put(`/products/${_id}`, { description }),
        instructions: (instructions) => admin.put(`/products/${_id}`, { instructions }),
        'a Hindi description': (descriptionHi) => admin.put(`/products/${_id}`, { descriptionHi }),
        'a code': (description) => admin.post('/referral', { code: `CODE${++names}`, description }),
        'a new group': (name) => admin.post('/groups', { name, percentOff: 0, prices: [] }),
        'a group': (name) => admin.put(`/groups/${missing}`, { name }),
        'a rejected payment': (reason) => admin.put(`/payments/${missing}/reject`, { reason }),
        'another amount': (reason) => admin.put(`/payments/${missing}/approve`, { amount: 1, expected: 1, reason }),
        'a changed balance': (reason) => admin.put(`/admin/users/${missing}/custom-prices`, { balance: 1, reason }),
        'a blocked account': (reason) => admin.put(`/admin/users/${missing}/block`, { reason }),
        'a rejected claim': (answer) => admin.put(`/claims/${missing}/reject`, { answer }),
        'a new key': (answer) => admin.put(`/claims/${missing}/replace`, { answer }),
        'a refund': (answer) => admin.put(`/claims/${missing}/refund`, { rule: 'full', expected: 1, answer }),
      }
      const wrong: string[] = []
      for (const [place, say] of Object.entries(places)) {
        for (const [what, text] of Object.entries(ELSEWHERE))
          if ((await say(text)).body.code !== 'STEP_UP_REQUIRED') wrong.push(`${place}: ${what}`)
        if ((await say(PLAIN)).body.code === 'STEP_UP_REQUIRED') wrong.push(`${place}: plain words`)
      }
      expect(wrong).toEqual([])
    }))

  test('are marked in the contract, and each such call may ask', () => {
    const says = Object.values(api)
      .flatMap((each) => Object.values<Endpoint>(each))
      .filter(({ saysToBuyers }) => saysToBuyers)
    expect(says.length).toBeGreaterThan(8)
    for (const { method, path, refusals } of says) expect(refusals, `${method} ${path}`).toContain('STEP_UP_REQUIRED')
  })
})
