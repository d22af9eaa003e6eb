/**
 * Applies numbered, forward-only SQL files at start. A row lock makes concurrent starts wait for each other. Checksums
 * find a file that was edited after it was applied. A database newer than the program is refused.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { PrimaryClient } from './connecting/primary.ts'

export const APP_ROLE = 'chaabi_app'

type Connection = pg.ClientConfig

/**
 * A migration waits this long for a table that others use. Purchases of other nodes wait behind it, and are refused
 * after a little longer.
 */
const LOCK_TIMEOUT_MS = 1_000
const ATTEMPT_EVERY_MS = 3_000
/** A backup holds each table until it ends. */
const ATTEMPTS_MAX = 900

interface Migration {
  name: string
  text: string
  checksum: string
}

/**
 * Brings the database up to date.
 * @param directory holds `0001_….sql` and so on, and `grants.sql`
 * @returns the role to work as, or undefined if the owner may not create one
 */
export async function migrate(
  connection: Connection,
  directory: string,
  log: (line: string) => void,
): Promise<string | undefined> {
  const files = await readMigrations(directory)
  const grants = await readFile(path.join(directory, 'grants.sql'), 'utf8')
  const client = new PrimaryClient(connection)
  await client.connect()
  try {
    await prepare(client)
    for (let attempt = 1; ; attempt++) {
      try {
        return await applyPending(client, files, grants, log)
      } catch (error) {
        await client.query('rollback').catch(() => {})
        if (!isHeldUp(error) || attempt === ATTEMPTS_MAX) throw error
        if (attempt === 1) log('the database is in use, so the migration waits for a better moment')
        await sleep(ATTEMPT_EVERY_MS)
      }
    }
  } finally {
    await client.end()
  }
}

/** All or nothing. @returns the role to work as */
async function applyPending(
  client: pg.Client,
  files: readonly Migration[],
  grants: string,
  log: (line: string) => void,
): Promise<string | undefined> {
  await client.query('begin')
  // Concurrent starts wait here, and find the migrations that the first one applied
  await client.query('select from schema_lock where id for update')
  await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations order by name',
  )
  checkApplied(rows, files)
  const pending = files.slice(rows.length)
  for (const file of pending) {
    await client.query(file.text)
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [file.name, file.checksum])
  }
  const role = await grant(client, grants, log)
  await client.query('commit')
  // One line, because a new store has dozens
  const [first, last] = [pending[0], pending.at(-1)]
  if (first && last) log(first === last ? `migrated: ${first.name}` : `migrated: ${first.name} to ${last.name}`)
  return role
}

/** True if another transaction held a table for too long, or the two waited for each other. */
const isHeldUp = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && ['55P03', '40P01'].includes(error.code ?? '')

async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(path.join(directory, name), 'utf8')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/** Tries twice, because `create … if not exists` can fail when two processes run it at the same moment. */
async function prepare(client: pg.Client): Promise<void> {
  const text = `
    create table if not exists schema_migrations
      (name text primary key, checksum text not null, applied_at timestamptz not null default now());
    create table if not exists schema_lock (id boolean primary key default true check (id));
    insert into schema_lock values (true) on conflict do nothing`
  await client.query(text).catch(() => client.query(text))
}

function checkApplied(applied: readonly { name: string; checksum: string }[], files: readonly Migration[]): void {
  applied.forEach(({ name, checksum }, index) => {
    const file = files[index]
    if (file === undefined)
      throw new Error(`The database is newer than this program (it has ${name}): update the program.`)
    if (file.name !== name)
      throw new Error(
        `The database has migration ${name}, but this version has ${file.name}. ` +
          'You may be running an older or different version.',
      )
    if (file.checksum !== checksum)
      throw new Error(`Migration ${name} was edited after it was applied. Restore it and add a new migration instead.`)
  })
}

/** Creates the role if it is missing. Another database of this server may create it at the same time. */
async function grant(client: pg.Client, grants: string, log: (line: string) => void): Promise<string | undefined> {
  await client.query('savepoint before_grants')
  try {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [APP_ROLE])
    if (rowCount === 0) {
      await client.query('savepoint before_role')
      await client.query(`create role ${APP_ROLE} nologin`).catch(async (error: unknown) => {
        if (!(error instanceof pg.DatabaseError) || !['42710', '23505'].includes(error.code ?? '')) throw error
        await client.query('rollback to before_role')
      })
    }
    await client.query(`grant ${APP_ROLE} to current_user`)
    await client.query(grants)
    return APP_ROLE
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== '42501') throw error
    await client.query('rollback to before_grants')
    log(`This database user can’t create the role ${APP_ROLE}. Only the program protects the ledger.`)
    return undefined
  }
}
