/** For which payments of friends an invitation pays. */
import { describe, expect, test } from 'vitest'
import { withDatabase } from '../../../test/database.ts'
import { AT, farmersAndPairs, openInviting, person, type Inviting, type Person } from '../../../test/worlds/invites.ts'
import { DAY_MS } from '../../../contract/time.ts'
import { sql } from '../../platform/database/database.ts'
import { findBroken } from '../../platform/database/invariants.ts'
import { forgetReasons } from './proof.ts'

const withInviting = (work: (given: Inviting) => Promise<void>) =>
  withDatabase(async (db) => {
    await work(await openInviting(db))
    expect(await findBroken(db, 'server/migrations')).toEqual([])
  })

/** An inviter and a friend, who differs from an honest one by this. @returns what became of it */
async function tried({ add, settle, outcome }: Inviting, friend: Partial<Person>, inviter: Partial<Person> = {}) {
  const by = person(inviter)
  const invited = person({ invitedBy: by.id, ...friend })
  await add(by, invited)
  await settle()
  return outcome(invited)
}

const days = (count: number) => new Date(AT.getTime() + count * DAY_MS)

describe('An invitation', () => {
  test('pays both when a statement shows the friend’s payment, as credit that expires', () =>
    withInviting(async ({ db, add, settle, rewards, services }) => {
      const by = person()
      const friend = person({ invitedBy: by.id })
      await add(by, friend)
      expect(await settle()).toMatchObject({ paid: 1 })
      expect(await settle()).toMatchObject({ paid: 0 })
      expect([await rewards(by), await rewards(friend)]).toEqual([25, 25])
      const lots = await db.texts(sql`
        select to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD') from wallet_lots where source = 'referral_reward'`)
      expect(lots).toEqual(['2027-01-19', '2027-01-19'])
      expect(await db.texts(sql`select distinct account from wallet_entries where amount_paise = 2500`)).toEqual([
        'promotions',
      ])
      expect(services.told.map(({ to, name }) => [to, name])).toEqual([
        [{ user: friend.id }, 'balance'],
        [{ user: by.id }, 'balance'],
      ])
    }))

  test('tells the inviter, and names nobody', () =>
    withInviting(async (given) => {
      await given.db.run(sql`insert into channels (name, is_on) values ('email', true)
                             on conflict (name) do update set is_on = true`)
      expect(await tried(given, {})).toBe('paid')
      const told = await given.db.texts(sql`select kind || ' ' || data::text from outbox_messages`)
      expect(told).toEqual(['invite.earned {"amount": 2500}'])
    }))

  test.each<[string, Partial<Person>, string]>([
    ['an alert alone', { proof: 'alert' }, 'waits'],
    ['the report of a wallet app alone', { proof: 'report' }, 'waits'],
    ['an approval without the bank', { proof: 'none' }, 'waits'],
    ['a statement that differs from another source', { differs: true }, 'waits'],
    ['money that an admin credited', { filedForHim: true }, 'waits'],
    ['less than the minimum', { paid: 199 }, 'waits'],
    ['a request on the 31st day', { joinedAt: days(-31) }, 'late'],
    ['a statement that names no payer', { name: '', vpa: null }, 'no-payer'],
    ['a sign-up beside another account', { sameBrowser: true }, 'device'],
  ])('does not pay for %s', (_, friend, outcome) =>
    withInviting(async (given) => expect(await tried(given, friend)).toBe(outcome)),
  )

  test.each<[string, Partial<Person>, string]>([
    ['UPI ID', { vpa: 'same@okaxis' }, 'payer'],
    ['phone', { phone: '9000000001' }, 'phone'],
    ['browser', { device: 'same' }, 'device'],
  ])('does not pay where any other account has the same %s', (_, same, outcome) =>
    withInviting(async (given) => {
      await given.add(person(same))
      expect(await tried(given, same)).toBe(outcome)
    }),
  )

  test('does not pay for the name of the inviter or of another friend, however it is written', () =>
    withInviting(async (given) => {
      expect(await tried(given, { name: 'Mr. Ravi  Kumar' }, { name: 'RAVI KUMAR' })).toBe('name')
      const by = person()
      const friends = ['ASHA RAO', 'SMT ASHA RAO'].map((name) => person({ invitedBy: by.id, name }))
      await given.add(by, ...friends)
      await given.settle()
      // Neither knows which of the two is the other's
      expect(await Promise.all(friends.map(given.outcome))).toEqual(['name', 'name'])
      expect(await tried(given, { name: 'RAVI KUMAR' }), 'a namesake elsewhere').toBe('paid')
    }))

  test('pays by the UPI ID alone where the bank prints no name, and by the name alone where it prints no ID', () =>
    withInviting(async (given) => {
      expect(await tried(given, { name: '' })).toBe('paid')
      expect(await tried(given, { vpa: null })).toBe('paid')
    }))

  test.each(['friend', 'inviter'])('does not pay while the %s may not act', (who) =>
    withInviting(async ({ db, add, settle, outcome }) => {
      const by = person()
      const friend = person({ invitedBy: by.id })
      await add(by, friend)
      await db.run(sql`update users set blocked_at = ${AT}, blocked_reason = 'Asked twice'
                        where id = ${who === 'friend' ? friend.id : by.id}`)
      await settle()
      expect(await outcome(friend)).toBe('account')
    }),
  )

  test('is decided by the earliest approved payment of the minimum, also when that was taken back', () =>
    withInviting(async ({ add, topUp, settle, outcome, takeBack }) => {
      const by = person()
      const friends = [0, 1].map(() => person({ invitedBy: by.id, proof: 'none' }))
      const [unproven, wrong] = friends as [Person, Person]
      await add(by, unproven, wrong)
      await takeBack(wrong)
      await topUp(...friends.map((friend) => ({ ...friend, proof: 'statement' as const, paidAt: days(1) })))
      await settle()
      expect(await Promise.all(friends.map(outcome))).toEqual(['waits', 'waits'])
    }))

  test('is not decided by smaller payments before', () =>
    withInviting(async ({ add, topUp, settle, outcome }) => {
      const by = person()
      const friend = person({ invitedBy: by.id, paid: 150, proof: 'none' })
      await add(by, friend)
      await topUp({ ...friend, paid: 200, proof: 'statement', paidAt: days(1) })
      await settle()
      expect(await outcome(friend)).toBe('paid')
    }))

  test('is late 30 days after sign-up without a request, and after 60 without a statement', () =>
    withInviting(async ({ add, settle, outcome, clock }) => {
      const by = person()
      const [idle, unproven] = [{ paid: 0 }, { proof: 'alert' as const }].map((more) =>
        person({ invitedBy: by.id, ...more }),
      ) as [Person, Person]
      await add(by, idle, unproven)
      clock.set(days(31))
      await settle()
      expect([await outcome(idle), await outcome(unproven)]).toEqual(['late', 'waits'])
      clock.set(days(61))
      await settle()
      expect(await outcome(unproven)).toBe('late')
    }))

  test('counts by the day of its proof, however late the store looks', () =>
    withInviting(async ({ add, settle, outcome, clock }) => {
      const by = person()
      const friend = person({ invitedBy: by.id })
      await add(by, friend)
      clock.set(days(90))
      await settle()
      expect(await outcome(friend)).toBe('paid')
    }))

  test('pays the friend alone when the inviter’s month is full, and both in the next one', () =>
    withInviting(async ({ db, add, settle, outcome, rewards, clock }) => {
      await db.run(sql`update invite_settings set month_max_paise = 5000`)
      const by = person()
      const friends = [0, 1, 2].map(() => person({ invitedBy: by.id }))
      await add(by, ...friends)
      await settle()
      expect(await rewards(by)).toBe(50)
      expect(await Promise.all(friends.map(rewards))).toEqual([25, 25, 25])
      clock.set(days(12))
      const next = person({ invitedBy: by.id })
      await add(next)
      await settle()
      expect([await outcome(next), await rewards(by)]).toEqual(['paid', 75])
    }))

  test('waits for the next month when the store’s budget is spent, even beyond its 60 days', () =>
    withInviting(async ({ db, add, settle, outcome, clock }) => {
      await db.run(sql`update invite_settings set budget_paise = 5000`)
      const by = person()
      const friends = [0, 1].map((n) => person({ invitedBy: by.id, joinedAt: new Date(AT.getTime() + n) }))
      await add(by, ...friends)
      await settle()
      expect(await Promise.all(friends.map(outcome))).toEqual(['paid', 'waits'])
      await db.run(sql`update invite_settings set budget_paise = 0`)
      clock.set(days(70))
      await settle()
      expect(await Promise.all(friends.map(outcome))).toEqual(['paid', 'waits'])
      await db.run(sql`update invite_settings set budget_paise = 5000`)
      await settle()
      expect(await Promise.all(friends.map(outcome))).toEqual(['paid', 'paid'])
    }))

  test('pays what it promised at sign-up, whatever the terms are now', () =>
    withInviting(async (given) => {
      const by = person()
      const friend = person({ invitedBy: by.id })
      await given.add(by, friend)
      await given.db.run(sql`update invite_settings set is_on = false, reward_paise = 1, friend_paise = 1`)
      await given.settle()
      expect([await given.rewards(by), await given.rewards(friend)]).toEqual([25, 25])
    }))

  test('has one level: who invited the inviter gets nothing more', () =>
    withInviting(async ({ add, settle, rewards }) => {
      const first = person()
      const second = person({ invitedBy: first.id })
      const third = person({ invitedBy: second.id })
      await add(first, second, third)
      await settle()
      expect(await Promise.all([first, second, third].map(rewards))).toEqual([25, 50, 25])
    }))

  test('forgets after 180 days why one did not count', () =>
    withInviting(async (given) => {
      expect(await tried(given, { sameBrowser: true })).toBe('device')
      expect(await forgetReasons(given.db, AT)).toBe(0)
      expect(await forgetReasons(given.db, days(1))).toBe(1)
      expect(await given.db.texts(sql`select outcome || ' ' || same_browser from invites`)).toEqual([
        'not-counted false',
      ])
    }))
})

test('of 200 farmers of eight kinds none is paid, and each of 60 honest pairs is paid both', () =>
  withInviting(async ({ db, add, settle, outcome, rewards }) => {
    const { inviters, kinds, honest } = farmersAndPairs(25, 60)
    await add(...inviters, ...Object.values(kinds).flat(), ...honest.map(({ friend }) => friend))
    await settle()
    for (const [kind, farmers] of Object.entries(kinds))
      expect(
        (await Promise.all(farmers.map(outcome))).filter((each) => each === 'paid'),
        kind,
      ).toEqual([])
    for (const { by, friend } of honest) expect([await rewards(by), await rewards(friend)]).toEqual([25, 25])
    const [given, proven] = await Promise.all([
      db.count(sql`select sum(amount_paise)::bigint from wallet_movements where kind = 'referral_reward'`),
      db.count(sql`
        select sum(amount_paise)::bigint from topup_requests join invites on invites.topup_id = topup_requests.id`),
    ])
    expect(given).toBe(60 * 50_00)
    expect(2 * given).toBeLessThanOrEqual(proven)
  }))
