/** Ids and tokens. */
import { hash, randomBytes } from 'node:crypto'
import { v7 } from 'uuid'

/** A UUID in time order (version 7), so that new rows stand together in an index. */
export const newId = (): string => v7()

/** 256 random bits, for a cookie. Only its hash is ever stored. */
export const newToken = (): string => randomBytes(32).toString('base64url')

export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')
