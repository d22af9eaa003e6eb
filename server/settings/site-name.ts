import { DEFAULT_WEBSITE_NAME } from '../../contract/limits.ts'
import { sql, type Queries } from '../platform/database/database.ts'

export async function readSiteName(db: Queries): Promise<string> {
  return (await db.text(sql`select website_name from settings`)) ?? DEFAULT_WEBSITE_NAME
}
