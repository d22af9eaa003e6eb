import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { administer } from '../../test/engine.ts'
import { prepared, sql } from '../platform/database/database.ts'
import { startEmbeddedPostgres } from '../platform/engine/embedded-postgres.ts'
import { inScratch, openForUpkeep, using } from './upkeep-databases.ts'

const OWNER = 'shop_owner'

test('a proven copy is dropped while PostgreSQL vacuums it, also for an owner that is no superuser', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'chaabi-test-'))
  const engine = await startEmbeddedPostgres({
    dataDir: path.join(folder, 'postgres'),
    log: () => {},
    // A vacuum begins at once, and takes long
    settings: { autovacuum_naptime: '1s', autovacuum_vacuum_cost_delay: '100ms', autovacuum_vacuum_cost_limit: '1' },
  })
  try {
    const { host, port, user } = engine
    await administer({ host, port, user }, `create role ${OWNER} login createdb`)
    const owner = { host, port, user: OWNER, database: 'postgres' }
    const databases = await using(openForUpkeep(owner), async (db) => {
      await inScratch({ owner }, db, async (scratch, name) => {
        await using(openForUpkeep(scratch), async (inside) => {
          await inside.run(prepared(`create table rows as select repeat('x', 200) from generate_series(1, 100000)`))
          await inside.run(prepared('delete from rows'))
        })
        // Only a superuser sees such a worker
        await using(openForUpkeep({ host, port, user, database: 'postgres' }), (root) =>
          vi.waitFor(
            async () =>
              expect(
                await root.texts(sql`
                  select backend_type from pg_stat_activity
                   where datname = ${name} and backend_type = 'autovacuum worker'`),
              ).toHaveLength(1),
            { timeout: 60_000, interval: 100 },
          ),
        )
      })
      return db.texts(sql`select datname from pg_database where datname like 'chaabi_proof_%'`)
    })
    expect(databases).toEqual([])
  } finally {
    await engine.stop()
    await rm(folder, { recursive: true, force: true })
  }
})
