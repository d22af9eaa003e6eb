import * as z from 'zod/mini'
import { DEFAULT_WEBSITE_NAME } from '../../contract/limits.ts'
import { sql, type Queries } from '../platform/database/database.ts'

export async function readSiteName(db: Queries): Promise<string> {
  const settings = await db.maybe(z.object({ name: z.string() }), sql`select website_name as name from settings`)
  return settings?.name ?? DEFAULT_WEBSITE_NAME
}
