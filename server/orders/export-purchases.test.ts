import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { openShop, PASSWORD } from '../../test/worlds/shop.ts'
import { withStore } from '../../test/store.ts'
import { HOUR_MS } from '../../contract/time.ts'
import { columns, sql } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'

test('the sales book as a file: what the search finds, safe to open, and noted in the audit log', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const hostile = { username: '=HYPERLINK("x")', email: '+91@example.in' }
    const visitor = shop.visitor()
    await visitor.api.sessions.register({ ...hostile, password: PASSWORD, referralCode: shop.referralCode })
    const { user } = await visitor.api.sessions.login({ username: hostile.email, password: PASSWORD })
    await shop.owner.api.users.update({ id: user._id, balance: 500 })
    const product = await shop.product({ name: 'Orbit, Pro', prices: { '10 Days': 199.25 }, stock: 2 })
    const other = await shop.product({ stock: 1 })
    const { order, keys } = await visitor.api.orders.place({
      productId: product._id,
      duration: '10 Days',
      quantity: 2,
    })
    const claim = await visitor.api.claims.open({ keyId: keys[0]?._id ?? '', reason: 'stopped' })
    await shop.owner.api.claims.refund({ id: claim._id, rule: 'full', expected: 199.25 })
    await visitor.api.orders.place({ productId: other._id, duration: '10 Days', quantity: 1 })

    const file = await shop.owner.get(`/payments/purchases/export?productId=${product._id}&from=2026-11-01`)

    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect((file.body as string).split('\r\n')).toEqual([
      'Date (India),Username,Email,Referral code,Product,Duration,Quantity,Unit price (INR),Amount (INR),' +
        'Order,Refunded (INR)',
      `2026-11-20 21:14:00,"'=HYPERLINK(""x"")",'+91@example.in,${shop.referralCode},"Orbit, Pro",10 ` +
        `Days,2,199.25,398.5,${order._id},199.25`,
      '',
    ])
    const audited = await store.db.one(
      sql(z.object({ after: z.unknown() }))`select after from audit_entries where action = 'purchases.export'`,
    )
    expect(audited.after).toEqual({ productId: product._id, from: '2026-11-01' })
    expect((await shop.owner.get('/payments/purchases/export?from=soon')).status).toBe(400)
    expect(
      ((await shop.owner.get('/payments/purchases/export?search=nothing')).body as string).split('\r\n'),
    ).toHaveLength(2)
  }))

test('a book of 1,200 sales made at few moments arrives whole, each once and newest first', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const buyer = await shop.buyer()
    const { _id } = await shop.product()
    const sales = Array.from({ length: 1_200 }, (_, n) => {
      const createdAt = new Date(store.clock.now().getTime() - Math.floor(n / 100) * HOUR_MS)
      return { id: newId(createdAt), createdAt }
    })
    await store.db.run(sql`
      insert into orders (id, user_id, product_id, price_id, product_name, product_description, duration, quantity,
                          unit_paise, amount_paise, created_at)
      select sale.id, ${buyer.id}, product_id, prices.id, 'Many', '', duration, 1, 100, 100, sale.created_at
        from prices, ${columns(sales, 'id uuid, created_at timestamptz')} as sale where product_id = ${_id}`)

    const file = (await shop.owner.get('/payments/purchases/export')).body as string

    const lines = file.trim().split('\r\n').slice(1)
    expect(new Set(lines.map((line) => line.split(',').at(-2)))).toHaveLength(1_200)
    expect(lines.map((line) => line.slice(0, 19))).toEqual(
      lines
        .map((line) => line.slice(0, 19))
        .toSorted()
        .toReversed(),
    )
  }))
