import { expect, test } from 'vitest'
import { TEST_NOW } from '../../test/worlds/constants.ts'
import { balanceOf, givenUser } from '../../test/worlds/given.ts'
import { nameOf, withPayments } from '../../test/worlds/payment-calls.ts'
import { sql } from '../platform/database/database.ts'

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
      [{ utr: `${' '.repeat(190)}<script>alert(1)</script>` }, 'utr'],
      [{ utr: '412345678901 or 412345678902' }, 'utr'],
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
