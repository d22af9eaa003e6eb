/** Columns that an admin has chosen for a layout that the store does not know, kept by the heading above its rows. */
import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { StatementColumns } from '../../../contract/bank-shapes.ts'
import { sql, type Queries, type Transaction } from '../../platform/database/database.ts'
import type { Statement } from '../reading/statements/statement.ts'

const HEADING_WITHIN_LINES = 60

const hashOf = (heading: string): Buffer =>
  createHash('sha256').update(heading.replaceAll(/\s+/g, ' ').trim().toLowerCase()).digest()

/** A line without column names may also stand in files of other banks. */
const hasNames = (line: string): boolean => /\p{L}.*[,;|\t]\s*"?\p{L}/u.test(line.slice(0, 2_000))

export async function readLayout(db: Queries, text: string): Promise<StatementColumns | undefined> {
  const hashes = text.split(/\r?\n/, HEADING_WITHIN_LINES).filter(hasNames).map(hashOf)
  const kept = await db.maybe(sql(() => z.object({ columns: StatementColumns }))`
    select columns from bank_layouts where header_hash = any(${hashes}::bytea[])`)
  return kept?.columns
}

/** Keeps the columns under the headings above the first row. */
export async function keepLayout(
  tx: Transaction,
  { text, columns }: { text: string; columns: StatementColumns },
  { statement, adminId, now }: { statement: Statement; adminId: string; now: Date },
): Promise<void> {
  const first = Math.min(...statement.lines.map(({ line }) => line))
  const heading = text.split(/\r?\n/, first - 1).findLast(hasNames)
  if (heading === undefined) return
  await tx.run(sql`
    insert into bank_layouts (header_hash, columns, created_by, created_at)
    values (${hashOf(heading)}, ${JSON.stringify(columns)}::jsonb, ${adminId}, ${now})
    on conflict (header_hash) do update set columns = excluded.columns`)
}
