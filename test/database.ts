/** A database of its own for each test, cloned from the migrated template in a tenth of a second. */
import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import type { Database } from '../server/platform/database/database.ts'
import { administer, clone, connect, type Engine } from './engine.ts'

/** Opens a clone for `work`, then drops it. */
export async function withDatabase<T>(
  work: (db: Database) => Promise<T>,
  options: { poolSize?: number } = {},
): Promise<T> {
  const { db, drop } = await cloneDatabase(inject('engine'), options)
  try {
    return await work(db)
  } finally {
    await drop()
  }
}

export async function cloneDatabase(
  engine: Engine,
  { poolSize = 16 }: { poolSize?: number } = {},
): Promise<{ db: Database; name: string; drop(): Promise<void> }> {
  const name = `chaabi_${randomBytes(6).toString('hex')}`
  await clone(engine, name)
  const db = connect(engine, name, poolSize)
  return {
    db,
    name,
    async drop() {
      await db.close()
      await administer(engine.connection, `drop database if exists ${name} with (force)`)
    },
  }
}
