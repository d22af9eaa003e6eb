import { LANGUAGE_CODES } from '../../contract/languages.ts'
import { DAY_MS } from '../../contract/time.ts'
import type { Database } from '../platform/database/database.ts'
import { readSettings } from './settings.ts'

/** How long a reader may trust it. RFC 9116 asks for less than a year. Each call makes it again. */
const VALID_DAYS = 90

/**
 * Returns `/.well-known/security.txt` (RFC 9116): where to report a hole in this store. That is its support link.
 * Without one there is nobody to write to, and no such file.
 */
export async function securityText(db: Database, now: Date): Promise<string | undefined> {
  const { supportUrl } = await readSettings(db)
  if (supportUrl === '') return undefined
  const expires = new Date(now.getTime() + VALID_DAYS * DAY_MS).toISOString()
  return `Contact: ${supportUrl}\nExpires: ${expires}\nPreferred-Languages: ${LANGUAGE_CODES.join(', ')}\n`
}
