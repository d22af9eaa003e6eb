/**
 * Pays for invitations. Both rewards are one transaction, under both wallets. What several nodes pay at once meets at
 * the wallets, so one invitation is paid once, and an inviter's month is counted one friend after the other. All meet
 * at the settings, for the month's budget.
 */
import * as z from 'zod/mini'
import type { NotCounted } from '../../../contract/invites.ts'
import { add, ZERO, type Paise } from '../../../contract/money.ts'
import { DAY_MS, MINUTE_MS } from '../../../contract/time.ts'
import { sql, type Database, type Transaction } from '../../platform/database/database.ts'
import { InPaise } from '../../platform/in-paise.ts'
import type { Job } from '../../platform/jobs.ts'
import { enqueue } from '../../platform/outbox.ts'
import type { Services } from '../../platform/services.ts'
import { allowedBefore } from '../../wallet/allowance.ts'
import { creditAll } from '../../wallet/credit.ts'
import { lockBoth } from './lock-both.ts'
import { COUNTING, FILED_UNTIL, PROVEN_UNTIL, whyNot } from './proof.ts'
import { takeBackRewards } from './take-back.ts'
import { earnedThisMonth, givenThisMonth, readTerms } from './terms.ts'

type Core = Pick<Services, 'db' | 'clock' | 'events'>

const Open = z.object({
  inviterId: z.string(),
  reward: InPaise,
  friendGets: InPaise,
  days: z.number(),
  topupId: z.string(),
  creditId: z.string(),
  earned: InPaise,
  monthMax: InPaise,
})
type Open = z.output<typeof Open>

/** What became of an invitation whose payment counts. `budget`: it waits for the next month. */
type Fate = 'paid' | 'budget' | NotCounted

/** Pays or ends the invitation of a friend, if a statement shows the payment. */
export async function payInvite({ db, clock, events }: Core, friendId: string): Promise<Fate | undefined> {
  const done = await db.transaction((tx) => payIn(tx, friendId, clock.now()))
  if (done?.fate === 'paid')
    for (const user of [friendId, done.inviterId]) events.publish({ to: { user }, name: 'balance' })
  return done?.fate
}

async function payIn(tx: Transaction, friendId: string, now: Date) {
  const inviterId = await lockBoth(tx, friendId, now, sql`ended_at is null`)
  // Reads all of it again, under the locks
  const invite = inviterId && (await readCounting(tx, friendId, now))
  if (!invite) return undefined
  const why = await whyNot(tx, { friendId, creditId: invite.creditId })
  const fate = why ?? (await payBoth(tx, friendId, invite, now))
  if (why) await tx.run(sql`update invites set ended_at = ${now}, outcome = ${why} where friend_id = ${friendId}`)
  return { inviterId, fate }
}

const readCounting = (tx: Transaction, friendId: string, now: Date): Promise<Open | undefined> =>
  tx.maybe(sql(Open)`
    select invite.inviter_id, invite.reward_paise as reward, invite.friend_paise as friend_gets, invite.days,
           counting.topup_id, counting.credit_id, ${earnedThisMonth(sql`invite.inviter_id`, now)} as earned,
           coalesce(terms.month_max_paise, settings.month_max_paise) as month_max
      from invites invite
     cross join lateral ${COUNTING} counting
     cross join invite_settings settings
      left join invite_terms terms on terms.user_id = invite.inviter_id
     where invite.friend_id = ${friendId}`)

/** The friend's reward comes also when the inviter's month is full. */
async function payBoth(tx: Transaction, friendId: string, invite: Open, now: Date): Promise<'paid' | 'budget'> {
  const { inviterId, days, topupId, friendGets } = invite
  const reward = add(invite.earned, invite.reward) <= invite.monthMax ? invite.reward : ZERO
  const { budget } = await readTerms(tx, 'for update')
  const given = await tx.count(sql`select ${givenThisMonth(now)}`)
  if (given + reward + friendGets > budget) return 'budget'
  const expiresAt = new Date(now.getTime() + days * DAY_MS)
  const rewards = [
    { userId: inviterId, amount: reward, description: 'Reward for inviting a friend' },
    { userId: friendId, amount: friendGets, description: 'Reward for joining by an invitation' },
  ].filter(({ amount }) => amount > 0)
  const ids = creditAll(
    tx,
    // The owner was allowed to promise it when the terms were saved
    rewards.map((each) => ({
      ...each,
      kind: 'referral_reward',
      allowance: allowedBefore(each.amount),
      expiresAt,
      now,
    })),
  )
  const idOf = (userId: string) => ids[rewards.findIndex((each) => each.userId === userId)] ?? null
  await tx.run(sql`
    update invites
       set ended_at = ${now}, outcome = 'paid', topup_id = ${topupId}, reward_id = ${idOf(inviterId)},
           friend_reward_id = ${idOf(friendId)}
     where friend_id = ${friendId}`)
  if (reward > 0) tell(tx, { friendId, inviterId, reward, expiresAt, now })
  return 'paid'
}

interface Earned {
  friendId: string
  inviterId: string
  reward: Paise
  expiresAt: Date
  now: Date
}

function tell(tx: Transaction, { friendId, inviterId, reward, expiresAt, now }: Earned): void {
  enqueue(tx, {
    kind: 'invite.earned',
    userId: inviterId,
    data: { amount: reward },
    dedupe: `invite.earned:${friendId}`,
    goneAfter: expiresAt,
    now,
  })
}

/** Ends those that can no longer count. One that only waits for the month's budget can. @returns how many */
const endLate = (db: Database, now: Date): Promise<number> =>
  db.run(sql`
    update invites invite set ended_at = ${now}, outcome = 'late'
     where ended_at is null and ${FILED_UNTIL} < ${now}
       and not exists (select from ${COUNTING} counting)
       and (${PROVEN_UNTIL} < ${now} or not exists (
         select from topup_requests request
          where request.user_id = invite.friend_id and request.filed_by is null
            and request.status in ('pending', 'approved') and request.created_at <= ${FILED_UNTIL}))`)

/** Pays what counts, oldest first, and takes back what was paid for a top-up that was taken back. */
export async function settleInvites(services: Core, signal: AbortSignal) {
  const { db, clock } = services
  const takenBack = await takeBackRewards(services, signal)
  const late = await endLate(db, clock.now())
  const due = await db.texts(sql`
    select friend_id from invites invite
     where ended_at is null and exists (select from ${COUNTING} counting)
     order by created_at, friend_id`)
  const faults: unknown[] = []
  let paid = 0
  for (const id of due) {
    if (signal.aborted) break
    const fate = await payInvite(services, id).catch((fault: unknown) => void faults.push(fault))
    if (fate === 'paid') paid += 1
    // Those after it wait for the next month, too
    if (fate === 'budget') break
  }
  if (faults.length > 0) throw faults[0]
  return { due: due.length, paid, takenBack, late }
}

export const inviteJobs = (services: Core): Job[] => [
  {
    name: 'pay-invites',
    nextAfter: (now) => new Date(now.getTime() + MINUTE_MS),
    run: (_, signal) => settleInvites(services, signal),
  },
]

/** Does the same after what the bank showed here and after decisions here. The job does what is left. */
export function followInvites(services: Core & Pick<Services, 'ended'>, onError: (error: unknown) => void): void {
  const { events, ended } = services
  let isAsked = false
  let last: Promise<unknown> = Promise.resolve()
  const settle = () => {
    isAsked = false
    return ended.aborted ? undefined : settleInvites(services, ended)
  }
  events.subscribe(({ to, name }, isOwn) => {
    if (!isOwn || to !== 'admins' || (name !== 'bank' && name !== 'payment') || isAsked) return
    isAsked = true
    last = last.then(settle).catch((error: unknown) => void (ended.aborted || onError(error)))
  })
}
