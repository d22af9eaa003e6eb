/** Rate limits, by the names that endpoints give. How they are counted is in server/platform/rate-limits.ts. */
import type { RefusalCode } from './errors.ts'

const MINUTE_S = 60
const HOUR_S = 3_600

export interface Limit {
  points: number
  /** Seconds after which the points are whole again. */
  perS: number
  /** Limits of this counter share their points; without it a limit has its own. */
  counter?: string
  /** Calls that end in one of these refusals use up a point, and no others. Without it every call does. */
  only?: ReadonlySet<RefusalCode>
  /** Calls that end in one of these refusals use up no point. */
  except?: ReadonlySet<RefusalCode>
  /** When the points are used up, each network still has this many of its own. Nobody is locked out from afar. */
  leaves?: number
  /**
   * The calls show a secret that is too long to guess. Beyond the limit a wrong one is refused and the right one still
   * works, so nobody's guesses lock out its owner. A call is wrong if it ends in one of `only`.
   */
  showsSecret?: true
}

/** What a limit counts by. */
export interface Rule {
  /** One account from one network, or from one browser in which the account was logged in before. */
  origin?: Limit
  /** One account from one IPv6 site, whose 65,536 networks would each have tries of their own. */
  area?: Limit
  /** One account, from wherever. */
  account?: Limit
  /** One address: an IPv4 address, or the /64 of an IPv6 address. */
  address?: Limit
  /** One IPv6 site: the /48, which one person may hold with all its 65,536 networks. */
  site?: Limit
  /** One address, again. For a second count beside `address`. */
  apart?: Limit
}

/** What a wrong guess ends with. A right password that is refused for another reason is no guess. */
const GUESSES: ReadonlySet<RefusalCode> = new Set(['WRONG_CREDENTIALS', 'WRONG_PASSWORD', 'WRONG_CODE', 'TOTP_INVALID'])
const WRONG_LINKS: ReadonlySet<RefusalCode> = new Set(['RESET_LINK_INVALID'])
const WRONG_PAIRINGS: ReadonlySet<RefusalCode> = new Set(['PAIRING_INVALID'])
const WRONG_REFERRALS: ReadonlySet<RefusalCode> = new Set(['INVALID_REFERRAL'])

const WRONG_TOKENS: ReadonlySet<RefusalCode> = new Set(['TOKEN_INVALID'])

const WRONG_CODES: ReadonlySet<RefusalCode> = new Set(['CODE_INVALID'])

const QUARTER_S = 15 * MINUTE_S

/**
 * Guesses at passwords. Strangers use up their own network's tries at an account. A botnet can use up the account's as
 * well; then each network keeps three, so the owner still logs in from a new browser.
 */
const passwordRule = (counter: string): Rule => ({
  origin: { points: 20, perS: QUARTER_S, counter, only: GUESSES },
  area: { points: 60, perS: QUARTER_S, counter, only: GUESSES },
  account: { points: 300, perS: QUARTER_S, counter, only: GUESSES, leaves: 3 },
  address: { points: 1_000, perS: QUARTER_S, counter, only: GUESSES },
  site: { points: 2_000, perS: QUARTER_S, counter, only: GUESSES },
})

/**
 * Many buyers share one address behind a phone network’s gateway, so the figures by address are generous.
 * Every way to try a buyer’s password draws on one counter, so none of them gives further tries.
 */
const limits = {
  login: passwordRule('password'),
  'reset-device': passwordRule('password'),
  'reset-password': { address: { points: 60, perS: HOUR_S, only: WRONG_LINKS, showsSecret: true } },
  /** One e-mail address from one network, and a browser that it was used in has calls of its own. */
  'forgot-password': {
    origin: { points: 20, perS: HOUR_S },
    address: { points: 2_000, perS: HOUR_S },
    site: { points: 4_000, perS: HOUR_S },
  },
  'admin-login': passwordRule('admin-login'),
  register: {
    address: { points: 2_000, perS: HOUR_S, except: WRONG_REFERRALS },
    site: { points: 4_000, perS: HOUR_S, except: WRONG_REFERRALS },
    apart: { points: 5_000, perS: HOUR_S, only: WRONG_REFERRALS },
  },
  referral: { address: { points: 120, perS: MINUTE_S, only: new Set(['REFERRAL_NOT_FOUND']) } },
  'add-money': { account: { points: 30, perS: HOUR_S } },
  buy: { account: { points: 120, perS: MINUTE_S } },
  claim: { account: { points: 10, perS: HOUR_S } },
  renewal: { account: { points: 60, perS: HOUR_S } },
  /** A reseller reports the bad keys of all his buyers. */
  'token-claim': { account: { points: 60, perS: HOUR_S } },
  /** Calls by token that have no limit of their own. */
  token: { account: { points: 240, perS: MINUTE_S } },
  /** Only a wrong token counts, so nobody at the same address is kept from the right one. */
  'wrong-token': {
    address: { points: 60, perS: MINUTE_S, only: WRONG_TOKENS, showsSecret: true },
    site: { points: 120, perS: MINUTE_S, only: WRONG_TOKENS, showsSecret: true },
  },
  redeem: {
    account: { points: 10, perS: HOUR_S, only: WRONG_CODES, showsSecret: true },
    address: { points: 100, perS: HOUR_S, only: WRONG_CODES, showsSecret: true },
  },
  push: { account: { points: 30, perS: HOUR_S } },
  export: { account: { points: 30, perS: HOUR_S } },
  /** Allows a backlog after a night without a network. */
  'bank-alert': { account: { points: 300, perS: MINUTE_S } },
  'bank-pair': { address: { points: 10, perS: HOUR_S, only: WRONG_PAIRINGS, showsSecret: true } },
  'bank-import': { account: { points: 30, perS: HOUR_S } },
} satisfies Record<string, Rule>

export type LimitName = keyof typeof limits
export const LIMITS: Record<LimitName, Rule> = limits

/** Tries at an admin's six digits, by any endpoint that takes them (sessions/code-tries.ts). */
export const ADMIN_CODES: Rule = { origin: { points: 20, perS: QUARTER_S, only: GUESSES } }
