import type { OwnedKey } from '../../contract/keys.ts'

const EXPIRING_WITHIN_MS = 7 * 24 * 3_600_000

type Ending = Pick<OwnedKey, 'expiresAt' | 'state'>

/** True also for a key that was replaced or refunded. */
export function isExpired(key: Ending, now: number): boolean {
  return key.state !== undefined || Date.parse(key.expiresAt) <= now
}

/** True for a key that is still valid, for less than seven days. */
export function isExpiringSoon(key: Ending, now: number): boolean {
  const leftMs = Date.parse(key.expiresAt) - now
  return !key.state && leftMs > 0 && leftMs < EXPIRING_WITHIN_MS
}

/** Returns the valid order that expires first. */
export function nextToExpire<K extends Ending>(keys: readonly K[], now: number): K | undefined {
  let next: K | undefined
  for (const key of keys) {
    if (!isExpired(key, now) && (!next || Date.parse(key.expiresAt) < Date.parse(next.expiresAt))) next = key
  }
  return next
}
