/** Rate limits, counted in PostgreSQL so that all nodes agree; by address (IPv6 by its /64) and by account. */
import { isIPv6 } from 'node:net'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import * as z from 'zod/mini'
import type { LimitName } from '../../../contract/endpoint.ts'
import { Refusal, type RefusalCode } from '../../../contract/errors.ts'
import { sql, type Database, type Queries } from '../database/database.ts'
import { gather } from '../coalesce.ts'

const MINUTE_S = 60
const HOUR_S = 3_600

interface Limit {
  points: number
  /** Seconds after which the points are whole again. */
  perS: number
  /** Limits of this counter share their points; without it a limit has its own. */
  counter?: string
}

interface Rule {
  address?: Limit
  account?: Limit
  /** Whoever gets it right uses up nothing: a gateway with a thousand buyers behind it logs them all in. */
  failuresOnly?: true
}

/** Every way to try a buyer's password draws on one counter, so none of them gives further tries. */
const PASSWORD_TRIES: Limit = { points: 20, perS: 15 * MINUTE_S, counter: 'password' }

/** Many buyers share one address behind a phone network's gateway, so the figures by address are the generous ones. */
export const LIMITS: Record<LimitName, Rule> = {
  login: {
    address: { points: 300, perS: 15 * MINUTE_S, counter: 'password' },
    account: PASSWORD_TRIES,
    failuresOnly: true,
  },
  'reset-device': {
    address: { points: 300, perS: 15 * MINUTE_S, counter: 'password' },
    account: PASSWORD_TRIES,
    failuresOnly: true,
  },
  'reset-password': { address: { points: 60, perS: HOUR_S }, failuresOnly: true },
  'admin-login': {
    address: { points: 30, perS: 15 * MINUTE_S },
    account: { points: 20, perS: 15 * MINUTE_S },
    failuresOnly: true,
  },
  register: { address: { points: 120, perS: HOUR_S } },
  referral: { address: { points: 120, perS: MINUTE_S } },
  'add-money': { account: { points: 30, perS: HOUR_S } },
  buy: { account: { points: 120, perS: MINUTE_S } },
  export: { account: { points: 30, perS: HOUR_S } },
}

/** What a guess ends with; a right password that is refused for another reason is no guess. */
const FAILURES = new Set<RefusalCode>([
  'WRONG_CREDENTIALS',
  'WRONG_PASSWORD',
  'WRONG_CODE',
  'TOTP_INVALID',
  'RESET_LINK_INVALID',
])

type Settle = (failure: RefusalCode | undefined) => Promise<void>
/** What of the two is undefined is not counted. */
export type RateLimits = (
  name: LimitName,
  who: { address: string | undefined; account: string | undefined },
) => Promise<Settle>

interface Count {
  key: string
  /** Fewer than none give back. */
  points: number
  /** When they are whole again, if they are whole now; ms since the epoch. */
  expire: number
}

const CountedRow = z.object({ key: z.string(), points: z.number(), expire: z.number() })
type Counted = Pick<z.output<typeof CountedRow>, 'points' | 'expire'>

/** Counts all in one statement, in the order of the keys, so that two nodes cannot wait for each other. */
async function countAll(db: Queries, counts: readonly Count[]): Promise<Counted[]> {
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
  private readonly count: (count: Count) => Promise<Counted>

  constructor(
    count: (count: Count) => Promise<Counted>,
    options: { keyPrefix: string; points: number; duration: number },
  ) {
    super({ ...options, storeClient: {}, storeType: 'pool', tableCreated: true, clearExpiredByTimeout: false })
    this.count = count
  }

  /** The library's own door for counting; the only one that consuming and giving back go through. */
  async _upsert(key: string, points: number, durationMs: number): Promise<{ rows: Counted[] }> {
    return { rows: [await this.count({ key, points, expire: Date.now() + durationMs })] }
  }
}

/** @param scale multiplies every limit */
export function rateLimits(db: Database, scale: number): RateLimits {
  const count = gather((counts: readonly Count[]) => countAll(db, counts))
  const limiters = Object.entries(LIMITS).flatMap(([name, { failuresOnly, ...by }]) =>
    Object.entries(by).map(([kind, { points, perS, counter }]) => {
      const limiter = new SharedLimiter(count, {
        keyPrefix: `${counter ?? name}/${kind}`,
        points: Math.ceil(points * scale),
        duration: perS,
      })
      return { name, kind, limiter, failuresOnly }
    }),
  )
  return async (name, { address, account }) => {
    const taken: (() => Promise<unknown>)[] = []
    for (const { limiter, kind, failuresOnly, ...each } of limiters) {
      if (each.name !== name) continue
      const key = (kind === 'address' ? address && network(address) : account)?.slice(0, 200)
      if (key === undefined) continue
      // Taken before the password is looked at, so that many tries at one moment get no more than the limit
      await limiter.consume(key).catch(async (error: unknown) => {
        if (!(error instanceof RateLimiterRes)) throw error
        await Promise.all(taken.map((giveBack) => giveBack()))
        throw new Refusal('RATE_LIMITED', { retryAfterMs: error.msBeforeNext })
      })
      if (failuresOnly) taken.push(() => limiter.reward(key))
    }
    return async (failure) => {
      if (failure === undefined || !FAILURES.has(failure)) await Promise.all(taken.map((giveBack) => giveBack()))
    }
  }
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
