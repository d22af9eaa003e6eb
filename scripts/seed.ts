/**
 * Fills an empty store with as many users, keys and payments as are asked for:
 * `npm run seed -- --users 100000 --keys 1000000 --payments 1000000 [--data DIR | --url postgres://…]`
 */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { SEED_PASSWORD, seededUsername, seedStore, vacuumSeeded } from '../test/worlds/year.ts'
import { readConfig } from '../server/platform/config.ts'
import { openDatabase, sql } from '../server/platform/database/database.ts'
import { startEmbeddedPostgres } from '../server/platform/engine/embedded-postgres.ts'
import { migrate } from '../server/platform/database/migrations.ts'
import { openSealer } from '../server/platform/secrets/secret-keys.ts'
import { ensureFirstAdmin } from '../server/admins/first-admin.ts'
import { ensureSettings } from '../server/settings/settings.ts'

const say = (line: string) => void process.stdout.write(`${line}\n`)

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      users: { type: 'string', default: '100000' },
      keys: { type: 'string', default: '1000000' },
      payments: { type: 'string', default: '1000000' },
      data: { type: 'string' },
      url: { type: 'string' },
    },
  })
  const sizes = {
    users: count('users', values.users),
    keys: count('keys', values.keys),
    payments: count('payments', values.payments),
  }
  if (values.data !== undefined && values.url !== undefined) throw new Error('Give --data or --url, not both.')
  const config = readConfig({
    ...process.env,
    ...(values.data === undefined ? {} : { DATA_DIR: values.data, DATABASE_URL: '' }),
    ...(values.url === undefined ? {} : { DATABASE_URL: values.url }),
  })

  await mkdir(config.dataDir, { recursive: true })
  const server =
    config.databaseUrl === undefined
      ? await startEmbeddedPostgres({ dataDir: path.join(config.dataDir, 'postgres'), log: () => {} })
      : undefined
  try {
    const owner = server
      ? { host: server.host, port: server.port, user: server.user, database: server.database }
      : { connectionString: config.databaseUrl ?? '' }
    const connection = 'connectionString' in owner ? owner.connectionString : owner
    const role = await migrate(owner, path.resolve(import.meta.dirname, '../server/migrations'), say)
    const db = openDatabase({ connection, poolSize: 2, ...(role === undefined ? {} : { role }) })
    try {
      const now = new Date()
      const sealer = await openSealer(db, config.secretKeys ?? config.dataDir)
      await ensureSettings(db)
      const firstAdmin = await ensureFirstAdmin(db, config.firstAdmin, now)
      const admin = await db.one(sql(z.object({ id: z.string() }))`select id from admins order by created_at limit 1`)
      await seedStore(db, { ...sizes, sealer, now, adminId: admin.id, say })
      if (firstAdmin) say(`admin: ${firstAdmin.username} / ${firstAdmin.generated ? firstAdmin.password : '(as set)'}`)
    } finally {
      await db.close()
    }
    say('vacuuming…')
    await vacuumSeeded(connection)
    say(`buyers: ${seededUsername(1)} to ${seededUsername(sizes.users)}, password: ${SEED_PASSWORD}`)
  } finally {
    await server?.stop()
  }
}

function count(name: string, written: string): number {
  const value = Number(written)
  if (!Number.isInteger(value) || value < 1 || value > 100_000_000)
    throw new Error(`--${name} is a whole number above zero`)
  return value
}

main().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
})
