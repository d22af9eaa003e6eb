/** Rate limits, counted in PostgreSQL so that all nodes agree; by address, by account and by both. */
import { isIPv6 } from 'node:net'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import * as z from 'zod/mini'
import { Refusal, type RefusalCode } from '../../../contract/errors.ts'
import { ADMIN_CODES, LIMITS, type Limit, type LimitName, type Rule } from '../../../contract/rate-limits.ts'
import { literal, sql, type Database, type Queries } from '../database/database.ts'
import { coalesce } from '../coalesce.ts'
import { FORGOTTEN_AT_ONCE } from '../jobs.ts'

/** What is counted: the calls of an endpoint, or the codes in some of them. */
export type CountName = LimitName | 'admin-code'

type Settle = (failure: RefusalCode | undefined) => Promise<void>

/** Whose points a call uses up. */
export interface Counted {
  account: string | undefined
  /** Undefined where only the account's own counts. */
  address: string | undefined
  /** Names the browser, where the account was logged in there before. */
  device?: string | undefined
}

/**
 * Counts a call.
 * @returns to be told how the call ended, for limits that count only some ends
 * @throws Refusal RATE_LIMITED
 */
export type RateLimits = (name: CountName, who: Counted) => Promise<Settle>

interface Count {
  key: string
  /** Fewer than none give back. */
  points: number
  /** When they are whole again, if they are whole now; ms since the epoch. */
  expire: number
}

const CountedRow = z.object({ key: z.string(), points: z.number(), expire: z.number() })
type CountedPoints = Pick<z.output<typeof CountedRow>, 'points' | 'expire'>

/** Counts all in one statement, in the order of the keys, so that two nodes cannot wait for each other. */
async function countAll(db: Queries, counts: readonly Count[]): Promise<CountedPoints[]> {
  const rows = await db.rows(
    CountedRow,
    sql`
    insert into rate_limits as counted (key, points, expire)
    select key, sum(points), max(expire)
      from unnest(${counts.map(({ key }) => key)}::text[], ${counts.map(({ points }) => points)}::int[],
                  ${counts.map(({ expire }) => expire)}::bigint[]) as count (key, points, expire)
     group by key order by key
    on conflict (key) do update
       set points = excluded.points + case when counted.expire > ${Date.now()} then counted.points else 0 end,
           expire = case when counted.expire > ${Date.now()} then counted.expire else excluded.expire end
    returning key, points, expire`,
  )
  // Of several counts of one key, each is told what it came to at its turn
  const left = new Map(rows.map((row) => [row.key, row]))
  return counts
    .toReversed()
    .map(({ key, points }) => {
      const row = left.get(key)
      if (!row) throw new Error('A count was not answered')
      left.set(key, { ...row, points: row.points - points })
      return row
    })
    .toReversed()
}

/** The library's limiter, with its statement shared by all who count at the same time. */
class SharedLimiter extends RateLimiterPostgres {
  private readonly count: (count: Count) => Promise<CountedPoints>

  constructor(
    count: (count: Count) => Promise<CountedPoints>,
    options: { keyPrefix: string; points: number; duration: number },
  ) {
    super({ ...options, storeClient: {}, storeType: 'pool', tableCreated: true, clearExpiredByTimeout: false })
    this.count = count
  }

  /** The library's own door for counting; the only one that consuming and giving back go through. */
  async _upsert(key: string, points: number, durationMs: number): Promise<{ rows: CountedPoints[] }> {
    return { rows: [await this.count({ key, points, expire: Date.now() + durationMs })] }
  }
}

/** The narrowest first: what one network has used up is no longer counted for the account. */
const KINDS = ['origin', 'account', 'address', 'site', 'apart'] as const satisfies (keyof Rule)[]

/** @param scale multiplies every limit */
export function rateLimits(db: Database, scale: number): RateLimits {
  const count = coalesce((counts: readonly Count[]) => countAll(db, counts))
  const limiterOf = (name: string, kind: keyof Rule, { points, perS, counter }: Limit) =>
    new SharedLimiter(count, {
      keyPrefix: `${counter ?? name}/${kind}`,
      points: Math.ceil(points * scale),
      duration: perS,
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
    const taken: { limit: Limit; giveBack: () => Promise<unknown> }[] = []
    let ofOrigin = 0
    for (const { kind, limit, limiter } of limiters.get(name) ?? []) {
      const key = keys[kind]?.slice(0, 200)
      if (key === undefined) continue
      // Taken before the password is looked at, so that many tries at one moment get no more than the limit
      const { consumedPoints, msBeforeNext } = await limiter.consume(key).catch(asUsedUp)
      if (kind === 'origin') ofOrigin = consumedPoints
      const isLeft = limit.leaves !== undefined && ofOrigin <= Math.ceil(limit.leaves * scale)
      if (consumedPoints > limiter.points && !isLeft) {
        await Promise.all(taken.map(({ giveBack }) => giveBack()))
        throw new Refusal('RATE_LIMITED', { retryAfterMs: msBeforeNext })
      }
      taken.push({ limit, giveBack: () => limiter.reward(key) })
    }
    return async (failure) => {
      await Promise.all(taken.filter(({ limit }) => !uses(limit, failure)).map(({ giveBack }) => giveBack()))
    }
  }
}

/** The library rejects with the count when the points are used up. */
function asUsedUp(error: unknown): RateLimiterRes {
  if (!(error instanceof RateLimiterRes)) throw error
  return error
}

function uses({ only, except }: Limit, failure: RefusalCode | undefined): boolean {
  if (failure === undefined) return only === undefined
  return only ? only.has(failure) : !except?.has(failure)
}

/** A browser that the account knows draws on points of its own alone. */
function keysOf({ account, address, device }: Counted): Record<keyof Rule, string | undefined> {
  const from = address && network(address)
  const origin = account === undefined ? undefined : [account, device ?? from].filter(Boolean).join('/')
  if (device !== undefined) return { origin, account: undefined, address: undefined, site: undefined, apart: undefined }
  return { origin, account, address: from, site: address && siteOf(address), apart: from }
}

/** Lets an admin who was locked out try again, at each way in. */
export async function forgetAdminTries(db: Queries): Promise<void> {
  await db.run(sql`delete from rate_limits where key like 'admin-%'`)
}

/** One customer of an IPv6 provider holds a whole /64; an IPv4 address is one, also where it is written as IPv6. */
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

/** The /48 of an IPv6 address. Undefined for IPv4, where an address is all that one customer holds. */
export function siteOf(address: string): string | undefined {
  const parts = network(address).split(':')
  return parts.length === 4 ? parts.slice(0, 3).join(':') : undefined
}

/** Forgets counters that are whole again, so many at a time. @returns how many */
export function forgetCounters(db: Queries, now: Date): Promise<number> {
  const isOver = sql`expire < ${now.getTime()}`
  // Looked at twice: a counter that was begun anew meanwhile is not over
  return db.run(sql`
    delete from rate_limits
     where ${isOver}
       and key = any(array(select key from rate_limits where ${isOver} limit ${literal(FORGOTTEN_AT_ONCE)}))`)
}
