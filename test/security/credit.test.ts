/** Everything that turns into credit asks an admin with two-step verification for a new proof (security.md: 7.5.1). */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { MovementKind } from '../../contract/wallet.ts'
import { sql } from '../../server/platform/database/database.ts'
import type { Answer, Browser } from '../store.ts'
import { withStore } from '../store.ts'
import { form } from '../contract/things.ts'
import { unproven } from '../worlds/admins.ts'
import { account, confirmed, credited, rules, statementOf } from '../worlds/bank.ts'
import { unique } from '../worlds/constants.ts'
import { nextUtr, openShop, type Shop } from '../worlds/shop.ts'

/** An admin does something with which `rupees` can become credit, at once or later. */
type Way = (shop: Shop, admin: Browser, rupees: number) => Promise<Answer>

const requested = async (shop: Shop, request: { amount: number; planId?: string }): Promise<string> => {
  const { amount, planId } = request
  const { payment } = await (
    await shop.buyer()
  ).api.payments.addMoney({
    amount,
    utr: nextUtr(),
    payerName: '9876543210',
    ...(planId && { meta: { offer: true, planId } }),
  })
  return payment._id
}

/** A claim for a key of this price, with another one in stock. */
async function reported(shop: Shop, price: number, batch?: { id: string }): Promise<string> {
  const { _id: productId } = await shop.product({ prices: { '10 Days': price } })
  const keys = [unique('K-'), unique('K-')]
  const { batchId = '' } = await shop.owner.api.keys.add({ productId, duration: '10 Days', keys })
  if (batch) batch.id = batchId
  const buyer = await shop.buyer({ balance: price })
  const sold = await buyer.api.orders.place({ productId, duration: '10 Days', quantity: 1 })
  return (await buyer.api.claims.open({ keyId: sold.keys[0]?._id ?? '', reason: 'other' }))._id
}

const reward = (rewardAmount: number, maxUsage: number | '' = 1) => ({
  code: unique('R'),
  description: 'Reward',
  rewardAmount,
  maxUsage,
})

/** Ways that count what they credit. */
const COUNTED: Record<string, Way> = {
  'approve a request': async (shop, admin, rupees) =>
    admin.put(`/payments/${await requested(shop, { amount: rupees })}/approve`),
  'approve a request for a plan': async (shop, admin, rupees) => {
    const { _id: planId } = await shop.owner.api.payments.createPlan({ amount: 1, bonus: rupees })
    return admin.put(`/payments/${await requested(shop, { amount: 1, planId })}/approve`)
  },
  'change a balance': async (shop, admin, rupees) =>
    admin.put(`/admin/users/${(await shop.buyer()).id}/custom-prices`, { balance: rupees }),
  'make redeem codes': (_, admin, rupees) => {
    const [count, amount] = rupees > 10_000 ? [73, 137] : [1, rupees]
    return admin.post('/codes', { name: unique('Codes'), count, amount, codeUntil: '2026-12-20', creditDays: 60 })
  },
  'credit money from the bank': async (shop, admin, rupees) => {
    const { creditId } = await credited(shop, { amount: rupees })
    return admin.post(`/bank/credits/${creditId}/credit`, { userId: (await shop.buyer()).id, reason: 'Asked' })
  },
  'credit what the bank shows instead': async (shop, admin, rupees) => {
    const { id, creditId } = await confirmed(shop, { amount: 1, shown: rupees })
    return admin.put(`/payments/${id}/credit-instead`, { creditId, expectedAmount: rupees })
  },
  'refund a claim': async (shop, admin, rupees) =>
    admin.put(`/claims/${await reported(shop, rupees)}/refund`, { rule: 'full', expected: rupees }),
  'replace a claimed key': async (shop, admin, rupees) =>
    admin.put(`/claims/${await reported(shop, rupees)}/replace`, {}),
  'make a referral code with a reward': (_, admin, rupees) => admin.post('/referral', reward(rupees)),
  'make a referral code with many rewards': (_, admin, rupees) => admin.post('/referral', reward(rupees / 100, 100)),
  'raise a reward': async (shop, admin, rupees) => {
    const { _id } = await shop.owner.api.referrals.create(reward(5))
    return admin.put(`/referral/${_id}`, { rewardAmount: rupees + 5 })
  },
  'make one large reward of small ones': async (shop, admin, rupees) => {
    const { _id } = await shop.owner.api.referrals.create(reward(5, ''))
    return admin.put(`/referral/${_id}`, { rewardAmount: rupees + 5, maxUsage: 1 })
  },
  'allow more uses of a reward': async (shop, admin, rupees) => {
    const { _id } = await shop.owner.api.referrals.create(reward(rupees / 10, 1))
    return admin.put(`/referral/${_id}`, { maxUsage: 11 })
  },
  'switch a reward on': async (shop, admin, rupees) => {
    const { _id } = await shop.owner.api.referrals.create({ ...reward(rupees), isActive: false })
    return admin.put(`/referral/${_id}`, { isActive: true })
  },
}

/** Ways without an end, whatever the amount. */
const ENDLESS: Record<string, Way> = {
  'upload a statement': async (shop, admin, rupees) => {
    const { _id: accountId } = await account(shop)
    return admin.post('/bank/statements', { accountId, text: statementOf([{ amount: rupees }]) })
  },
  'make a reward for any number of sign-ups': (_, admin, rupees) => admin.post('/referral', reward(rupees, '')),
  'lift the limit of uses': async (shop, admin, rupees) => {
    const { _id } = await shop.owner.api.referrals.create(reward(rupees))
    return admin.put(`/referral/${_id}`, { maxUsage: '' })
  },
  'raise a reward without a limit': async (shop, admin, rupees) => {
    const { _id } = await shop.owner.api.referrals.create(reward(1, ''))
    return admin.put(`/referral/${_id}`, { rewardAmount: rupees + 1 })
  },
  'refund the claims of a batch': async (shop, admin, rupees) => {
    const batch = { id: '' }
    await reported(shop, rupees, batch)
    return admin.post(`/keys/batches/${batch.id}/answer`, { do: 'full', answer: 'Sorry' })
  },
  'make a plan with a bonus': (_, admin, rupees) =>
    admin.post('/payments/topup-plans', { amount: 1, bonus: rupees + 1 }),
  'give a plan a larger bonus': async (shop, admin, rupees) => {
    const { _id } = await shop.owner.api.payments.createPlan({ amount: 100, bonus: 110 })
    return admin.put(`/payments/topup-plans/${_id}`, { bonus: rupees + 110 })
  },
  'make a plan cheaper': async (shop, admin, rupees) => {
    const { _id } = await shop.owner.api.payments.createPlan({ amount: rupees + 1, bonus: rupees + 1 })
    return admin.put(`/payments/topup-plans/${_id}`, { amount: 1 })
  },
  'give a plan’s bonus for a smaller payment': async (shop, admin, rupees) => {
    const { _id } = await shop.owner.api.payments.createPlan({ amount: 100, bonus: 100 + rupees })
    return admin.put(`/payments/topup-plans/${_id}`, { amount: 1, bonus: 1 + rupees })
  },
  'offer a plan again': async (shop, admin, rupees) => {
    const plan = { amount: 1, bonus: rupees + 1, isActive: false }
    const { _id } = await shop.owner.api.payments.createPlan(plan)
    return admin.put(`/payments/topup-plans/${_id}`, { isActive: true })
  },
}

/** What only owners may do, always with a proof. */
const BY_OWNERS: Record<string, Way> = {
  'turn invitations on': (_, admin) => admin.put('/settings/invites', { isOn: true }),
  'give more for invitations': (_, admin, rupees) => admin.put('/settings/invites', { reward: 25 + rupees }),
  'give more to one inviter': async (shop, admin, rupees) =>
    admin.put(`/invites/${(await shop.buyer()).id}`, { reward: 25 + rupees }),
}

/** The ways to each kind of transaction; none for a kind that takes away or is posted by nobody's decision. */
const WAYS_TO: Record<MovementKind, readonly string[]> = {
  topup: [
    'approve a request',
    'approve a request for a plan',
    'credit money from the bank',
    'credit what the bank shows instead',
    'upload a statement',
    'make a plan with a bonus',
    'give a plan a larger bonus',
    'give a plan’s bonus for a smaller payment',
    'make a plan cheaper',
    'offer a plan again',
  ],
  admin_credit: ['change a balance', 'make redeem codes'],
  referral_reward: [
    'make a referral code with a reward',
    'make a referral code with many rewards',
    'raise a reward',
    'make one large reward of small ones',
    'allow more uses of a reward',
    'switch a reward on',
    'make a reward for any number of sign-ups',
    'lift the limit of uses',
    'raise a reward without a limit',
    'turn invitations on',
    'give more for invitations',
    'give more to one inviter',
  ],
  // A new key is given where a refund would give its price
  refund: ['replace a claimed key', 'refund a claim', 'refund the claims of a batch'],
  // The amount of an admin's deduction, after its term
  deduction_lapsed: [],
  purchase: [],
  admin_debit: [],
  expiry: [],
  reversal: [],
}

const REFUSED = { status: 403, body: { code: 'STEP_UP_REQUIRED' } }
const TOO_MUCH = { status: 403, body: { code: 'DAY_LIMIT' } }

const inShop = (work: (shop: Shop) => Promise<void>) => withStore(async (store) => work(await openShop(store)))

describe('v5.0.0-7.5.1 a new proof before credit', () => {
  test('has every kind of transaction, and every file that opens credit, named here', () => {
    const all = { ...COUNTED, ...ENDLESS, ...BY_OWNERS }
    expect(Object.values(WAYS_TO).flat().toSorted()).toEqual(Object.keys(all).toSorted())
    expect(Object.keys(WAYS_TO).toSorted()).toEqual(MovementKind.options.toSorted())
    const sources = readdirSync('server', { recursive: true, encoding: 'utf8' })
      .map((file) => `server/${file}`)
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    const using = (what: RegExp) => sources.filter((file) => what.test(readFileSync(file, 'utf8'))).toSorted()
    expect(using(/import \{[^}]*\bcredit(All)?\b[^}]*\} from '[^']*\/credit\.ts'/)).toEqual([
      'server/payments/decide-top-up.ts',
      'server/referrals/invites/pay.ts',
      'server/referrals/rewards.ts',
      'server/users/change-user.ts',
      'server/wallet/redeem-code.ts',
    ])
    expect(using(/\ballowedBefore\b/)).toEqual([
      'server/bank/matching/approve-by-rules.ts',
      'server/referrals/invites/pay.ts',
      'server/referrals/rewards.ts',
      'server/wallet/allowance.ts',
      'server/wallet/redeem-code.ts',
    ])
    expect(using(/\bopens:/)).toEqual(['server/wallet/credit.ts', 'server/wallet/refund.ts'])
    expect(using(/\bas Allowance\b/)).toEqual(['server/wallet/allowance.ts'])
  })

  test.each(Object.entries(COUNTED))('is asked above the day’s sum to %s', (_, way) =>
    inShop(async (shop) => {
      const admin = await unproven(shop, 'payments')
      expect(await way(shop, admin, 10_001)).toMatchObject(REFUSED)
      expect((await way(shop, admin, 10_000)).status, 'exactly the day’s sum').toBeLessThan(300)
      expect(await way(shop, admin, 1), 'and it was counted').toMatchObject(REFUSED)
      await admin.api.admins.stepUp({ password: 'a long owner password' })
      expect((await way(shop, admin, 10_001)).status).toBeLessThan(300)
    }),
  )

  test.each(Object.entries(ENDLESS))('is always asked to %s', (_, way) =>
    inShop(async (shop) => {
      const admin = await unproven(shop, 'payments')
      expect(await way(shop, admin, 1)).toMatchObject(REFUSED)
      await admin.api.admins.stepUp({ password: 'a long owner password' })
      expect((await way(shop, admin, 1)).status).toBeLessThan(300)
    }),
  )

  test.each(Object.entries(BY_OWNERS))('is always asked of an owner to %s', (_, way) =>
    inShop(async (shop) => {
      const admin = await unproven(shop)
      expect(await way(shop, admin, 1)).toMatchObject(REFUSED)
      await admin.api.admins.stepUp({ password: 'a long owner password' })
      expect((await way(shop, admin, 1)).status).toBeLessThan(300)
      expect(await way(shop, await unproven(shop, 'payments'), 1)).toMatchObject({ status: 403 })
    }),
  )

  test('is asked when all ways together come above the day’s sum', () =>
    inShop(async (shop) => {
      const admin = await unproven(shop, 'payments')
      const [first, ...others] = Object.values(COUNTED)
      const each = Math.floor(10_000 / (others.length + 1))
      for (const way of others) expect((await way(shop, admin, each)).status).toBeLessThan(300)
      expect((await first?.(shop, admin, 10_000 - each * others.length))?.status).toBeLessThan(300)
      for (const way of Object.values(COUNTED)) expect(await way(shop, admin, 1)).toMatchObject(REFUSED)
    }))

  test('stops a stolen session that makes a reward of ₹99,99,99,999 for its own sign-up', () =>
    inShop(async (shop) => {
      const thief = await unproven(shop, 'payments')
      const code = unique('THEFT')
      const made = await thief.post('/referral', { code, description: 'Mine', rewardAmount: 999_999_999, maxUsage: 1 })
      const signedUp = await shop.visitor().post('/auth/register', form(shop, { referralCode: code }))
      const paid = await shop.store.db.count(sql`
        select coalesce(sum(amount_paise), 0)::bigint from wallet_entries where account = 'promotions'`)
      expect([made.status, signedUp.status, paid]).toEqual([403, 400, 0])
    }))

  test('stops a stolen session that uploads an invented statement, also of before the store approved by rule', () =>
    inShop(async (shop) => {
      const thief = await unproven(shop, 'payments')
      const { _id: accountId } = await account(shop)
      const utrs = [nextUtr(), nextUtr()]
      const accomplice = await shop.buyer()
      for (const utr of utrs) await accomplice.api.payments.addMoney({ amount: 2_000, utr, payerName: '9876543210' })
      const invent = (utr: string) => {
        const text = statementOf([{ refs: [utr], amount: 2_000 }])
        return thief.post('/bank/statements', { accountId, text })
      }
      const [before, after] = utrs.map((utr) => () => invent(utr))

      expect(await before?.()).toMatchObject(REFUSED)
      await shop.owner.api.bank.saveRules(rules({ mode: 'auto', perBuyerDay: 10_000 }))
      expect(await after?.()).toMatchObject(REFUSED)

      expect((await shop.owner.api.payments.list({ status: 'approved' })).payments).toEqual([])
      expect((await shop.owner.api.bank.credits({})).credits).toEqual([])
    }))

  test('is asked for replacements above the day’s sum, and of support no proof lifts that sum', () =>
    inShop(async (shop) => {
      for (const [role, refused] of [
        ['payments', REFUSED],
        ['support', TOO_MUCH],
      ] as const) {
        const helper = await unproven(shop, role)
        const replace = async (price: number) => helper.put(`/claims/${await reported(shop, price)}/replace`, {})
        expect((await replace(6_000)).status).toBe(200)
        expect(await replace(6_000)).toMatchObject(refused)
        expect((await replace(4_000)).status).toBe(200)
      }
    }))

  test('is asked for a replacement that is worth more than its buyer paid', () =>
    inShop(async (shop) => {
      const id = await reported(shop, 1)
      const { productId } = await shop.owner.api.claims.one({ id })
      const [product] = (await shop.owner.api.catalogue.list()).filter(({ _id }) => _id === productId._id)
      const prices = (product?.prices ?? []).map(({ _id, duration }) => ({ _id, duration, price: 10_001 }))
      await shop.owner.api.catalogue.update({ id: productId._id, prices })
      expect(await (await unproven(shop, 'payments')).put(`/claims/${id}/replace`, {})).toMatchObject(REFUSED)
      expect(await (await unproven(shop, 'support')).put(`/claims/${id}/replace`, {})).toMatchObject(TOO_MUCH)
    }))

  test('is not asked for less, and never of an admin without two-step verification', () =>
    inShop(async (shop) => {
      const admin = await unproven(shop, 'payments')
      const { _id } = await shop.owner.api.referrals.create(reward(900, 100))
      const less = { rewardAmount: 800, maxUsage: 50, description: 'Less' }
      expect((await admin.put(`/referral/${_id}`, less)).status).toBe(200)
      const { _id: plan } = await shop.owner.api.payments.createPlan({ amount: 100, bonus: 500 })
      expect((await admin.put(`/payments/topup-plans/${plan}`, { amount: 200 })).status).toBe(200)
      expect((await admin.post('/payments/topup-plans', { amount: 500, bonus: 500 })).status).toBe(201)
      for (const way of Object.values({ ...COUNTED, ...ENDLESS }))
        expect((await way(shop, shop.owner, 20_000)).status).toBeLessThan(300)
    }))
})
