/** Admins' accounts. */
import * as z from 'zod/mini'
import type { AuditNaming } from '../audit/audit-names.ts'
import { ADMIN_ROLES, type AdminRole } from '../../contract/endpoint.ts'
import type { Language } from '../../contract/languages.ts'
import { sql, type Queries, type Transaction } from '../platform/database/database.ts'

const Admin = z.object({
  id: z.string(),
  username: z.string(),
  passwordHash: z.string(),
  /** True for a password that the store or another admin chose. */
  passwordGiven: z.boolean(),
  role: z.enum(ADMIN_ROLES),
  /** The setup key of two-step verification, encrypted; null until it is on. */
  totpSealed: z.nullable(z.instanceof(Buffer)),
  /** A setup key that was shown and not confirmed yet, encrypted. */
  totpPending: z.nullable(z.instanceof(Buffer)),
  /** The last 30-second step with a code that was used. */
  totpStep: z.nullable(z.number()),
  createdAt: z.date(),
  disabledAt: z.nullable(z.date()),
})
export type Admin = z.output<typeof Admin>

const COLUMNS = sql`id, username, password_hash, password_given, role,
                    totp_sealed, totp_pending, totp_step,
                    created_at,
                    disabled_at`

/** @param username in letters of any case */
export function findAdmin(db: Queries, username: string): Promise<Admin | undefined> {
  return db.maybe(
    sql(Admin)`select ${COLUMNS} from admins where lower(username) = lower(${username}) and disabled_at is null`,
  )
}

export function readAdmin(db: Queries, id: string): Promise<Admin | undefined> {
  return db.maybe(sql(Admin)`select ${COLUMNS} from admins where id = ${id} and disabled_at is null`)
}

/** Keeps the language in which this admin reads the panel and messages. */
export async function keepAdminsLanguage(db: Queries, id: string, language: Language): Promise<void> {
  await db.run(sql`update admins set language = ${language} where id = ${id} and language is distinct from ${language}`)
}

/** Gives an admin who never chose one the language of the browser. */
export async function takeAdminsLanguage(tx: Transaction, id: string, language: Language | undefined): Promise<void> {
  if (language) await tx.run(sql`update admins set language = ${language} where id = ${id} and language is null`)
}

/** Locks an admin's account until the transaction ends, also a disabled one. */
export function lockAdmin(tx: Transaction, id: string): Promise<Admin | undefined> {
  return tx.maybe(sql(Admin)`select ${COLUMNS} from admins where id = ${id} for no key update`)
}

/** Locks every enabled owner, so that two who take the role from each other do so one after the other. */
export function lockOwners(tx: Transaction): Promise<string[]> {
  return tx.texts(sql`select id from admins where role = 'owner' and disabled_at is null order by id for no key update`)
}

export function hasAdmins(db: Queries): Promise<boolean> {
  return db.holds(sql`select exists (select from admins)`)
}

export async function insertAdmin(
  tx: Transaction,
  {
    id,
    username,
    passwordHash,
    passwordGiven,
    role = 'owner',
    createdAt,
  }: Pick<Admin, 'id' | 'username' | 'passwordHash' | 'passwordGiven' | 'createdAt'> & { role?: AdminRole },
): Promise<void> {
  await tx.run(sql`
    insert into admins (id, username, password_hash, password_given, role, created_at)
    values (${id}, ${username}, ${passwordHash}, ${passwordGiven}, ${role}, ${createdAt})`)
}

/** Writes the columns that can change. The account must be locked in this transaction. */
export async function writeAdmin(tx: Transaction, admin: Admin): Promise<void> {
  await tx.run(sql`
    update admins
       set password_hash = ${admin.passwordHash}, password_given = ${admin.passwordGiven}, role = ${admin.role},
           totp_sealed = ${admin.totpSealed},
           totp_pending = ${admin.totpPending}, totp_step = ${admin.totpStep}, disabled_at = ${admin.disabledAt}
     where id = ${admin.id}`)
}

/** How the audit log names it. */
export const adminNames: AuditNaming = {
  rows: sql`select admins.id, username, '', null::bigint from wanted join admins using (id)`,
}
