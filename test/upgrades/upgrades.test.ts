/** A store of every released schema, kept as it was, becomes a store of today and loses nothing. */
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { openDatabase, sql } from '../../server/platform/database/database.ts'
import { findBroken } from '../../server/platform/database/invariants.ts'
import { migrate } from '../../server/platform/database/migrations.ts'
import { readSealed, SEALED_COLUMNS } from '../../server/platform/secrets/sealed-columns.ts'
import { TEST_SEALER } from '../worlds/constants.ts'
import { administer, inDatabase } from '../engine.ts'

const HERE = import.meta.dirname
const MIGRATIONS = path.resolve('server/migrations')
const RELEASED = readdirSync(HERE).filter((name) => /^\d{4}\.sql\.gz$/.test(name))

const SUMS = `
  select (select sum(balance_paise) from wallets) as balances, (select sum(remaining_paise) from wallet_lots) as lots,
         (select sum(amount_paise) from wallet_entries) as entries, (select sum(amount_paise) from orders) as sales,
         (select count(*) from license_keys) as keys,
         (select count(*) from license_keys where order_id is not null) as sold,
         (select count(*) from users) as users, (select count(*) from audit_entries) as audits`

test.each(RELEASED)('%s migrates to today with equal sums, and every invariant holds', async (released) => {
  const engine = inject('engine')
  const name = `chaabi_upgrade_${process.pid}_${released.slice(0, 4)}`
  const connection = inDatabase(engine.connection, name)
  await administer(engine.connection, `create database ${name} template template0`)
  const then = mkdtempSync(path.join(tmpdir(), 'chaabi-upgrade-'))
  try {
    const last = released.slice(0, 4)
    for (const file of readdirSync(MIGRATIONS))
      if (/^\d{4}_/.test(file) && file.slice(0, 4) <= last) cpSync(path.join(MIGRATIONS, file), path.join(then, file))
    writeFileSync(path.join(then, 'grants.sql'), '')
    await migrate(connection, then, () => {})
    const client = new pg.Client(connection)
    await client.connect()
    await client.query(gunzipSync(readFileSync(path.join(HERE, released))).toString())
    // Names that look the same were taken once, and both accounts stay
    await client.query(`update users set username = 'twin' where id = (select min(id::text)::uuid from users)`)
    await client.query(`update users set username = 'tw\u0131n' where id = (select max(id::text)::uuid from users)`)
    const before = (await client.query(SUMS)).rows

    await migrate(connection, MIGRATIONS, () => {})

    expect((await client.query(SUMS)).rows).toEqual(before)
    // Its owner has turned none on
    expect((await client.query('select name from channels where is_on')).rows).toEqual([])
    const skeletons = await client.query<{ held: string }>(
      `select count(*) as held from users where name_skeleton = 'twin'`,
    )
    expect(skeletons.rows).toEqual([{ held: '1' }])
    await client.end()
    const db = openDatabase({
      connection:
        connection.connectionString ?? (connection as { host: string; port: number; user: string; database: string }),
      poolSize: 1,
    })
    expect(await findBroken(db, MIGRATIONS)).toEqual([])
    // Keys of an older version still open, under the secret of dump-schema.ts
    for (const column of SEALED_COLUMNS)
      for (const { row, sealed } of await readSealed(db, column, sql`true limit 500`))
        expect(TEST_SEALER.open(column.purpose, row, sealed)).not.toBe('')
    await db.close()
  } finally {
    rmSync(then, { recursive: true, force: true })
    await administer(engine.connection, `drop database if exists ${name} with (force)`)
  }
})
