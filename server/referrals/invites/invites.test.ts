/** Invitations through the store's own calls: a code, a sign-up, a statement, and what becomes of it. */
import { describe, expect, test } from 'vitest'
import { account, imported, type Row } from '../../../test/worlds/bank.ts'
import { unproven } from '../../../test/worlds/admins.ts'
import { unique } from '../../../test/worlds/constants.ts'
import { nextUtr, openShop, PASSWORD, type Buyer, type Shop } from '../../../test/worlds/shop.ts'
import { withStore, type Browser } from '../../../test/store.ts'
import { sql } from '../../platform/database/database.ts'
import { findBroken } from '../../platform/database/invariants.ts'
import { settleInvites } from './pay.ts'

interface Given {
  shop: Shop
  /** Asks for a top-up, which is approved. @returns the row that a statement will have */
  pays(buyer: Buyer, amount?: number): Promise<Row & { id: string }>
  shown(...rows: Row[]): Promise<void>
  /** A buyer whose own top-up a statement shows, and the code. */
  inviter(): Promise<Buyer & { code: string }>
  friendOf(code: string, browser?: Browser): Promise<Buyer>
  settle(): Promise<unknown>
  outcomes(): Promise<string[]>
}

let phones = 9_300_000_000

const withShop = (work: (given: Given) => Promise<void>, isOn = true) =>
  withStore(async (store) => {
    const shop = await openShop(store)
    if (isOn) await shop.owner.api.referrals.saveInviteSettings({ isOn })
    const { _id: accountId } = await account(shop)
    const pays: Given['pays'] = async (buyer, amount = 200) => {
      const utr = nextUtr()
      const { payment } = await buyer.api.payments.addMoney({ amount, utr, payerName: String((phones += 1)) })
      await shop.owner.api.payments.approve({ id: payment._id })
      return { id: payment._id, refs: [utr], amount, payer: buyer.username.toUpperCase() }
    }
    const given: Given = {
      shop,
      pays,
      async shown(...rows) {
        await imported(shop, accountId, rows)
      },
      async inviter() {
        const buyer = await shop.buyer()
        await given.shown(await pays(buyer))
        const { code = '' } = await buyer.api.referrals.ownInvites()
        return Object.assign(buyer, { code })
      },
      async friendOf(code, browser = store.browser()) {
        const username = unique('friend')
        const form = { username, email: `${username}@example.in`, password: PASSWORD, referralCode: code }
        await browser.api.sessions.register(form)
        const { user } = await browser.api.sessions.login({ username, password: PASSWORD })
        return Object.assign(browser, { id: user._id, username, email: form.email })
      },
      settle: () => settleInvites(store.app.services, new AbortController().signal),
      outcomes: () => store.db.texts(sql`select coalesce(outcome, 'waits') from invites order by created_at`),
    }
    await work(given)
    expect(await findBroken(store.db, 'server/migrations')).toEqual([])
  })

describe('A buyer', () => {
  test('has a code once a statement shows a top-up, and both get credit for a friend’s', () =>
    withShop(async ({ shop, pays, shown, friendOf, settle }) => {
      const by = await shop.buyer()
      const row = await pays(by)
      expect(await by.api.referrals.ownInvites()).not.toHaveProperty('code')
      await shown(row)
      const { code = '', ...before } = await by.api.referrals.ownInvites()
      expect(code).toMatch(/^I-[\dA-F]{12}$/)
      expect(before).toEqual({
        isOn: true,
        reward: 25,
        friendGets: 25,
        minimum: 200,
        days: 60,
        joined: 0,
        waiting: 0,
        counted: 0,
        notCounted: 0,
        earned: 0,
        leftThisMonth: 500,
      })
      expect(await shop.visitor().api.referrals.validate({ code: code.toLowerCase() })).toEqual({
        valid: true,
        code,
        description: 'An invitation',
        friendGets: 25,
        minimum: 200,
      })

      const friend = await friendOf(code)
      expect(await friend.api.referrals.ownInvites()).toMatchObject({
        asFriend: { amount: 25, minimum: 200, until: '2026-12-20T15:44:00.000Z' },
      })
      expect(await by.api.referrals.ownInvites()).toMatchObject({ joined: 1, waiting: 1 })
      const paid = await pays(friend)
      await settle()
      expect((await friend.api.referrals.ownInvites()).asFriend).toBeUndefined()
      await shown(paid)
      await settle()
      expect(await by.api.referrals.ownInvites()).toMatchObject({ counted: 1, earned: 25, leftThisMonth: 475 })
      expect(
        (await friend.api.sessions.me()).wallet.map(({ amount }) => amount).toSorted((one, other) => one - other),
      ).toEqual([25, 200])

      const { users } = await shop.owner.api.users.list({ search: friend.username })
      expect(users.map(({ referralCode }) => referralCode)).toEqual([code])
      expect(await shop.owner.api.referrals.inviters()).toMatchObject([
        { username: by.username, joined: 1, counted: 1, earned: 25, lost: 0, paused: false, notCounted: { payer: 0 } },
      ])
      expect((await friend.api.privacy.myData()).invites).toMatchObject([
        { as: 'friend', state: 'counted', amount: 25 },
      ])
      expect((await by.api.privacy.myData()).invites).toMatchObject([{ as: 'inviter', state: 'counted', amount: 25 }])
      expect(JSON.stringify((await by.api.privacy.myData()).invites)).not.toContain(friend.id)
    }))

  test('loses the reward when the friend’s top-up is taken back, and the settings count what was given', () =>
    withShop(async ({ shop, inviter, friendOf, pays, shown, settle }) => {
      const by = await inviter()
      const friend = await friendOf(by.code)
      const row = await pays(friend)
      await shown(row)
      await settle()
      await shop.owner.api.bank.takeBack({ id: row.id, reason: 'It was another buyer’s.' })
      await settle()
      expect(await by.api.referrals.ownInvites()).toMatchObject({ counted: 0, notCounted: 1, earned: 0 })
      expect((await by.api.wallet.history({}))[0]).toMatchObject({ description: 'Invitation reward taken back' })
      const settings = await shop.owner.api.referrals.inviteSettings()
      expect([settings.paidThisMonth, settings.lastStatementAt]).toEqual([50, '2026-11-20T15:44:00.000Z'])
    }))

  test('brings nothing by a friend who signs up beside another account, and nothing by the own money', () =>
    withShop(async ({ inviter, friendOf, pays, shown, settle, outcomes, shop }) => {
      const by = await inviter()
      const beside = await shop.buyer()
      await shown(await pays(await friendOf(by.code, beside)))
      await settle()
      expect(await outcomes()).toEqual(['device'])
      // The same bank account under another UPI ID
      const own = await friendOf(by.code)
      await shown({ ...(await pays(own)), payer: by.username.toUpperCase() })
      await settle()
      expect(await outcomes()).toEqual(['device', 'name'])
    }))

  test('brings nothing by money that an admin gives the friend, or that the statement does not prove', () =>
    withShop(async ({ shop, inviter, friendOf, shown, settle, outcomes }) => {
      const by = await inviter()
      const friend = await friendOf(by.code)
      const utr = nextUtr()
      await shown({ refs: [utr], amount: 500 })
      const { credits } = await shop.owner.api.bank.credits({ search: utr })
      await shop.owner.api.bank.creditTo({ id: credits[0]?._id ?? '', userId: friend.id, reason: 'Asked' })
      await settle()
      expect(await outcomes()).toEqual(['waits'])
    }))

  test.each(['blocked', 'closed', 'paused'])('cannot invite while %s', (how) =>
    withShop(async ({ shop, inviter }) => {
      const { id, code } = await inviter()
      const { owner } = shop
      if (how === 'blocked') await owner.api.users.block({ id, reason: 'Asked twice' })
      else if (how === 'closed') await owner.api.users.remove({ id })
      else await owner.api.referrals.setInviteTerms({ userId: id, paused: true })
      expect(await shop.visitor().get(`/referral/validate/${code}`)).toMatchObject({
        status: 404,
        body: { valid: false, code: 'REFERRAL_NOT_FOUND' },
      })
      const username = unique('late')
      const form = { username, email: `${username}@example.in`, password: PASSWORD, referralCode: code }
      expect(await shop.visitor().post('/auth/register', form)).toMatchObject({ body: { code: 'INVALID_REFERRAL' } })
    }),
  )
})

test('a code is read as people read it off a screen, and one of the store comes first', () =>
  withShop(async ({ shop, inviter, friendOf }) => {
    const { code } = await inviter()
    const [, signs = ''] = code.split('-')
    const ways = [`l-${signs}`, `1-${signs}`, `|-${signs}`, `I${signs}`, `I ${signs}`]
    for (const way of [...ways, code.replaceAll('0', 'O').replaceAll('1', 'I'), code.replaceAll('1', 'l')])
      expect(await shop.visitor().api.referrals.validate({ code: way }), way).toMatchObject({ code })
    for (const way of ways) await friendOf(way)
    expect((await shop.owner.api.referrals.inviters())[0]).toMatchObject({ joined: ways.length })
    await shop.owner.api.referrals.create({ code: `L-${signs}`, description: 'Of the store' })
    expect(await shop.visitor().api.referrals.validate({ code: `l-${signs}` })).toMatchObject({ code: `L-${signs}` })
  }))

describe('A store', () => {
  test('that has it off answers as before, and knows no code', () =>
    withShop(async ({ shop, inviter }) => {
      const by = await inviter()
      expect(await by.api.referrals.ownInvites()).toMatchObject({ isOn: false, joined: 0 })
      const code = await shop.store.db.text(sql`select invite_code from users where id = ${by.id}`)
      expect((await shop.visitor().get(`/referral/validate/${code}`)).status).toBe(404)
    }, false))

  test('keeps its own codes apart: new ones cannot look like a buyer’s, and existing ones win', () =>
    withShop(async ({ shop, inviter }) => {
      const { code } = await inviter()
      const refused = { status: 400, body: { fields: { code: expect.stringContaining('I-') } } }
      expect(await shop.owner.post('/referral', { code, description: 'Mine' })).toMatchObject(refused)
      const { _id } = await shop.owner.api.referrals.create({ code: unique('OWN'), description: 'Mine' })
      expect(await shop.owner.put(`/referral/${_id}`, { code })).toMatchObject(refused)
      await shop.store.db.run(sql`update referral_codes set code = ${code} where id = ${_id}`)
      expect((await shop.owner.put(`/referral/${_id}`, { code, description: 'Still' })).status).toBe(200)
      expect(await shop.visitor().api.referrals.validate({ code })).toEqual({ valid: true, code, description: 'Still' })
      await shop.buyer()
      const username = unique('old')
      const form = { username, email: `${username}@example.in`, password: PASSWORD, referralCode: code }
      await shop.visitor().api.sessions.register(form)
      expect(await shop.store.db.count(sql`select count(*) from invites`)).toBe(0)
      expect(await shop.store.db.count(sql`select usage_count from referral_codes where id = ${_id}`)).toBe(1)
    }))

  test('gives no more than half of the minimum, also to a promoter', () =>
    withShop(async ({ shop, inviter, friendOf }) => {
      const { owner } = shop
      const half = { status: 400, body: { code: 'INVALID_INPUT' } }
      expect(await owner.put('/settings/invites', { reward: 76 })).toMatchObject(half)
      expect(await owner.put('/settings/invites', { minimum: 99.99 })).toMatchObject(half)
      const by = await inviter()
      expect(await owner.put(`/invites/${by.id}`, { reward: 75.01 })).toMatchObject(half)
      expect(await owner.put(`/invites/${by.id}`, { reward: 75, monthMax: 1_000 })).toMatchObject({
        body: { reward: 75, monthMax: 1_000, paused: false },
      })
      expect(await by.api.referrals.ownInvites()).toMatchObject({ reward: 75, friendGets: 25, leftThisMonth: 1_000 })
      // The store's rule goes first, whatever was given before
      await owner.api.referrals.saveInviteSettings({ minimum: 100 })
      expect(await by.api.referrals.ownInvites()).toMatchObject({ reward: 25 })
      await friendOf(by.code)
      expect(await shop.store.db.count(sql`select reward_paise from invites`)).toBe(25_00)
      expect((await owner.put(`/invites/${by.id}`, { paused: true })).status).toBe(200)
      expect(await owner.put(`/invites/${by.id}`, { reward: null, monthMax: null })).toMatchObject({ status: 200 })
      expect((await owner.get('/invites')).body[0]).not.toHaveProperty('reward')
    }))

  test('asks for a proof before it gives more, and notes what changed', () =>
    withShop(async ({ shop, inviter }) => {
      const by = await inviter()
      await shop.owner.api.referrals.setInviteTerms({ userId: by.id, paused: true })
      const admin = await unproven(shop)
      const refused = { status: 403, body: { code: 'STEP_UP_REQUIRED' } }
      for (const more of [
        { reward: 26 },
        { friendGets: 26 },
        { minimum: 199 },
        { days: 61 },
        { monthMax: 501 },
        { budget: 5_001 },
      ])
        expect(await admin.put('/settings/invites', more), JSON.stringify(more)).toMatchObject(refused)
      for (const more of [{ reward: 26 }, { monthMax: 501 }, { paused: false }])
        expect(await admin.put(`/invites/${by.id}`, more), JSON.stringify(more)).toMatchObject(refused)
      expect((await admin.put('/settings/invites', { isOn: false, reward: 5, budget: 0 })).status).toBe(200)
      expect(await admin.put('/settings/invites', { isOn: true })).toMatchObject(refused)
      expect((await admin.put(`/invites/${by.id}`, { reward: 1 })).status).toBe(200)
      const noted = await shop.store.db.texts(sql`
        select action || ' ' || after::text from audit_entries where action like '%invite%' order by seq desc limit 2`)
      expect(noted).toEqual([
        'invite.terms {"paused": true, "reward": 1, "monthMax": null}',
        expect.stringContaining('settings.invites {"days": 60, "isOn": false, "budget": 0, "reward": 5'),
      ])
    }))
})
