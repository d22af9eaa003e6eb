/** What a messenger shows for a link to one product: what any visitor may see of it, and no price. */
import * as z from 'zod/mini'
import { LANGUAGE_CODES, ownText, type Language } from '../../contract/languages.ts'
import { sql, type Database } from '../platform/database/database.ts'
import type { CachedReads } from '../platform/database/snapshot-cache.ts'
import { picturePath } from '../platform/http/pages/kept-pictures.ts'
import type { Subject } from '../platform/http/pages/page-head.ts'
import { showProducts } from './shop-window.ts'

const DESCRIPTION_SIGNS = 160

/** @param name as in the address, in any language. The list that all visitors share is searched, and nothing is kept */
export async function linkedProduct(
  db: Database,
  kept: CachedReads,
  name: string,
): Promise<((language: Language) => Subject) | undefined> {
  const wanted = name.trim().toLowerCase()
  const products = await showProducts(db, kept, { kind: 'visitor' })
  const named = (language: Language) =>
    products.find((each) => ownText(language, each, 'name').toLowerCase() === wanted)
  // English is first: another product may have this name as its own in Hindi
  const product = LANGUAGE_CODES.map(named).find(Boolean)
  if (!product) return undefined
  const cards = await kept.read('cards of products', () => readCards(db))
  const card = cards.find(({ productId }) => productId === product._id)
  return (language) => ({
    title: ownText(language, product, 'name'),
    description: Array.from(ownText(language, product, 'description').replaceAll(/\s+/g, ' '))
      .slice(0, DESCRIPTION_SIGNS)
      .join('')
      .trim(),
    ...(card && { image: picturePath(card.name) }),
  })
}

const Card = z.object({ productId: z.string(), name: z.string() })

const readCards = (db: Database) =>
  db.rows(sql(Card)`select product_id, card_name as name from pictures where card_name is not null`)
