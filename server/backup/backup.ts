/**
 * Writes and restores backups. A backup holds all tables at one moment (a repeatable-read snapshot of the running
 * store) as rows of JSON, in one compressed and encrypted file. It is a logical copy. So any server and version that
 * the store supports can restore it, and the engine's files need no trust.
 *
 * The encrypted file consists of lines: a header, and for each table a line that names it and one line per row.
 */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as z from 'zod/mini'
import { prepared, sql, type Database, type Queries } from '../platform/database/database.ts'
import { openSealed, writeSealed, type SealingKey } from '../platform/secrets/sealed-file.ts'

const ROWS_AT_ONCE = 2_000
const STATEMENT_TIMEOUT_MS = 30 * 60_000
/** Tables that migrations write, and counters that mean nothing after a restore. */
const LEFT_OUT = ['schema_migrations', 'schema_lock', 'rate_limits']

const Header = z.object({
  madeAt: z.string(),
  migrations: z.array(z.string().check(z.regex(/^\d{4}_[\w-]+\.sql$/))),
  /** The store's secrets in base64, if a passphrase protects the file. */
  secrets: z.optional(z.array(z.string())),
})
type BackupHeader = z.output<typeof Header>
const TableLine = z.object({ table: z.string(), columns: z.array(z.string()) })

interface BackupFigures {
  rows: number
  bytes: number
}

/**
 * Yields the lines of a backup: all tables at this moment.
 * @param onRows gets the number of rows of each batch
 */
export async function* linesFrom(
  tx: Queries,
  header: Omit<BackupHeader, 'migrations'>,
  onRows: (count: number) => void = () => {},
): AsyncGenerator<string> {
  const applied = await tx.texts(sql`select name from schema_migrations order by name`)
  yield `${JSON.stringify({ ...header, migrations: applied } satisfies BackupHeader)}\n`
  for (const table of await readTables(tx)) {
    yield `${JSON.stringify({ table: table.table, columns: table.columns })}\n`
    await tx.run(
      prepared(
        `declare backup_rows no scroll cursor for
         select row_to_json(whole_row)::text as line from ${quote(table.table)} whole_row`,
      ),
    )
    for (;;) {
      const batch = await tx.texts(prepared(`fetch ${ROWS_AT_ONCE} from backup_rows`))
      if (batch.length === 0) break
      onRows(batch.length)
      yield batch.map((line) => `${line}\n`).join('')
    }
    await tx.run(sql`close backup_rows`)
  }
}

/** Does the work on all tables as they are at this moment. Only reading is allowed. */
export const atOneMoment = <T>(db: Database, work: (tx: Queries) => Promise<T>): Promise<T> =>
  db.transaction(
    async (tx) => {
      await tx.run(sql`set transaction isolation level repeatable read, read only`)
      return work(tx)
    },
    { statementTimeoutMs: STATEMENT_TIMEOUT_MS },
  )

/** Writes all tables into `file`. */
export async function writeBackup(
  db: Database,
  file: string,
  key: SealingKey,
  header: Omit<BackupHeader, 'migrations'>,
): Promise<BackupFigures> {
  let rows = 0
  const lines = (tx: Queries) => linesFrom(tx, header, (count) => void (rows += count))
  const bytes = await atOneMoment(db, (tx) => writeSealed(file, 'BACKUP', key, lines(tx)))
  return { rows, bytes }
}

/** The database that a backup is restored into. */
interface RestoreTarget {
  /** Connects as the owner of the tables. The schema need not exist, because `migrateWith` creates it. */
  db: Database
  /** Applies the migrations of a directory. */
  migrateWith(directory: string): Promise<void>
  /**
   * True if the database will stay. False for a check that drops it at the end, which writes no log. That
   * suits only backups of the present schema, because later migrations could not refer to its tables.
   */
  lasts: boolean
}

/**
 * Restores a backup into an empty database: first its own schema, then its rows, then the later migrations. One
 * transaction fills the tables. It commits only after the whole file is verified.
 * @param migrations the directory of this program's migrations
 * @throws Error that says what is wrong with the file
 */
export async function restoreBackup(
  file: string,
  key: SealingKey,
  target: RestoreTarget,
  migrations: string,
): Promise<{ header: BackupHeader; rows: number }> {
  const header = await readHeader(file, key)
  const then = await mkdtemp(path.join(tmpdir(), 'chaabi-migrations-'))
  try {
    for (const name of header.migrations)
      await cp(path.join(migrations, name), path.join(then, name)).catch(() => {
        throw new Error(`This backup was made by a newer store: ${name} is not here. Update the program first.`)
      })
    // Grants name present tables, which an older schema does not have
    await writeFile(path.join(then, 'grants.sql'), '')
    await target.migrateWith(then)
  } finally {
    await rm(then, { recursive: true, force: true })
  }
  const rows = await fillTables(file, key, target)
  await target.migrateWith(migrations)
  return { header, rows }
}

/** Reads the first line before the rest is verified. Use it only to choose what to do. */
export async function readHeader(file: string, key: SealingKey): Promise<BackupHeader> {
  for await (const line of linesOf(file, key)) return z.parse(Header, JSON.parse(line))
  throw new Error(`${file} is empty`)
}

/**
 * Inserts the rows before it makes indexes and references. Keeping both up to date row by row would take several times
 * as long as all the rest.
 */
async function fillTables(file: string, key: SealingKey, { db, lasts }: RestoreTarget): Promise<number> {
  return db.transaction(
    async (tx) => {
      await tx.run(sql`set local maintenance_work_mem = '256MB'`)
      await tx.run(sql`set local work_mem = '64MB'`)
      const tables = await readTables(tx)
      const postponed = await readPostponed(tx)
      for (const { drop } of postponed) await tx.run(prepared(drop))
      await tx.run(prepared(`truncate ${tables.map(({ table }) => quote(table)).join(', ')} cascade`))
      if (!lasts) for (const { table } of tables) await tx.run(prepared(`alter table ${quote(table)} set unlogged`))
      const rows = await insertRows(tx, tables, file, key)
      for (const { make } of postponed.toReversed()) await tx.run(prepared(make))
      for (const { table, identity } of tables)
        for (const column of identity)
          await tx.run(
            prepared(
              // An empty table has no maximum: setval of null does nothing, and numbers begin as the migration says
              `select setval(pg_get_serial_sequence('${quote(table)}', '${column}'), max(${quote(column)}) + 1, false)
                 from ${quote(table)}`,
            ),
          )
      return rows
    },
    { statementTimeoutMs: STATEMENT_TIMEOUT_MS },
  )
}

/** Lists references and indexes to make after the rows. Drop them in this order and make them in reverse. */
async function readPostponed(tx: Queries): Promise<{ drop: string; make: string }[]> {
  const Postponed = z.object({ drop: z.string(), make: z.string() })
  const references = await tx.rows(sql(Postponed)`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
           format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace
     order by conrelid::regclass::text, conname`)
  const indexes = await tx.rows(sql(Postponed)`
    select format('drop index %s', index.indexrelid::regclass) as drop, pg_get_indexdef(index.indexrelid) as make
      from pg_index index join pg_class class on class.oid = index.indexrelid
     where class.relnamespace = 'public'::regnamespace
       and not exists (select from pg_constraint where conindid = index.indexrelid and contype <> 'f')
     order by index.indrelid::regclass::text, class.relname`)
  return [...references, ...indexes]
}

async function insertRows(tx: Queries, tables: readonly Table[], file: string, key: SealingKey): Promise<number> {
  let rows = 0
  let table = ''
  let insert = ''
  let batch: string[] = []
  const filled = new Set<string>()
  let before: Promise<unknown> = Promise.resolve()
  // Decrypts the next batch while the engine takes this one
  const flush = async () => {
    if (batch.length === 0) return
    const taken = tx.run({ ...prepared(insert), values: [`[${batch.join(',')}]`] })
    taken.catch(() => {})
    rows += batch.length
    filled.add(table)
    batch = []
    await before
    before = taken
  }
  let first = true
  for await (const line of linesOf(file, key)) {
    if (first) {
      first = false
    } else if (line.startsWith('{"table":')) {
      await flush()
      const named = z.parse(TableLine, JSON.parse(line))
      table = named.table
      if (!tables.some((each) => each.table === table)) throw new Error(`This store has no table ${table}`)
      const names = named.columns.map(quote).join(', ')
      insert = `insert into ${quote(table)} (${names}) overriding system value
                select ${names} from json_populate_recordset(null::${quote(table)}, $1::json)`
    } else {
      batch.push(line)
      if (batch.length >= ROWS_AT_ONCE) await flush()
    }
  }
  await flush()
  await before
  // Skips empty tables, because their analysed plans are kept too long
  if (filled.size > 0) await tx.run(prepared(`analyze ${[...filled].map(quote).join(', ')}`))
  return rows
}

async function* linesOf(file: string, key: SealingKey): AsyncGenerator<string> {
  const { plain, close } = await openSealed(file, 'BACKUP', key)
  let failure: unknown
  try {
    let begun = ''
    // Not by readline, for which U+2028 in a text ends a line too
    for await (const piece of plain.setEncoding('utf8')) {
      const lines = (begun + piece).split('\n')
      begun = lines.pop() ?? ''
      yield* lines
    }
  } catch (error) {
    failure = error
  } finally {
    plain.destroy()
  }
  await close()
  if (failure !== undefined) throw new Error(`${file} is incomplete`, { cause: failure })
}

interface Table {
  table: string
  columns: string[]
  /** Identity columns. */
  identity: string[]
}

const ColumnRow = z.object({ table: z.string(), column: z.string(), identity: z.boolean() })

/** Lists all tables, with referenced tables before those that refer to them. */
export async function readTables(db: Queries): Promise<Table[]> {
  const columns = await db.rows(sql(ColumnRow)`
    select class.relname as table, attribute.attname as column, attribute.attidentity <> '' as identity
      from pg_class class
      join pg_attribute attribute
        on attribute.attrelid = class.oid and attribute.attnum > 0 and not attribute.attisdropped
     where class.relkind = 'r' and class.relnamespace = 'public'::regnamespace
       and class.relname <> all(${LEFT_OUT}::text[]) and attribute.attgenerated = ''
     order by class.relname, attribute.attnum`)
  const references = await db.rows(sql(() => z.object({ from: z.string(), to: z.string() }))`
    select source.relname as from, referred.relname as to
      from pg_constraint reference
      join pg_class source on source.oid = reference.conrelid
      join pg_class referred on referred.oid = reference.confrelid
     where reference.contype = 'f' and source.relnamespace = 'public'::regnamespace and source.oid <> referred.oid`)
  const tables = new Map<string, Table>()
  for (const { table, column, identity } of columns) {
    const entry = tables.get(table) ?? { table, columns: [], identity: [] }
    tables.set(table, entry)
    entry.columns.push(column)
    if (identity) entry.identity.push(column)
  }
  const ordered = new Set<string>()
  const place = (table: string, above: readonly string[]): void => {
    if (ordered.has(table)) return
    if (above.includes(table))
      throw new Error(`Tables refer to each other in a circle: ${[...above, table].join(', ')}`)
    for (const reference of references) if (reference.from === table) place(reference.to, [...above, table])
    ordered.add(table)
  }
  for (const table of tables.keys()) place(table, [])
  return [...ordered].flatMap((table) => tables.get(table) ?? [])
}

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
