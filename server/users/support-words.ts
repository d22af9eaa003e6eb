/** How a text of the server says where a buyer gets help. The only place of the server that names support. */
import type { Said } from '../../contract/words.ts'
import { sql, type Queries } from '../platform/database/database.ts'

/** @returns the end of a sentence: with the link, or how else to ask in a store that has none */
export async function toContactSupport(db: Queries): Promise<Said> {
  const url = await db.text(sql`select support_url from settings`)
  return url
    ? ['contact support: {link}', { link: url.replace(/^mailto:/, '') }]
    : ['ask the person who gave you your referral code.']
}
