import * as z from 'zod/mini'
import { sql, type Queries } from '../database/database.ts'
import type { Sealer } from './sealing.ts'

const Sealed = z.object({ sealed: z.instanceof(Buffer) })

/**
 * Returns a secret of the store that is kept encrypted under a name, and made once.
 * @param make is called when there is none. Of two at one moment, one counts
 */
export async function keptSecret(
  db: Queries,
  sealer: Sealer,
  name: string,
  make: () => Promise<string>,
): Promise<string> {
  const read = () => db.maybe(sql(Sealed)`select sealed from sealed_secrets where name = ${name}`)
  const kept = await read()
  if (kept) return sealer.open('secret', name, kept.sealed)
  const made = sealer.seal('secret', name, await make())
  await db.run(sql`insert into sealed_secrets (name, sealed) values (${name}, ${made}) on conflict do nothing`)
  const row = await read()
  if (!row) throw new Error(`There is no secret named ${name}`)
  return sealer.open('secret', name, row.sealed)
}
