import type { Product } from '../../contract/catalogue.ts'
import { Refusal } from '../../contract/errors.ts'
import { audit, type By, type ProvingBy } from '../audit/audit.ts'
import { sql } from '../platform/database/database.ts'
import type { Services } from '../platform/services.ts'
import { isCheaper, readOffers } from './offers.ts'
import { contactsOf, lockProduct, productAsSaved, saving } from './save-product.ts'

/**
 * Deletes a product. Its row stays for the sales that name it, and its unsold keys stay under it.
 * @throws Refusal NOT_FOUND
 */
export async function removeProduct({ db, events }: Services, id: string, by: By): Promise<{ message: string }> {
  await db.transaction(async (tx) => {
    const { name } = await lockProduct(tx, id)
    await tx.run(sql`update products set deleted_at = ${by.now} where id = ${id}`)
    await audit(tx, by, { action: 'product.remove', subject: `${name} (${id})`, before: { name } })
  })
  events.publish({ to: 'everyone', name: 'stock', data: { productId: id } })
  return { message: 'Product deleted' }
}

/**
 * Restores a deleted product. Its keys may have become fewer, because some may have been added to another product
 * since.
 * @throws Refusal NOT_FOUND unless it was deleted, NAME_TAKEN, or STEP_UP_REQUIRED if buyers can then get it
 */
export function restoreProduct(services: Services, id: string, by: ProvingBy): Promise<Product> {
  return saving(services, async (tx) => {
    const offers = await readOffers(tx, [id])
    const name = await tx.text(sql`
      update products set deleted_at = null where id = ${id} and deleted_at is not null returning name`)
    if (name === undefined) throw new Refusal('NOT_FOUND')
    const product = await productAsSaved(tx, id)
    if (isCheaper(offers, await readOffers(tx, [id])) || (product.isListed && contactsOf(product) !== ''))
      by.requireProof()
    await audit(tx, by, { action: 'product.restore', subject: `${name} (${id})`, after: { name } })
    return product
  })
}
