/**
 * Farmers of eight kinds and honest pairs, whose money a statement shows late, on two nodes that are killed in the
 * middle of the payments, again and again. Of some pairs the top-up is taken back.
 */
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Database } from '../server/platform/database/database.ts'
import { findBroken } from '../server/platform/database/invariants.ts'
import { AT, farmersAndPairs, openInviting, type Person } from '../test/worlds/invites.ts'
import type { Drill } from './drill.ts'
import { killInParts, runNow, SETTLED_MS_MAX } from './kill-in-parts.ts'
import { startNodes } from './store-process.ts'

const JOB = 'pay-invites'
/** Of so many pairs one top-up is taken back. */
const TAKEN_BACK_EACH = 15

export const drill: Drill = async ({ quick, count = quick ? 30 : 300, directories }) => {
  const { first, nodes, stop } = await startNodes({ directories })
  const db = first.database()
  const given = await openInviting(db)
  const { inviters, kinds, honest } = farmersAndPairs(quick ? 5 : 25, count)
  const farmers = Object.values(kinds).flat()
  const friends = honest.map(({ friend }) => friend)
  await db.run(sql`update invite_settings set budget_paise = 100000000`)
  // The statement comes when the nodes run
  const unproven = friends.map((friend) => ({ ...friend, proof: 'alert' as const }))
  await given.add(...[...inviters, ...farmers, ...unproven].map(today))
  await prove(db, friends)
  const openNow = () =>
    db.count(sql`select count(*) from invites where ended_at is null and friend_id = any(${idsOf(friends)}::uuid[])`)
  const { kills, open } = await killInParts(db, nodes, { job: JOB, count: friends.length, parts: 10, openNow })
  const back = friends.filter((_, n) => n % TAKEN_BACK_EACH === 0)
  for (const friend of back) await given.takeBack(friend)
  await untilTakenBack(db, back)
  const wrong = await judge(db, { farmers, friends, back })
  const broken = await findBroken(db, path.resolve(import.meta.dirname, '../server/migrations'))
  await db.close()
  await stop()
  return {
    passed: open === 0 && wrong.length === 0 && broken.length === 0 && kills >= (quick ? 2 : 5),
    figures: [
      `${farmers.length} farmers and ${count} honest pairs on two nodes, ${kills} kills while they were paid: ` +
        `wrong ${wrong.length === 0 ? 0 : wrong.join(', ')}; ${back.length} taken back; broken rules ${broken.length}`,
    ],
    proved: 'no farmer of these kinds is paid, each honest pair is paid both once, and what was taken back stays so.',
    cannotProve: 'what farmers with bank accounts of ten other people get: a discount that the owner chose.',
  }
}

/** As far before now as it was before the tests' now. */
function today({ joinedAt, paidAt, ...rest }: Person): Person {
  const later = (moment: Date) => new Date(moment.getTime() + Date.now() - AT.getTime())
  return { ...rest, joinedAt: later(joinedAt), paidAt: later(paidAt) }
}

const idsOf = (people: readonly Person[]) => people.map(({ id }) => id)

async function prove(db: Database, friends: readonly Person[]): Promise<void> {
  await db.run(sql`
    update bank_credits credit set proof = 'statement', proven_at = credit.first_seen_at
      from bank_matches match join topup_requests request on request.id = match.topup_id
     where match.credit_id = credit.id and request.user_id = any(${idsOf(friends)}::uuid[])`)
}

async function untilTakenBack(db: Database, back: readonly Person[]): Promise<void> {
  for (const since = performance.now(); performance.now() - since < SETTLED_MS_MAX; await sleep(100)) {
    await runNow(db, JOB)
    const left = await db.count(sql`
      select count(*) from invites
       where taken_back_at is null and outcome = 'paid' and friend_id = any(${idsOf(back)}::uuid[])`)
    if (left === 0) return
  }
}

interface People {
  farmers: readonly Person[]
  friends: readonly Person[]
  back: readonly Person[]
}

/** @returns what cannot be */
async function judge(db: Database, { farmers, friends, back }: People): Promise<string[]> {
  const among = (people: readonly Person[]) => sql`friend_id = any(${idsOf(people)}::uuid[])`
  const counts = {
    'farmers paid': sql`select count(*) from invites where outcome = 'paid' and ${among(farmers)}`,
    'pairs not paid both': sql`
      select count(*) from invites
       where ${among(friends)} and num_nonnulls(reward_id, friend_reward_id) < 2`,
    'not taken back': sql`select count(*) from invites where ${among(back)} and taken_back_at is null`,
    'rewards of no invitation': sql`
      select count(*) from wallet_movements movement
       where kind = 'referral_reward'
         and not exists (select from invites where movement.id in (reward_id, friend_reward_id))`,
    'paise above half of the payments': sql`
      select greatest(0, 2 * (select coalesce(sum(amount_paise), 0) from wallet_movements
                               where kind = 'referral_reward')
                         - (select coalesce(sum(request.amount_paise), 0)
                              from invites join topup_requests request on request.id = invites.topup_id))::bigint`,
  }
  const found = await Promise.all(
    Object.entries(counts).map(async ([what, counted]) => [what, await db.count(counted)] as const),
  )
  return found.flatMap(([what, times]) => (times === 0 ? [] : [`${times} ${what}`]))
}
