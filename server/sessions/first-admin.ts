import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { audit } from '../platform/audit.ts'
import { sql, type Database } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { hashPassword } from '../platform/passwords.ts'
import { hasAdmins, insertAdmin } from './admins.ts'

const DEFAULT_USERNAME = 'admin'
/** 120 random bits: 20 characters. */
const PASSWORD_BYTES = 15

export interface FirstAdmin {
  username: string
  password: string
  /** Nobody has chosen the password: it must be shown, once. */
  generated: boolean
}

/**
 * Makes the first admin of a store that has none; there is no default password. Of several nodes that start at
 * once, one makes it.
 * @returns undefined when the store has an admin already
 */
export async function ensureFirstAdmin(
  db: Database,
  wanted: { username?: string | undefined; password?: string | undefined },
  now: Date,
): Promise<FirstAdmin | undefined> {
  if (await hasAdmins(db)) return undefined
  const username = wanted.username ?? DEFAULT_USERNAME
  const password = wanted.password ?? randomBytes(PASSWORD_BYTES).toString('base64url')
  const passwordHash = await hashPassword(password)
  const id = newId()
  return db.transaction(async (tx) => {
    // No admin is made without an entry in the log, so the log's lock is the one that all starters share
    await tx.one(z.object({ seq: z.number() }), sql`select seq from audit_head for update`)
    if (await hasAdmins(tx)) return undefined
    const generated = wanted.password === undefined
    await insertAdmin(tx, { id, username, passwordHash, passwordGiven: generated, createdAt: now })
    await audit(
      tx,
      { admin: null, address: '', userAgent: '', now },
      { action: 'admin.create', subject: `${username} (${id})`, after: { username } },
    )
    return { username, password, generated }
  })
}
