/** What happens at one moment: an invitation pays once, no ceiling is passed, and what was taken back stays so. */
import { expect, test } from 'vitest'
import { untilBlocked } from '../../../test/blocked.ts'
import { withDatabase } from '../../../test/database.ts'
import { AT, openInviting, person, type Inviting, type Person } from '../../../test/worlds/invites.ts'
import { sql } from '../../platform/database/database.ts'
import { findBroken } from '../../platform/database/invariants.ts'
import { lockWallet } from '../../wallet/ledger.ts'
import { claimInvitation, recordInvitation } from './join.ts'
import { takeBackReward } from './take-back.ts'

const withInviting = (work: (given: Inviting) => Promise<void>) =>
  withDatabase(async (db) => {
    await work(await openInviting(db))
    expect(await findBroken(db, 'server/migrations')).toEqual([])
  })

async function pair({ add }: Inviting): Promise<{ by: Person; friend: Person }> {
  const by = person()
  const friend = person({ invitedBy: by.id })
  await add(by, friend)
  return { by, friend }
}

const tally = (outcomes: unknown[], what: string) => outcomes.filter((each) => each === what).length

// Seen to fail without both locks of lockBoth
test('eight nodes that pay one invitation at once pay it once', () =>
  withInviting(async (given) => {
    const { by, friend } = await pair(given)
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => given.pay(friend)))
    expect(tally(outcomes, 'paid')).toBe(1)
    expect([await given.rewards(by), await given.rewards(friend)]).toEqual([25, 25])
  }))

// Seen to fail without the lock on the wallets (lock-both.ts)
test('of an inviter’s friends that count at once, no more are paid than the month allows', () =>
  withInviting(async (given) => {
    await given.db.run(sql`update invite_settings set month_max_paise = 7500`)
    const by = person()
    const friends = Array.from({ length: 6 }, () => person({ invitedBy: by.id }))
    await given.add(by, ...friends)
    await Promise.all(friends.map(given.pay))
    expect(await given.rewards(by)).toBe(75)
    expect(await Promise.all(friends.map(given.rewards))).toEqual(Array(6).fill(25))
  }))

// Seen to fail without `for update` on the settings (payBoth)
test('a payment waits for another one that is using the budget, and sees what is left', () =>
  withInviting(async (given) => {
    const { friend } = await pair(given)
    const { paying } = await given.db.transaction(async (tx) => {
      await tx.run(sql`update invite_settings set budget_paise = 4999`)
      const running = given.pay(friend)
      await untilBlocked(given.db)
      return { paying: running }
    })
    expect(await paying).toBe('budget')
  }))

test('of many inviters’ friends that count at once, no more are paid than the budget allows', () =>
  withInviting(async (given) => {
    await given.db.run(sql`update invite_settings set budget_paise = 15000`)
    const pairs: Person[] = []
    for (let n = 0; n < 6; n++) pairs.push((await pair(given)).friend)
    const outcomes = await Promise.all(pairs.map(given.pay))
    expect([tally(outcomes, 'paid'), tally(outcomes, 'budget')]).toEqual([3, 3])
  }))

// Seen to fail without the lock on the wallets (lock-both.ts)
test('does not pay for a top-up that is taken back at that moment', () =>
  withInviting(async (given) => {
    const { friend, by } = await pair(given)
    const paying = await given.db.transaction(async (tx) => {
      // As the panel does: first the wallet, then the request and its match
      await lockWallet(tx, friend.id, AT)
      await tx.run(sql`
        update topup_requests set status = 'rejected', taken_back = 'free', loss_paise = credit_paise
         where user_id = ${friend.id}`)
      await tx.run(sql`
        update bank_matches set released_at = ${AT}, released_by = ${given.adminId}, released_why = 'No', loss_paise = 0
         where topup_id in (select id from topup_requests where user_id = ${friend.id})`)
      const running = given.pay(friend)
      await untilBlocked(given.db)
      return { running }
    })
    expect(await paying.running).toBeUndefined()
    expect([await given.rewards(by), await given.outcome(friend)]).toEqual([0, 'waits'])
  }))

// Seen to fail without both locks of lockBoth
test('eight nodes that take one invitation back at once take it once', () =>
  withInviting(async (given) => {
    const { by, friend } = await pair(given)
    await given.settle()
    await given.takeBack(friend)
    await Promise.all(Array.from({ length: 8 }, () => takeBackReward(given.services, friend.id)))
    expect([await given.rewards(by), await given.rewards(friend)]).toEqual([0, 0])
    expect(await given.db.count(sql`select count(*) from wallet_movements where kind = 'reversal'`)).toBe(2)
    expect(await given.db.count(sql`select count(*) from audit_entries where action = 'invite.take-back'`)).toBe(1)
  }))

// Seen to fail without the lock of claimInvitation
test('of eight friends who sign up at once where 46 wait, four can', () =>
  withInviting(async ({ db, add }) => {
    const by = person()
    const waiting = Array.from({ length: 46 }, () => person({ paid: 0, invitedBy: by.id }))
    const friends = Array.from({ length: 8 }, () => person({ paid: 0 }))
    await add(by, ...waiting, ...friends)
    const code = (await db.text(sql`select invite_code from users where id = ${by.id}`)) ?? ''
    const signUp = ({ id }: Person) =>
      db
        .transaction(async (tx) => {
          const invitation = await claimInvitation(tx, code)
          if (invitation) await recordInvitation(tx, invitation, { userId: id, devices: [], now: AT })
        })
        .then(
          () => 'joined',
          (error: { code?: string }) => error.code,
        )
    const outcomes = await Promise.all(friends.map(signUp))
    expect([tally(outcomes, 'joined'), tally(outcomes, 'REFERRAL_USED_UP')]).toEqual([4, 4])
  }))
