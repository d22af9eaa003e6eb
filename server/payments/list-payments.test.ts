import { expect, test } from 'vitest'
import type { PaymentBank } from '../../contract/payment-signs.ts'
import type { Payment } from '../../contract/payments.ts'
import { paise, type Paise } from '../../contract/money.ts'
import { TEST_NOW } from '../../test/worlds/constants.ts'
import { givenProduct, givenUser, type GivenProduct } from '../../test/worlds/given.ts'
import { nameOf, withPayments } from '../../test/worlds/payment-calls.ts'
import { sql, type Database } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { countStore } from '../reports/count-store.ts'
import { allowedBefore } from '../wallet/allowance.ts'
import { credit } from '../wallet/credit.ts'
import { debit } from '../wallet/debit.ts'
import { lockWallet } from '../wallet/ledger.ts'
import { listPayments, listUserPayments } from './list-payments.ts'

const NOW = new Date(TEST_NOW)

test('a search that means more buyers than are looked up one by one has the same pages as the list', () =>
  withPayments(async ({ db, admin }) => {
    const product = await givenProduct(db)
    const [one, other] = [await givenUser(db), await givenUser(db)]
    for (let minutes = 1; minutes <= 4; minutes++) {
      await givenOrder(db, minutes % 2 ? one : other, product, 3 * minutes)
      await givenTopUp(db, one, { minutes: 3 * minutes + 1 })
      await givenAdjustment(db, other, 50_00, 3 * minutes + 2)
    }
    await db.run(sql`
      insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
      select gen_random_uuid(), 'crowd' || n, 'crowd' || n || '@example.in', '', '', ${NOW}, ${NOW}
        from generate_series(1, 400) n`)
    await db.run(
      sql`update users set email = 'named' || left(id::text, 30) || '@example.in' where username not like 'crowd%'`,
    )

    const all = idsOf((await admin.get('/payments?limit=20')).body)
    expect(all).toHaveLength(12)
    const pages = await Promise.all(
      [0, 5, 10].map((skip) => admin.get(`/payments?search=example.in&limit=5&skip=${skip}`)),
    )
    expect(pages.flatMap((page) => idsOf(page.body))).toEqual(all)
    expect(pages.map((page) => page.body.total as number)).toEqual([12, 12, 12])
    const behind = await admin.get(`/payments?search=example.in&limit=5&after=${all[4]}`)
    expect(idsOf(behind.body)).toEqual(all.slice(5, 10))
    expect((await admin.get('/payments?search=crowd')).body).toEqual({ payments: [], total: 0 })
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

test('pages behind and before a row hold each payment once, also orders whose ids are off', () =>
  withPayments(async ({ db, admin }) => {
    const user = await givenUser(db)
    const product = await givenProduct(db)
    const all: { id: string; minutes: number; source: string }[] = []
    const keep = (id: string, minutes: number, source: string) => void all.push({ id, minutes, source })
    // Of each moment up to three, and each order's id off by up to a minute as those from before migration 48
    for (let n = 0; n < 45; n++) {
      const minutes = Math.floor(n / 3) / 3
      if (n % 3 === 0) keep(await givenTopUp(db, user, { minutes }), minutes, 'request')
      else if (n % 7 === 1) keep(await givenAdjustment(db, user, 5_00, minutes), minutes, 'adjustment')
      else keep(await givenOrder(db, user, product, minutes, ((n * 37) % 119) / 60 - 0.99), minutes, 'order')
    }
    const oldest = all.toSorted((a, b) => a.minutes - b.minutes || (a.id < b.id ? -1 : 1))
    const page = async (query: string) => idsOf((await admin.get(`/payments?${query}`)).body)
    /** Every page, from the first to the last and back. */
    const walk = async (query: string, limit: number) => {
      const pages = [await page(`${query}&limit=${limit}`)]
      for (;;) {
        const next = await page(`${query}&limit=${limit}&after=${pages.at(-1)?.at(-1)}`)
        if (next.length === 0) break
        pages.push(next)
      }
      const back = [pages.at(-1) ?? []]
      while (back.length < pages.length) back.unshift(await page(`${query}&limit=${limit}&before=${back[0]?.[0]}`))
      expect(back, query).toEqual(pages)
      return pages.flat()
    }

    const { username } = await nameOf(db, user)
    for (const [filter, order, limit] of [
      ['', 'oldest', 7],
      ['', 'newest', 4],
      ['source=order', 'oldest', 4],
      ['source=order', 'newest', 2],
      [`search=${username}`, 'newest', 9],
    ] as const) {
      const wanted = oldest.filter(({ source }) => filter !== 'source=order' || source === 'order')
      const ids = (order === 'oldest' ? wanted : wanted.toReversed()).map(({ id }) => id)
      expect(await walk(`${filter}&order=${order}`, limit), `${filter} ${order}`).toEqual(ids)
    }

    const [, , third = '', fourth = ''] = oldest.toReversed().map(({ id }) => id)
    const added = await givenTopUp(db, user, { minutes: 99 })
    expect(await page(`limit=1&skip=50&after=${third}`), 'the row counts, not the place').toEqual([fourth])
    expect(await page(`limit=1&skip=0&after=${newId()}`), 'a row that nobody keeps leaves the place').toEqual([added])
    await admin.delete(`/payments/${third}`)
    expect(await page(`limit=1&after=${third}`), 'a removed row keeps its place').toEqual([fourth])
    expect((await admin.get(`/payments?limit=1&after=${third}`)).body.total).toBe(all.length)
    expect((await admin.get('/payments?after=1')).status).toBe(400)
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
    expect(idsOf((await admin.get('/payments?limit=20')).body)).toEqual([])
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
    await db.run(sql`update users set username = 'deleted-0f1e', deleted_at = ${NOW} where id = ${gone}`)
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
      username: 'deleted-0f1e',
    })
  }))

function idsOf(body: { payments: { _id: string }[] }): string[] {
  return body.payments.map((payment) => payment._id)
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
    amount = paise(100_00),
  }: { minutes: number; status?: string; utr?: string; phone?: string; amount?: Paise },
): Promise<string> {
  const id = newId()
  await db.run(sql`
    insert into topup_requests (id, user_id, amount_paise, credit_paise, utr, phone, status, decided_at, created_at)
    values (${id}, ${userId}, ${amount}, ${amount}, ${utr}, ${phone}, ${status}, ${status === 'pending' ? null : NOW},
            ${after(minutes)})`)
  return id
}

/** @param off how far the moment that the id carries is behind the order's own, in minutes */
async function givenOrder(
  db: Database,
  userId: string,
  product: GivenProduct,
  minutes: number,
  off = 0,
): Promise<string> {
  const id = newId(after(minutes + off))
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

test('a closed account’s payments are found by the name that the list shows, and by nothing else of it', () =>
  withPayments(async ({ db, admin }) => {
    const user = await givenUser(db)
    await givenTopUp(db, user, { minutes: 1 })
    await db.run(sql`
      update users set username = 'deleted-0123456789ab', email = 'deleted-0123456789ab@invalid', deleted_at = ${NOW}
       where id = ${user}`)
    const totals = ['deleted-0123456789ab', 'DELETED-01', '@invalid'].map(
      async (search) => (await admin.get(`/payments?search=${search}`)).body.total as number,
    )
    expect(await Promise.all(totals)).toEqual([1, 1, 0])
  }))

test('a large request is marked until a statement shows its money', () =>
  withPayments(async ({ db }) => {
    const user = await givenUser(db)
    const large = await givenTopUp(db, user, { minutes: 1, amount: paise(10_000_00) })
    const small = await givenTopUp(db, user, { minutes: 2, amount: paise(9_999_99) })
    const bankOf = (bank?: PaymentBank) => ({
      bankOf: () =>
        Promise.resolve(
          new Map(
            bank
              ? [
                  [large, bank],
                  [small, bank],
                ]
              : [],
          ),
        ),
      confirmed: () => Promise.resolve([]),
    })
    const marked = async (bank?: PaymentBank) =>
      (await listPayments(db, {}, bankOf(bank))).payments.filter((one) => one.large).map(({ _id }) => _id)

    expect(await marked()).toEqual([large])
    expect(await marked({ verdict: 'alert', proof: 'alert' }), 'an alert alone').toEqual([large])
    expect(await marked({ verdict: 'confirmed', proof: 'statement' })).toEqual([])
    await db.run(sql`update settings set careful_above_paise = null`)
    expect(await marked()).toEqual([])
  }))
