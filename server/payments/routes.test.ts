import { pino } from 'pino'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { api } from '../../contract/api.ts'
import type { Payment } from '../../contract/payments.ts'
import { paise } from '../../contract/money.ts'
import { withDatabase } from '../../test/database.ts'
import { OWNER_STANDING } from '../../test/services.ts'
import { balanceOf, givenProduct, givenUser, type GivenProduct } from '../../test/worlds/given.ts'
import { TEST_NOW, TEST_SEALER } from '../../test/worlds/constants.ts'
import { manualClock } from '../platform/clock.ts'
import { sql, type Database } from '../platform/database/database.ts'
import { createHttp } from '../platform/http/http.ts'
import { createSnapshotCache } from '../platform/database/snapshot-cache.ts'
import { newId } from '../platform/ids.ts'
import { createMetrics } from '../platform/watching/metrics.ts'
import { rateLimits } from '../platform/rate-limits.ts'
import { countStore } from '../reports/count-store.ts'
import { ensureSettings } from '../settings/settings.ts'
import { allowedBefore } from '../wallet/allowance.ts'
import { credit } from '../wallet/credit.ts'
import { debit } from '../wallet/debit.ts'
import { lockWallet } from '../wallet/ledger.ts'
import { listUserPayments } from './list-payments.ts'
import { paymentRoutes } from './routes.ts'

const NOW = new Date(TEST_NOW)

test('a top-up from the request to the wallet', () =>
  withPayments(async ({ db, as, admin }) => {
    const user = await givenUser(db)
    const sent = { amount: '1000', utr: '4123 4567 8901', payerName: '+91 ९८७६५ 43210' }

    const requested = await as(user).post('/payments/add-money', sent)

    const { username, email } = await nameOf(db, user)
    const userId = { _id: user, username, email }
    expect(requested.status).toBe(201)
    expect(requested.body).toEqual({
      message: 'Request submitted',
      payment: {
        _id: expect.any(String) as string,
        userId,
        productId: null,
        type: 'add_money',
        status: 'pending',
        amount: 1000,
        credited: 1000,
        utr: '412345678901',
        payerName: '9876543210',
        duration: '',
        reason: null,
        createdAt: TEST_NOW,
        decidedAt: null,
        address: '127.0.0.1',
      },
    })
    const id = requested.body.payment._id as string
    const row = {
      _id: id,
      userId,
      productId: null,
      type: 'add_money',
      status: 'pending',
      amount: 1000,
      utr: '412345678901',
      payerName: '9876543210',
      duration: '',
      createdAt: TEST_NOW,
      address: '127.0.0.1',
    }
    const signs = { utrRejectedBefore: false, phoneUsedBy: [], requestOfDay: 1, isFirstTopUp: true }
    expect((await admin.get('/payments?limit=10&skip=0&search=')).body).toEqual({
      payments: [{ ...row, signs }],
      total: 1,
    })

    const approved = await admin.put(`/payments/${id}/approve`)
    const decision = { status: 'approved', decidedBy: 'owner', decidedAt: TEST_NOW }
    expect(approved).toEqual({ status: 200, body: { ...row, ...decision } })
    expect(await balanceOf(db, user)).toBe(1_000_00)
    // Tells the second of two admins who was first
    expect((await admin.put(`/payments/${id}/approve`)).body).toMatchObject({ code: 'NOT_PENDING', ...decision })
    expect((await admin.put(`/payments/${id}/reject`)).status).toBe(409)
    expect((await as(user).get('/payments/mine')).body).toMatchObject([{ _id: id, status: 'approved' }])

    expect(await admin.delete(`/payments/${id}`)).toEqual({ status: 200, body: { message: 'Payment deleted' } })
    expect((await admin.delete(`/payments/${id}`)).status).toBe(404)
    expect((await admin.put(`/payments/${id}/approve`)).status).toBe(404)
    expect((await admin.get('/payments')).body).toEqual({ payments: [], total: 0 })
    expect(await balanceOf(db, user)).toBe(1_000_00)
    expect((await as(user).post('/payments/add-money', sent)).body).toMatchObject({
      code: 'UTR_ALREADY_USED',
      fields: { utr: expect.any(String) as string },
    })
  }))

test('a rejection with a reason, without one, and with an empty one', () =>
  withPayments(async ({ db, as, admin }) => {
    const user = await givenUser(db)
    const ids: string[] = []
    for (const utr of ['412345678901', '412345678902', '412345678903'])
      ids.push(
        (await as(user).post('/payments/add-money', { amount: 5, utr, payerName: '9876543210' })).body.payment._id,
      )

    const reasoned = await admin.put(`/payments/${ids[0]}/reject`, { reason: ' No such transfer ' })
    expect(reasoned.body).toMatchObject({ status: 'rejected', reason: 'No such transfer' })
    expect((await admin.put(`/payments/${ids[1]}/reject`)).body).not.toHaveProperty('reason')
    expect((await admin.put(`/payments/${ids[2]}/reject`, { reason: '' })).status).toBe(200)

    const own = (await as(user).get('/payments/mine')).body as { _id: string; reason: string | null }[]
    expect(own.map(({ _id, reason }) => [_id, reason])).toEqual([
      [ids[2], null],
      [ids[1], null],
      [ids[0], 'No such transfer'],
    ])
    expect(await balanceOf(db, user)).toBe(0)
  }))

test('what add-money refuses, field by field', () =>
  withPayments(async ({ db, as }) => {
    const user = await givenUser(db)
    const good = { amount: 100, utr: '412345678901', payerName: '9876543210' }
    const bad: [change: object, field: string][] = [
      [{ amount: 0.99 }, 'amount'],
      [{ amount: -5 }, 'amount'],
      [{ amount: 'x' }, 'amount'],
      [{ amount: 1.001 }, 'amount'],
      [{ amount: 100_000.01 }, 'amount'],
      [{ amount: undefined }, 'amount'],
      [{ utr: '' }, 'utr'],
      [{ utr: '12345' }, 'utr'],
      [{ utr: undefined }, 'utr'],
      [{ utr: `412345678901${' '.repeat(190)}<script>alert(1)</script>` }, 'utr'],
      [{ payerName: '12345' }, 'payerName'],
      [{ payerName: undefined }, 'payerName'],
      [{ meta: { planId: 'not-an-id' } }, 'meta.planId'],
    ]

    for (const [change, field] of bad) {
      const { status, body } = await as(user).post('/payments/add-money', { ...good, ...change })
      expect([status, body.code, Object.keys(body.fields as object)], JSON.stringify(change)).toEqual([
        400,
        'INVALID_INPUT',
        [field],
      ])
    }
    expect((await as(user).get('/payments/mine')).body).toEqual([])
    expect((await as(user).post('/payments/add-money', { ...good, meta: null })).status).toBe(201)
    await db.run(sql`update settings set payment_enabled = false`)
    expect((await as(user).post('/payments/add-money', good)).body.code).toBe('PAYMENTS_OFF')
  }))

test('one buyer sees nothing of another', () =>
  withPayments(async ({ db, as }) => {
    const [ravi, asha] = [await givenUser(db), await givenUser(db)]
    await as(ravi).post('/payments/add-money', { amount: 100, utr: '412345678901', payerName: '9876543210' })

    expect((await as(asha).get('/payments/mine')).body).toEqual([])
    expect((await as(asha).get('/payments')).body.code).toBe('ADMIN_REQUIRED')
    expect((await as(asha).get('/payments/topup-plans')).status).toBe(403)
  }))

test('plans: made, changed in part, switched off, deleted', () =>
  withPayments(async ({ db, as, admin }) => {
    const user = await givenUser(db)

    const large = await admin.post('/payments/topup-plans', { amount: '1000', bonus: 1200.5, isActive: true })
    const small = await admin.post('/payments/topup-plans', { amount: 500, bonus: 600 })
    expect(large).toEqual({
      status: 201,
      body: { _id: expect.any(String) as string, amount: 1000, bonus: 1200.5, isActive: true },
    })
    expect((await as(user).get('/payments/topup-plans/active')).body).toEqual([small.body, large.body])

    const path = `/payments/topup-plans/${large.body._id as string}`
    expect((await admin.put(path, { isActive: false })).body).toEqual({ ...large.body, isActive: false })
    expect((await as(user).get('/payments/topup-plans/active')).body).toEqual([small.body])
    expect((await admin.put(path, { amount: 100, isActive: true })).body).toEqual({ ...large.body, amount: 100 })
    expect((await admin.get('/payments/topup-plans')).body).toEqual([{ ...large.body, amount: 100 }, small.body])

    expect((await admin.delete(path)).status).toBe(200)
    expect((await admin.delete(path)).status).toBe(404)
    expect((await admin.put(path, { isActive: true })).status).toBe(404)
    expect((await admin.get('/payments/topup-plans')).body).toEqual([small.body])
    for (const bad of [
      { amount: 0, bonus: 5 },
      { amount: 5, bonus: 0.5 },
      { amount: 5 },
      { amount: 5, bonus: 5, isActive: 'maybe' },
    ])
      expect((await admin.post('/payments/topup-plans', bad)).status, JSON.stringify(bad)).toBe(400)
  }))

test('the list is one of all kinds, newest first, in pages', () =>
  withPayments(async ({ db, admin }) => {
    const user = await givenUser(db)
    const product = await givenProduct(db)
    const ids = [
      await givenTopUp(db, user, { minutes: 1 }),
      await givenOrder(db, user, product, 2),
      await givenAdjustment(db, user, 50_00, 3),
      await givenAdjustment(db, user, -20_00, 4),
      await givenTopUp(db, user, { minutes: 5, status: 'rejected' }),
      await givenTopUp(db, user, { minutes: 5 }),
    ].toReversed()

    const { body } = await admin.get('/payments')

    expect(body.total).toBe(6)
    expect(idsOf(body)).toEqual(ids)
    expect(body.payments[2]).toMatchObject({
      type: 'deduct_money',
      status: 'approved',
      amount: 20,
      utr: '',
      payerName: '',
    })
    expect(body.payments[3]).toMatchObject({
      type: 'add_money',
      status: 'approved',
      amount: 50,
      utr: '',
      payerName: '',
    })
    expect(body.payments[4]).toMatchObject({
      type: 'buy_key',
      status: 'approved',
      amount: 200,
      duration: product.duration,
      productId: { _id: product.productId, name: 'As sold' },
    })
    const pages = await Promise.all([0, 2, 4, 6].map((skip) => admin.get(`/payments?limit=2&skip=${skip}`)))
    expect(pages.flatMap((page) => idsOf(page.body))).toEqual(ids)
    expect(pages.map((page) => page.body.total as number)).toEqual([6, 6, 6, 6])
    expect((await admin.get('/payments?skip=1000')).body).toEqual({ payments: [], total: 6 })

    const of = async (query: string) => idsOf((await admin.get(`/payments?${query}`)).body)
    const picked = (...places: number[]) => places.map((place) => ids[place])
    expect(await of('status=pending')).toEqual(picked(0, 5))
    expect(await of('status=rejected')).toEqual(picked(1))
    expect(await of('status=approved')).toEqual(picked(2, 3, 4))
    expect(await of('type=add_money')).toEqual(picked(0, 1, 3, 5))
    expect(await of('type=deduct_money')).toEqual(picked(2))
    expect(await of('type=buy_key')).toEqual(picked(4))
    expect(await of('type=topup')).toEqual([])
    expect(await of('type=buy_key&status=pending')).toEqual([])
    expect((await admin.get('/payments?status=odd')).status).toBe(400)
    expect((await admin.get('/payments?limit=-1')).status).toBe(400)

    for (const id of [ids[2], ids[4]]) expect((await admin.delete(`/payments/${id}`)).status).toBe(200)
    for (const id of picked(3)) expect((await admin.put(`/payments/${id}/approve`)).body.code).toBe('NOT_PENDING')
    expect(await of('')).toEqual(picked(0, 1, 3, 5))
    expect((await listUserPayments(db, user)).map((payment) => payment._id)).toEqual(picked(0, 1, 3, 5))
  }))

test('the queue can be had oldest first, from either end, also when it is searched', () =>
  withPayments(async ({ db, admin }) => {
    const user = await givenUser(db)
    await givenTopUp(db, user, { minutes: 0, status: 'approved' })
    const ids: string[] = []
    for (const minutes of [1, 2, 3, 4, 5]) ids.push(await givenTopUp(db, user, { minutes, phone: '8111111111' }))
    const page = async (query: string) => idsOf((await admin.get(`/payments?status=pending&order=oldest${query}`)).body)

    expect(await page('')).toEqual(ids)
    expect(await page('&limit=2')).toEqual(ids.slice(0, 2))
    expect(await page('&limit=2&skip=2')).toEqual(ids.slice(2, 4))
    expect(await page('&limit=2&skip=4')).toEqual(ids.slice(4))
    expect(await page('&limit=2&skip=6')).toEqual([])
    expect(await page('&search=8111')).toEqual(ids)
    expect(idsOf((await admin.get('/payments?status=pending&order=newest')).body)).toEqual(ids.toReversed())
    expect((await admin.get('/payments?order=random')).status).toBe(400)
  }))

test('what was decided on one day is what its figures are made of', () =>
  withPayments(async ({ db, as, admin }) => {
    const user = await givenUser(db)
    await givenOrder(db, user, await givenProduct(db), 1)
    const sent = { amount: 5, payerName: '9876543210' }
    const ids: string[] = []
    for (const utr of ['412345678901', '412345678902', '412345678903'])
      ids.push((await as(user).post('/payments/add-money', { ...sent, utr })).body.payment._id)
    await admin.put(`/payments/${ids[0]}/approve`)
    await admin.put(`/payments/${ids[1]}/reject`)
    const of = async (query: string) => idsOf((await admin.get(`/payments?${query}`)).body)

    expect(await of('decidedOn=2026-11-20&order=oldest')).toEqual(ids.slice(0, 2))
    expect(await of('decidedOn=2026-11-20&status=approved')).toEqual(ids.slice(0, 1))
    expect(await of('decidedOn=2026-11-19')).toEqual([])
    for (const bad of ['yesterday', '2026-13-01', '2026-11-20T00:00:00Z'])
      expect((await admin.get(`/payments?decidedOn=${bad}`)).status, bad).toBe(400)
  }))

test('a list of one source has what the counters of the dashboard count', () =>
  withPayments(async ({ db, admin }) => {
    const user = await givenUser(db)
    const order = await givenOrder(db, user, await givenProduct(db), 1)
    const pending = await givenTopUp(db, user, { minutes: 1 })
    const approved = await givenTopUp(db, user, { minutes: 2, status: 'approved' })
    const hidden = await givenTopUp(db, user, { minutes: 3, status: 'approved' })
    await admin.delete(`/payments/${hidden}`)
    await givenAdjustment(db, user, 5_00, 4)
    const list = async (query: string) => (await admin.get(`/payments?${query}`)).body
    const { totalPayments, approvedPayments, pendingPayments } = await countStore(db)

    expect(await list('source=request')).toMatchObject({ total: totalPayments })
    expect(await list('source=request&status=approved')).toMatchObject({ total: approvedPayments })
    expect(await list('source=request&status=pending')).toMatchObject({ total: pendingPayments })
    expect(idsOf(await list('source=request')).toSorted()).toEqual([pending, approved].toSorted())
    expect(idsOf(await list('source=order'))).toEqual([order])
    expect(await list('source=adjustment')).toMatchObject({ total: 1, payments: [{ type: 'add_money', amount: 5 }] })
    expect(await list('source=adjustment&status=pending')).toMatchObject({ total: 0 })
    expect(await list('')).toMatchObject({ total: 4 })
    expect((await admin.get('/payments?source=elsewhere')).status).toBe(400)
  }))

test('a removed approval is found by its id, because it can be taken back, and a removed request is not', () =>
  withPayments(async ({ db, admin }) => {
    const user = await givenUser(db)
    const approved = await givenTopUp(db, user, { minutes: 1, status: 'approved' })
    const pending = await givenTopUp(db, user, { minutes: 2 })
    for (const id of [approved, pending]) await admin.delete(`/payments/${id}`)

    expect(idsOf((await admin.get(`/payments?id=${approved}`)).body)).toEqual([approved])
    expect(idsOf((await admin.get(`/payments?id=${pending}`)).body)).toEqual([])
    expect(idsOf((await admin.get('/payments')).body)).toEqual([])
  }))

test('signs of trouble stand beside what waits, and beside nothing else', () =>
  withPayments(async ({ db, admin }) => {
    const [ravi, asha, gone] = [await givenUser(db), await givenUser(db), await givenUser(db)]
    const { username: hers } = await nameOf(db, asha)
    await db.run(sql`update users set deleted_at = ${NOW} where id = ${gone}`)
    const [shared, own, utr] = ['9000000001', '9000000002', '412345678901']
    // Lies on the day before, in India and in UTC
    await givenTopUp(db, ravi, { minutes: -24 * 60, status: 'rejected', utr, phone: own })
    const first = await givenTopUp(db, ravi, { minutes: 1, status: 'rejected', phone: own })
    const second = await givenTopUp(db, ravi, { minutes: 2, utr, phone: shared })
    const third = await givenTopUp(db, ravi, { minutes: 3, phone: own })
    await givenTopUp(db, asha, { minutes: 4, status: 'approved', phone: shared })
    const next = await givenTopUp(db, asha, { minutes: 5, phone: shared })
    await givenTopUp(db, gone, { minutes: 6, status: 'rejected', phone: own })
    const signs = async () => {
      const { payments: rows } = (await admin.get('/payments?limit=100')).body as { payments: Payment[] }
      return new Map(rows.map((row) => [row._id, row.signs]))
    }

    const found = await signs()

    expect(found.get(first)).toBeUndefined()
    expect(found.get(second)).toEqual({
      utrRejectedBefore: true,
      phoneUsedBy: [hers],
      requestOfDay: 2,
      isFirstTopUp: true,
    })
    expect(found.get(third)).toEqual({ utrRejectedBefore: false, phoneUsedBy: [], requestOfDay: 3, isFirstTopUp: true })
    expect(found.get(next)).toEqual({
      utrRejectedBefore: false,
      phoneUsedBy: [(await nameOf(db, ravi)).username],
      requestOfDay: 2,
      isFirstTopUp: false,
    })
    // Shows the same rows without signs in an admin's other lists of the buyer
    expect((await listUserPayments(db, ravi)).every((row) => row.signs === undefined)).toBe(true)
  }))

test('the search finds a part of a username, an e-mail, a UTR or a phone, as it is written', () =>
  withPayments(async ({ db, admin }) => {
    const [ravi, asha, gone] = [await givenUser(db), await givenUser(db), await givenUser(db)]
    await db.run(sql`update users set username = 'Ravi_K', email = 'ravi.k@Mail.example' where id = ${ravi}`)
    await db.run(sql`update users set username = 'asha100', email = 'asha@post.example' where id = ${asha}`)
    await db.run(sql`update users set username = 'closed-ravi', deleted_at = ${NOW} where id = ${gone}`)
    const product = await givenProduct(db)
    const his = await givenTopUp(db, ravi, { minutes: 1, utr: '412345678901', phone: '9876543210' })
    const order = await givenOrder(db, ravi, product, 2)
    const added = await givenAdjustment(db, ravi, 10_00, 3)
    const hers = await givenTopUp(db, asha, { minutes: 4, utr: 'HDFCR52026112012345678', phone: '9123456789' })
    const nobodys = await givenTopUp(db, gone, { minutes: 5, utr: '555555555555', phone: '9000000000' })

    const found = async (search: string, rest = '') => {
      const { body } = await admin.get(`/payments?search=${encodeURIComponent(search)}${rest}`)
      expect(body.total).toBe(idsOf(body).length)
      return idsOf(body)
    }
    expect(await found('RAVI')).toEqual([added, order, his])
    expect(await found('mail.EXAMPLE')).toEqual([added, order, his])
    expect(await found('_')).toEqual([added, order, his])
    expect(await found('%')).toEqual([])
    expect(await found('4567')).toEqual([hers, his])
    expect(await found('412345678901')).toEqual([his])
    expect(await found('4123 4567 8901')).toEqual([his])
    expect(await found('hdfcr')).toEqual([hers])
    expect(await found('+91 91234 56789')).toEqual([hers])
    expect(await found('+91 91234')).toEqual([hers])
    expect(await found('987654')).toEqual([his])
    expect(await found('asha100')).toEqual([hers])
    expect(await found('5555')).toEqual([nobodys])
    expect(await found("'; drop table users; --")).toEqual([])
    expect(await found('ravi', '&type=buy_key')).toEqual([order])
    expect(await found('ravi', '&status=pending')).toEqual([his])
    const { body } = await admin.get('/payments?search=ravi&limit=1&skip=1')
    expect([idsOf(body), body.total]).toEqual([[order], 3])
    expect((await admin.get('/payments?search=5555')).body.payments[0].userId).toMatchObject({
      username: 'closed-ravi',
    })
  }))

interface Answer {
  status: number
  body: any // oxlint-disable-line typescript/no-explicit-any -- a test looks at answers of every shape
}

interface Visitor {
  get(path: string): Promise<Answer>
  post(path: string, body?: unknown): Promise<Answer>
  put(path: string, body?: unknown): Promise<Answer>
  delete(path: string): Promise<Answer>
}

/** Opens the payment calls on real HTTP. A visitor's cookie is their id. */
async function withPayments(
  work: (world: { db: Database; as(userId: string): Visitor; admin: Visitor }) => Promise<void>,
): Promise<void> {
  await withDatabase(async (db) => {
    const clock = manualClock(TEST_NOW)
    const http = await createHttp({
      api: { payments: api.payments },
      handlers: {
        payments: paymentRoutes({
          db,
          clock,
          sealer: TEST_SEALER,
          events: { publish: () => {}, subscribe: () => () => {} },
          metrics: createMetrics(),
          limits: rateLimits(db, 1_000),
          ended: new AbortController().signal,
        }),
      },
      clock,
      log: pino({ level: 'silent' }),
      cache: createSnapshotCache(db),
      async authenticate(cookies) {
        const session = { username: 'someone', sessionHash: Buffer.alloc(32) }
        const [user, admin] = [cookies.read('chaabi_session'), cookies.read('chaabi_admin')]
        return {
          user: user ? { id: user, ...session } : null,
          admin: admin ? { id: admin, ...session, ...OWNER_STANDING } : null,
        }
      },
      limit: async () => ({ settle: async () => {}, isKnown: false }),
      secure: false,
      trustProxy: false,
      strict: true,
    })
    const adminId = newId()
    await db.run(sql`
      insert into admins (id, username, password_hash, created_at) values (${adminId}, 'owner', 'none', ${NOW})`)
    await ensureSettings(db)
    const url = await http.listen({ port: 0, host: '127.0.0.1' })
    const visitor = (cookie: string): Visitor => {
      const call = (method: string) => async (path: string, body?: unknown) => {
        const answer = await fetch(`${url}/api${path}`, {
          method,
          headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        return { status: answer.status, body: await answer.json() }
      }
      return { get: call('GET'), post: call('POST'), put: call('PUT'), delete: call('DELETE') }
    }
    try {
      await work({ db, as: (id) => visitor(`chaabi_session=${id}`), admin: visitor(`chaabi_admin=${adminId}`) })
    } finally {
      await http.close()
    }
  })
}

function idsOf(body: { payments: { _id: string }[] }): string[] {
  return body.payments.map((payment) => payment._id)
}

function nameOf(db: Database, id: string) {
  return db.one(
    sql(z.object({ username: z.string(), email: z.string() }))`select username, email from users where id = ${id}`,
  )
}

const after = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000)

let utrs = 0

async function givenTopUp(
  db: Database,
  userId: string,
  {
    minutes,
    status = 'pending',
    utr = String(400_000_000_000 + utrs++),
    phone = '8000000000',
  }: { minutes: number; status?: string; utr?: string; phone?: string },
): Promise<string> {
  const id = newId()
  await db.run(sql`
    insert into topup_requests (id, user_id, amount_paise, credit_paise, utr, phone, status, decided_at, created_at)
    values (${id}, ${userId}, 10000, 10000, ${utr}, ${phone}, ${status}, ${status === 'pending' ? null : NOW},
            ${after(minutes)})`)
  return id
}

async function givenOrder(db: Database, userId: string, product: GivenProduct, minutes: number): Promise<string> {
  const id = newId(after(minutes))
  await db.run(sql`
    insert into orders (id, user_id, product_id, price_id, product_name, product_description, duration, quantity,
                        unit_paise, amount_paise, created_at)
    values (${id}, ${userId}, ${product.productId}, ${product.priceId}, 'As sold', '', ${product.duration}, 2,
            10000, 20000, ${after(minutes)})`)
  return id
}

/** Posts an admin's addition, or below zero a deduction, in paise. */
function givenAdjustment(db: Database, userId: string, amount: number, minutes: number): Promise<string> {
  const now = after(minutes)
  return db.transaction(async (tx) => {
    await lockWallet(tx, userId, now)
    const cause = { userId, amount: paise(Math.abs(amount)), description: 'By hand', now }
    return amount > 0
      ? credit(tx, { ...cause, allowance: allowedBefore(cause.amount), kind: 'admin_credit', expiresAt: null })
      : debit(tx, { ...cause, kind: 'admin_debit', endsAt: null })
  })
}
