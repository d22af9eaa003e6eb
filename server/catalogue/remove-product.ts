import { audit, type By } from '../audit/audit.ts'
import { sql } from '../platform/database/database.ts'
import type { Services } from '../platform/services.ts'
import { lockProduct } from './save-product.ts'

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
