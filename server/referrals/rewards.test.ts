/** A sign-up reward is given once a person, whichever way they write their address. */
import { expect, test } from 'vitest'
import { withStore } from '../../test/store.ts'
import { DAY_MS } from '../../contract/time.ts'
import { unproven } from '../../test/worlds/admins.ts'
import { unique } from '../../test/worlds/constants.ts'
import { openShop, PASSWORD, type Shop } from '../../test/worlds/shop.ts'
import { runDueJobs } from '../platform/jobs.ts'
import { sql } from '../platform/database/database.ts'
import { findBroken } from '../platform/database/invariants.ts'
import { mailboxJobs } from '../sessions/note-mailboxes.ts'
import { mailboxOf } from '../users/mailbox.ts'

const withShop = (work: (shop: Shop) => Promise<void>) =>
  withStore(async (store) => {
    await work(await openShop(store))
    expect(await findBroken(store.db, 'server/migrations')).toEqual([])
  })

async function signUp(shop: Shop, email: string, referralCode: string) {
  const username = unique('new')
  const browser = shop.visitor()
  expect((await browser.post('/auth/register', { username, email, password: PASSWORD, referralCode })).status).toBe(201)
  await browser.api.sessions.login({ username, password: PASSWORD })
  const balance = async () => (await browser.api.sessions.me()).balance
  return { username, browser, balance }
}

const code = (shop: Shop, terms: object = {}) =>
  shop.owner.api.referrals.create({
    code: unique('CODE').toUpperCase(),
    description: 'Friends',
    rewardAmount: 50,
    ...terms,
  })

const codeNow = async (shop: Shop, id: string) =>
  (await shop.owner.api.referrals.list({})).find(({ _id }) => _id === id)

const SPELLINGS = [
  'ravi.kumar@gmail.com',
  'r.a.v.i.kumar@gmail.com',
  'ravikumar+1@gmail.com',
  'RaviKumar@googlemail.com',
  'ravi@bücher.in',
  'ravi+2@xn--bcher-kva.in',
  'ravi-k@proton.me',
  'ravi.k@pm.me',
  'ravi@icloud.com',
  'ravi+x@me.com',
]

test('of ten spellings of four mailboxes four are rewarded, and the admin sees which are one', () =>
  withShop(async (shop) => {
    const [one, other] = [await code(shop), await code(shop)]
    const users = []
    for (const [nth, email] of SPELLINGS.entries())
      users.push(await signUp(shop, email, (nth % 2 === 0 ? one : other).code))
    const balances = await Promise.all(users.map((user) => user.balance()))
    expect(balances.filter((balance) => balance > 0)).toEqual([50, 50, 50, 50])
    expect(new Set(SPELLINGS.map(mailboxOf)).size).toBe(4)
    const given = await Promise.all([one, other].map(async ({ _id }) => (await codeNow(shop, _id))?.given ?? 0))
    expect(given.reduce((sum, each) => sum + each)).toBe(200)

    const { users: listed } = await shop.owner.api.users.list({ search: users[1]?.username ?? '' })
    expect(listed[0]?.sameMailbox.toSorted()).toEqual(
      [users[0], users[2], users[3]].map((user) => user?.username ?? '').toSorted(),
    )
    const lone = await signUp(shop, 'nobody-else@box.in', one.code)
    expect((await shop.owner.api.users.list({ search: lone.username })).users[0]?.sameMailbox).toEqual([])
  }))

// Seen to fail without the lock in hasReward
test('of eight sign-ups of one mailbox at once, with as many codes, one is rewarded', () =>
  withShop(async (shop) => {
    const codes = await Promise.all(Array.from({ length: 8 }, () => code(shop)))
    const users = await Promise.all(codes.map((each, nth) => signUp(shop, `ravi+${nth}@box.in`, each.code)))
    const balances = await Promise.all(users.map((user) => user.balance()))
    expect(balances.filter((balance) => balance > 0)).toEqual([50])
  }))

test('accounts from before mailboxes were noted count, too', () =>
  withShop(async (shop) => {
    const one = await code(shop)
    await signUp(shop, 'ravi@box.in', one.code)
    await shop.store.db.run(sql`update referral_uses set mailbox_fingerprint = null`)
    await runDueJobs(
      shop.store.db,
      mailboxJobs({ db: shop.store.db, sealer: shop.store.app.services.sealer }),
      shop.store.clock,
    )
    const again = await signUp(shop, 'ravi+2@box.in', one.code)
    expect(await again.balance()).toBe(0)
  }))

test('a code can pay with the first approved top-up, once', () =>
  withShop(async (shop) => {
    const later = await code(shop, { paysAfterTopUp: true })
    const user = await signUp(shop, 'ravi@box.in', later.code)
    expect([await user.balance(), (await codeNow(shop, later._id))?.given]).toEqual([0, 0])
    for (const [utr, balance] of [
      ['632145278901', 150],
      ['632145278902', 250],
    ] as const) {
      const { payment } = await user.browser.api.payments.addMoney({ amount: 100, utr, payerName: '9876543210' })
      await shop.owner.api.payments.approve({ id: payment._id })
      expect(await user.balance()).toBe(balance)
    }
    expect((await codeNow(shop, later._id))?.given).toBe(50)
    const kinds = (await user.browser.api.wallet.history({})).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'referral_reward')).toHaveLength(1)
  }))

test('sign-ups above the ceiling of a day get theirs with their first top-up', () =>
  withShop(async (shop) => {
    const capped = await code(shop, { dayMax: 120 })
    const users = []
    for (const nth of [1, 2, 3]) users.push(await signUp(shop, `u${nth}@box.in`, capped.code))
    expect(await Promise.all(users.map((user) => user.balance()))).toEqual([50, 50, 0])
    const third = users[2]
    const { payment } = await (third as NonNullable<typeof third>).browser.api.payments.addMoney({
      amount: 100,
      utr: '632145278903',
      payerName: '9876543210',
    })
    await shop.owner.api.payments.approve({ id: payment._id })
    expect(await third?.balance()).toBe(150)
    shop.store.clock.advance(DAY_MS)
    expect(await (await signUp(shop, 'u4@box.in', capped.code)).balance()).toBe(50)
  }))

test('an unlimited code that shall pay sooner, or more in a day, asks for a proof as a new one does', () =>
  withShop(async (shop) => {
    const later = await code(shop, { paysAfterTopUp: true, dayMax: 100 })
    const thief = await unproven(shop, 'payments')
    for (const change of [{ paysAfterTopUp: false }, { dayMax: 10_000 }, { dayMax: '' }])
      expect(await thief.put(`/referral/${later._id}`, change)).toMatchObject({
        status: 403,
        body: { code: 'STEP_UP_REQUIRED' },
      })
    expect((await thief.put(`/referral/${later._id}`, { dayMax: 50 })).status).toBe(200)
  }))
