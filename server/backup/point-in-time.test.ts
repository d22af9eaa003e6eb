/** Any moment since a copy, where the log of the embedded database is kept. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { administer, inDatabase } from '../../test/engine.ts'
import { openShop } from '../../test/worlds/shop.ts'
import { startStore } from '../../test/store.ts'
import { runCommand } from '../operations/commands.ts'
import { examine } from '../operations/doctor.ts'
import { sealingKey } from './backup-keys.ts'
import { newestBackupAt } from './backup-store.ts'
import { machineClock } from '../platform/clock.ts'
import { readConfig } from '../platform/config.ts'
import { openDatabase, prepared, sql, type DatabaseOptions } from '../platform/database/database.ts'
import { startEmbeddedPostgres, type EmbeddedPostgresOptions } from '../platform/engine/embedded-postgres.ts'
import { findBroken } from '../platform/database/invariants.ts'
import { findGap, listSegments, nextSegment, pruneArchive, startArchiver } from '../platform/engine/log-archive.ts'
import { migrate } from '../platform/database/migrations.ts'
import { copyBase, readMoment, restoreMoment, type MomentPlace } from './point-in-time.ts'
import { newSecret, openSealer, replaceSecretFile, secretFile } from '../platform/secrets/secret-keys.ts'

// Brings several databases up
vi.setConfig({ testTimeout: 180_000 })

const MIGRATIONS = path.resolve('server/migrations')
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', shared_buffers: '16MB', max_connections: '100' }
const TEMPLATE = 'chaabi_template'

/** A store on an embedded database of its own. */
async function withArchivingStore(
  work: (world: {
    store: Awaited<ReturnType<typeof startStore>>
    place: MomentPlace
    said: string[]
    now(): Promise<Date>
  }) => Promise<void>,
  options: Pick<EmbeddedPostgresOptions, 'settings' | 'archive'> = {},
): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'chaabi-moment-'))
  const server = await startEmbeddedPostgres({
    dataDir: path.join(dataDir, 'postgres'),
    log: () => {},
    archive: true,
    ...options,
    settings: { ...SETTINGS, ...options.settings },
  })
  const secrets = [newSecret([])]
  await replaceSecretFile(secretFile(dataDir), secrets)
  const key = sealingKey({ secrets, passphrase: undefined })
  const failures: unknown[] = []
  const archiver = startArchiver(
    dataDir,
    () => Promise.resolve(key),
    (error) => failures.push(error),
  )
  try {
    const connection = { host: server.host, port: server.port, user: server.user }
    await administer(connection, `create database ${TEMPLATE}`)
    const role = await migrate(inDatabase(connection, TEMPLATE), MIGRATIONS, () => {})
    const engine = { connection, template: TEMPLATE, role }
    const store = await startStore(engine, { sealer: (db) => openSealer(db, dataDir) })
    // Every copy would hold it, and every proof unpack it
    await administer(connection, `drop database ${TEMPLATE}`)
    const said: string[] = []
    const place: MomentPlace = {
      owner: { ...connection, database: store.databaseName },
      migrations: MIGRATIONS,
      dataDir,
      secrets,
      secretsFrom: 'file',
      passphrase: undefined,
      osUser: undefined,
      say: (line) => void said.push(line),
    }
    const now = async () => {
      await sleep(20)
      const { at } = await store.db.one(sql(z.object({ at: z.date() }))`select clock_timestamp() as at`)
      await sleep(20)
      return at
    }
    await work({ store, place, said, now })
    expect(failures).toEqual([])
  } finally {
    await server.stop()
    await archiver.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function keysSoldIn(connection: DatabaseOptions['connection']): Promise<number> {
  const db = openDatabase({ connection, poolSize: 1 })
  try {
    expect(await findBroken(db, MIGRATIONS)).toEqual([])
    return await db.count(sql`select count(*) from license_keys where order_id is not null`)
  } finally {
    await db.close()
  }
}

test('a restore to a moment keeps purchases before it, drops those after it, and passes all checks', () =>
  withArchivingStore(async ({ store, place, said, now }) => {
    const shop = await openShop(store)
    const product = await shop.product({ stock: 20 })
    const buyer = await shop.buyer({ balance: 5_000 })
    /** The answers that the buyer got: the proof outside of the store. */
    const told: string[][] = []
    const buy = async (quantity: number) => {
      const order = { productId: product._id, duration: '10 Days', quantity }
      told.push((await buyer.api.orders.place(order)).keys.map((key) => key.key))
    }
    await buy(1)
    const beforeTheCopy = await now()
    const file = (await copyBase(place, new Date())) ?? ''
    await buy(2)
    const moment = await now()
    await buy(3)
    const later = await now()
    await examine(store.db, place)
    expect(said.join('\n')).toMatch(/^ok {6}You can restore to any time since /m)
    // The worst that can happen to a ledger
    const owner = openDatabase({ connection: place.owner, poolSize: 1 })
    await owner.run(prepared('drop table wallet_entries cascade'))
    await owner.close()
    await expect(restoreMoment(place, file, moment, { replace: true })).rejects.toThrow('The store is running')
    await store.app.close()
    await store.db.close()

    await expect(restoreMoment(place, file, moment, { replace: false })).rejects.toThrow('already has data')
    await expect(restoreMoment(place, file, beforeTheCopy, { replace: true })).rejects.toThrow(
      'can’t restore an earlier time',
    )
    const archive = path.dirname(path.dirname(file))
    const longBefore = new Date(beforeTheCopy.getTime() - 5_000)
    await expect(restoreMoment(place, archive, longBefore, { replace: true })).rejects.toThrow('The oldest copy in')
    await restoreMoment(place, archive, moment, { replace: true })

    expect(await keysSoldIn(place.owner)).toBe(3)
    expect(said.join('\n')).toContain(
      'All users and admins are logged out. Passwords, roles and two-step verification are as of ' +
        moment.toISOString(),
    )
    const db = openDatabase({ connection: place.owner, poolSize: 1 })
    const sealer = await openSealer(db, place.dataDir)
    const sold = await db.rows(
      sql(z.object({ id: z.string(), sealed: z.instanceof(Buffer) }))`
        select id, sealed from license_keys where order_id is not null`,
    )
    await db.close()
    expect(sold.map((row) => sealer.open('key', row.id, row.sealed)).toSorted()).toEqual(
      told.slice(0, 2).flat().toSorted(),
    )

    // Another moment of the same log, after the restore that it has outlived
    await restoreMoment(place, file, later, { replace: true })
    expect(await keysSoldIn(place.owner)).toBe(6)
    expect(said.join('\n')).toContain('the last change before it')
    expect((await readdir(place.dataDir)).filter((name) => name.startsWith('recovering-'))).toEqual([])
  }))

test('a log that was altered, that has a gap or that ends too early is refused in words', () =>
  withArchivingStore(async ({ store, place, now }) => {
    const shop = await openShop(store)
    await shop.product({ stock: 5 })
    const file = (await copyBase(place, await now())) ?? ''
    const archive = path.dirname(file)
    await shop.product({ stock: 5 })
    const moment = await now()
    await shop.product({ stock: 5 })
    await store.app.close()
    await store.db.close()
    await restoreMoment(place, file, moment, { replace: true })

    const [first = '', second = ''] = (await listSegments(archive)).map((name) => path.join(archive, `${name}.wal`))
    const whole = await readFile(second)
    const altered = Buffer.from(whole)
    altered[whole.length >> 1] = (altered[whole.length >> 1] ?? 0) ^ 1
    await writeFile(second, altered)
    await expect(restoreMoment(place, file, moment, { replace: true })).rejects.toThrow('it was altered')
    await rm(second)
    await expect(restoreMoment(place, file, moment, { replace: true })).rejects.toThrow(
      'The archived log does not reach',
    )
    await rm(first)
    await expect(restoreMoment(place, file, moment, { replace: true })).rejects.toThrow('This copy needs it')
    const said: string[] = []
    const db = openDatabase({ connection: place.owner, poolSize: 1 })
    expect(await examine(db, { ...place, say: (line) => said.push(line) })).toBe(false)
    await db.close()
    expect(said.join('\n')).toMatch(/BROKEN A log file is missing\. .* [0-9A-F]{24}\.wal is missing from the archive/)
  }))

test('the newest two copies are kept, and the log since the older one', () =>
  withArchivingStore(async ({ store, place }) => {
    const files: string[] = []
    for (const day of ['20', '21', '22']) {
      const shop = await openShop(store)
      await shop.product({ stock: 1 })
      files.push((await copyBase(place, new Date(`2026-11-${day}T00:00:00Z`))) ?? '')
    }
    const archive = path.dirname(files[0] ?? '')
    const names = await readdir(archive)
    expect(names.filter((name) => name.endsWith('.base')).map((name) => path.join(archive, name))).toEqual(
      files.slice(1),
    )
    const [oldest = ''] = await listSegments(archive)
    expect(files[1]).toContain(oldest)
    await store.app.close()
    await store.db.close()
  }))

test('a clock that was ahead costs no later base copy its place', async () => {
  const archive = await mkdtemp(path.join(tmpdir(), 'chaabi-archive-'))
  const segment = (n: number) => `00000001000000000000000${n}`
  const base = (stamp: string, n: number) => `chaabi-${stamp}-${segment(n)}.base`
  try {
    for (const [stamp, n] of [
      ['20510101T000000Z', 2],
      ['20510102T000000Z', 4],
      ['20261126T000000Z', 6],
    ] as const)
      await writeFile(path.join(archive, base(stamp, n)), '')
    for (let n = 2; n < 8; n++) await writeFile(path.join(archive, `${segment(n)}.wal`), '')

    await pruneArchive(archive)

    expect((await readdir(archive)).filter((name) => name.endsWith('.base')).toSorted()).toEqual([
      base('20261126T000000Z', 6),
      base('20510102T000000Z', 4),
    ])
    expect(await listSegments(archive)).toEqual([4, 5, 6, 7].map(segment))
  } finally {
    await rm(archive, { recursive: true })
  }
})

test('an archive that cannot be written is on the doctor’s list, and costs no purchase', () =>
  withArchivingStore(
    async ({ store, place }) => {
      const shop = await openShop(store)
      const product = await shop.product({ stock: 2 })
      const buyer = await shop.buyer({ balance: 500 })
      await administer({ ...(place.owner as { host: string; port: number; user: string }) }, 'select pg_switch_wal()')
      await buyer.api.orders.place({ productId: product._id, duration: '10 Days', quantity: 1 })
      const said: string[] = []
      await vi.waitFor(
        async () => {
          said.length = 0
          expect(await examine(store.db, { ...place, say: (line) => said.push(line) })).toBe(false)
        },
        { timeout: 20_000, interval: 200 },
      )
      expect(said.join('\n')).toContain('BROKEN Log archiving has failed since')
      // Not only after the hours that a copy may take
      await expect(copyBase(place, new Date())).rejects.toThrow('The database log is not being archived')
      await store.app.close()
      await store.db.close()
    },
    { settings: { archive_command: 'false' } },
  ))

test('a backup whose base copy fails is good all the same, goes elsewhere, and says what failed', () =>
  withArchivingStore(
    async ({ store, place, said }) => {
      await administer(place.owner as { host: string; port: number; user: string }, "create tablespace t location ''")
      const config = readConfig({ DATA_DIR: place.dataDir, BACKUP_COPY_TO: 'rsync://127.0.0.1:1/shop' })
      try {
        await runCommand('backup', { ...place, config, args: [], db: store.db })
        expect(process.exitCode).toBe(2)
      } finally {
        process.exitCode = undefined
      }
      expect(said.filter((line) => line.startsWith('The backup is good'))).toEqual([
        'The backup is good, but the base copy failed: A database with tablespaces of its own is not copied',
        expect.stringMatching(/^The backup is good, but the copy elsewhere failed: rsync/),
      ])
      expect(await newestBackupAt(store.db, place.dataDir, machineClock.now())).toBeInstanceOf(Date)
      await store.app.close()
      await store.db.close()
    },
    { settings: { allow_in_place_tablespaces: 'on' } },
  ))

test('without ARCHIVE_WAL nothing is copied, and no log is kept', () =>
  withArchivingStore(
    async ({ store, place, now }) => {
      expect(await copyBase(place, await now())).toBeUndefined()
      expect((await readdir(place.dataDir)).toSorted()).toEqual(
        expect.not.arrayContaining(['archive', 'postgres.archive']),
      )
      await store.app.close()
      await store.db.close()
    },
    { archive: false },
  ))

test('a moment has a zone and has been', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  expect(readMoment('2026-11-21T10:00:00+05:30', now).toISOString()).toBe('2026-11-21T04:30:00.000Z')
  expect(() => readMoment('2026-11-21T10:00:00', now)).toThrow('Add a time zone to --until')
  expect(() => readMoment('yesterday', now)).toThrow('Add a time zone to --until')
  expect(() => readMoment('2026-11-22T10:00:00Z', now)).toThrow('is in the future')
})

test('segments are counted as the engine counts them', () => {
  expect(nextSegment('0000000100000000000000FE')).toBe('0000000100000000000000FF')
  expect(nextSegment('0000000100000000000000FF')).toBe('000000010000000100000000')
  const log = ['000000010000000000000001', '000000010000000000000002', '000000010000000000000004']
  expect(findGap(log, '000000010000000000000001')).toBe('000000010000000000000003')
  expect(findGap(log, '000000010000000000000004')).toBeUndefined()
})
