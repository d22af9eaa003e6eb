import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { DAY_MS } from '../../contract/time.ts'
import { withStore } from '../../test/store.ts'
import { nextUtr, openShop, OWNER } from '../../test/worlds/shop.ts'
import { sql } from '../platform/database/database.ts'

const linesOf = (body: unknown) => String(body).trim().split('\r\n').slice(1)

test('payments as a file: what the filter finds, by India’s days, and noted in the audit log', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const { owner } = shop
    const plan = await owner.api.payments.createPlan({ amount: 500, bonus: 600 })
    const buyer = await shop.buyer()
    const ask = async (more: object) => {
      const utr = nextUtr()
      const wish = { amount: 500, utr, payerName: '9876543210', ...more }
      return { utr, id: (await buyer.api.payments.addMoney(wish)).payment._id }
    }
    const late = await ask({ meta: { offer: true, planId: plan._id } })
    const rejected = await ask({})
    await owner.api.payments.reject({ id: rejected.id, reason: '=1+1' })
    const { _id: productId } = await shop.product({ name: 'Orbit, Pro', stock: 1 })
    store.clock.advance(DAY_MS)
    await owner.api.sessions.adminLogin(OWNER)
    await owner.api.payments.approve({ id: late.id })
    await buyer.api.orders.place({ productId, duration: '10 Days', quantity: 1 })

    const file = await owner.get('/payments/export?from=2026-11-21&to=2026-11-21')

    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const [order, request, ...others] = linesOf(file.body)
    expect(order).toMatch(
      new RegExp(`^2026-11-21 21:14:00,${buyer.username},.*,buy_key,approved,100,,,,"Orbit, Pro",10 Days`),
    )
    // Asked for the day before, and reviewed on this day
    expect(request).toBe(
      `2026-11-20 21:14:00,${buyer.username},${buyer.email},add_money,approved,500,600,` +
        `"=""${late.utr}""",9876543210,,,2026-11-21 21:14:00,owner,,${late.id}`,
    )
    expect(others).toEqual([])
    const before = linesOf((await owner.get('/payments/export?status=rejected&to=2026-11-20')).body)
    expect(before).toHaveLength(1)
    expect(before[0]).toContain("'=1+1")
    expect(linesOf((await owner.get(`/payments/export?search=${late.utr}`)).body)).toHaveLength(1)
    expect((await owner.get('/payments/export?from=soon')).status).toBe(400)
    const audited = await store.db.rows(sql(z.object({ after: z.unknown() }))`
      select after from audit_entries where action = 'payment.export' order by seq`)
    expect(audited.map(({ after }) => after)).toEqual([
      { from: '2026-11-21', to: '2026-11-21' },
      { status: 'rejected', to: '2026-11-20' },
      { search: 'by text' },
    ])
  }))

test('1,200 payments of few moments arrive whole, each once and newest first', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const buyer = await shop.buyer()
    const { _id } = await shop.product()
    await store.db.run(sql`
      insert into orders (id, user_id, product_id, price_id, product_name, product_description, duration, quantity,
                          unit_paise, amount_paise, created_at)
      select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') ||
              substr(replace(gen_random_uuid()::text, '-', ''), 13))::uuid,
             ${buyer.id}, product_id, id, 'Many', '', duration, 1, 100, 100, at
        from prices, generate_series(1, 1200) as n,
             lateral (select ${store.clock.now()}::timestamptz - n / 100 * interval '1 hour' as at) moment
       where product_id = ${_id}`)

    const lines = linesOf((await shop.owner.get('/payments/export')).body)

    expect(new Set(lines.map((line) => line.split(',').at(-1)))).toHaveLength(1_200)
    const moments = lines.map((line) => line.slice(0, 19))
    expect(moments).toEqual(moments.toSorted().toReversed())
  }))
