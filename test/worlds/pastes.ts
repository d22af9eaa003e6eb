/** Keys pasted into the stock, as an import takes them. */
import { expect } from 'vitest'
import { Refusal } from '../../contract/errors.ts'
import { importKeys } from '../../server/keys/import-keys.ts'
import { listKeys } from '../../server/keys/list-keys.ts'
import type { Database } from '../../server/platform/database/database.ts'
import { findBroken } from '../../server/platform/database/invariants.ts'
import { readAll } from '../read-all.ts'
import { givenAdminCall, servicesOf } from '../services.ts'
import { TEST_NOW } from './constants.ts'
import type { GivenProduct } from './given.ts'

/** Returns an import's answer: how many came in, and how many were there before. */
export async function paste(
  db: Database,
  { productId, duration }: Pick<GivenProduct, 'productId' | 'duration'>,
  keys: readonly string[],
): Promise<{ added: number; duplicates: number }> {
  try {
    const { added } = await importKeys(
      servicesOf(db),
      { productId, duration, keys: [...keys] },
      await givenAdminCall(db),
    )
    return { added, duplicates: 0 }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'DUPLICATE_KEYS') throw error
    const { added, duplicates } = error.extras.details as { added: number; duplicates: number }
    return { added, duplicates }
  }
}

export async function textsOf(db: Database, { productId, duration }: GivenProduct): Promise<string[]> {
  return (await readAll(listKeys(servicesOf(db), { productId, duration }, new Date(TEST_NOW)))).map(({ key }) => key)
}

export async function expectSound(db: Database): Promise<void> {
  expect(await findBroken(db, 'server/migrations')).toEqual([])
}
