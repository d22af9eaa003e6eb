/** Keeps the audit log, a chain of hashes that shows any later change of an entry. */
import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import type { AuditAction } from '../../contract/audit.ts'
import { dayOf } from '../../contract/india.ts'
import { columns, sql, type Transaction } from '../platform/database/database.ts'
import type { AuthenticatedAdmin } from '../platform/http/call.ts'
import type { Call } from '../platform/http/http.ts'
import { newId } from '../platform/ids.ts'
import { enqueue } from '../platform/outbox.ts'
import { isTold } from './told.ts'

export interface AuditedChange {
  action: AuditAction
  /** The changed thing for a person: a name and an id. */
  subject: string
  before?: unknown
  after?: unknown
}

/** Drops the searched text from an export's filter, because it may be a key or personal data. */
export function auditableFilter({ search, ...filter }: { search?: string | undefined }): object {
  return { ...filter, ...(search ? { search: 'by text' } : {}) }
}

const Head = z.object({ seq: z.number(), hash: z.instanceof(Buffer) })

/** The admin who makes a change. */
export type By = Pick<Call<'admin'>, 'admin' | 'now' | 'address' | 'userAgent'> & Partial<Pick<Call, 'passedUnproven'>>
/** An admin who can be asked for a new proof. */
export type ProvingBy = By & Pick<Call<'admin'>, 'requireProof'>

/** The author of a change. Without an admin it is the store itself. */
export type Auditor = Pick<Call, 'address' | 'userAgent' | 'now'> & {
  admin: Pick<AuthenticatedAdmin, 'id' | 'username'> | null
  /** True if the call should have had a proof, and came from a client that knows none. */
  passedUnproven?: () => boolean
}

/**
 * Adds an entry in the change's own transaction, so that no change is without its entry. Takes the chain's lock, so
 * call it last in a transaction.
 */
export function audit(tx: Transaction, by: Auditor, change: AuditedChange): Promise<void> {
  return auditAll(tx, by, [change])
}

/** Does `audit` for changes that are made together, in their order. */
export async function auditAll(tx: Transaction, by: Auditor, changes: readonly AuditedChange[]): Promise<void> {
  if (changes.length === 0) return
  let { seq, hash } = await tx.one(sql(Head)`select seq, hash from audit_head for update`)
  const entries = changes.map((change) => {
    const { action, subject, before, after } = change
    const entry: ChainedEntry = {
      id: newId(),
      seq: ++seq,
      at: by.now,
      adminId: by.admin?.id ?? null,
      adminName: by.admin?.username ?? 'system',
      action,
      subject,
      before: canonical(before),
      after: canonical(by.passedUnproven?.() ? { ...(after as object), withoutProof: true } : after),
      address: by.address,
      userAgent: by.userAgent,
    }
    hash = chainHash(hash, entry)
    if (isTold(action, { ...change, by })) tellOwners(tx, entry)
    else if (by.passedUnproven?.()) tellOwners(tx, entry, `admin.security:${entry.adminId}:${action}:${dayOf(by.now)}`)
    return { ...entry, hash }
  })
  void tx.send(sql`
    insert into audit_entries
           (id, seq, at, admin_id, admin_name, action, subject, before, after, address, user_agent, hash)
    select * from ${columns(
      entries,
      `id uuid, seq bigint, at timestamptz, admin_id uuid, admin_name text,
        action text, subject text, before jsonb, after jsonb, address text, user_agent text, hash bytea`,
    )} as entry`)
  void tx.send(sql`update audit_head set seq = ${seq}, hash = ${hash}`)
}

const ADMIN = /\(([\da-f-]{36})\)$/

/**
 * Whose own account or chats are changed gets the message as well, also when they are no owner any more.
 * @param dedupe for what a client that knows no proofs may do all day: one message a day for each admin and action
 */
function tellOwners(tx: Transaction, { id, action, subject, adminId, at }: ChainedEntry, dedupe?: string): void {
  const changed = action.startsWith('admin.') ? ADMIN.exec(subject)?.[1] : action.startsWith('messages.') && adminId
  const data = changed ? { also: changed } : {}
  enqueue(tx, { kind: 'admin.security', subjectId: id, data, ...(dedupe !== undefined && { dedupe }), now: at })
}

export const ChainedEntry = z.object({
  id: z.string(),
  seq: z.number(),
  at: z.date(),
  adminId: z.nullable(z.string()),
  adminName: z.string(),
  action: z.string(),
  subject: z.string(),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
  address: z.string(),
  userAgent: z.string(),
})
type ChainedEntry = z.output<typeof ChainedEntry>

/** Hashes an entry's members together with the hash of the previous entry. */
export function chainHash(previous: Buffer, entry: ChainedEntry): Buffer {
  const members = [
    entry.id,
    entry.seq,
    entry.at.toISOString(),
    entry.adminId,
    entry.adminName,
    entry.action,
    entry.subject,
    entry.before,
    entry.after,
    entry.address,
    entry.userAgent,
  ]
  return createHash('sha256').update(previous).update(JSON.stringify(members)).digest()
}

/** Writes JSON with sorted members, because jsonb keeps no order and the stored rows must prove the chain. */
export function canonical(value: unknown): string | null {
  if (value === undefined || value === null) return null
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
