/** What becomes of rewards when the friend's top-up is taken back. */
import { describe, expect, test } from 'vitest'
import { withDatabase } from '../../../test/database.ts'
import { AT, openInviting, person, RUPEES, type Inviting, type Person } from '../../../test/worlds/invites.ts'
import { dayOf } from '../../../contract/india.ts'
import { DAY_MS } from '../../../contract/time.ts'
import { readMonth } from '../../books/read-months.ts'
import { sql } from '../../platform/database/database.ts'
import { findBroken } from '../../platform/database/invariants.ts'
import { paise } from '../../../contract/money.ts'
import { debit } from '../../wallet/debit.ts'
import { lockWallet } from '../../wallet/ledger.ts'

const withPaid = (friends: number, work: (given: Inviting & { by: Person; friends: Person[] }) => Promise<void>) =>
  withDatabase(async (db) => {
    const given = await openInviting(db)
    const by = person()
    const invited = Array.from({ length: friends }, () => person({ invitedBy: by.id }))
    await given.add(by, ...invited)
    await given.settle()
    await work({ ...given, by, friends: invited })
    expect(await findBroken(db, 'server/migrations')).toEqual([])
  })

const spend = ({ db }: Inviting, userId: string, rupees: number) =>
  db.transaction(async (tx) => {
    await lockWallet(tx, userId, AT)
    const cause = { userId, description: 'Spent', now: AT, adminId: undefined }
    await debit(tx, { ...cause, kind: 'admin_debit', amount: paise(rupees * RUPEES), endsAt: null } as never)
  })

const lost = ({ db }: Inviting) =>
  db.count(sql`select sum(lost_paise)::bigint / ${RUPEES} from invites where taken_back_at is not null`)

describe('A reward', () => {
  test('goes with the top-up, from both wallets and promotions, and once', () =>
    withPaid(1, async (given) => {
      const { db, by, friends, settle, rewards, takeBack } = given
      const [friend = person()] = friends
      await takeBack(friend)
      expect(await settle()).toMatchObject({ takenBack: 1 })
      expect(await settle()).toMatchObject({ takenBack: 0, paid: 0 })
      expect([await rewards(by), await rewards(friend), await lost(given)]).toEqual([0, 0, 0])
      expect(
        await db.count(sql`select sum(amount_paise)::bigint from wallet_entries where account = 'promotions'`),
      ).toBe(0)
      const [entry] = await db.texts(sql`
        select admin_name || ' ' || after::text from audit_entries where action = 'invite.take-back'`)
      expect(entry).toBe('system {"lost": 0, "taken": 50}')
    }))

  test('that was spent is noted as lost', () =>
    withPaid(1, async (given) => {
      const { by, friends, settle, rewards, takeBack } = given
      const [friend = person()] = friends
      await spend(given, by.id, 25)
      await spend(given, friend.id, 10)
      await takeBack(friend)
      await settle()
      expect([await rewards(by), await rewards(friend), await lost(given)]).toEqual([0, 0, 35])
    }))

  test('that has expired is lost, and takes nothing else', () =>
    withPaid(1, async (given) => {
      const { db, by, friends, settle, clock, takeBack } = given
      const [friend = person()] = friends
      clock.set(new Date(AT.getTime() + 61 * DAY_MS))
      await takeBack(friend)
      await settle()
      expect(await lost(given)).toBe(50)
      expect(await db.count(sql`select balance_paise from wallets where user_id = ${by.id}`)).toBe(200_00)
    }))

  test('stands in the month statement under rewards, and not under top-ups that were taken back', () =>
    withPaid(2, async (given) => {
      const { db, friends, settle, takeBack } = given
      await takeBack(friends[0] ?? person())
      await settle()
      const { lines } = await readMonth(db, dayOf(AT).slice(0, 7), AT)
      expect(lines).toContainEqual({ line: 'rewards', amount: 50 })
      expect(lines).toContainEqual({ line: 'taken-back', amount: 0 })
    }))

  test('that is taken back twice within 90 days pauses the inviter, until the owner resumes', () =>
    withPaid(3, async (given) => {
      const { db, by, friends, settle, clock, takeBack, add, outcome } = given
      const paused = () =>
        db.holds(sql`
        select exists (select from invite_terms where user_id = ${by.id} and paused_at is not null)`)
      for (const [n, friend] of friends.entries()) {
        await takeBack(friend)
        clock.set(new Date(AT.getTime() + [0, 91, 95][n]! * DAY_MS))
        await settle()
        expect(await paused()).toBe(n === 2)
      }
      const next = person({ invitedBy: by.id, joinedAt: clock.now(), paidAt: clock.now() })
      await add(next)
      await settle()
      expect(await outcome(next)).toBe('account')
    }))
})
