/** A paste of keys, up to 50,000 at once: everything about the texts is done before the transaction begins. */
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { KeyText } from '../../contract/keys.ts'
import { audit } from '../platform/audit.ts'
import { sql } from '../platform/database.ts'
import type { Call } from '../platform/http.ts'
import { newId } from '../platform/ids.ts'
import type { Services } from '../platform/services.ts'
import { mapInTurns } from './in-turns.ts'
import { addKeys, findPlace, type Place } from './stock.ts'

type By = Pick<Call<'admin'>, 'admin' | 'now' | 'address' | 'userAgent'>

export interface Import {
  productId: string
  duration: string
  /** One text a line, as pasted. */
  keys: readonly string[]
}

const FAULTS_SHOWN_MAX = 20
/** An import may take longer than a request should, and wait for another one of the same keys. */
const IMPORT_TIMEOUT_MS = 60_000

/**
 * Adds the texts that are new. Those that are not are no reason to refuse the others: they are stored and
 * committed before the refusal is given.
 * @throws Refusal INVALID_INPUT for a text that cannot be a key (nothing is stored), PRODUCT_NOT_FOUND, or
 *   DUPLICATE_KEYS (with `added` and `duplicates`)
 */
export async function importKeys(
  { db, sealer, events }: Services,
  { productId, duration, keys }: Import,
  by: By,
): Promise<{ message: string; added: number }> {
  const texts = await readTexts(keys)
  const different = [...new Set(texts)]
  await findPlaceForSale(db, productId, duration)
  const sealed = await mapInTurns(different, (text) => ({
    sealed: sealer.seal(text),
    fingerprint: sealer.fingerprint(text),
  }))

  const { added, duplicates } = await db.transaction(
    async (tx) => {
      await tx.run(sql`select set_config('lock_timeout', ${`${IMPORT_TIMEOUT_MS}ms`}, true)`)
      const place = await findPlaceForSale(tx, productId, duration)
      const batchId = newId()
      await tx.run(sql`
        insert into key_batches (id, price_id, admin_id, created_at)
        values (${batchId}, ${place.priceId}, ${by.admin.id}, ${by.now})`)
      const added = await addKeys(tx, sealed, { priceId: place.priceId, batchId, now: by.now })
      await tx.run(sql`update key_batches set added = ${added} where id = ${batchId}`)
      const after = { added, duplicates: texts.length - added }
      await audit(tx, by, { action: 'keys.add', subject: nameOf(place), after })
      return after
    },
    { statementTimeoutMs: IMPORT_TIMEOUT_MS },
  )

  if (added > 0) events.publish({ to: 'everyone', name: 'stock', data: { productId } })
  if (duplicates > 0)
    throw new Refusal('DUPLICATE_KEYS', {
      message: `${counted(added)} added; ${counted(duplicates)} not added, as duplicates (duplicate key error)`,
      details: { added, duplicates },
    })
  return { message: `${counted(added)} added`, added }
}

async function findPlaceForSale(db: Parameters<typeof findPlace>[0], productId: string, duration: string) {
  const place = await findPlace(db, productId, duration)
  if (!place) throw new Refusal('PRODUCT_NOT_FOUND')
  return place
}

/** The lines as keys are stored: trimmed, blank ones dropped. @throws Refusal INVALID_INPUT */
async function readTexts(lines: readonly string[]): Promise<string[]> {
  const fields: Record<string, string> = {}
  const read = await mapInTurns(lines, (line, index) => {
    if (line.trim() === '') return ''
    const { success, data, error } = z.safeParse(KeyText, line)
    if (success) return data
    if (Object.keys(fields).length < FAULTS_SHOWN_MAX)
      fields[`keys.${index}`] = `Line ${index + 1}: ${error.issues[0]?.message ?? 'this cannot be a key'}`
    return ''
  })
  const [fault] = Object.values(fields)
  if (fault !== undefined) throw new Refusal('INVALID_INPUT', { message: fault, fields })
  const texts = read.filter((text) => text !== '')
  if (texts.length === 0) {
    const message = 'Paste at least one key'
    throw new Refusal('INVALID_INPUT', { message, fields: { keys: message } })
  }
  return texts
}

export function nameOf({ productName, duration, productId }: Place): string {
  return `${productName}, ${duration} (${productId})`
}

function counted(quantity: number): string {
  return quantity === 1 ? '1 key' : `${quantity} keys`
}
