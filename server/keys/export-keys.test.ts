import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { anAdmin, unproven } from '../../test/worlds/admins.ts'
import { openShop, type Shop } from '../../test/worlds/shop.ts'
import { withDatabase } from '../../test/database.ts'
import { givenProduct } from '../../test/worlds/given.ts'
import { givenAdminCall, servicesOf } from '../../test/services.ts'
import { withStore } from '../../test/store.ts'
import { sql } from '../platform/database/database.ts'
import { exportKeys } from './export-keys.ts'

async function exportsIn({ owner }: Shop) {
  const { entries } = await owner.api.reports.audit({ search: 'Keys of', limit: 50 })
  return entries
    .filter(({ action }) => action.startsWith('keys.export'))
    .map(({ action, after, admin }) => ({ action, after, admin }))
}

test('the file has every key of the filter, its buyer and price, and no cell that a spreadsheet would run', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const { owner, product, buyer } = shop
    const { _id: productId, name } = await product()
    await owner.api.keys.add({ productId, duration: '10 Days', keys: ['=1+1', 'PLAIN', 'with,"both"'] })
    const person = await buyer({ balance: 100 })
    const { order } = await person.api.orders.place({ productId, duration: '10 Days', quantity: 1 })

    const { status, headers, body } = await owner.post('/keys/export', { productId })

    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toBe('attachment; filename="keys-export.csv"')
    expect(headers.get('cache-control')).toBe('no-store')
    const [head, sold, ...free] = body
      .replace(/^\uFEFF/, '')
      .trimEnd()
      .split('\r\n')
    expect(head).toBe(
      'Key,Product,Duration,Status,Buyer,Email,Purchased (India),Expires (India),Added (India),Order,Sold for (INR)',
    )
    expect(sold).toBe(
      `'=1+1,${name},10 Days,Assigned,${person.username},${person.email},2026-11-20 21:14,2026-11-30 ` +
        `21:14,2026-11-20 21:14,${order._id},100`,
    )
    expect(free).toEqual([
      `PLAIN,${name},10 Days,Available,,,,,2026-11-20 21:14,,`,
      `"with,""both""",${name},10 Days,Available,,,,,2026-11-20 21:14,,`,
    ])
  }))

test('the log says who took which keys, before the first one leaves, and how many left; never a text', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const { _id: productId, keyTexts } = await shop.product({ stock: 3 })

    await shop.owner.post('/keys/export', { productId, status: 'available', search: keyTexts[0] })

    const filter = { productId, status: 'available', search: 'by text' }
    expect(await exportsIn(shop)).toEqual([
      { action: 'keys.exported', admin: 'owner', after: { ...filter, exported: 1, complete: true } },
      { action: 'keys.export', admin: 'owner', after: filter },
    ])
    const { entries } = await shop.owner.api.reports.audit({ limit: 200 })
    expect(JSON.stringify(entries)).not.toContain(keyTexts[0])
  }))

test('an export that is given up half way is logged with what had left by then', () =>
  withDatabase(async (db) => {
    const { productId } = await givenProduct(db, { stock: 5 })
    const lines = await exportKeys(servicesOf(db), { productId }, await givenAdminCall(db))
    await lines.next()
    await lines.next()
    await lines.next()
    await lines.return(undefined)

    const entries = await db.rows(
      sql(z.object({ action: z.string(), after: z.unknown() }))`select action, after from audit_entries order by seq`,
    )
    expect(entries).toEqual([
      { action: 'keys.export', after: { productId } },
      { action: 'keys.exported', after: { productId, exported: 2, complete: false } },
    ])
  }))

test('only the owner and stock admins may export, with a fresh proof when they have a second factor', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    await shop.product({ stock: 1 })

    for (const [role, status] of [
      ['stock', 200],
      ['support', 403],
      ['payments', 403],
      ['read-only', 403],
    ] as const)
      expect((await (await anAdmin(shop, role)).browser.post('/keys/export', {})).status, role).toBe(status)
    expect(await (await unproven(shop, 'stock')).post('/keys/export', {})).toMatchObject({
      status: 403,
      body: { code: 'STEP_UP_REQUIRED' },
    })
    expect((await exportsIn(shop)).length).toBe(2)
  }))
