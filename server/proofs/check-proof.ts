/** Says whether a file is a proof that this store made. */
import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { sql, type Queries } from '../platform/database/database.ts'

const Made = z.object({ at: z.date(), adminName: z.string() })

/** @param file the bytes of the JSON. One that was changed has another SHA-256, and so was never made here */
export async function checkProof(db: Queries, file: Buffer): Promise<{ isMade: boolean; says: string }> {
  const sha256 = createHash('sha256').update(file).digest('hex')
  const made = await db.maybe(sql(Made)`
    select at, admin_name from audit_entries
     where action in ('payment.proof', 'payment.proof-keys') and after ->> 'sha256' = ${sha256}
     order by seq limit 1`)
  return made
    ? { isMade: true, says: `${made.adminName} made this proof on ${made.at.toISOString()}, and it is unchanged.` }
    : { isMade: false, says: 'This store has not made this proof, or it was changed.' }
}
