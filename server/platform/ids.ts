/** Ids and tokens. */
import { hash, randomBytes } from 'node:crypto'
import { v7 } from 'uuid'

let made = 0
/**
 * Makes a UUID in time order (version 7), so that new rows are together in an index.
 * @param at its moment, if the row's own moment must be found by its id. Ids of one moment keep their order
 */
export const newId = (at?: Date): string => v7(at && { msecs: at.getTime(), seq: made++ })

const MS_MAX = 2 ** 48 - 1

/** @returns the least id of a moment, in ms; of the first or last one that an id can carry if it is beyond them */
export function leastId(ms: number): string {
  const hex = Math.min(Math.max(0, ms), MS_MAX).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** Makes 256 random bits for a cookie. Only the hash is ever stored. */
export const newToken = (): string => randomBytes(32).toString('base64url')

export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')
