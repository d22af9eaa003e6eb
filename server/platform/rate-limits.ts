/** Rate limits, counted in PostgreSQL so that all nodes agree; by address (IPv6 by its /64) and by account. */
import { isIPv6 } from 'node:net'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { LimitName } from '../../contract/endpoint.ts'
import { Refusal, type RefusalCode } from '../../contract/errors.ts'
import type { Database } from './database.ts'

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
export type RateLimits = (name: LimitName, who: { address: string; account: string | undefined }) => Promise<Settle>

/** @param scale multiplies every limit */
export function rateLimits(db: Database, scale: number): RateLimits {
  const limiters = Object.entries(LIMITS).flatMap(([name, { failuresOnly, ...by }]) =>
    Object.entries(by).map(([kind, { points, perS, counter }]) => {
      const limiter = new RateLimiterPostgres({
        storeClient: db.driver(),
        storeType: 'pool',
        tableName: 'rate_limits',
        tableCreated: true,
        clearExpiredByTimeout: false,
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
      const key = (kind === 'address' ? network(address) : account)?.slice(0, 200)
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

/** One customer of an IPv6 provider holds a whole /64. */
export function network(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address
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
