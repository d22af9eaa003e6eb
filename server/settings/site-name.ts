import { DEFAULT_WEBSITE_NAME } from '../../contract/limits.ts'
import { picturePath } from '../platform/http/pages/kept-pictures.ts'
import { sql, type Queries } from '../platform/database/database.ts'

/** What a mail shows of the store. */
export interface Letterhead {
  siteName: string
  /** A path of the store's own. */
  logo: string | undefined
}

export async function readLetterhead(db: Queries): Promise<Letterhead> {
  const [siteName, logo] = [await readSiteName(db), await db.text(sql`select name from pictures where place = 'logo'`)]
  return { siteName, logo: logo === undefined ? undefined : picturePath(logo) }
}

export async function readSiteName(db: Queries): Promise<string> {
  return (await db.text(sql`select website_name from settings`)) ?? DEFAULT_WEBSITE_NAME
}
