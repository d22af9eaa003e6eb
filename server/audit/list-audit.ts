import * as z from 'zod/mini'
import { AuditEntry, type AuditName, type reports } from '../../contract/reports.ts'
import { DAY_MS } from '../../contract/time.ts'
import { startOf } from '../../contract/india.ts'
import { allOf, literal, planned, sql, type Database } from '../platform/database/database.ts'
import { contains } from '../platform/database/search.ts'
import { nameIds, type AuditNames } from './audit-names.ts'

export type AuditSearch = z.output<(typeof reports.audit)['input']>

const PAGE_SIZE = 50
/** Limits are rounded up, because each limit is written into the text of another statement. */
const LIMITS = [50, 100, 200]

const Row = z.extend(z.omit(AuditEntry, { from: true }), { address: z.string(), userAgent: z.string() })

/** Lists the changes and their admins, newest first. */
export async function listAudit(
  db: Database,
  { limit = PAGE_SIZE, before, action, search, from, to }: AuditSearch,
): Promise<{ entries: z.output<typeof AuditEntry>[] }> {
  const conditions = [
    ...(before === undefined ? [] : [sql`seq < (select seq from audit_entries where id = ${before})`]),
    ...(action ? [sql`(action = ${action} or starts_with(action, ${`${action}.`}))`] : []),
    ...(search ? [contains(sql`lower(subject || ' ' || admin_name)`, search)] : []),
    ...(from ? [sql`at >= ${startOf(from)}`] : []),
    ...(to ? [sql`at < ${new Date(startOf(to).getTime() + DAY_MS)}`] : []),
  ]
  const rows = await db.rows(
    planned(sql(Row)`
    select id as _id, at, admin_name as admin, action, subject, before, after, address, user_agent
      from audit_entries
     where ${allOf(conditions)}
     order by seq desc
     limit ${literal(LIMITS.find((each) => each >= limit) ?? limit)}`),
  )
  return {
    entries: rows.slice(0, limit).map(({ address, userAgent, ...entry }) => ({
      ...entry,
      from: [address, userAgent].filter((part) => part !== '').join(', '),
    })),
  }
}

/** Lists the same entries with the names of the ids in them. */
export async function listAuditInWords(
  db: Database,
  search: AuditSearch,
  names: AuditNames,
): Promise<{ entries: z.output<typeof AuditEntry>[]; names: Record<string, AuditName> }> {
  const { entries } = await listAudit(db, search)
  const texts = entries.map(({ subject, before, after }) => JSON.stringify([subject, before, after]))
  return { entries, names: await nameIds(db, texts, names) }
}
