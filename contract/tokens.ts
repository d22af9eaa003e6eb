/** Tokens with which a reseller's programs look up and buy. People make them, and no token makes or ends one. */
import * as z from 'zod/mini'
import { Rupees } from './amounts.ts'
import type { Declarations } from './endpoint.ts'
import { aboutOne, Flag, Id, line, Moment, Password } from './fields.ts'
import { TOKEN_ADDRESSES_MAX, TOKEN_DAYS, TOKEN_NAME_LENGTH_MAX } from './limits.ts'

const NO_ADDRESS = 'Enter IP addresses like 203.0.113.7, or ranges like 203.0.113.0/24'
const AddressRange = z
  .string({ error: NO_ADDRESS })
  .check(z.trim(), z.maxLength(50, { error: NO_ADDRESS }), z.refine(isAddressRange, { error: NO_ADDRESS }))

/** Zod's own schemas for addresses need a newer browser than some that are served. */
function isAddressRange(text: string): boolean {
  const [address = '', bits = '0', ...more] = text.split('/')
  const most = isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1
  return more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most
}

function isIPv4(text: string): boolean {
  const parts = text.split('.')
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
}

function isIPv6(text: string): boolean {
  const halves = text.split('::')
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const isWhole = halves.length === 1 ? groups.length === 8 : halves.length === 2 && groups.length < 8
  return isWhole && groups.every((group) => /^[\da-f]{1,4}$/i.test(group))
}

const TokenDays = z.literal([...TOKEN_DAYS], { error: `Choose ${TOKEN_DAYS.join(', ')} days` })

export const ApiToken = z.object({
  _id: Id,
  name: z.string(),
  canBuy: z.boolean().check(z.describe('Otherwise it only looks up')),
  addresses: z.array(z.string()).check(z.describe('The only addresses that it works from; empty for all')),
  expiresAt: Moment,
  lastUsedAt: z.nullable(Moment).check(z.describe('To the minute')),
  createdAt: Moment,
})
export type ApiToken = z.output<typeof ApiToken>

/** A token, ended ones included, for the person whose account it opens. */
export const KeptToken = z.extend(z.omit(ApiToken, { _id: true }), { endedAt: z.nullable(Moment) })

/** What a token may do, as its form sends it. */
export const TokenForm = z.object({
  name: line('Name', 1, TOKEN_NAME_LENGTH_MAX),
  canBuy: Flag,
  days: TokenDays,
  addresses: z.optional(
    z
      .array(AddressRange, { error: NO_ADDRESS })
      .check(z.maxLength(TOKEN_ADDRESSES_MAX, { error: `Enter up to ${TOKEN_ADDRESSES_MAX} addresses` })),
  ),
  password: Password,
})

export const tokens = {
  tokens: {
    route: 'GET /tokens',
    access: 'user',
    summary: 'The caller’s tokens that were not ended, newest first, expired ones included.',
    output: z.object({ tokens: z.array(ApiToken) }),
    refusals: ['NOT_RESELLER'],
  },
  ownToken: {
    route: 'GET /tokens/own',
    access: 'user',
    scope: 'look',
    summary: 'What the token of this call may do, and the balance of its wallet. For tokens only.',
    output: z.object({
      store: z.string().check(z.describe('The name of the store')),
      username: z.string(),
      balance: Rupees,
      canBuy: z.boolean(),
      expiresAt: Moment,
    }),
    refusals: ['NOT_FOUND'],
  },
  makeToken: {
    route: 'POST /tokens',
    access: 'user',
    summary:
      'Makes a token for a program of a reseller and shows it once. It buys from the whole wallet if it `canBuy`. A ' +
      'new password ends it.',
    status: 201,
    input: TokenForm,
    output: z.object({ _id: Id, token: z.string().check(z.describe('Shown this once: the store keeps its hash')) }),
    refusals: ['NOT_RESELLER', 'WRONG_PASSWORD', 'TOO_MANY_TOKENS'],
    limit: 'login',
  },
  endToken: {
    route: 'DELETE /tokens/{id}',
    access: 'user',
    summary: 'Ends one of the caller’s tokens. Nothing is bought with it after the answer.',
    ...aboutOne,
  },
} as const satisfies Declarations
