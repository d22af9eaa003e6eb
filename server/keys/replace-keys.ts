/** Gives buyers new keys for bad ones, from the stock that purchases take from. */
import { columns, sql, type Transaction } from '../platform/database/database.ts'
import { countFree } from './stock/count-free.ts'
import { lockKeys, takeKeys, type LockedKey } from './take-keys.ts'

interface Replacement {
  /** The bad key. */
  keyId: string
  orderId: string
  buyerId: string
  expiresAt: Date
}

const TRIES_MAX = 20

/**
 * Locks keys of one price, oldest first. It waits for keys that purchases hold, and looks again when they are sold.
 * @returns as many as there are, up to `quantity`
 */
export async function lockReplacements(tx: Transaction, priceId: string, quantity: number): Promise<LockedKey[]> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const found = (await lockKeys(tx, new Map([[priceId, quantity]]), { floors: new Map(), wait: true })).get(priceId)
    const free = (await countFree(tx, [priceId], quantity)).get(priceId) ?? 0
    if ((found?.length ?? 0) >= Math.min(quantity, free)) return (found ?? []).slice(0, quantity)
  }
  throw new Error('The keys in stock stay locked')
}

/** Takes locked keys out of stock, each in place of a bad one. */
export async function replaceKeys(
  tx: Transaction,
  replaced: readonly (Replacement & { key: LockedKey })[],
  now: Date,
): Promise<void> {
  await takeKeys(tx, replaced, { now })
  await tx.run(sql`
    update license_keys set replaces = given.key_id
      from ${columns(
        replaced.map(({ key: { id }, keyId }) => ({ id, keyId })),
        'id uuid, key_id uuid',
      )} as given
     where license_keys.id = given.id`)
}
