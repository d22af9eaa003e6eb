/** How a text of the server says where a buyer gets help. The only place of the server that names support. */
import * as z from 'zod/mini'
import type { Said } from '../../contract/words.ts'
import { sql, type Queries } from '../platform/database/database.ts'

/** @returns the end of a sentence: with the link, or how else to ask in a store that has none */
export async function toContactSupport(db: Queries): Promise<Said> {
  const settings = await db.maybe(z.object({ url: z.string() }), sql`select support_url as url from settings`)
  return settings?.url
    ? ['contact support: {link}', { link: settings.url.replace(/^mailto:/, '') }]
    : ['ask the person who gave you your referral code.']
}
