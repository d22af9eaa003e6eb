/** Does `npm run backup` and `npm run restore -- FILE`. */
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { bringSecretsBack, openingKeys, sealingKey, withKey, type KeyPlace } from './backup-keys.ts'
import { readSecretKeys } from '../platform/config.ts'
import { quote, readHeader, restoreBackup, writeBackup } from './backup.ts'
import {
  openDatabase,
  prepared,
  sql,
  type Database,
  type DatabaseOptions,
  type Queries,
} from '../platform/database/database.ts'
import { findBroken } from '../platform/database/invariants.ts'
import { migrate } from '../platform/database/migrations.ts'
import { newId } from '../platform/ids.ts'
import type { SealingKey } from '../platform/sealed-file.ts'
import { ownSecretKeys, refuseOtherSecrets, replaceSecretFile, secretFile } from '../platform/secret-keys.ts'
import { endEveryAdminSession } from '../admins/admin-sessions.ts'
import { freeEveryDevice } from '../users/accounts.ts'
import { consumeAllResetLinks } from '../users/reset-links.ts'
import { endEveryUserSession } from '../users/user-sessions.ts'

export interface BackupPlace extends KeyPlace {
  /** Connects as the owner of the tables. */
  owner: DatabaseOptions['connection']
  migrations: string
  say(line: string): void
}

const KEPT = 7
const NAME = /^chaabi-\d{8}T\d{6}Z\.backup$/

export const backupDirectory = (dataDir: string): string => path.join(dataDir, 'backups')

/** Lists the file names of backups, newest first. */
export async function listBackups(dataDir: string): Promise<string[]> {
  const names = await readdir(backupDirectory(dataDir)).catch(() => [])
  return names
    .filter((name) => NAME.test(name))
    .toSorted()
    .toReversed()
}

/** Returns the time of the newest backup, if there is one. */
export async function newestBackupAt(dataDir: string): Promise<Date | undefined> {
  const [newest] = await listBackups(dataDir)
  return newest === undefined ? undefined : (await stat(path.join(backupDirectory(dataDir), newest))).mtime
}

/**
 * Makes a backup while the store runs, and checks it. The check restores it into a temporary database, where all
 * invariants must hold. Only then does it count, and all but the last seven are deleted.
 * @returns the file
 * @throws Error when the secrets are not the store's, because nobody could decrypt the restored keys
 */
export async function backUp(place: BackupPlace, now: Date): Promise<string> {
  const { dataDir, say } = place
  await using(openForUpkeep(place.owner), (db) => refuseOtherSecrets(db, place.secrets))
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
    const proven = await inScratch(place, db, (owner) => prove(place, unproven, key, owner, { lasts: false }))
    if (proven !== rows) throw new Error(`Backup check failed: ${rows} rows written, ${proven} found`)
    await rename(unproven, file)
    say(
      `Backup verified in ${inSeconds(proving)}: restored to a temporary database, all rows present, all checks passed`,
    )
  } finally {
    await db.close()
  }
  for (const old of (await listBackups(dataDir)).slice(KEPT)) await rm(path.join(directory, old))
  const opener = 'secret' in key ? 'the store’s secret key. Keep a copy of it elsewhere' : 'BACKUP_PASSPHRASE'
  say(`${file} (opened by ${opener})`)
  return file
}

/**
 * Replaces the store's database with a backup. The backup is restored into a new database and checked there. Then the
 * new one takes the old one's name in one step, and the old one is kept under another name. All sessions end, because
 * some of them may have been ended since the backup.
 * @throws Error when the store has data and `replace` is false, or while a program is connected to the database
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
    await inScratch(place, db, async (owner, scratch) => {
      const rows = await prove(place, file, key, owner, { lasts: true })
      say(`Checked the backup of ${madeAt} in ${inSeconds(began)}: ${rows} rows, all checks passed`)
      // Before the swap, because an extra secret does no harm and a missing one makes keys unreadable
      await using(openForUpkeep(owner), async (restored) => {
        await bringSecretsBack(restored, place, secrets ?? [], say)
        await endAllSessions(restored)
      })
      say(
        `All users and admins are logged out. Passwords, roles and two-step verification are as of ${madeAt}. ` +
          'If you restored because of a break-in, change them now.',
      )
      if (secrets) await keepSecrets(place, secrets)
      await refuseUnready(db, file, replace)
      await db.close()
      const aside = await swapIn(place, scratch)
      say(`The previous data is kept in database ${aside}. Delete it when you’re sure: npm run restore -- --forget`)
    })
  } finally {
    await db.close()
  }
  say(`restored in ${inSeconds(began)}`)
}

const Replaced = z.object({ name: z.string(), bytes: z.number() })

/** Lists the databases that restores have replaced. */
export const listReplaced = (db: Queries): Promise<z.output<typeof Replaced>[]> =>
  db.rows(
    Replaced,
    sql`
    select datname as name, pg_database_size(oid) as bytes from pg_database
     where datname ~ ${`^${REPLACED}[0-9a-f]{32}$`} and pg_has_role(datdba, 'member')
       -- A server may have several stores
       and shobj_description(oid, 'pg_database') = ${NOTE} || current_database()
     order by datname`,
  )

/** Drops the databases that restores have replaced, because no erasure of personal data reaches them. */
export async function forgetReplaced({ owner, say }: Pick<BackupPlace, 'owner' | 'say'>): Promise<void> {
  await using(openForUpkeep(owner), async (db) => {
    const replaced = await listReplaced(db)
    for (const { name, bytes } of replaced) {
      await db.run(prepared(`drop database ${name}`))
      say(`dropped ${name} (${inMb(bytes)})`)
    }
    if (replaced.length === 0) say('Nothing to delete. No earlier restore has left data behind.')
  })
}

/** @throws Error when a program is connected, or the store has data and `replace` is false */
export async function refuseUnready(db: Database, file: string, replace: boolean): Promise<void> {
  for (const since = performance.now(); ; await sleep(LEAVING_POLL_MS)) {
    const others = await db.rows(
      z.object({ program: z.string() }),
      sql`
      select application_name as program from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    )
    if (others.length === 0) break
    // A closed connection is still listed for a moment
    if (performance.now() - since < LEAVING_MS_MAX) continue
    if (others.some(({ program }) => program === 'chaabi'))
      throw new Error('The store is running on this database. Stop it first.')
    const program = others[0]?.program || 'unnamed program'
    throw new Error(`Another program is connected to this database (${program}). Close it and try again.`)
  }
  if (!replace && (await isFurnished(db)))
    throw new Error(`This store already has data. To replace it with the backup: npm run restore -- ${file} --replace`)
}

/** Returns the secrets to put into a file, which only one under a passphrase may contain. */
export const secretsFor = (key: SealingKey, secrets: readonly Buffer[]): { secrets?: string[] } =>
  'passphrase' in key ? { secrets: secrets.map((secret) => secret.toString('base64')) } : {}

/** Saves the secrets that a backup under a passphrase contains, because its licence keys need them. */
async function keepSecrets(
  { dataDir, secrets, secretsFrom, say }: BackupPlace,
  brought: readonly string[],
): Promise<void> {
  if (brought.join() === secrets.map((secret) => secret.toString('base64')).join()) return
  if (secrets.length === 0 && secretsFrom === 'file') {
    const back = await ownSecretKeys(dataDir)
    await replaceSecretFile(secretFile(dataDir), [...readSecretKeys(brought.join()), ...back])
    return say(`The secret keys for its licence keys are now in ${secretFile(dataDir)}.`)
  }
  const file = path.join(dataDir, 'secret.key.from-backup')
  await writeFile(file, brought.join(','), { mode: 0o600 })
  say(`Its licence keys use a different secret key. Replace secret.key with ${file}.`)
}

/** Restores into an empty database. @returns the number of rows @throws Error if an invariant is broken */
async function prove(
  { migrations }: BackupPlace,
  file: string,
  key: SealingKey,
  owner: DatabaseOptions['connection'],
  { lasts }: { lasts: boolean },
): Promise<number> {
  return using(openForUpkeep(owner), async (db) => {
    const migrateWith = async (directory: string) => {
      await migrate(typeof owner === 'string' ? { connectionString: owner } : owner, directory, () => {})
    }
    const { rows } = await restoreBackup(file, key, { db, migrateWith, lasts }, migrations)
    const broken = await db.transaction(
      async (tx) => {
        await tx.run(sql`set local work_mem = '64MB'`)
        return findBroken(tx, migrations)
      },
      { statementTimeoutMs: UPKEEP_TIMEOUT_MS },
    )
    if (broken.length > 0) throw new Error(`The backup breaks ${broken.map((each) => each.invariant).join('; ')}`)
    return rows
  })
}

/**
 * Ends restored sessions, proofs and unused links, because they could belong to a thief or to a former admin. Resets
 * device locks too, because many buyers have a new device by now.
 */
function endAllSessions(db: Database): Promise<void> {
  return db.transaction(
    async (tx) => {
      await endEveryUserSession(tx)
      await freeEveryDevice(tx)
      await endEveryAdminSession(tx)
      await consumeAllResetLinks(tx)
    },
    { statementTimeoutMs: UPKEEP_TIMEOUT_MS },
  )
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

/** How long a closed connection may still be listed, in ms. */
const LEAVING_MS_MAX = 3_000
const LEAVING_POLL_MS = 50
const FORSAKEN_MS = 24 * 3_600_000

/** Long, because creating a database waits for the disk and checking a million rows is slow. */
const UPKEEP_TIMEOUT_MS = 3_600_000

export function openForUpkeep(connection: DatabaseOptions['connection']): Database {
  return openDatabase({ connection, poolSize: 1, statementTimeoutMs: UPKEEP_TIMEOUT_MS })
}

const SCRATCH = 'chaabi_proof_'
const REPLACED = 'replaced_'
const NOTE = 'Its place was taken by a restore: '

/** @param work gets a new database, which is dropped afterwards if it still has its name */
async function inScratch<T>(
  { owner }: BackupPlace,
  db: Database,
  work: (owner: DatabaseOptions['connection'], name: string) => Promise<T>,
): Promise<T> {
  await dropForsaken(db)
  const name = `${SCRATCH}${newId().replaceAll('-', '')}`
  await db.run(prepared(`create database ${name} template template0 ${await likeThis(db)}`))
  try {
    return await work(inDatabase(owner, name), name)
  } finally {
    await using(openForUpkeep(owner), (again) => again.run(prepared(`drop database if exists ${name} with (force)`)))
  }
}

const using = async <T>(db: Database, work: (db: Database) => Promise<T>): Promise<T> => {
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

/** Drops the databases of killed commands. They are a day old, so no running command needs them. */
async function dropForsaken(db: Database): Promise<void> {
  const names = await db.rows(
    z.object({ name: z.string() }),
    sql`
    select datname as name from pg_database
     where datname ~ ${`^${SCRATCH}[0-9a-f]{32}$`} and pg_has_role(datdba, 'member')
       and not exists (select from pg_stat_activity where pg_stat_activity.datname = pg_database.datname)
       -- A new id begins with its moment
       and ('x' || substr(datname, ${SCRATCH.length + 1}, 12))::bit(48)::bigint
           < extract(epoch from clock_timestamp()) * 1000 - ${FORSAKEN_MS}::bigint`,
  )
  for (const { name } of names) await db.run(prepared(`drop database if exists ${name}`))
}

const Encoding = z.object({
  encoding: z.string(),
  collate: z.string(),
  ctype: z.string(),
  provider: z.enum(['b', 'c', 'i']),
  locale: z.nullable(z.string()),
})

/** Returns the options of a new database with the encoding and locale of this one. */
async function likeThis(db: Queries): Promise<string> {
  // PostgreSQL has renamed the locale's column
  const { encoding, collate, ctype, provider, locale } = await db.one(
    Encoding,
    sql`
    select pg_encoding_to_char(encoding) as encoding, datcollate as collate, datctype as ctype,
           datlocprovider as provider,
           coalesce(to_jsonb(this) ->> 'datlocale', to_jsonb(this) ->> 'daticulocale') as locale
      from pg_database this where datname = current_database()`,
  )
  const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
  const own =
    provider === 'c' || locale === null
      ? 'locale_provider libc'
      : provider === 'b'
        ? `locale_provider builtin builtin_locale ${literal(locale)}`
        : `locale_provider icu icu_locale ${literal(locale)}`
  return `encoding ${literal(encoding)} lc_collate ${literal(collate)} lc_ctype ${literal(ctype)} ${own}`
}

/**
 * Gives `scratch` the name of the store's database, and that one a new name. Does both or neither, whatever is killed.
 * @returns the new name of the old database
 */
async function swapIn({ owner }: BackupPlace, scratch: string): Promise<string> {
  const id = newId().replaceAll('-', '')
  const aside = `${REPLACED}${id}`
  // A database cannot be renamed from inside
  const between = `${SCRATCH}${id}`
  const store = await using(openForUpkeep(owner), async (db) => {
    await db.run(prepared(`create database ${between} template template0`))
    return db.one(z.object({ name: z.string() }), sql`select current_database() as name`)
  })
  try {
    await using(openForUpkeep(inDatabase(owner, between)), async (db) => {
      const rights = await readRights(db, store.name, scratch)
      await db.transaction(
        async (tx) => {
          for (const right of rights) await tx.run(prepared(right))
          await tx.run(prepared(`alter database ${quote(store.name)} rename to ${aside}`))
          await tx.run(prepared(`comment on database ${aside} is '${(NOTE + store.name).replaceAll("'", "''")}'`))
          await tx.run(prepared(`alter database ${scratch} rename to ${quote(store.name)}`))
        },
        { statementTimeoutMs: UPKEEP_TIMEOUT_MS },
      )
    })
  } finally {
    await using(openForUpkeep(owner), (db) => db.run(prepared(`drop database if exists ${between} with (force)`)))
  }
  return aside
}

/** Returns statements that give `heir` the rights and settings of the database `name`. */
async function readRights(db: Queries, name: string, heir: string): Promise<string[]> {
  const statements = await db.rows(
    z.object({ statement: z.string() }),
    sql`
    select format('revoke all on database %I from public', ${heir}::text) as statement, 1 as step
      from pg_database where datname = ${name} and datacl is not null
    union all
    select format('grant %s on database %I to %s%s', acl.privilege_type, ${heir}::text,
                  case acl.grantee when 0 then 'public' else acl.grantee::regrole::text end,
                  case when acl.is_grantable then ' with grant option' else '' end), 2
      from pg_database, aclexplode(datacl) acl where datname = ${name} and acl.grantee <> datdba
    union all
    select format('alter %s set %I to %s',
                  case own.setrole when 0 then format('database %I', ${heir}::text)
                                   else format('role %s in database %I', own.setrole::regrole, ${heir}::text) end,
                  split_part(setting, '=', 1),
                  case when split_part(setting, '=', 1) in ('search_path', 'temp_tablespaces',
                                                            'session_preload_libraries', 'local_preload_libraries')
                       then substr(setting, strpos(setting, '=') + 1)
                       else quote_literal(substr(setting, strpos(setting, '=') + 1)) end), 3
      from pg_db_role_setting own
      join pg_database on pg_database.oid = own.setdatabase and datname = ${name}, unnest(own.setconfig) setting
     order by step`,
  )
  return statements.map(({ statement }) => statement)
}

function inDatabase(owner: DatabaseOptions['connection'], database: string): DatabaseOptions['connection'] {
  if (typeof owner !== 'string') return { ...owner, database }
  const url = new URL(owner)
  url.pathname = `/${database}`
  return url.href
}

export const inMb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
export const inSeconds = (since: number): string => `${((performance.now() - since) / 1_000).toFixed(1)} s`
