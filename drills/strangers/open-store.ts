import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { buildIsFresh } from '../../scripts/build.mjs'
import { sql } from '../../server/platform/database/database.ts'
import { seedShop } from '../seed.ts'
import { startStore, type StoreProcess } from '../store-process.ts'

/** The name of a picture in the store. */
export const PICTURE = `${'0'.repeat(40)}.jpg`
const ROOT = path.resolve(import.meta.dirname, '../..')

/** Starts the built store, seeded with a product and some buyers. @param directories receives the store's directory */
export async function openStore(directories: string[]): Promise<StoreProcess> {
  const store = await startStore({ program: buildStore(), directories })
  const db = store.database()
  await seedShop(db, await store.sealer(), { buyers: 20, keys: 100, balancePaise: 100_000 })
  await db.run(sql`
    insert into pictures (place, name, bytes) values ('share', ${PICTURE}, ${Buffer.alloc(120 * 1024, 7)})`)
  await db.close()
  return store
}

/** @returns the program with its pages, which the bundle of the other drills lacks */
function buildStore(): string {
  if (!buildIsFresh()) {
    const { status } = spawnSync(process.execPath, [path.join(ROOT, 'scripts/build.mjs')], { stdio: 'inherit' })
    if (status !== 0) throw new Error('The store could not be built')
  }
  return path.join(ROOT, 'dist/server/main.js')
}
