/** Ids and tokens. */
import { hash, randomBytes } from 'node:crypto'
import { v7 } from 'uuid'

let made = 0
/**
 * Makes a UUID in time order (version 7), so that new rows are together in an index.
 * @param at its moment, if the row's own moment must be found by its id. Ids of one moment keep their order
 */
export const newId = (at?: Date): string => v7(at && { msecs: at.getTime(), seq: made++ })

/** Makes 256 random bits for a cookie. Only the hash is ever stored. */
export const newToken = (): string => randomBytes(32).toString('base64url')

export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')
