import { Refusal } from '../../contract/errors.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { sql } from '../platform/database/database.ts'
import { readDisk } from '../platform/disk.ts'
import type { Services } from '../platform/services.ts'

export const VERSION: string = packageJson.version
/** A log file of PostgreSQL. Without room for it nothing is sold. */
const ROOM_BYTES = 16 * 1024 * 1024

/** @throws Refusal SERVICE_UNAVAILABLE when the database does not answer, or its disk is full */
export async function checkHealth({
  db,
  ownDisk,
}: Pick<Services, 'db' | 'ownDisk'>): Promise<{ status: 'ok'; version: string }> {
  await db.run(sql`select`)
  if (ownDisk !== undefined && (await readDisk(ownDisk)).bytes < ROOM_BYTES) throw new Refusal('SERVICE_UNAVAILABLE')
  return { status: 'ok', version: VERSION }
}
