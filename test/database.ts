/** A database of its own for each test, cloned from the migrated template in a tenth of a second. */
import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { openDatabase, type Database } from '../server/platform/database/database.ts'
import { administer, inDatabase, type Engine } from './engine.ts'

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

/** Opens connections to a database that is there, as the store's role. */
export function connect(engine: Engine, name: string, poolSize: number): Database {
  const { host, port, user, database, connectionString } = inDatabase(engine.connection, name)
  const connection = connectionString ?? {
    host: host ?? '',
    port: port ?? 5432,
    user: user ?? '',
    database: database ?? name,
  }
  // A busy machine must not fail a test that is about something else
  return openDatabase({
    connection,
    poolSize,
    connectTimeoutMs: 30_000,
    ...(engine.role === undefined ? {} : { role: engine.role }),
  })
}

const CLONE_TRIES = 50

/** A template that another test is cloning at this moment is busy; it is free again in a blink. */
async function clone(engine: Engine, name: string): Promise<void> {
  // Copied as files in a third of the time, as long as nothing waits for a disk
  const strategy = 'connectionString' in engine.connection ? '' : 'strategy file_copy'
  for (let attempt = 1; ; attempt++) {
    try {
      return await administer(engine.connection, `create database ${name} template ${engine.template} ${strategy}`)
    } catch (error) {
      if (attempt === CLONE_TRIES || !/being accessed by other users/.test(String(error))) throw error
      await new Promise((resolve) => setTimeout(resolve, 20 * Math.random() + 10))
    }
  }
}
