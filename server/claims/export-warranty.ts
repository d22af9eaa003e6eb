/** The claimed keys of a batch as a file for its supplier: no buyer, and one line a key. */
import * as z from 'zod/mini'
import { ClaimReason, ClaimStatus } from '../../contract/claims.ts'
import { inIndia } from '../../contract/india.ts'
import { DAY_MS } from '../../contract/time.ts'
import { audit } from '../audit/audit.ts'
import { linesOf, type SheetColumn } from '../audit/export-sheet.ts'
import { nameOf } from '../keys/import-keys.ts'
import { mapYielding } from '../platform/load/map-yielding.ts'
import { sql } from '../platform/database/database.ts'
import type { Call } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { findBatch } from './recall-batch.ts'

type By = Pick<Call<'admin'>, 'admin' | 'now' | 'address' | 'userAgent' | 'requireProof'>

const Row = z.object({
  id: z.string(),
  sealed: z.instanceof(Buffer),
  soldAt: z.date(),
  reportedAt: z.date(),
  reason: ClaimReason,
  outcome: ClaimStatus,
})

const COLUMNS: readonly SheetColumn<z.output<typeof Row> & { text: string }>[] = [
  ['Key', ({ text }) => text],
  ['Sold (India)', ({ soldAt }) => inIndia(soldAt.toISOString()).slice(0, 16)],
  ['Reported (India)', ({ reportedAt }) => inIndia(reportedAt.toISOString()).slice(0, 16)],
  ['Reason', ({ reason }) => reason],
  ['Days used', ({ soldAt, reportedAt }) => Math.floor((reportedAt.getTime() - soldAt.getTime()) / DAY_MS)],
  ['Outcome', ({ outcome }) => outcome],
]

/** @throws Refusal STEP_UP_REQUIRED or NOT_FOUND */
export async function exportWarranty({ db, sealer }: Services, id: string, by: By): Promise<AsyncGenerator<string>> {
  by.requireProof()
  const batch = await findBatch(db, id)
  // The newest claim of a key tells its outcome
  const rows = await db.rows(sql(Row)`
    select key.id, key.sealed, key.assigned_at as sold_at, claim.created_at as reported_at, claim.reason,
           claim.status as outcome
      from (select distinct on (key_id) * from key_claims
             where batch_id = ${id} and status <> 'withdrawn'
             order by key_id, created_at desc, id desc) claim
      join license_keys key on key.id = claim.key_id
     order by claim.created_at, claim.id`)
  await db.transaction((tx) =>
    audit(tx, by, {
      action: 'keys.warranty',
      subject: nameOf(batch),
      after: { batchId: id, exported: rows.length },
    }),
  )
  return linesOf(COLUMNS, await mapYielding(rows, (row) => ({ ...row, text: sealer.open('key', row.id, row.sealed) })))
}
