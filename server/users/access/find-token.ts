/** Recognises a reseller's program by its token. */
import { BlockList, isIPv6 } from 'node:net'
import { msSince } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { CallingToken, ShownToken } from '../../platform/http/http.ts'
import { hashToken } from '../../platform/ids.ts'
import { coalesce } from '../../platform/load/coalesce.ts'
import { findTokens, noteUsed } from './tokens.ts'

/** A token's last use is written at most this often. */
const NOTED_EVERY_MS = 60_000

/**
 * Returns the check of a token. Every call asks the database whether anything has changed, so that an ended token stops
 * at once on every node. Calls of the same moment share the question.
 */
export function tokenFinder(db: Database): (shown: ShownToken) => Promise<CallingToken | null> {
  const find = coalesce((hashes: readonly Buffer[]) => findTokens(db, hashes))
  const note = coalesce(async (used: readonly { id: string; now: Date }[]) => {
    const latest = new Date(Math.max(...used.map(({ now }) => now.getTime())))
    await noteUsed(db, [...new Set(used.map(({ id }) => id))], latest)
    return used.map(() => undefined)
  })
  return async ({ token, now, address, cached }) => {
    const hash = hashToken(token)
    const read = () => find(hash)
    const found = await (cached ? cached.readRow(`token ${hash.toString('base64url')}`, read) : read())
    if (!found || now >= found.expiresAt || !isWithin(address, found.addresses)) return null
    const { id, userId, username, canBuy, expiresAt, lastUsedAt } = found
    if (lastUsedAt === null || msSince(lastUsedAt, now) >= NOTED_EVERY_MS) await note({ id, now })
    return { id, userId, username, canBuy, expiresAt }
  }
}

/** True if a list of addresses and ranges names this address, or nothing. */
export function isWithin(address: string, ranges: readonly string[]): boolean {
  if (ranges.length === 0) return true
  const list = new BlockList()
  for (const range of ranges) {
    const [start = '', bits] = range.split('/')
    const family = familyOf(start)
    if (bits === undefined) list.addAddress(start, family)
    else list.addSubnet(start, Number(bits), family)
  }
  // An IPv4 caller may come by a socket of IPv6
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  return list.check(plain, familyOf(plain))
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')
