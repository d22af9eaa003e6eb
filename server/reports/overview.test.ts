import { describe, expect, test } from 'vitest'
import { withDatabase } from '../../test/database.ts'
import { givenCredit, givenProduct, givenStock, givenUser } from '../../test/worlds/given.ts'
import { givenAdminCall, servicesOf } from '../../test/services.ts'
import { TEST_NOW, unique } from '../../test/worlds/constants.ts'
import { openOrderBatcher } from '../orders/place-order.ts'
import { paise } from '../../contract/money.ts'
import { DAY_MS } from '../../contract/time.ts'
import { approveTopUp } from '../payments/decide-top-up.ts'
import { sql, type Database } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { createReferral } from '../referrals/save-referral.ts'
import { markGuideStep, saveStore, saveUpi } from '../settings/save-settings.ts'
import { countStore } from './count-store.ts'
import { listAudit } from '../audit/list-audit.ts'
import { readOverview } from './overview.ts'
import { audit } from '../audit/audit.ts'

/** 20 November 2026, 21:14 in India. */
const NOW = new Date(TEST_NOW)
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS)

async function givenTopUp(
  db: Database,
  { rupees = 100, credit = rupees, createdAt = NOW }: { rupees?: number; credit?: number; createdAt?: Date } = {},
): Promise<string> {
  const id = newId()
  await db.run(sql`
    insert into topup_requests (id, user_id, amount_paise, credit_paise, utr, phone, created_at)
    values (${id}, ${await givenUser(db)}, ${rupees * 100}, ${credit * 100}, ${unique('')}, '9876543210',
            ${createdAt})`)
  return id
}

async function approve(db: Database, id: string, now = NOW): Promise<void> {
  await approveTopUp(servicesOf(db), id, { ...(await givenAdminCall(db)), now })
}

describe('the overview', () => {
  test('of an empty store is all zeros', () =>
    withDatabase(async (db) => {
      const overview = await readOverview(db, { days: 3 }, NOW)

      const none = { sales: 0, topUps: 0, orders: 0 }
      expect(overview).toEqual({
        pending: { count: 0, oldestAt: null, amount: 0 },
        today: { ...none, signups: 0 },
        yesterday: { ...none, signups: 0 },
        days: [
          { day: '2026-11-18', ...none },
          { day: '2026-11-19', ...none },
          { day: '2026-11-20', ...none },
        ],
        bestSellers: [],
        runningOut: [],
        stock: [],
        held: { count: 0, amount: 0, since: null },
        heldInWallets: 0,
        lapsingIn30Days: 0,
        firstSteps: {
          name: false,
          upiId: false,
          product: false,
          keys: false,
          referralCode: false,
          supportLink: false,
        },
      })
    }))

  test('says what a new store has done before its first sale, and nothing of it after that', () =>
    withDatabase(async (db) => {
      const firstSteps = async () => (await readOverview(db, {}, NOW)).firstSteps
      const { productId, priceId, duration } = await givenProduct(db, { price: 10 })
      expect(await firstSteps()).toEqual({
        name: false,
        upiId: false,
        product: true,
        keys: false,
        referralCode: false,
        supportLink: false,
      })

      await db.run(sql`update products set deleted_at = ${NOW}`)
      expect(await firstSteps()).toMatchObject({ product: false })
      await db.run(sql`update products set deleted_at = null`)

      await givenStock(db, priceId, 1)
      const by = await givenAdminCall(db)
      await saveUpi(servicesOf(db), { upiId: 'shop@okaxis' }, by)
      const code = {
        code: 'FIRST',
        description: 'For friends',
        maxUsage: 1,
        rewardAmount: paise(0),
        isActive: true,
        paysAfterTopUp: false,
        dayMax: null,
      }
      await createReferral(db, code, by)
      await markGuideStep(servicesOf(db), { step: 'name', state: 'skipped' }, by)
      const done = { name: true, upiId: true, product: true, keys: true, referralCode: true }
      expect(await firstSteps()).toEqual({ ...done, supportLink: false })
      await saveStore(servicesOf(db), { supportUrl: 'https://chat.example/shop' }, by)
      expect(await firstSteps()).toEqual({ ...done, supportLink: true })

      await db.run(sql`update referral_codes set usage_count = 1`)
      expect(await firstSteps()).toMatchObject({ referralCode: false })

      const buyerId = await givenUser(db, { balance: 10 })
      await openOrderBatcher({ db }).place({ buyerId, productId, duration, quantity: 1, idempotency: undefined }, NOW)
      expect(await firstSteps()).toBeNull()
    }))

  test('puts sales and top-ups on their Indian days', () =>
    withDatabase(async (db) => {
      const buyer = await givenUser(db, { balance: 1_000 })
      const { productId, duration } = await givenProduct(db, { price: 100.5, stock: 10 })
      const batcher = openOrderBatcher({ db })
      const order = { buyerId: buyer, productId, duration, quantity: 2, idempotency: undefined }
      // Orders at 23:59:59 on the 19th and 00:00 on the 20th in India: one second apart, on two days
      await batcher.place(order, new Date('2026-11-19T18:29:59.000Z'))
      await batcher.place({ ...order, quantity: 1 }, new Date('2026-11-19T18:30:00.000Z'))
      await approve(db, await givenTopUp(db, { rupees: 500, credit: 600 }))

      const { today, yesterday, days } = await readOverview(db, { days: 2 }, NOW)

      expect(today).toMatchObject({ sales: 100.5, orders: 1, topUps: 500 })
      expect(yesterday).toMatchObject({ sales: 201, orders: 1, topUps: 0 })
      expect(days.map(({ day, sales }) => [day, sales])).toEqual([
        ['2026-11-19', 201],
        ['2026-11-20', 100.5],
      ])
      expect((await readOverview(db, { days: 1 }, NOW)).yesterday.sales).toBe(201)
    }))

  test('names what sells best in the days asked for', () =>
    withDatabase(async (db) => {
      const buyer = await givenUser(db, { balance: 5_000 })
      const [cheap, dear, old] = [
        await givenProduct(db, { price: 10, stock: 9 }),
        await givenProduct(db, { price: 500, stock: 9 }),
        await givenProduct(db, { price: 900, stock: 9 }),
      ]
      const batcher = openOrderBatcher({ db })
      const buy = ({ productId, duration }: typeof cheap, quantity: number, at = NOW) =>
        batcher.place({ buyerId: buyer, productId, duration, quantity, idempotency: undefined }, at)
      await buy(cheap, 5)
      await buy(dear, 1)
      await buy(old, 1, daysAgo(9))

      const { bestSellers } = await readOverview(db, { days: 7 }, NOW)

      expect(bestSellers.map(({ productId, quantity, revenue }) => [productId, quantity, revenue])).toEqual([
        [dear.productId, 1, 500],
        [cheap.productId, 5, 50],
      ])
    }))

  test('says what is running out by the forecast, soonest first, and no days after a single sale', () =>
    withDatabase(async (db) => {
      const buyer = await givenUser(db, { balance: 5_000 })
      const [fast, slow, unsold, plenty] = [
        await givenProduct(db, { price: 1, stock: 40 }),
        await givenProduct(db, { price: 1, stock: 5 }),
        await givenProduct(db, { price: 1, stock: 0 }),
        await givenProduct(db, { price: 1, stock: 40 }),
      ]
      const batcher = openOrderBatcher({ db })
      const buy = ({ productId, duration }: typeof fast, quantity: number, at: Date) =>
        batcher.place({ buyerId: buyer, productId, duration, quantity, idempotency: undefined }, at)
      await buy(fast, 28, daysAgo(2))
      await buy(slow, 1, daysAgo(13))
      await buy(plenty, 20, daysAgo(15))

      const { runningOut } = await readOverview(db, {}, NOW)

      expect(runningOut.map(({ productId, available, daysLeft }) => [productId, available, daysLeft])).toEqual([
        [fast.productId, 12, 3],
        [slow.productId, 4, null],
        [unsold.productId, 0, null],
      ])
    }))

  test('counts the queue without what was taken out of the lists', () =>
    withDatabase(async (db) => {
      await givenTopUp(db, { rupees: 300, createdAt: daysAgo(1) })
      await givenTopUp(db, { rupees: 200 })
      const hidden = await givenTopUp(db, { createdAt: daysAgo(3) })
      await approve(db, await givenTopUp(db))
      const { admin } = await givenAdminCall(db)
      await db.run(sql`insert into hidden_payments values (${hidden}, ${admin.id}, ${NOW})`)

      const { pending } = await readOverview(db, {}, NOW)

      expect(pending).toEqual({ count: 2, oldestAt: daysAgo(1).toISOString(), amount: 500 })
      expect(await countStore(db)).toEqual({
        totalUsers: 4,
        totalProducts: 0,
        totalPayments: 3,
        pendingPayments: 2,
        approvedPayments: 1,
      })
    }))

  test('counts money that has lapsed no more, before the lapse is posted', () =>
    withDatabase(async (db) => {
      const user = await givenUser(db, { balance: 100 })
      await givenCredit(db, user, { rupees: 50, expiresAt: new Date(NOW.getTime() + 5 * DAY_MS) })
      await givenCredit(db, user, { rupees: 20, expiresAt: new Date(NOW.getTime() + 40 * DAY_MS) })

      expect(await readOverview(db, {}, NOW)).toMatchObject({ heldInWallets: 170, lapsingIn30Days: 50 })
      const later = new Date(NOW.getTime() + 6 * DAY_MS)
      expect(await readOverview(db, {}, later)).toMatchObject({ heldInWallets: 120, lapsingIn30Days: 0 })
    }))
})

describe('the audit log', () => {
  async function givenEntries(db: Database, count: number) {
    const by = await givenAdminCall(db)
    for (let n = 0; n < count; n++) {
      await db.transaction((tx) =>
        audit(tx, by, {
          action: n % 2 === 0 ? 'payment.approve' : 'product.update',
          subject: `Thing ${n} 100%`,
          after: { n },
        }),
      )
    }
    return by
  }

  test('is read newest first, in pages that follow one another', () =>
    withDatabase(async (db) => {
      const by = await givenEntries(db, 5)

      const { entries: first } = await listAudit(db, { limit: 2 })
      const { entries: rest } = await listAudit(db, { before: first[1]?._id })

      expect([...first, ...rest].map(({ after }) => after)).toEqual([4, 3, 2, 1, 0].map((n) => ({ n })))
      expect(first[0]).toMatchObject({ admin: by.admin.username, at: TEST_NOW, before: null, from: '127.0.0.1, test' })
    }))

  test('is searched by action, by all that is done to one kind of thing, and by text taken as it is', () =>
    withDatabase(async (db) => {
      await givenEntries(db, 4)
      const found = async (search: Parameters<typeof listAudit>[1]) =>
        (await listAudit(db, search)).entries.map(({ after }) => (after as { n: number }).n)

      expect(await found({ action: 'payment.approve' })).toEqual([2, 0])
      expect(await found({ action: 'product' })).toEqual([3, 1])
      expect(await found({ action: 'prod' })).toEqual([])
      expect(await found({ search: 'THING 1' })).toEqual([1])
      expect(await found({ search: '100%' })).toEqual([3, 2, 1, 0])
      expect(await found({ search: '1%0' })).toEqual([])
    }))
})
