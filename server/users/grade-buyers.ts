/**
 * Moves buyers between groups by what they bought: up each night, and down on the 1st of a month. Only those whom no
 * admin has put anywhere by hand.
 */
import * as z from 'zod/mini'
import { dayOf, startOfDay } from '../../contract/india.ts'
import { DAY_MS, HOUR_MS } from '../../contract/time.ts'
import { mayAct, placedSince } from '../platform/database/conditions.ts'
import { columns, sql, type Queries, type Sql, type Transaction } from '../platform/database/database.ts'
import type { Job } from '../platform/jobs.ts'
import { enqueue } from '../platform/outbox.ts'
import type { Services } from '../platform/services.ts'

const AT_MS = 3.5 * HOUR_MS
const BOUGHT_MS = 90 * DAY_MS
const AT_ONCE = 500

/** Joins this to rows of `orders`. */
export const boughtLately = (now: Date): Sql => {
  const since = new Date(now.getTime() - BOUGHT_MS)
  return sql`(orders.created_at > ${since} and ${placedSince(since)})`
}
/** In paise, of rows of `orders`. */
export const LESS_REFUNDS = sql`coalesce(sum(amount_paise - refunded_paise), 0)::bigint`

type Needs = Pick<Services, 'db' | 'events'>

const JOB = 'grade-buyers'

export const gradeJobs = (services: Needs): Job[] => [
  { name: JOB, nextAfter: nextNight, run: (now, signal) => gradeAtNight(services, now, signal) },
]

/** 03:30 in India. */
function nextNight(now: Date): Date {
  const today = startOfDay(now).getTime() + AT_MS
  return new Date(today > now.getTime() ? today : today + DAY_MS)
}

/** A store that was off on the 1st makes up for it on the first night after. */
async function gradeAtNight(services: Needs, now: Date, signal: AbortSignal) {
  const month = dayOf(now).slice(0, 'YYYY-MM'.length)
  const hasFallen = await services.db.holds(sql`
    select exists (select from jobs where name = ${JOB} and result ->> 'month' = ${month})`)
  return { moved: await gradeBuyers(services, { now, falls: !hasFallen }, signal), month }
}

const Move = z.object({ id: z.string(), heldId: z.nullable(z.string()), reachedId: z.nullable(z.string()) })
type Move = z.output<typeof Move>

interface Grading {
  now: Date
  /** Buyers also move down. */
  falls: boolean
}

/** A group that nobody joins any more keeps its buyers until they fall. */
const findMoves = (db: Queries, { now, falls }: Grading, whose: Sql = sql`true`) =>
  db.rows(sql(Move)`
    select buyer.id, buyer.group_id as held_id, reached.id as reached_id
      from users buyer
      left join (select user_id, ${LESS_REFUNDS} as paise from orders
                  where ${boughtLately(now)} group by user_id) bought on bought.user_id = buyer.id
      left join lateral (select id, from_spent_paise from buyer_groups where from_spent_paise <= bought.paise
                          order by from_spent_paise desc limit 1) reached on true
      left join buyer_groups held on held.id = buyer.group_id
     where buyer.group_by = 'spend' and ${mayAct(sql`buyer`)} and ${whose} and reached.id is distinct from held.id
       and (${falls} or held.id is null or reached.from_spent_paise > held.from_spent_paise)
     order by buyer.id`)

/** Puts a locked account into the group that its purchases have reached. */
export async function gradeBuyer(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx.run(sql`update users set group_by = 'spend' where id = ${id}`)
  const [move] = await findMoves(tx, { now, falls: true }, sql`buyer.id = ${id}`)
  if (move) await tx.run(sql`update users set group_id = ${move.reachedId} where id = ${id}`)
}

/** @returns how many buyers have changed their group. Each gets a message */
export async function gradeBuyers({ db, events }: Needs, grading: Grading, signal: AbortSignal): Promise<number> {
  const moves = await findMoves(db, grading)
  let moved = 0
  for (let from = 0; from < moves.length; from += AT_ONCE) {
    // The next start begins again
    signal.throwIfAborted()
    const ids = await db.transaction((tx) => moveSome(tx, moves.slice(from, from + AT_ONCE), grading.now))
    for (const id of ids) tellPages(events, id)
    moved += ids.length
  }
  return moved
}

const Moved = z.object({ id: z.string(), was: z.nullable(z.string()) })

async function moveSome(tx: Transaction, moves: readonly Move[], now: Date): Promise<string[]> {
  // Groups before buyers, as when one is removed
  await tx.run(sql`select from buyer_groups for key share`)
  // The lock waits for who puts a buyer somewhere by hand, and then that counts
  const moved = await tx.rows(sql(Moved)`
    with still as (
      select users.id, move.held_id, move.reached_id
        from ${columns([...moves], 'id uuid, held_id uuid, reached_id uuid')} as move
        join users on users.id = move.id
       where users.group_by = 'spend' and users.group_id is not distinct from move.held_id and ${mayAct(sql`users`)}
         and (move.reached_id is null or move.reached_id in (select id from buyer_groups))
       order by users.id for no key update of users
    )
    update users set group_id = still.reached_id from still where users.id = still.id
    returning users.id, (select name from buyer_groups where id = still.held_id) as was`)
  for (const { id, was } of moved)
    enqueue(tx, { kind: 'group.changed', userId: id, ...(was !== null && { data: { was } }), now })
  return moved.map(({ id }) => id)
}

/** They read lists and the name of the group again. */
export function tellPages(events: Services['events'], id: string): void {
  events.publish({ to: { user: id }, name: 'balance' })
  events.publish({ to: { user: id }, name: 'stock' })
}

/** Leaves its buyers in none, and to what they buy. */
export async function emptyGroup(tx: Transaction, groupId: string): Promise<number> {
  return tx.run(sql`update users set group_id = null, group_by = 'spend' where group_id = ${groupId}`)
}
