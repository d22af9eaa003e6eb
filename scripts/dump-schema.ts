/**
 * `npm run dump-schema`: a small seeded store under today's schema, compressed, as test/upgrades/NNNN.sql.gz. NNNN is
 * the newest migration. Made once for each release, so that every later one can prove that it takes such a store over.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import * as z from 'zod/mini'
import { seedStore } from '../test/worlds/year.ts'
import { quote, readTables } from '../server/backup/backup.ts'
import { openDatabase, prepared, sql, type Queries } from '../server/platform/database/database.ts'
import { startEmbeddedPostgres } from '../server/platform/engine/embedded-postgres.ts'
import { migrate } from '../server/platform/database/migrations.ts'
import { createSealer } from '../server/platform/secrets/sealing.ts'
import { ensureFirstAdmin } from '../server/admins/first-admin.ts'
import { ensureSettings } from '../server/settings/settings.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const MIGRATIONS = path.join(ROOT, 'server/migrations')
const SIZES = { users: 8, keys: 60, payments: 60 }
/** The same store each time it is made. */
const NOW = new Date('2026-11-20T15:44:00.000Z')

const newest = readdirSync(MIGRATIONS)
  .filter((name) => /^\d{4}_/.test(name))
  .toSorted()
  .at(-1)
const file = path.join(ROOT, 'test/upgrades', `${newest?.slice(0, 4)}.sql.gz`)
if (existsSync(file)) {
  process.stderr.write(`${file} is there already, and is never changed.\n`)
  process.exit(1)
}
const directory = mkdtempSync(path.join(tmpdir(), 'chaabi-dump-'))
const server = await startEmbeddedPostgres({
  dataDir: path.join(directory, 'postgres'),
  log: () => {},
  settings: { fsync: 'off' },
})
try {
  const connection = { host: server.host, port: server.port, user: server.user, database: server.database }
  await migrate(connection, MIGRATIONS, () => {})
  const db = openDatabase({ connection, poolSize: 1 })
  try {
    await ensureSettings(db)
    await ensureFirstAdmin(db, { username: 'admin', password: 'a dumped admin password' }, NOW)
    const { id: adminId } = await db.one(sql(z.object({ id: z.string() }))`select id from admins`)
    await seedStore(db, { ...SIZES, sealer: createSealer([Buffer.alloc(32, 7)]), now: NOW, adminId, say: () => {} })
    writeFileSync(file, gzipSync(await dump(db), { level: 9 }))
  } finally {
    await db.close()
  }
} finally {
  await server.stop()
  rmSync(directory, { recursive: true, force: true })
}
process.stdout.write(`${path.relative(ROOT, file)}\n`)

async function dump(db: Queries): Promise<string> {
  const tables = await readTables(db)
  const parts = [
    `-- A small seeded store under the schema of ${newest}, for upgrades.test.ts. Never changed.`,
    `truncate ${tables.map(({ table }) => quote(table)).join(', ')} cascade;`,
  ]
  for (const { table, columns, identity } of tables) {
    const rows = await db.rows(sql(z.object({ line: z.string() }))`
      select row_to_json(line)::text as line from ${prepared(quote(table))} line`)
    const names = columns.map(quote).join(', ')
    if (rows.length > 0)
      parts.push(
        `insert into ${quote(table)} (${names}) overriding system value select ${names} from ` +
          `json_populate_recordset(null::${quote(table)}, '[`,
        rows.map(({ line }) => line.replaceAll("'", "''")).join(',\n'),
        "]');",
      )
    for (const column of identity)
      parts.push(
        `select setval(pg_get_serial_sequence('${quote(table)}', '${column}'), coalesce(max(${quote(column)}), ` +
          `0) + 1, false) from ${quote(table)};`,
      )
  }
  return `${parts.join('\n')}\n`
}
