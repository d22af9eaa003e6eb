import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openShop } from '../../test/worlds/shop.ts'
import { withStore } from '../../test/store.ts'
import { openDatabase } from '../platform/database/database.ts'
import { checkHealth } from './health.ts'

test('the health of the store has its version', () =>
  withStore(async (store) => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

    expect(await store.browser().get('/health')).toMatchObject({ status: 200, body: { status: 'ok', version } })
  }))

test('a store without its database is not in good health', async () => {
  // Uses port 1, where no server listens
  const db = openDatabase({ connection: { host: '127.0.0.1', port: 1, user: 'nobody', database: 'none' } })

  await expect(checkHealth({ db })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await db.close()
})

test('anyone can read the contract', () =>
  withStore(async (store) => {
    const { status, headers, body } = await store.browser().get('/openapi.json')

    expect(status).toBe(200)
    expect(headers.get('content-type')).toContain('application/json')
    expect(body.openapi).toMatch(/^3\.1/)
  }))

test('stats, overview and audit log are for admins alone', () =>
  withStore(async (store) => {
    const { owner, buyer, visitor } = await openShop(store)
    const person = await buyer({ balance: 50 })

    for (const path of ['/admin/stats', '/admin/overview', '/admin/audit']) {
      expect(await visitor().get(path)).toMatchObject({ status: 401, body: { code: 'NO_SESSION' } })
      expect(await person.get(path)).toMatchObject({ status: 403, body: { code: 'ADMIN_REQUIRED' } })
    }
    expect((await owner.get('/admin/stats')).body).toEqual({
      totalUsers: 1,
      totalProducts: 0,
      totalPayments: 1,
      pendingPayments: 0,
      approvedPayments: 1,
    })
    expect((await owner.get('/admin/overview?days=7')).body.today).toMatchObject({ topUps: 50, signups: 1 })
    expect((await owner.get('/admin/overview?days=91')).status).toBe(400)
    expect((await owner.get('/admin/audit?action=payment')).body.entries).toMatchObject([{ action: 'payment.approve' }])
  }))

test('the audit log comes with the names of whom and what it speaks of, and with none for what nobody knows', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const product = await shop.product({ name: 'Orbit Arena', prices: { '10 Days': 100 } })
    const buyer = await shop.buyer({ balance: 500 })
    const { batchId = '' } = await shop.owner.api.keys.add({
      productId: product._id,
      duration: '10 Days',
      keys: ['NAMED-1'],
      supplier: 'Anand',
    })
    const plan = await shop.owner.api.payments.createPlan({ amount: 100, bonus: 120, isActive: true })
    await shop.owner.api.users.update({ id: buyer.id, hiddenProducts: [product._id] })
    const prices = product.prices.map(({ _id, duration }) => ({ _id, duration, price: 100 }))
    await shop.owner.api.catalogue.update({ id: product._id, name: 'Orbit Arena Pro', prices })

    const { entries, names } = await shop.owner.api.reports.audit({ limit: 50 })
    // Cuts a limit above the largest answer
    expect((await shop.owner.api.reports.audit({ limit: 100_000 })).entries).toEqual(entries)

    expect(names[product._id]).toEqual({ kind: 'product', name: 'Orbit Arena Pro', detail: '' })
    expect(names[buyer.id]).toEqual({ kind: 'user', name: buyer.username, detail: buyer.email })
    expect(names[batchId]).toEqual({ kind: 'batch', name: 'Anand', detail: 'Orbit Arena Pro, 10 Days' })
    expect(names[plan._id]).toEqual({ kind: 'plan', name: 'Plan of ₹120', detail: '' })
    const approval = entries.find(({ action }) => action === 'payment.approve')
    const requestId = /\(([^)]+)\)$/.exec(approval?.subject ?? '')?.[1] ?? ''
    expect(names[requestId]).toMatchObject({ kind: 'request', name: `Top-up of ₹500 by ${buyer.username}` })

    // Closes the account, which then has no e-mail and its pseudonym as name
    await shop.owner.api.users.remove({ id: buyer.id })
    const later = await shop.owner.api.reports.audit({ limit: 1 })
    expect(later.names[buyer.id]).toEqual({ kind: 'user', name: expect.stringMatching(/^deleted-/), detail: '' })
    expect(JSON.stringify(later)).not.toContain(buyer.email)
  }))
