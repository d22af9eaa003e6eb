import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { admins } from '../../contract/admins.ts'
import { Refusal } from '../../contract/errors.ts'
import { audit } from '../audit/audit.ts'
import { sql, type Database } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { hashPassword } from '../platform/passwords/passwords.ts'
import { refuseGuessable } from '../platform/passwords/password-rules.ts'
import { readSiteName } from '../settings/site-name.ts'
import { hasAdmins, insertAdmin } from './admins.ts'

const DEFAULT_USERNAME = 'admin'
/** 120 random bits: 20 characters. */
const PASSWORD_BYTES = 15

export const randomPassword = (): string => randomBytes(PASSWORD_BYTES).toString('base64url')

export interface FirstAdmin {
  username: string
  password: string
  /** True if the store chose the password. It must be shown, once. */
  generated: boolean
}

/**
 * Creates the first admin of a store that has none. There is no default password. Of several nodes that start
 * together, one creates it.
 * @returns undefined when the store has an admin already
 * @throws Error when the panel wouldn't take the name or the password for an admin
 */
export async function ensureFirstAdmin(
  db: Database,
  wanted: { username?: string | undefined; password?: string | undefined },
  now: Date,
): Promise<FirstAdmin | undefined> {
  if (await hasAdmins(db)) return undefined
  const { username, password } = readWanted(
    wanted.username ?? DEFAULT_USERNAME,
    wanted.password ?? randomPassword(),
    await readSiteName(db),
  )
  const passwordHash = await hashPassword(password)
  const id = newId()
  return db.transaction(async (tx) => {
    // Takes the audit log's lock, which all starters share, because a new admin always has an entry in it
    await tx.run(sql`select from audit_head for update`)
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

/** Applies the rules for admins who are created in the panel, because the first one owns the store. */
function readWanted(username: string, password: string, siteName: string): { username: string; password: string } {
  const read = z.safeParse(admins.create.input, { username, password, role: 'owner' })
  if (!read.success)
    throw new Error(
      read.error.issues
        .map(({ path, message }) => `${path[0] === 'username' ? 'ADMIN_USERNAME' : 'ADMIN_PASSWORD'}: ${message}`)
        .join('\n'),
    )
  try {
    refuseGuessable(read.data.password, { field: 'password', names: [read.data.username, siteName] })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Error(`ADMIN_PASSWORD: ${error.message}`, { cause: error })
  }
  return read.data
}
