/** `npm run backup` and `npm run restore -- FILE`. */
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod/mini'
import { bringSecretsBack, openingKeys, sealingKey, withKey, type KeyPlace } from './backup-keys.ts'
import { readHeader, restoreBackup, writeBackup } from './platform/backup.ts'
import { openDatabase, prepared, sql, type Database, type DatabaseOptions } from './platform/database.ts'
import { findBroken } from './platform/invariants.ts'
import { migrate } from './platform/migrations.ts'
import { newId } from './platform/ids.ts'
import type { SealingKey } from './platform/sealed-file.ts'

export interface BackupPlace extends KeyPlace {
  /** As the owner of the tables. */
  owner: DatabaseOptions['connection']
  migrations: string
  say(line: string): void
}

const KEPT = 7
const NAME = /^chaabi-\d{8}T\d{6}Z\.backup$/

/** Where backups are. */
export const backupDirectory = (dataDir: string): string => path.join(dataDir, 'backups')

/** Newest first. */
export async function listBackups(dataDir: string): Promise<string[]> {
  const names = await readdir(backupDirectory(dataDir)).catch(() => [])
  return names
    .filter((name) => NAME.test(name))
    .toSorted()
    .toReversed()
}

/** When the newest one was made. */
export async function newestBackupAt(dataDir: string): Promise<Date | undefined> {
  const [newest] = await listBackups(dataDir)
  return newest === undefined ? undefined : (await stat(path.join(backupDirectory(dataDir), newest))).mtime
}

/**
 * Makes a backup while the store runs, and proves it: it is restored into a database of its own, where the
 * invariants must hold. Only then does it count, and the oldest beyond the last seven goes.
 * @returns the file
 */
export async function backUp(place: BackupPlace, now: Date): Promise<string> {
  const { dataDir, say } = place
  const directory = backupDirectory(dataDir)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const name = `chaabi-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.backup`
  const file = path.join(directory, name)
  const unproven = `${file}.unproven`
  await rm(unproven, { force: true })
  const key = sealingKey(place)
  const began = performance.now()
  const db = openForUpkeep(place.owner)
  try {
    const { rows, bytes } = await writeBackup(db, unproven, key, {
      madeAt: now.toISOString(),
      ...secretsFor(key, place.secrets),
    })
    say(`copied ${rows} rows into ${inMb(bytes)} in ${inSeconds(began)}`)
    const proving = performance.now()
    const proven = await inScratch(place, db, (scratch, owner) => prove(place, unproven, key, scratch, owner))
    if (proven !== rows) throw new Error(`The backup has ${proven} rows where ${rows} were written`)
    await rename(unproven, file)
    say(`proved in ${inSeconds(proving)}: restored into a scratch database, every row there, every invariant holds`)
  } finally {
    await db.close()
  }
  for (const old of (await listBackups(dataDir)).slice(KEPT)) await rm(path.join(directory, old))
  say(
    `${file} (opened by ${'secret' in key ? 'the store’s secret key: keep a copy of it elsewhere' : 'BACKUP_PASSPHRASE'})`,
  )
  return file
}

/**
 * Puts a backup in the place of the store's database. What is there now is kept beside, in a schema of its own, and
 * nothing is touched before the backup has been proved in a scratch database.
 * @throws Error when the store is furnished and `replace` is not said, or while a store runs on the database
 */
export async function restore(place: BackupPlace, file: string, { replace }: { replace: boolean }): Promise<void> {
  const { say } = place
  const began = performance.now()
  const opened = await withKey(await openingKeys(place), (each) => readHeader(file, each))
  const { key } = opened
  const { madeAt, secrets } = opened.result
  const db = openForUpkeep(place.owner)
  try {
    await refuseUnready(db, file, replace)
    const rows = await inScratch(place, db, (scratch, owner) => prove(place, file, key, scratch, owner))
    say(`proved the backup of ${madeAt}: ${rows} rows, every invariant holds`)
    const aside = `replaced_${newId().replaceAll('-', '')}`
    // The search indexes go with the extension; what is set aside needs none
    await db.run(sql`drop extension if exists pg_trgm cascade`)
    await db.run(prepared(`alter schema public rename to ${aside}`))
    await db.run(sql`create schema public`)
    await db.run(sql`grant usage on schema public to public`)
  } finally {
    await db.close()
  }
  const target = openForUpkeep(place.owner)
  try {
    await prove(place, file, key, target, place.owner)
    await bringSecretsBack(target, place, secrets ?? [], say)
  } finally {
    await target.close()
  }
  if (secrets) await keepSecrets(place, secrets)
  say(`restored in ${inSeconds(began)}`)
}

/** @throws Error when there is what a restore would take the place of */
export async function refuseUnready(db: Database, file: string, replace: boolean): Promise<void> {
  const { others } = await db.one(
    z.object({ others: z.number() }),
    sql`
    select count(*) as others from pg_stat_activity
     where datname = current_database() and application_name = 'chaabi' and pid <> pg_backend_pid()`,
  )
  if (others > 0) throw new Error('A store runs on this database: stop it first.')
  if (!replace && (await isFurnished(db)))
    throw new Error(
      `This store is furnished already. To put the backup in its place: npm run restore -- ${file} --replace`,
    )
}

/** Under a passphrase a file carries the secrets that its licence keys are sealed with. */
export const secretsFor = (key: SealingKey, secrets: readonly Buffer[]): { secrets?: string[] } =>
  'passphrase' in key ? { secrets: secrets.map((secret) => secret.toString('base64')) } : {}

/** A backup under a passphrase brings the secrets that its licence keys are sealed with. */
async function keepSecrets({ dataDir, secrets, say }: BackupPlace, brought: readonly string[]): Promise<void> {
  if (brought.join() === secrets.map((secret) => secret.toString('base64')).join()) return
  const file = path.join(dataDir, 'secret.key.from-backup')
  await writeFile(file, brought.join(','), { mode: 0o600 })
  say(`Its licence keys are sealed with other secrets than this store's: put ${file} in the place of secret.key.`)
}

/** Restores into `db`, which has an empty schema. @returns how many rows, when every invariant holds */
async function prove(
  { migrations }: BackupPlace,
  file: string,
  key: SealingKey,
  db: Database,
  owner: DatabaseOptions['connection'],
): Promise<number> {
  const { rows } = await restoreBackup(
    file,
    key,
    {
      db,
      migrateWith: async (directory) => {
        await migrate(typeof owner === 'string' ? { connectionString: owner } : owner, directory, () => {})
      },
    },
    migrations,
  )
  const broken = await findBroken(db, migrations)
  if (broken.length > 0) throw new Error(`The backup breaks ${broken.map((each) => each.invariant).join('; ')}`)
  return rows
}

async function isFurnished(db: Database): Promise<boolean> {
  const { there } = await db.one(
    z.object({ there: z.boolean() }),
    sql`select to_regclass('public.users') is not null as there`,
  )
  if (!there) return false
  return (
    await db.one(
      z.object({ furnished: z.boolean() }),
      sql`select exists (select from users) or exists (select from products) as furnished`,
    )
  ).furnished
}

/** Making and dropping a database waits for the disk, and proving the books of a million rows takes its time. */
const UPKEEP_TIMEOUT_MS = 3_600_000

export function openForUpkeep(connection: DatabaseOptions['connection']): Database {
  return openDatabase({ connection, poolSize: 1, statementTimeoutMs: UPKEEP_TIMEOUT_MS })
}

async function inScratch<T>(
  { owner }: BackupPlace,
  db: Database,
  work: (scratch: Database, owner: DatabaseOptions['connection']) => Promise<T>,
): Promise<T> {
  const name = `chaabi_proof_${newId().replaceAll('-', '')}`
  await db.run(prepared(`create database ${name} template template0`))
  const connection = inDatabase(owner, name)
  try {
    const scratch = openForUpkeep(connection)
    try {
      return await work(scratch, connection)
    } finally {
      await scratch.close()
    }
  } finally {
    await db.run(prepared(`drop database if exists ${name} with (force)`))
  }
}

function inDatabase(owner: DatabaseOptions['connection'], database: string): DatabaseOptions['connection'] {
  if (typeof owner !== 'string') return { ...owner, database }
  const url = new URL(owner)
  url.pathname = `/${database}`
  return url.href
}

export const inMb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
export const inSeconds = (since: number): string => `${((performance.now() - since) / 1_000).toFixed(1)} s`
