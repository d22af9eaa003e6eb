/** Ids and tokens. */
import { hash, randomBytes } from 'node:crypto'
import { v7 } from 'uuid'

/** Makes a UUID in time order (version 7), so that new rows are together in an index. */
export const newId = (): string => v7()

/** Makes 256 random bits for a cookie. Only the hash is ever stored. */
export const newToken = (): string => randomBytes(32).toString('base64url')

export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')
