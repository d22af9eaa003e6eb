/** Proves that no row of the audit log was changed, removed or added later. */
import * as z from 'zod/mini'
import { canonical, chainHash, ChainedEntry } from './audit.ts'
import { literal, sql, type Queries } from '../platform/database/database.ts'

/** The database gives JSON that is parsed already. */
const Entry = z.extend(ChainedEntry, { before: z.unknown(), after: z.unknown(), hash: z.instanceof(Buffer) })

const PAGE = 5_000
const SHOWN_MAX = 10
const START = Buffer.of(0)

/**
 * Follows the chain from its first row to its head.
 * @returns the first ten faults, each with the row's number, id and action; empty for a whole chain
 */
export async function verifyAuditChain(db: Queries): Promise<string[]> {
  const broken: string[] = []
  let seq = 0
  let hash: Buffer = START
  for (;;) {
    const rows = await db.rows(sql(Entry)`
      select id, seq, at, admin_id, admin_name, action, subject, before, after, address,
             user_agent, hash
        from audit_entries where seq > ${seq} order by seq limit ${literal(PAGE)}`)
    for (const row of rows) {
      if (row.seq !== seq + 1) broken.push(`${seq + 1} to ${row.seq - 1}: missing`)
      const entry = { ...row, before: canonical(row.before), after: canonical(row.after) }
      // After a gap there is no hash to start from, so the next row is taken as it is
      if (row.seq === seq + 1 && !chainHash(hash, entry).equals(row.hash))
        broken.push(`${row.seq} (${row.id}): ${row.action} was altered`)
      seq = row.seq
      hash = row.hash
      if (broken.length >= SHOWN_MAX) return broken
    }
    if (rows.length < PAGE) break
  }
  const head = await db.one(
    sql(() => z.object({ seq: z.number(), hash: z.instanceof(Buffer) }))`select seq, hash from audit_head`,
  )
  if (head.seq > seq) broken.push(`${seq + 1} to ${head.seq}: missing at the end`)
  else if (!head.hash.equals(hash)) broken.push('the head of the log is not its last entry')
  return broken
}
