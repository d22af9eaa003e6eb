/** The databases of backups and restores: temporary ones, and those that a restore has replaced. */
import * as z from 'zod/mini'
import {
  openDatabase,
  prepared,
  sql,
  type Database,
  type DatabaseOptions,
  type Queries,
} from '../platform/database/database.ts'
import { sqlState } from '../platform/database/database-errors.ts'
import { onServers } from '../platform/database/connecting/primary.ts'
import { databaseTime } from '../platform/clock.ts'
import { newId } from '../platform/ids.ts'
import { quote } from './backup.ts'

export interface OwnerPlace {
  /** Connects as the owner of the tables. */
  owner: DatabaseOptions['connection']
}

const FORSAKEN_MS = 24 * 3_600_000

/** Long, because creating a database waits for the disk and checking a million rows is slow. */
export const UPKEEP_TIMEOUT_MS = 3_600_000

export function openForUpkeep(connection: DatabaseOptions['connection']): Database {
  return openDatabase({ connection, poolSize: 1, statementTimeoutMs: UPKEEP_TIMEOUT_MS })
}

const SCRATCH = 'chaabi_proof_'
const REPLACED = 'replaced_'
const INSUFFICIENT_PRIVILEGE = '42501'
const NOTE = 'Its place was taken by a restore: '

/** @param work gets a new database, which is dropped at the end if it still has its name */
export async function inScratch<T>(
  { owner }: OwnerPlace,
  db: Database,
  work: (owner: DatabaseOptions['connection'], name: string) => Promise<T>,
): Promise<T> {
  const now = await databaseTime(db)
  await dropForsaken(db, now)
  const name = `${SCRATCH}${newId(now).replaceAll('-', '')}`
  await db.run(prepared(`create database ${name} template template0 ${await likeThis(db)}`))
  try {
    return await work(inDatabase(owner, name), name)
  } finally {
    await using(openForUpkeep(owner), (again) => drop(again, name))
  }
}

/**
 * Ends a check that still reads it. PostgreSQL ends no vacuum of its own by force, unless a superuser asks. It refuses
 * then. Without force the vacuum gives way.
 */
async function drop(db: Database, name: string): Promise<void> {
  try {
    await db.run(prepared(`drop database if exists ${name} with (force)`))
  } catch (error) {
    if (sqlState(error) !== INSUFFICIENT_PRIVILEGE) throw error
    await db.run(prepared(`drop database if exists ${name}`))
  }
}

export const using = async <T>(db: Database, work: (db: Database) => Promise<T>): Promise<T> => {
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

/** Drops the databases of killed commands. They are a day old, so no running command needs them. */
async function dropForsaken(db: Database, now: Date): Promise<void> {
  const names = await db.texts(sql`
    select datname from pg_database
     where datname ~ ${`^${SCRATCH}[0-9a-f]{32}$`} and pg_has_role(datdba, 'member')
       and not exists (select from pg_stat_activity where pg_stat_activity.datname = pg_database.datname)
       -- A new id begins with its moment
       and ('x' || substr(datname, ${SCRATCH.length + 1}, 12))::bit(48)::bigint
           < ${now.getTime() - FORSAKEN_MS}::bigint`)
  for (const name of names) await db.run(prepared(`drop database if exists ${name}`))
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
  const { encoding, collate, ctype, provider, locale } = await db.one(sql(Encoding)`
    select pg_encoding_to_char(encoding) as encoding, datcollate as collate, datctype as ctype,
           datlocprovider as provider,
           coalesce(to_jsonb(this) ->> 'datlocale', to_jsonb(this) ->> 'daticulocale') as locale
      from pg_database this where datname = current_database()`)
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
export async function swapIn({ owner }: OwnerPlace, scratch: string): Promise<string> {
  const id = newId(await using(openForUpkeep(owner), databaseTime)).replaceAll('-', '')
  const aside = `${REPLACED}${id}`
  // A database cannot be renamed from inside
  const between = `${SCRATCH}${id}`
  const store = await using(openForUpkeep(owner), async (db) => {
    await db.run(prepared(`create database ${between} template template0`))
    return db.one(sql(() => z.object({ name: z.string() }))`select current_database() as name`)
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
    await using(openForUpkeep(owner), (db) => drop(db, between))
  }
  return aside
}

/** Returns statements that give `heir` the rights and settings of the database `name`. */
function readRights(db: Queries, name: string, heir: string): Promise<string[]> {
  return db.texts(sql`
    select format('revoke all on database %I from public', ${heir}::text), 1 as step
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
     order by step`)
}

const inDatabase = (owner: DatabaseOptions['connection'], database: string): DatabaseOptions['connection'] =>
  typeof owner === 'string' ? onServers(owner, database) : { ...owner, database }

const Replaced = z.object({ name: z.string(), bytes: z.number() })

/** Lists the databases that restores have replaced. */
export const listReplaced = (db: Queries): Promise<z.output<typeof Replaced>[]> =>
  db.rows(sql(Replaced)`
    select datname as name, pg_database_size(oid) as bytes from pg_database
     where datname ~ ${`^${REPLACED}[0-9a-f]{32}$`} and pg_has_role(datdba, 'member')
       -- A server may have several stores
       and shobj_description(oid, 'pg_database') = ${NOTE} || current_database()
     order by datname`)

/** Drops an empty database that a restore has replaced. */
export const dropReplaced = ({ owner }: OwnerPlace, name: string): Promise<void> =>
  using(openForUpkeep(owner), async (db) => void (await db.run(prepared(`drop database if exists ${name}`))))

/** Drops the databases that restores have replaced, because no erasure of personal data reaches them. */
export async function forgetReplaced({ owner, say }: OwnerPlace & { say(line: string): void }): Promise<void> {
  await using(openForUpkeep(owner), async (db) => {
    const replaced = await listReplaced(db)
    for (const { name, bytes } of replaced) {
      await db.run(prepared(`drop database ${name}`))
      say(`Deleted ${name} (${inMb(bytes)}).`)
    }
    if (replaced.length === 0) say('Nothing to delete. No earlier restore has left data behind.')
  })
}

export const inMb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
export const inSeconds = (since: number): string => `${((performance.now() - since) / 1_000).toFixed(1)} s`
