import packageJson from '../../package.json' with { type: 'json' }
import { sql, type Database } from '../platform/database/database.ts'

export const VERSION: string = packageJson.version

/** @throws Refusal SERVICE_UNAVAILABLE when the database does not answer */
export async function checkHealth(db: Database): Promise<{ status: 'ok'; version: string }> {
  await db.run(sql`select`)
  return { status: 'ok', version: VERSION }
}
