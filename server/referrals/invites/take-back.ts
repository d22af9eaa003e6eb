/** Takes the rewards of an invitation back when the friend's top-up was taken back, in a transaction of its own. */
import * as z from 'zod/mini'
import { add, negate, toRupees, ZERO, type Paise } from '../../../contract/money.ts'
import { DAY_MS } from '../../../contract/time.ts'
import { audit } from '../../audit/audit.ts'
import { sql, type Transaction } from '../../platform/database/database.ts'
import { InPaise } from '../../platform/in-paise.ts'
import type { Services } from '../../platform/services.ts'
import { reverseReward } from '../../wallet/reverse-top-up.ts'
import { lockBoth } from './lock-both.ts'

type Core = Pick<Services, 'db' | 'clock' | 'events'>

/** With so many of his invitations taken back within this time, an inviter is paused. */
const TAKEN_BACK_MAX = 2
const COUNTED_FOR_MS = 90 * DAY_MS

const Paid = z.object({
  inviterId: z.string(),
  username: z.string(),
  reward: InPaise,
  friendGets: InPaise,
  rewardId: z.nullable(z.string()),
  friendRewardId: z.nullable(z.string()),
})

const IS_PAID = sql`outcome = 'paid' and taken_back_at is null`

/** @returns how many */
export async function takeBackRewards(services: Core, signal: AbortSignal): Promise<number> {
  const ids = await services.db.texts(sql`
    select friend_id from invites join topup_requests request on request.id = invites.topup_id
     where request.taken_back is not null and ${IS_PAID} order by request.decided_at, friend_id`)
  for (const id of ids) if (!signal.aborted) await takeBackReward(services, id)
  return ids.length
}

/** Takes what is left of both rewards. What was spent is noted as lost. */
export async function takeBackReward({ db, clock, events }: Core, friendId: string): Promise<void> {
  const inviterId = await db.transaction((tx) => takeBackIn(tx, friendId, clock.now()))
  if (!inviterId) return
  for (const user of [friendId, inviterId]) events.publish({ to: { user }, name: 'balance' })
}

async function takeBackIn(tx: Transaction, friendId: string, now: Date): Promise<string | undefined> {
  if (!(await lockBoth(tx, friendId, now, IS_PAID))) return undefined
  const { inviterId, username, ...paid } = await tx.one(sql(Paid)`
    select inviter_id, users.username, reward_paise as reward, friend_paise as friend_gets, reward_id, friend_reward_id
      from invites join users on users.id = inviter_id where friend_id = ${friendId}`)
  const take = async (movementId: string | null, userId: string, amount: Paise) => {
    if (movementId === null) return { taken: ZERO, lost: ZERO }
    const taken = await reverseReward(tx, { movementId, userId, description: 'Invitation reward taken back', now })
    return { taken, lost: add(amount, negate(taken)) }
  }
  const own = await take(paid.rewardId, inviterId, paid.reward)
  const friends = await take(paid.friendRewardId, friendId, paid.friendGets)
  const [taken, lost] = [add(own.taken, friends.taken), add(own.lost, friends.lost)]
  await tx.run(sql`update invites set taken_back_at = ${now}, lost_paise = ${lost} where friend_id = ${friendId}`)
  const isPaused = await pauseAfterMany(tx, inviterId, now)
  await audit(
    tx,
    { admin: null, address: '', userAgent: '', now },
    {
      action: 'invite.take-back',
      subject: `${username} (${inviterId})`,
      after: { taken: toRupees(taken), lost: toRupees(lost), ...(isPaused && { paused: true }) },
    },
  )
  return inviterId
}

/** Until the owner resumes the inviter. The inviter's wallet is locked, so each sees those before. */
async function pauseAfterMany(tx: Transaction, inviterId: string, now: Date): Promise<boolean> {
  const paused = await tx.run(sql`
    insert into invite_terms (user_id, paused_at)
    select ${inviterId}, ${now}
     where (select count(*) from invites where inviter_id = ${inviterId}
               and taken_back_at > ${new Date(now.getTime() - COUNTED_FOR_MS)}) >= ${TAKEN_BACK_MAX}
    on conflict (user_id) do update set paused_at = coalesce(invite_terms.paused_at, excluded.paused_at)`)
  return paused > 0
}
