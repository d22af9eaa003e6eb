import { BYTE_ORDER_MARK, csvLine } from '../../contract/csv.ts'
import { inIndia } from '../../contract/india.ts'
import { audit, auditableFilter } from './audit.ts'
import type { Database } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import { listAudit, type AuditSearch } from './list-audit.ts'

const ENTRIES_AT_ONCE = 200
const HEAD = ['Date and time (India)', 'Admin', 'Action', 'Item', 'Before', 'After', 'IP address and browser']

/** Returns the found entries as lines of CSV, newest first. The export itself is logged first. */
export async function* exportAudit(
  db: Database,
  search: Omit<AuditSearch, 'limit' | 'before'>,
  by: Pick<Call<'admin'>, 'admin' | 'now' | 'address' | 'userAgent'>,
): AsyncGenerator<string> {
  const after = auditableFilter(search)
  await db.transaction((tx) => audit(tx, by, { action: 'audit.export', subject: 'Audit log', after }))
  yield BYTE_ORDER_MARK + csvLine(HEAD)
  let before: string | undefined
  for (;;) {
    const { entries } = await listAudit(db, { ...search, limit: ENTRIES_AT_ONCE, before })
    for (const { at, admin, action, subject, before: was, after: is, from } of entries)
      yield csvLine([inIndia(at), admin, action, subject, textOf(was), textOf(is), from])
    before = entries.at(-1)?._id
    if (before === undefined || entries.length < ENTRIES_AT_ONCE) return
  }
}

const textOf = (value: unknown): string => (value === null || value === undefined ? '' : JSON.stringify(value))
