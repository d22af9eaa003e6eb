/**
 * Rate limits by address, by account and by both. Counted in PostgreSQL and by its clock, so that all nodes agree,
 * however wrong the clock of a machine is.
 */
import { isIPv6 } from 'node:net'
import * as z from 'zod/mini'
import { Refusal, type RefusalCode } from '../../contract/errors.ts'
import { ADMIN_CODES, LIMITS, type Limit, type LimitName, type Rule } from '../../contract/rate-limits.ts'
import type { Clock } from './clock.ts'
import { columns, literal, sql, type Database, type Queries } from './database/database.ts'
import { coalesce } from './load/coalesce.ts'
import { FORGOTTEN_AT_ONCE } from './jobs.ts'

/** Names a count: the calls of an endpoint, or the 6-digit codes in some of them. */
type CountName = LimitName | 'admin-code'

type Settle = (failure: RefusalCode | undefined) => Promise<void>

/** The caller whose points a call uses up. */
export interface Counted {
  account: string | undefined
  /** Undefined if only the account's own tries count. */
  address: string | undefined
  /** The browser, if it logged in to the account before. */
  device?: string | undefined
}

/**
 * Counts a call.
 * @returns a function to call with the outcome, because some limits count only some outcomes. It throws RATE_LIMITED
 *   for a wrong secret beyond its limit
 * @throws Refusal RATE_LIMITED
 */
export type RateLimits = (name: CountName, who: Counted) => Promise<Settle>

interface Count {
  key: string
  /** A negative number gives points back. */
  points: number
  /** How long a new counter lasts, in ms. All points are back then. */
  lastsMs: number
}

const CountedRow = z.object({ key: z.string(), points: z.number(), expire: z.number() })
/** `expire` is when all points are back, in ms since the epoch. */
type CountedPoints = Pick<z.output<typeof CountedRow>, 'points' | 'expire'>

/**
 * Counts all in one statement in key order, so that two nodes cannot deadlock. Points come back only to a counter that
 * still runs. The next one would otherwise begin below zero, and allow more tries. No counter ends later than a new
 * one, so that nobody stays locked out if the clock goes back.
 */
async function countAll(db: Queries, nowMs: number, counts: readonly Count[]): Promise<CountedPoints[]> {
  const rows = await db.rows(sql(CountedRow)`
    insert into rate_limits as counted (key, points, expire)
    select count.key, sum(count.points), ${nowMs} + max(count.lasts_ms)
      from ${columns(counts, 'key text, points int, lasts_ms bigint')} as count
     where count.points > 0
        or exists (select from rate_limits live where live.key = count.key and live.expire > ${nowMs})
     group by count.key order by count.key
    on conflict (key) do update
       set points = greatest(0, excluded.points
                                + case when counted.expire > ${nowMs} then counted.points else 0 end),
           expire = case when counted.expire > ${nowMs} then least(counted.expire, excluded.expire)
                         else excluded.expire end
    returning key, points, expire`)
  const empty = rows.filter(({ points }) => points === 0).map(({ key }) => key)
  if (empty.length > 0) await forgetEmpty(db, empty)
  // If one key was counted several times, each count gets the total as it was at its turn
  const left = new Map(rows.map((row) => [row.key, row]))
  return counts
    .toReversed()
    .map(({ key, points, lastsMs }) => {
      const row = left.get(key)
      if (!row) return { points: 0, expire: nowMs + lastsMs }
      if (points > 0) left.set(key, { ...row, points: row.points - points })
      return row
    })
    .toReversed()
}

/**
 * Deletes counters that have all their points back. A stranger could otherwise fill the disk with made-up names whose
 * tries are refused. Skips those that another node counts in, because two nodes that wait for each other deadlock.
 */
async function forgetEmpty(db: Queries, keys: readonly string[]): Promise<void> {
  await db.run(sql`
    delete from rate_limits
     where key in (select key from rate_limits where key = any(${keys}::text[]) and points = 0
                      for update skip locked)`)
}

/** The narrowest first, so that a refused network no longer counts for the account. */
const KINDS = ['origin', 'area', 'account', 'address', 'site', 'apart'] as const satisfies (keyof Rule)[]

/**
 * @param scale multiplies every limit
 * @param clock says when a counter ends
 */
export function rateLimits(db: Database, scale: number, clock: Clock): RateLimits {
  const nowMs = () => clock.now().getTime()
  const count = coalesce((counts: readonly Count[]) => countAll(db, nowMs(), counts))
  const limiterOf = (name: string, kind: keyof Rule, { points, perS, counter }: Limit) => ({
    points: Math.ceil(points * scale),
    /** A negative number gives points back. */
    count: (key: string, taken: number) =>
      count({ key: `${counter ?? name}/${kind}:${key}`, points: taken, lastsMs: perS * 1_000 }),
  })
  const limiters = new Map(
    Object.entries<Rule>({ ...LIMITS, 'admin-code': ADMIN_CODES }).map(([name, rule]) => [
      name,
      KINDS.flatMap((kind) => {
        const limit = rule[kind]
        return limit ? [{ kind, limit, limiter: limiterOf(name, kind, limit) }] : []
      }),
    ]),
  )
  return async (name, who) => {
    const keys = keysOf(who)
    const taken: { limit: Limit; giveBack: () => Promise<unknown>; lateMs?: number }[] = []
    let ofOrigin = 0
    for (const { kind, limit, limiter } of limiters.get(name) ?? []) {
      const key = keys[kind]?.slice(0, 200)
      if (key === undefined) continue
      // Taken before the password is checked, so that concurrent tries cannot exceed the limit
      const { points, expire } = await limiter.count(key, 1)
      const backMs = Math.max(0, expire - nowMs())
      if (kind === 'origin') ofOrigin = points
      const isLeft = limit.leaves !== undefined && ofOrigin <= Math.ceil(limit.leaves * scale)
      const isOver = points > limiter.points && !isLeft
      if (isOver && !limit.showsSecret) {
        await Promise.all(taken.map(({ giveBack }) => giveBack()))
        throw new Refusal('RATE_LIMITED', { retryAfterMs: backMs })
      }
      taken.push({ limit, giveBack: () => limiter.count(key, -1), ...(isOver && { lateMs: backMs }) })
    }
    return async (failure) => {
      await Promise.all(taken.filter(({ limit }) => !uses(limit, failure)).map(({ giveBack }) => giveBack()))
      const late = taken.find(({ limit, lateMs }) => lateMs !== undefined && uses(limit, failure))
      if (late) throw new Refusal('RATE_LIMITED', { retryAfterMs: late.lateMs ?? 0 })
    }
  }
}

function uses({ only, except }: Limit, failure: RefusalCode | undefined): boolean {
  if (failure === undefined) return only === undefined
  return only ? only.has(failure) : !except?.has(failure)
}

/** A browser known to the account uses only its own points. */
function keysOf({ account, address, device }: Counted): Record<keyof Rule, string | undefined> {
  const from = address && network(address)
  const origin = account === undefined ? undefined : [account, device ?? from].filter(Boolean).join('/')
  const none = { area: undefined, account: undefined, address: undefined, site: undefined, apart: undefined }
  if (device !== undefined) return { ...none, origin }
  const site = address && siteOf(address)
  const area = account !== undefined && site !== undefined ? `${account}/${site}` : undefined
  return { origin, area, account, address: from, site, apart: from }
}

/** Lets an admin who was locked out try again, on every way to log in. */
export async function forgetAdminTries(db: Queries): Promise<void> {
  await db.run(sql`delete from rate_limits where key like 'admin-%'`)
}

/** Returns the /64 of an IPv6 address, because one person holds it all. Returns an IPv4 address as it is. */
export function network(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address.replace(/^::ffff:/i, '')
  const [head = '', tail = ''] = address.split('%')[0]?.split('::') ?? []
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const groups = address.includes('::')
    ? [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
    : before
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/** Returns the /48 of an IPv6 address. Undefined for IPv4, because a person holds only an address there. */
export function siteOf(address: string): string | undefined {
  const parts = network(address).split(':')
  return parts.length === 4 ? parts.slice(0, 3).join(':') : undefined
}

/** Deletes some counters whose points are all back. @returns the number of deleted counters */
export function forgetCounters(db: Queries, now: Date): Promise<number> {
  const isOver = sql`expire < ${now.getTime()}`
  // Check again inside the delete, because the counter may have restarted since the select
  return db.run(sql`
    delete from rate_limits
     where ${isOver}
       and key = any(array(select key from rate_limits where ${isOver} limit ${literal(FORGOTTEN_AT_ONCE)}))`)
}
