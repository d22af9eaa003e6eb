import * as z from 'zod/mini'
import { prepared, sql, type Queries, type Sql } from '../database/database.ts'
import type { Purpose } from './sealing.ts'

export interface SealedColumn {
  table: string
  /** The primary key. */
  key: string
  type: 'uuid' | 'text'
  column: string
  purpose: Purpose
  /** SQL of the row's name that a value is bound to, if it isn't the primary key. */
  boundTo?: string
  /** Column of the text's fingerprint, if the row has one. */
  fingerprint?: string
}

/**
 * All columns with encrypted values. `server/operations/rotate-keys.test.ts` finds one that is missing here. A value
 * that is copied from table to table keeps its purpose and its row's name.
 */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'license_keys', key: 'id', type: 'uuid', column: 'sealed', purpose: 'key', fingerprint: 'fingerprint' },
  { table: 'withdrawn_keys', key: 'id', type: 'uuid', column: 'sealed', purpose: 'key', fingerprint: 'fingerprint' },
  { table: 'admins', key: 'id', type: 'uuid', column: 'totp_sealed', purpose: 'second-factor' },
  { table: 'admins', key: 'id', type: 'uuid', column: 'totp_pending', purpose: 'second-factor' },
  { table: 'bank_credits', key: 'id', type: 'uuid', column: 'payer_sealed', purpose: 'payer' },
  { table: 'bank_forms', key: 'id', type: 'uuid', column: 'text_sealed', purpose: 'bank-form' },
  { table: 'bank_heard', key: 'id', type: 'uuid', column: 'text_sealed', purpose: 'bank-heard' },
  { table: 'bank_sightings', key: 'id', type: 'uuid', column: 'text_sealed', purpose: 'bank-sighting' },
  { table: 'channels', key: 'name', type: 'text', column: 'sealed', purpose: 'channel' },
  {
    table: 'push_subscriptions',
    key: 'id',
    type: 'uuid',
    column: 'sealed',
    purpose: 'push',
    // A browser that subscribes again keeps its row and brings other keys
    boundTo: `encode(endpoint_hash, 'hex')`,
  },
  { table: 'supply_links', key: 'id', type: 'uuid', column: 'sealed', purpose: 'supplier' },
  { table: 'sealed_secrets', key: 'name', type: 'text', column: 'sealed', purpose: 'secret' },
]

const SealedRow = z.object({
  key: z.string(),
  /** What a value is bound to. */
  row: z.string(),
  sealed: z.instanceof(Buffer),
  fingerprint: z.nullable(z.instanceof(Buffer)),
})

/** @param which the rest of a statement, after "and" */
export function readSealed(
  db: Queries,
  { table, key, column, boundTo = `${key}::text`, fingerprint = 'null::bytea' }: SealedColumn,
  which: Sql,
): Promise<z.output<typeof SealedRow>[]> {
  return db.rows(sql(SealedRow)`
    select ${prepared(key)}::text as key, ${prepared(boundTo)} as row, ${prepared(column)} as sealed,
           ${prepared(fingerprint)} as fingerprint
      from ${prepared(table)} where ${prepared(column)} is not null and ${which}`)
}
