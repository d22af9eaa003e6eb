/** What an invitation brings: the store's terms, and those that the owner gives one buyer. */
import * as z from 'zod/mini'
import { Refusal } from '../../../contract/errors.ts'
import { dayOf, startOf } from '../../../contract/india.ts'
import { InviteSettings, type Inviter, type invites } from '../../../contract/invites.ts'
import { add, formatPaise, paise, toRupees, type Paise } from '../../../contract/money.ts'
import { audit, type ProvingBy } from '../../audit/audit.ts'
import { sql, type Database, type Queries, type Sql, type Transaction } from '../../platform/database/database.ts'
import { InPaise } from '../../platform/in-paise.ts'
import { listInviters } from './list-inviters.ts'

const Terms = z.object({
  isOn: z.boolean(),
  reward: InPaise,
  friendGets: InPaise,
  minimum: InPaise,
  days: z.number(),
  monthMax: InPaise,
  budget: InPaise,
})
type Terms = z.output<typeof Terms>

/** Of two who lock them, the second waits. */
export const readTerms = (db: Queries, lock?: 'for update' | 'for share'): Promise<Terms> =>
  db.one(sql(Terms)`
    select is_on, reward_paise as reward, friend_paise as friend_gets, min_paise as minimum, days,
           month_max_paise as month_max, budget_paise as budget
      from invite_settings ${lock === 'for update' ? sql`for update` : lock ? sql`for share` : sql``}`)

/** What a row of `invites` gave to both, taken back or not. */
const GIVEN = sql`
  (case when reward_id is null then 0 else reward_paise end
   + case when friend_reward_id is null then 0 else friend_paise end)`

const startOfMonth = (now: Date): Date => startOf(`${dayOf(now).slice(0, 7)}-01`)

/** What the store gave this month, in paise. */
export const givenThisMonth = (now: Date): Sql => sql`(
  select coalesce(sum(${GIVEN}), 0)::bigint from invites
   where outcome = 'paid' and ended_at >= ${startOfMonth(now)})`

/** What one inviter got this month, in paise. */
export const earnedThisMonth = (inviterId: Sql, now: Date): Sql => sql`(
  select coalesce(sum(earned.reward_paise), 0)::bigint from invites earned
   where earned.inviter_id = ${inviterId} and earned.reward_id is not null and earned.ended_at >= ${startOfMonth(now)})`

/** Both rewards are at most half of the minimum, also where the inviter got more under an earlier minimum. */
export const rewardOf = (settings: Sql, terms: Sql): Sql => sql`
  least(coalesce(${terms}.reward_paise, ${settings}.reward_paise),
        ${settings}.min_paise / 2 - ${settings}.friend_paise)`

export const readInviteSettings = (db: Queries, now: Date): Promise<InviteSettings> =>
  db.one(sql(InviteSettings)`
    select is_on, reward_paise as reward, friend_paise as friend_gets, min_paise as minimum, days,
           month_max_paise as month_max, budget_paise as budget, ${givenThisMonth(now)} as paid_this_month,
           (select max(created_at) from bank_imports where balances = 'proven') as last_statement_at
      from invite_settings`)

/** @throws Refusal STEP_UP_REQUIRED for on or more, or INVALID_INPUT for more than half of the minimum */
export function saveInviteSettings(
  db: Database,
  change: z.output<(typeof invites.saveInviteSettings)['input']>,
  by: ProvingBy,
): Promise<InviteSettings> {
  return db.transaction(async (tx) => {
    const before = await readTerms(tx, 'for update')
    const given = Object.entries(change).filter(([, value]) => value !== undefined)
    const after: Terms = { ...before, ...(Object.fromEntries(given) as Partial<Terms>) }
    refuseAboveHalf(after, 'minimum' in change && !('reward' in change) ? 'minimum' : 'reward')
    if (isMore(before, after)) by.requireProof()
    await tx.run(sql`
      update invite_settings
         set is_on = ${after.isOn}, reward_paise = ${after.reward}, friend_paise = ${after.friendGets},
             min_paise = ${after.minimum}, days = ${after.days}, month_max_paise = ${after.monthMax},
             budget_paise = ${after.budget}`)
    await audit(tx, by, {
      action: 'settings.invites',
      subject: 'Invitations',
      before: inRupees(before),
      after: inRupees(after),
    })
    return readInviteSettings(tx, by.now)
  })
}

const MORE = ['reward', 'friendGets', 'days', 'monthMax', 'budget'] as const

const isMore = (before: Terms, after: Terms): boolean =>
  (after.isOn && !before.isOn) || after.minimum < before.minimum || MORE.some((name) => after[name] > before[name])

function inRupees({ isOn, days, ...sums }: Terms): object {
  return { isOn, days, ...Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, toRupees(sum)])) }
}

/** @throws Refusal INVALID_INPUT */
function refuseAboveHalf({ reward, friendGets, minimum }: Terms, field: 'reward' | 'minimum'): void {
  if (2 * add(reward, friendGets) <= minimum) return
  const most = paise(Math.floor(minimum / 2))
  const say = 'Both rewards together can be at most half of the payment: {most}.'
  throw new Refusal('INVALID_INPUT', { say: [say, { most: formatPaise(most) }], field })
}

const Own = z.object({ reward: z.nullable(InPaise), monthMax: z.nullable(InPaise), paused: z.boolean() })
type Own = z.output<typeof Own>

/** @throws Refusal NOT_FOUND, STEP_UP_REQUIRED for more, or INVALID_INPUT for more than half of the minimum */
export function setInviteTerms(
  db: Database,
  { userId, ...change }: z.output<(typeof invites.setInviteTerms)['input']>,
  by: ProvingBy,
): Promise<Inviter> {
  return db.transaction(async (tx) => {
    await tx.run(sql`
      insert into invite_terms (user_id) select id from users where id = ${userId} and deleted_at is null
      on conflict do nothing`)
    const before = await lockOwnTerms(tx, userId)
    if (!before) throw new Refusal('NOT_FOUND')
    const store = await readTerms(tx, 'for share')
    const { reward = before.reward, monthMax = before.monthMax, paused = before.paused } = change
    const after: Own = { reward, monthMax, paused }
    if (change.reward) refuseAboveHalf({ ...store, reward: change.reward }, 'reward')
    const grows = (name: 'reward' | 'monthMax') => (after[name] ?? store[name]) > (before[name] ?? store[name])
    if (grows('reward') || grows('monthMax') || (before.paused && !paused)) by.requireProof()
    await tx.run(sql`
      update invite_terms
         set reward_paise = ${reward}, month_max_paise = ${monthMax},
             paused_at = case when ${paused} then coalesce(paused_at, ${by.now}) end
       where user_id = ${userId}`)
    const [row] = await listInviters(tx, by.now, userId)
    if (!row) throw new Refusal('NOT_FOUND')
    await audit(tx, by, {
      action: 'invite.terms',
      subject: `${row.username} (${userId})`,
      before: ownInRupees(before),
      after: ownInRupees(after),
    })
    return row
  })
}

const lockOwnTerms = (tx: Transaction, userId: string): Promise<Own | undefined> =>
  tx.maybe(sql(Own)`
    select reward_paise as reward, month_max_paise as month_max, paused_at is not null as paused
      from invite_terms where user_id = ${userId} for update`)

const rupeesOf = (sum: Paise | null) => sum && toRupees(sum)
const ownInRupees = ({ reward, monthMax, paused }: Own) => ({
  reward: rupeesOf(reward),
  monthMax: rupeesOf(monthMax),
  paused,
})
