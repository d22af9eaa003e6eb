/** The pictures of the store and its products. Each place has one at most. */
import { hash } from 'node:crypto'
import { Refusal } from '../../contract/errors.ts'
import { PICTURE_RULES, type PictureRule, type StorePlace } from '../../contract/pictures.ts'
import { audit, type By } from '../audit/audit.ts'
import { lockProduct } from '../catalogue/save-product.ts'
import { sql, type Transaction } from '../platform/database/database.ts'
import { picturePath } from '../platform/http/pages/kept-pictures.ts'
import type { Services } from '../platform/services.ts'
import { lockSettings } from '../settings/settings.ts'
import { checkPicture, type Picture } from './check-picture.ts'

/**
 * Sets a picture of the store, or removes it if none is given.
 * @returns its address; empty for none
 * @throws Refusal INVALID_INPUT for a file that is no such picture, or PICTURE_CHANGED if it would replace another one
 *   than expected
 */
export async function changeStorePicture(
  { db, events }: Services,
  { place, data, expected }: { place: StorePlace; data?: string; expected?: string | undefined },
  by: By,
): Promise<string> {
  const picture = pictureIn(data, PICTURE_RULES[place])
  const { name, version } = await db.transaction(async (tx) => {
    const settings = await lockSettings(tx)
    const before = await removeFrom(tx, place)
    if (expected !== undefined && expected !== picturePath(before)) throw new Refusal('PICTURE_CHANGED')
    const after = await write(tx, place, null, picture)
    const subject = place === 'logo' ? 'Logo' : 'Picture of shared links'
    await audit(tx, by, { action: 'settings.picture', subject, before: { name: before }, after: { name: after } })
    return { name: after, version: settings.version }
  })
  events.publish({ to: 'everyone', name: 'settings', data: { settingsVersion: version } })
  return picturePath(name)
}

/**
 * Saves or removes the picture of a product.
 * @throws Refusal NOT_FOUND, or INVALID_INPUT for a file that is no such picture
 */
export async function changeProductPicture(
  { db, events }: Services,
  { id, data, card }: { id: string; data?: string; card?: string | undefined },
  by: By,
): Promise<string> {
  const picture = pictureIn(data, PICTURE_RULES.product)
  const shared = pictureIn(card, PICTURE_RULES.share)
  // Some messengers take no WebP
  if (shared?.type === 'webp')
    throw new Refusal('INVALID_INPUT', { message: 'Send the card as a JPEG.', field: 'card' })
  const saved = await db.transaction(async (tx) => {
    const product = await lockProduct(tx, id)
    const before = await removeFrom(tx, id)
    const after = await write(tx, id, id, picture, shared)
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

const pictureIn = (data: string | undefined, rule: PictureRule): Picture | undefined =>
  data === undefined ? undefined : checkPicture(Buffer.from(data, 'base64'), rule)

/** @returns the name of the picture that was there; empty for none */
async function removeFrom(tx: Transaction, place: string): Promise<string> {
  return (await tx.text(sql`delete from pictures where place = ${place} returning name`)) ?? ''
}

/** Its name depends on the place too, so that no two places share a picture and each can be removed alone. */
async function write(
  tx: Transaction,
  place: string,
  productId: string | null,
  picture: Picture | undefined,
  card?: Picture,
): Promise<string> {
  if (!picture) return ''
  const named = (at: string, { bytes, type }: Picture) =>
    `${hash('sha256', Buffer.concat([Buffer.from(`${at}\n`), bytes]), 'hex').slice(0, 40)}.${type}`
  const name = named(place, picture)
  await tx.run(sql`
    insert into pictures (place, product_id, name, bytes, card, card_name)
    values (${place}, ${productId}, ${name}, ${picture.bytes}, ${card?.bytes ?? null},
            ${card ? named(`card of ${place}`, card) : null})`)
  return name
}
