/** Files for spreadsheets, which the audit log notes, because names, e-mails and phones leave the store with them. */
import type { AuditAction } from '../../contract/audit.ts'
import { BYTE_ORDER_MARK, sheetLine } from '../../contract/csv.ts'
import type { Database } from '../platform/database/database.ts'
import { audit, auditableFilter, type By } from './audit.ts'

/** The head of a column, and what stands in it. */
export type SheetColumn<Row> = readonly [head: string, cell: (row: Row) => string | number]

/** Yields rows as lines of CSV, under their heads. */
export async function* linesOf<Row>(
  columns: readonly SheetColumn<Row>[],
  rows: AsyncIterable<Row> | Iterable<Row>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + sheetLine(columns.map(([head]) => head))
  for await (const row of rows) yield sheetLine(columns.map(([, cell]) => cell(row)))
}

/** Yields all rows of a filter. The first is read before the entry, so that a wrong filter exports nothing. */
export async function* exportSheet<Row>(
  db: Database,
  { action, subject, filter }: { action: AuditAction; subject: string; filter: object },
  by: By,
  { columns, rows }: { columns: readonly SheetColumn<Row>[]; rows: AsyncGenerator<Row> },
): AsyncGenerator<string> {
  const first = await rows.next()
  await db.transaction((tx) => audit(tx, by, { action, subject, after: auditableFilter(filter) }))
  yield* linesOf(columns, all(first, rows))
}

async function* all<Row>(first: IteratorResult<Row>, rest: AsyncGenerator<Row>): AsyncGenerator<Row> {
  if (first.done) return
  yield first.value
  yield* rest
}
