/** Names the ids in the audit log as they are called today. */
import * as z from 'zod/mini'
import { AUDIT_KINDS } from '../../contract/audit.ts'
import { formatPaise } from '../../contract/money.ts'
import type { AuditName } from '../../contract/reports.ts'
import { sql, type Queries, type Sql } from '../platform/database/database.ts'

const ID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g

/** How a feature names its ids. A missing kind of thing does not compile. */
export type AuditNames = Readonly<Record<AuditName['kind'], AuditNaming>>
export interface AuditNaming {
  /** Selects id, name, detail and an amount in paise or null, of those ids that are in `wanted`. */
  rows: Sql
  /** In words, where the name alone says too little. */
  words?: (row: { name: string; detail: string; rupees: string }) => string
}

const Row = z.object({
  id: z.string(),
  kind: z.enum(AUDIT_KINDS),
  name: z.string(),
  detail: z.string(),
  paise: z.nullable(z.number()),
})

/** @param texts that may contain ids. Deleted rows get no name, so the entry's own words remain. */
export async function nameIds(
  db: Queries,
  texts: readonly string[],
  names: AuditNames,
): Promise<Record<string, AuditName>> {
  const ids = [...new Set(texts.flatMap((text) => text.match(ID) ?? []))]
  if (ids.length === 0) return {}
  const named = Object.entries(names)
    .map(
      ([kind, { rows }]) =>
        sql`select ${kind}::text as kind, named.* from (${rows}) as named (id, name, detail, paise)`,
    )
    .reduce((all, each) => sql`${all} union all ${each}`)
  const rows = await db.rows(sql(Row)`with wanted as materialized (select unnest(${ids}::uuid[]) as id) ${named}`)
  return Object.fromEntries(
    rows.map(({ id, kind, name, detail, paise }) => {
      const row = { name, detail, rupees: paise === null ? '' : formatPaise(paise) }
      return [id, { kind, name: names[kind].words?.(row) ?? name, detail }]
    }),
  )
}
