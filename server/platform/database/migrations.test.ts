import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { cloneDatabase } from '../../../test/database.ts'
import { inDatabase } from '../../../test/engine.ts'
import { migrate } from './migrations.ts'

// Seen to fail without the lock's timeout: the buyer waited for the backup
test('a migration beside a backup lets buyers pass, and is applied when the backup ends', async () => {
  const engine = inject('engine')
  const { name, drop } = await cloneDatabase(engine, { poolSize: 1 })
  const directory = await mkdtemp(path.join(tmpdir(), 'chaabi-migrations-'))
  await cp('server/migrations', directory, { recursive: true })
  await writeFile(path.join(directory, '9999_later.sql'), 'alter table users add column later boolean;')
  const connection = inDatabase(engine.connection, name)
  const [backup, buyer] = [new pg.Client(connection), new pg.Client(connection)]
  const said: string[] = []
  try {
    await Promise.all([backup.connect(), buyer.connect()])
    await backup.query('begin; select from users limit 1')
    const migrated = migrate(connection, directory, (line) => said.push(line))
    const waits = () =>
      buyer.query<{ there: boolean }>('select exists (select from pg_locks where not granted) as there')
    await expect.poll(async () => (await waits()).rows[0]?.there).toBe(true)

    await buyer.query(`set statement_timeout = '20s'; select from users limit 1`)

    await backup.query('rollback')
    await migrated
    await buyer.query('select later from users limit 1')
    expect(said).toEqual([expect.stringMatching(/^the database is in use/), 'migrated: 9999_later.sql'])
  } finally {
    await Promise.all([backup.end(), buyer.end()])
    await drop()
    await rm(directory, { recursive: true, force: true })
  }
})
