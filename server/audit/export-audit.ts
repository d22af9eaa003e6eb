import type { AuditEntry } from '../../contract/reports.ts'
import { inIndia } from '../../contract/india.ts'
import type { Database } from '../platform/database/database.ts'
import { audit, auditableFilter, type By } from './audit.ts'
import { linesOf, type SheetColumn } from './export-sheet.ts'
import { listAudit, type AuditSearch } from './list-audit.ts'

const ENTRIES_AT_ONCE = 200
type Filter = Omit<AuditSearch, 'limit' | 'before'>

const textOf = (value: unknown): string => (value === null || value === undefined ? '' : JSON.stringify(value))

const columns: readonly SheetColumn<AuditEntry>[] = [
  ['Date and time (India)', ({ at }) => inIndia(at)],
  ['Admin', ({ admin }) => admin],
  ['Action', ({ action }) => action],
  ['Item', ({ subject }) => subject],
  ['Before', ({ before }) => textOf(before)],
  ['After', ({ after }) => textOf(after)],
  ['IP address and browser', ({ from }) => from],
]

/** Returns the found entries as lines of CSV, newest first. The export itself is logged first. */
export async function* exportAudit(db: Database, filter: Filter, by: By): AsyncGenerator<string> {
  const after = auditableFilter(filter)
  await db.transaction((tx) => audit(tx, by, { action: 'audit.export', subject: 'Audit log', after }))
  yield* linesOf(columns, readAll(db, filter))
}

async function* readAll(db: Database, filter: Filter): AsyncGenerator<AuditEntry> {
  let before: string | undefined
  for (;;) {
    const { entries } = await listAudit(db, { ...filter, limit: ENTRIES_AT_ONCE, before })
    yield* entries
    before = entries.at(-1)?._id
    if (before === undefined || entries.length < ENTRIES_AT_ONCE) return
  }
}
