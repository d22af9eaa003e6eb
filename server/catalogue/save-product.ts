/** An admin's form for a product. Its prices come whole: a price that is absent is removed. */
import * as z from 'zod/mini'
import type { catalogue, Product, ProductText } from '../../contract/catalogue.ts'
import { Refusal } from '../../contract/errors.ts'
import { keepTexts, textsInOthers } from '../../contract/owner-texts.ts'
import { audit, type ProvingBy } from '../audit/audit.ts'
import { sql, violates, type Transaction } from '../platform/database/database.ts'
import { contactsIn } from '../platform/http/contacts.ts'
import { newId } from '../platform/ids.ts'
import type { Services } from '../platform/services.ts'
import { readProduct } from './list-products.ts'
import { isCheaper, isLooser, readOffers } from './offers.ts'
import { writePrices } from './prices.ts'

export type ProductForm = z.output<(typeof catalogue.create)['input']>
/** Absent fields stay, because another admin may have changed them since this form was opened. */
type ProductChange = z.output<(typeof catalogue.update)['input']>

/** @throws Refusal NAME_TAKEN in letters of any case, or STEP_UP_REQUIRED for addresses that buyers read */
export function createProduct(services: Services, form: ProductForm, by: ProvingBy): Promise<Product> {
  const id = newId()
  return saving(services, async (tx) => {
    await tx.run(sql`
      insert into products (id, name, description, hot, instructions, download_url, is_listed, remind_days,
                            translations, position, created_at)
      select ${id}, ${form.name}, ${form.description}, ${form.hot}, ${form.instructions}, ${form.downloadUrl},
             ${form.isListed}, ${form.remindDays}::smallint,
             ${JSON.stringify(textsInOthers(form, TRANSLATED))}::jsonb, coalesce(max(position), 0) + 1, ${by.now}
        from products
       where deleted_at is null`)
    await noteName(tx, id)
    // Writes new rows, because ids copied from another product are not this one's
    await writePrices(tx, id, form.prices, by.now)
    const after = await productAsSaved(tx, id)
    if (after.isListed && contactsOf(after) !== '') by.requireProof()
    await audit(tx, by, { action: 'product.create', subject: `${form.name} (${id})`, after: auditable(after) })
    return after
  })
}

/**
 * @throws Refusal NOT_FOUND, NAME_TAKEN in letters of any case, or STEP_UP_REQUIRED where buyers then get something
 *   for less, because a thief of the session would buy the stock for nothing, or read other addresses
 */
export function updateProduct(
  services: Services,
  { id, prices, ...change }: ProductChange,
  by: ProvingBy,
): Promise<Product> {
  return saving(services, async (tx) => {
    await lockProduct(tx, id)
    const before = await productAsSaved(tx, id)
    const offers = await readOffers(tx, [id])
    await tx.run(sql`
      update products
         set name = coalesce(${change.name ?? null}, name),
             description = coalesce(${change.description ?? null}, description),
             hot = coalesce(${change.hot ?? null}, hot),
             instructions = coalesce(${change.instructions ?? null}, instructions),
             download_url = coalesce(${change.downloadUrl ?? null}, download_url),
             is_listed = coalesce(${change.isListed ?? null}, is_listed),
             remind_days = case when ${change.remindDays === undefined} then remind_days
                                else ${change.remindDays ?? null}::smallint end,
             translations = ${JSON.stringify(keepTexts(TRANSLATED, before, change))}::jsonb
       where id = ${id}`)
    await noteName(tx, id)
    if (prices) await writePrices(tx, id, prices, by.now)
    const after = await productAsSaved(tx, id)
    const offered = await readOffers(tx, [id])
    if (isCheaper(offers, offered) || isLooser(offers, offered) || (await saysElsewhere(tx, before, after)))
      by.requireProof()
    await audit(tx, by, {
      action: 'product.update',
      subject: `${after.name} (${id})`,
      before: auditable(before),
      after: auditable(after),
    })
    return after
  })
}

const TRANSLATED: readonly ProductText[] = ['name', 'description', 'instructions']

/** @returns true if buyers read other addresses. Who bought it reads them in a product that is not listed, too. */
async function saysElsewhere(tx: Transaction, before: Product, after: Product): Promise<boolean> {
  const isOther = contactsOf(before) !== contactsOf(after)
  if (after.isListed) return before.isListed ? isOther : contactsOf(after) !== ''
  return isOther && tx.holds(sql`select exists (select from orders where product_id = ${after._id})`)
}

/** Where its texts send a reader, in one text. */
export function contactsOf({ name, description, instructions, downloadUrl, ...rest }: Product): string {
  return contactsIn([
    name,
    description,
    instructions,
    downloadUrl,
    ...Object.values(textsInOthers(rest, TRANSLATED)),
  ]).join(' ')
}

/** Locks the product against other changes, but not against sales. @throws Refusal NOT_FOUND */
export async function lockProduct(tx: Transaction, id: string): Promise<{ name: string }> {
  const product = await tx.maybe(sql(() => z.object({ name: z.string() }))`
    select name from products where id = ${id} and deleted_at is null for no key update`)
  if (!product) throw new Refusal('NOT_FOUND')
  return product
}

/** Keeps every name, because sales are found by the product's name at the time. */
const noteName = (tx: Transaction, id: string): Promise<number> =>
  tx.run(sql`insert into sold_names select id, name from products where id = ${id} on conflict do nothing`)

/** Saves a product, and tells open pages of it. @throws Refusal NAME_TAKEN when another product has taken the name */
export async function saving({ db, events }: Services, work: (tx: Transaction) => Promise<Product>): Promise<Product> {
  const product = await db.transaction(work).catch((error: unknown) => {
    if (!violates(error, 'products_name')) throw error
    throw new Refusal('NAME_TAKEN', { fields: { name: 'A product with this name already exists.' } })
  })
  events.publish({ to: 'everyone', name: 'stock', data: { productId: product._id } })
  return product
}

export async function productAsSaved(tx: Transaction, id: string): Promise<Product> {
  const product = await readProduct(tx, id)
  if (!product) throw new Error(`Product ${id} is not there`)
  return product
}

/** Returns the fields that an admin decides. Stock is not one of them. */
function auditable(product: Product): unknown {
  const { name, description, hot, instructions, downloadUrl, isListed, remindDays, prices, ...rest } = product
  return {
    name,
    description,
    hot,
    instructions,
    downloadUrl,
    isListed,
    remindDays,
    ...textsInOthers(rest, TRANSLATED),
    prices: prices.map(({ _id, duration, price, lowStockBelow, perBuyer, trial, steps }) => {
      // In the words of the log
      const cheaper = steps?.map((step) => ({ quantity: step.from, price: step.price }))
      return { _id, duration, price, lowStockBelow, perBuyer, trial, ...(cheaper && { steps: cheaper }) }
    }),
  }
}
