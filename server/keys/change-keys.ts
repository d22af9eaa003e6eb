/** Corrections of the stock. They ask for step-up, because nothing brings a text back. A sold key stays as it is. */
import { Refusal } from '../../contract/errors.ts'
import type { AdminKey } from '../../contract/keys.ts'
import { audit, type ProvingBy as By } from '../audit/audit.ts'
import { sql, violates, type Transaction } from '../platform/database/database.ts'
import type { Services } from '../platform/services.ts'
import { nameOf } from './import-keys.ts'
import { readKey } from './list-keys.ts'
import { deleteUnsoldKey, deleteUnsoldKeys, findVariants, replaceUnsoldKey } from './stock/stock.ts'

const DELETE_ALL_TIMEOUT_MS = 60_000

/** @throws Refusal STEP_UP_REQUIRED, KEY_SOLD, KEY_EXISTS when another key has that text, or NOT_FOUND */
export async function editKey(
  { db, sealer }: Services,
  { id, key }: { id: string; key: string },
  by: By,
): Promise<AdminKey> {
  by.requireProof()
  try {
    return await db.transaction(async (tx) => {
      const replaced = await replaceUnsoldKey(tx, {
        id,
        sealed: sealer.seal('key', id, key),
        fingerprint: sealer.fingerprint(key),
      })
      if (!replaced) throw await refusalFor(tx, id)
      const edited = await readKey(tx, sealer, id, by.now)
      // Logs the change of a key, never its text
      await audit(tx, by, { action: 'key.edit', subject: subjectOf(edited) })
      return edited
    })
  } catch (error) {
    if (violates(error, 'license_keys_fingerprint'))
      throw new Refusal('KEY_EXISTS', { fields: { key: 'This key is already in stock or sold.' } })
    throw error
  }
}

/** @throws Refusal STEP_UP_REQUIRED, KEY_SOLD or NOT_FOUND */
export async function removeKey({ db, sealer, events }: Services, id: string, by: By): Promise<{ message: string }> {
  by.requireProof()
  const key = await db.transaction(async (tx) => {
    const found = await readKey(tx, sealer, id, by.now)
    if (!(await deleteUnsoldKey(tx, id))) throw await refusalFor(tx, id)
    await audit(tx, by, { action: 'key.remove', subject: subjectOf(found) })
    return found
  })
  events.publish({ to: 'everyone', name: 'stock', data: { productId: key.productId._id } })
  return { message: 'Key deleted' }
}

/**
 * Deletes every unsold key of a product and duration, even if they are deleted.
 * @throws Refusal STEP_UP_REQUIRED, PRODUCT_NOT_FOUND when there never was such a duration, or STOCK_CHANGED when there
 *   are more or fewer keys than expected, because another admin may have added some
 */
export async function removeAllKeys(
  { db, events }: Services,
  { productId, duration, expected }: { productId: string; duration: string; expected?: number | undefined },
  by: By,
): Promise<{ message: string; deletedCount: number }> {
  by.requireProof()
  const deletedCount = await db.transaction(
    async (tx) => {
      const variants = await findVariants(tx, productId, duration)
      const [variant] = variants
      if (!variant) throw new Refusal('PRODUCT_NOT_FOUND')
      const deleted = await deleteUnsoldKeys(
        tx,
        variants.map(({ priceId }) => priceId),
      )
      if ((expected ?? deleted) !== deleted) throw new Refusal('STOCK_CHANGED', { details: { available: deleted } })
      await audit(tx, by, { action: 'keys.remove-all', subject: nameOf(variant), before: { unsold: deleted } })
      return deleted
    },
    { statementTimeoutMs: DELETE_ALL_TIMEOUT_MS },
  )
  if (deletedCount > 0) events.publish({ to: 'everyone', name: 'stock', data: { productId } })
  return { message: deletedCount === 1 ? '1 key deleted' : `${deletedCount} keys deleted`, deletedCount }
}

/** Returns the reason why no unsold key has this id. */
async function refusalFor(tx: Transaction, id: string): Promise<Refusal> {
  const isThere = await tx.holds(sql`select exists (select from license_keys where id = ${id})`)
  return new Refusal(isThere ? 'KEY_SOLD' : 'NOT_FOUND')
}

function subjectOf({ _id, productId, duration }: AdminKey): string {
  return `Key of ${productId.name}, ${duration} (${_id})`
}
