/** A check of a paste, line by line, which stores nothing. */
import * as z from 'zod/mini'
import { dayOf } from '../../contract/india.ts'
import { KeyText, type CheckedLine, type LineStatus } from '../../contract/keys.ts'
import { sql } from '../platform/database/database.ts'
import type { Services } from '../platform/services.ts'
import { damageIn, likenessOf, spellingsOf } from './doubtful-keys.ts'
import { findWithdrawn, fingerprintTable } from './stock/fingerprints.ts'
import { findVariantForSale } from './import-keys.ts'
import { mapYielding } from '../platform/load/map-yielding.ts'

/** Allows 50,000 look-ups in an index that is not in memory yet, which take longer than a request should. */
const CHECK_TIMEOUT_MS = 30_000

interface Checked {
  counts: Record<LineStatus | 'blank', number>
  lines: CheckedLine[]
}

/**
 * Reports for each line that is not blank: new, a duplicate here (in an earlier line or in this product), a
 * duplicate in another product, or no key. One query over the index of fingerprints finds all duplicates. The
 * import decides again, because it may differ a moment later. A new line is doubtful if it looks damaged, or like
 * a key that is there.
 * @throws Refusal PRODUCT_NOT_FOUND
 */
export async function checkKeys(
  { db, sealer }: Services,
  { productId, duration, keys }: { productId: string; duration: string; keys: readonly string[] },
): Promise<Checked> {
  await findVariantForSale(db, productId, duration)
  const firstLines = new Map<string, number>()
  const likenesses = new Map<string, number>()
  const spelled: Buffer[] = []
  /** For each of `spelled`: its line. */
  const spelledBy: number[] = []
  const fingerprints: Buffer[] = []
  /** Line number of each text's first line → index of its fingerprint. */
  const asked = new Map<number, number>()
  let blank = 0
  const read = await mapYielding(keys, (text, index): CheckedLine | undefined => {
    const line = index + 1
    if (text.trim() === '') {
      blank += 1
      return undefined
    }
    const { success, data, error } = z.safeParse(KeyText, text)
    if (!success) return { line, status: 'malformed', fault: error.issues[0]?.message ?? 'This is not a valid key' }
    const repeats = firstLines.get(data)
    if (repeats !== undefined) return { line, status: 'duplicate-here', repeats }
    firstLines.set(data, line)
    asked.set(line, fingerprints.push(sealer.fingerprint(data)) - 1)
    for (const spelling of spellingsOf(data)) {
      spelled.push(sealer.fingerprint(spelling))
      spelledBy.push(line)
    }
    const likeness = likenessOf(data)
    const like = likenesses.get(likeness)
    if (like !== undefined) return { line, status: 'new', doubt: 'alike', repeats: like }
    likenesses.set(likeness, line)
    const doubt = damageIn(data)
    return { line, status: 'new', ...(doubt && { doubt }) }
  })

  const [present, withdrawn, similar] = await Promise.all([
    findPresent(db, fingerprints),
    findWithdrawn(db, fingerprints),
    findPresent(db, spelled),
  ])
  const alike = new Map([...similar].map(([at, row]) => [spelledBy[at], row]))
  const lines = read.flatMap((line): CheckedLine[] => {
    if (!line) return []
    const recalledAt = withdrawn.get(asked.get(line.line) ?? -1)
    if (recalledAt) return [{ ...line, status: 'malformed', fault: `Withdrawn by a recall on ${dayOf(recalledAt)}` }]
    const there = present.get(asked.get(line.line) ?? -1)
    const like = there ?? alike.get(line.line)
    if (!like) return [line]
    const { productName, sold } = like
    if (!there) return [{ ...line, doubt: 'alike', found: { productName, duration: like.duration, sold } }]
    const found = { productName, duration: there.duration, sold }
    // Counts unsold keys of deleted products as new, because an import moves them
    if (there.stranded) return [{ ...line, found }]
    return [{ ...line, status: there.productId === productId ? 'duplicate-here' : 'duplicate-elsewhere', found }]
  })
  const counts = { new: 0, 'duplicate-here': 0, 'duplicate-elsewhere': 0, malformed: 0, blank }
  for (const { status } of lines) counts[status] += 1
  return { counts, lines }
}

const PresentRow = z.object({
  line: z.number(),
  productId: z.string(),
  productName: z.string(),
  duration: z.string(),
  sold: z.boolean(),
  stranded: z.boolean(),
})

/** @returns the fingerprints that a key of the store has, by their place in the list */
async function findPresent(
  db: Services['db'],
  fingerprints: readonly Buffer[],
): Promise<Map<number, z.output<typeof PresentRow>>> {
  if (fingerprints.length === 0) return new Map()
  const rows = await db.transaction(
    (tx) =>
      tx.rows(sql(PresentRow)`
        select wanted.line, product.id as product_id, product.name as product_name, price.duration,
               key.order_id is not null as sold,
               key.order_id is null and (price.removed_at is not null or product.deleted_at is not null) as stranded
          from ${fingerprintTable(fingerprints)} as wanted
          join license_keys key on key.fingerprint = wanted.fingerprint
          join prices price on price.id = key.price_id
          join products product on product.id = price.product_id`),
    { statementTimeoutMs: CHECK_TIMEOUT_MS },
  )
  return new Map(rows.map((row) => [row.line, row]))
}
