/** The pictures of the store and its products. Each place has one at most. */
import { hash } from 'node:crypto'
import { PICTURE_RULES, type StorePlace } from '../../contract/pictures.ts'
import { audit, type By } from '../audit/audit.ts'
import { lockProduct } from '../catalogue/save-product.ts'
import { sql, type Transaction } from '../platform/database/database.ts'
import { picturePath } from '../platform/http/pages/kept-pictures.ts'
import type { Services } from '../platform/services.ts'
import { lockSettings } from '../settings/settings.ts'
import { checkPicture, type Picture } from './check-picture.ts'

/** @throws Refusal INVALID_INPUT for a file that is no such picture */
export async function saveStorePicture(services: Services, place: StorePlace, data: string, by: By): Promise<string> {
  const picture = checkPicture(Buffer.from(data, 'base64'), PICTURE_RULES[place])
  return changeOfStore(services, place, by, (tx) => write(tx, place, null, picture))
}

export async function removeStorePicture(services: Services, place: StorePlace, by: By): Promise<void> {
  await changeOfStore(services, place, by, () => Promise.resolve(''))
}

async function changeOfStore(
  { db, events }: Services,
  place: StorePlace,
  by: By,
  replace: (tx: Transaction) => Promise<string>,
): Promise<string> {
  const { name, version } = await db.transaction(async (tx) => {
    const settings = await lockSettings(tx)
    const before = await removeFrom(tx, place)
    const after = await replace(tx)
    const subject = place === 'logo' ? 'Logo' : 'Picture of shared links'
    await audit(tx, by, { action: 'settings.picture', subject, before: { name: before }, after: { name: after } })
    return { name: after, version: settings.version }
  })
  events.publish({ to: 'everyone', name: 'settings', data: { settingsVersion: version } })
  return picturePath(name)
}

/** @throws Refusal NOT_FOUND, or INVALID_INPUT for a file that is no such picture */
export async function saveProductPicture(services: Services, id: string, data: string, by: By): Promise<string> {
  const picture = checkPicture(Buffer.from(data, 'base64'), PICTURE_RULES.product)
  return changeOfProduct(services, id, by, (tx) => write(tx, id, id, picture))
}

/** @throws Refusal NOT_FOUND */
export async function removeProductPicture(services: Services, id: string, by: By): Promise<void> {
  await changeOfProduct(services, id, by, () => Promise.resolve(''))
}

async function changeOfProduct(
  { db, events }: Services,
  id: string,
  by: By,
  replace: (tx: Transaction) => Promise<string>,
): Promise<string> {
  const saved = await db.transaction(async (tx) => {
    const product = await lockProduct(tx, id)
    const before = await removeFrom(tx, id)
    const after = await replace(tx)
    await audit(tx, by, {
      action: 'product.picture',
      subject: `${product.name} (${id})`,
      before: { name: before },
      after: { name: after },
    })
    return after
  })
  events.publish({ to: 'everyone', name: 'stock', data: { productId: id } })
  return picturePath(saved)
}

/** @returns the name of the picture that was there; empty for none */
async function removeFrom(tx: Transaction, place: string): Promise<string> {
  return (await tx.text(sql`delete from pictures where place = ${place} returning name`)) ?? ''
}

/** Its name depends on the place too, so that no two places share a picture and each can be removed alone. */
async function write(tx: Transaction, place: string, productId: string | null, picture: Picture): Promise<string> {
  const { bytes, type } = picture
  const name = `${hash('sha256', Buffer.concat([Buffer.from(`${place}\n`), bytes]), 'hex').slice(0, 40)}.${type}`
  await tx.run(sql`
    insert into pictures (place, product_id, name, bytes) values (${place}, ${productId}, ${name}, ${bytes})`)
  return name
}
