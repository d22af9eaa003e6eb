import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, inject, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { cloneDatabase, withDatabase } from '../../test/database.ts'
import { inDatabase } from '../../test/engine.ts'
import { TEST_NOW } from '../../test/worlds/constants.ts'
import { openForUpkeep } from '../backup/upkeep-databases.ts'
import { examine, examineAtNight } from './doctor.ts'
import { nextNight, storeJobs } from './jobs.ts'
import { manualClock } from '../platform/clock.ts'
import { openDatabase, prepared, sql } from '../platform/database/database.ts'
import type { Database, DatabaseOptions } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { readJobs, startJobs } from '../platform/jobs.ts'
import { newSecret, openSealer } from '../platform/secrets/secret-keys.ts'

const MIGRATIONS = path.resolve('server/migrations')

async function saidOf(db: Database, more: { secrets?: readonly Buffer[]; mistakes?: string[] }): Promise<string> {
  const said: string[] = []
  const place = { migrations: MIGRATIONS, dataDir: tmpdir(), say: (line: string) => void said.push(line), ...more }
  await examine(db, place)
  return said.join('\n')
}

test('a secret that does not open what is sealed is broken, and so is one that is missing', () =>
  withDatabase(async (db) => {
    expect(await saidOf(db, { secrets: [] })).toMatch(/^ok {6}Secret key: matches the database/m)
    const own = newSecret([])
    await openSealer(db, [own])

    expect(await saidOf(db, { secrets: [own] })).toMatch(/^ok {6}Secret key: matches the database/m)
    expect(await saidOf(db, { secrets: [newSecret([own]), own] })).toMatch(/^ok {6}Secret key: matches the database/m)
    expect(await saidOf(db, { secrets: [newSecret([own])] })).toMatch(
      /^BROKEN .*doesn’t match this database.*Put back the one/m,
    )
    expect(await saidOf(db, { secrets: [] })).toMatch(/^BROKEN .*is missing\. Put your copy of secret\.key back/m)
  }))

test('a database user who may not work as the store’s role is a warning', () =>
  withDatabase(async (db) => {
    const said = async () => (await saidOf(db, {})).split('\n').filter((line) => line.includes('create the role'))
    expect(await said()).toEqual([])

    const name = `poor_${newId().replaceAll('-', '')}`
    const owner = openForUpkeep(ownerOf(await nameOf(db)))
    try {
      await owner.run(prepared(`create role ${name}`))
      await owner.run(prepared(`grant select on all tables in schema public to ${name}`))
      const poor = openDatabase({ connection: ownerOf(await nameOf(db)), role: name, poolSize: 1 })
      const told = await saidOf(poor, {})
      await poor.close()
      expect(told).toMatch(/^WARNING The database does not protect .* can’t create the role chaabi_app/m)
    } finally {
      await owner.run(prepared(`drop owned by ${name}`))
      await owner.run(prepared(`drop role ${name}`))
      await owner.close()
    }
  }))

test('a mistake in the settings is broken', () =>
  withDatabase(async (db) => {
    expect(await saidOf(db, { mistakes: ['Nobody knows the proxy.'] })).toContain('BROKEN Nobody knows the proxy.')
  }))

test('a broken count is named without the marks of its rule, and how to recount it', () =>
  withDatabase(async (db) => {
    await db.run(sql`update bank_rules set unproven_paise = unproven_paise + 100`)
    expect(await saidOf(db, {})).toMatch(/^BROKEN I17 [\w ]+: unproven \(to recount: npm run doctor -- --recount\)$/m)
  }))

async function nameOf(db: Database): Promise<string> {
  return (await db.one(sql(z.object({ name: z.string() }))`select current_database() as name`)).name
}

function ownerOf(name: string): DatabaseOptions['connection'] {
  const given = inDatabase(inject('engine').connection, name)
  return given.connectionString ?? (given as Exclude<DatabaseOptions['connection'], string>)
}

/** How many queries sleep in a database; only its owner may see that. */
async function asleep(owner: DatabaseOptions['connection']): Promise<number> {
  const db = openForUpkeep(owner)
  try {
    return await db.count(sql`
      select count(*) from pg_stat_activity
       where datname = current_database() and wait_event = 'PgSleep'`)
  } finally {
    await db.close()
  }
}

test('a stopping store does not wait for its nightly check, which has not failed and runs again', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'chaabi-doctor-'))
  await writeFile(path.join(directory, 'invariants.sql'), '-- I1 Slow books\nselect pg_sleep(60)::text as broken;\n')
  const { db, name, drop } = await cloneDatabase(inject('engine'))
  const owner = ownerOf(name)
  const clock = manualClock(TEST_NOW)
  const failures: unknown[] = []
  const ended = new AbortController()
  try {
    const place = { migrations: directory, dataDir: directory }
    const jobs = startJobs(
      db,
      storeJobs(db, (now, signal) => examineAtNight(db, place, now, { signal, owner })),
      { clock, signal: ended.signal, onError: (error) => failures.push(error) },
    )
    const check = async () => (await readJobs(db)).find((job) => job.name === 'check-books')
    await vi.waitFor(async () => expect(await asleep(owner)).toBe(1), 10_000)
    expect(await check()).toMatchObject({ nextAt: nextNight(clock.now()) })

    const began = performance.now()
    ended.abort()
    await jobs.ended

    expect(performance.now() - began).toBeLessThan(3_000)
    expect(failures).toEqual([])
    expect(await check()).toMatchObject({ failures: 0, finishedAt: null, nextAt: clock.now() })
    expect(await asleep(owner)).toBe(0)
  } finally {
    await drop()
    await rm(directory, { recursive: true, force: true })
  }
})
