import { mkdir, readFile, readdir, utimes, writeFile } from 'node:fs/promises'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { webp } from '../../test/pictures.ts'
import { openShop } from '../../test/worlds/shop.ts'
import {
  MIGRATIONS,
  SECRET,
  asOwner,
  pictureOf,
  sellSomething,
  sums,
  withBackup,
  withEmptyDatabase,
  withPlace,
} from '../../test/worlds/backups.ts'
import { withStore } from '../../test/store.ts'
import { backUp, listBackups, newestBackupAt, readNewestFile, restore } from './backup-store.ts'
import { noteBackup } from './backup-rows.ts'
import { runCommand } from '../operations/commands.ts'
import { examine } from '../operations/doctor.ts'
import { readConfig } from '../platform/config.ts'
import { machineClock } from '../platform/clock.ts'
import { openDatabase, sql } from '../platform/database/database.ts'
import { findBroken } from '../platform/database/invariants.ts'
import { newSecret, openSealer, replaceSecretFile, secretFile } from '../platform/secrets/secret-keys.ts'

// Each restores several times
vi.setConfig({ testTimeout: 120_000 })

test('a backup of a running store is restored elsewhere with equal sums, and goes on counting where it was', () =>
  withStore((store) =>
    withPlace(store, async (place) => {
      await sellSomething(store)
      const before = await sums(store.db)

      const file = await backUp(place, new Date('2026-11-21T12:00:00Z'))

      await withEmptyDatabase(async (owner) => {
        await restore({ ...place, owner }, file, { replace: false })
        const db = openDatabase({ connection: owner, poolSize: 1 })
        try {
          expect(await sums(db)).toEqual(before)
          expect(await pictureOf(db)).toEqual({ ...(await pictureOf(store.db)), bytes: webp(320, 320, 5_000) })
          expect(await findBroken(db, MIGRATIONS)).toEqual([])
          const behind = await db.holds(sql`
            select nextval(pg_get_serial_sequence('license_keys', 'seq'))
                   <= (select max(seq) from license_keys)`)
          expect(behind).toBe(false)
          expect(await db.count(sql`select nextval(pg_get_serial_sequence('key_claims', 'number'))`)).toBe(1_001)
        } finally {
          await db.close()
        }
      })
    }),
  ))

test('a file that was altered, cut or sealed with another key is not restored', () =>
  withBackup(async (file, place) => {
    const bytes = await readFile(file)
    expect(bytes.includes('KEY-')).toBe(false)
    const altered = Buffer.from(bytes)
    altered[Math.floor(bytes.length / 2)] = (altered[Math.floor(bytes.length / 2)] ?? 0) ^ 1
    await writeFile(`${file}.altered`, altered)
    await writeFile(`${file}.cut`, bytes.subarray(0, -100))

    await withEmptyDatabase(async (owner) => {
      const there = { ...place, owner }
      for (const bad of [`${file}.altered`, `${file}.cut`])
        await expect(restore(there, bad, { replace: false })).rejects.toThrow()
      await expect(restore({ ...there, secrets: [Buffer.alloc(32, 8)] }, file, { replace: false })).rejects.toThrow(
        /made with a different key, or it was altered.* put the old secret key into/,
      )
      await expect(
        restore({ ...there, secrets: [], passphrase: 'a passphrase of mine' }, file, { replace: false }),
      ).rejects.toThrow('is opened by')
    })
  }))

test('a backup that breaks an invariant does not count', () =>
  withStore((store) =>
    withPlace(store, async (place) => {
      await sellSomething(store)
      await store.db.run(sql`update wallets set balance_paise = balance_paise + 1`)

      await expect(backUp(place, new Date('2026-11-21T12:00:00Z'))).rejects.toThrow('A balance is')

      expect(await listBackups(place.dataDir, machineClock.now())).toEqual([])
      expect(await readdir(path.join(place.dataDir, 'backups')), 'takes no room').toEqual([])
    }),
  ))

test('what killed commands left half-made is deleted a day later', () =>
  withStore((store) =>
    withPlace(store, async (place) => {
      const directory = path.join(place.dataDir, 'backups')
      const now = machineClock.now()
      for (const name of ['chaabi-20261101T000000Z.backup.unproven', 'chaabi-20261102T000000Z.backup.part']) {
        await mkdir(path.join(directory, '.copy-killed'), { recursive: true })
        await writeFile(path.join(directory, name), 'half')
        await writeFile(path.join(directory, '.copy-killed', name), 'half')
        await writeFile(path.join(directory, `another-${name}`), 'of a command that runs')
      }
      const before = new Date(now.getTime() - 25 * 3_600_000)
      for (const name of await readdir(directory))
        if (!name.startsWith('another-')) await utimes(path.join(directory, name), before, before)

      const file = await backUp(place, now)

      const left = (await readdir(directory)).filter((name) => !name.startsWith('another-'))
      expect(left).toEqual([path.basename(file)])
      expect(await readdir(directory)).toHaveLength(3)
    }),
  ))

// From Node 22 on readline ends a line there, too
test('a line separator in a buyer’s words spoils no backup', () =>
  withStore((store) =>
    withPlace(store, async (place) => {
      const shop = await openShop(store)
      const product = await shop.product({ stock: 1 })
      const buyer = await shop.buyer({ balance: 100 })
      const order = { productId: product._id, duration: '10 Days', quantity: 1 }
      const [key] = (await buyer.api.orders.place(order)).keys
      const note = 'It says:\u2028used\u2029{"table":"users"}'
      await buyer.api.claims.open({ keyId: key?._id ?? '', reason: 'other', note })

      const file = await backUp(place, new Date('2026-11-21T12:00:00Z'))

      await withEmptyDatabase(async (owner) => {
        await restore({ ...place, owner }, file, { replace: false })
        expect(await asOwner(owner, (db) => db.text(sql`select note from key_claims`))).toBe(note)
      })
    }),
  ))

test('the newest seven are kept', () =>
  withStore((store) =>
    withPlace(store, async (place) => {
      const directory = path.join(place.dataDir, 'backups')
      await mkdir(directory)
      for (let day = 1; day <= 8; day++)
        await writeFile(path.join(directory, `chaabi-2026110${day}T000000Z.backup`), '')

      await backUp(place, new Date('2026-11-09T00:00:00Z'))

      expect(await readdir(directory)).toHaveLength(7)
      const now = machineClock.now()
      expect((await listBackups(place.dataDir, now))[0]).toBe('chaabi-20261109T000000Z.backup')
    }),
  ))

test('a clock that was ahead costs no later backup its place, and hides no lack of backups', () =>
  withStore((store) =>
    withPlace(store, async (place) => {
      const directory = path.join(place.dataDir, 'backups')
      const now = machineClock.now()
      await mkdir(directory)
      for (let day = 1; day <= 7; day++) {
        const ahead = { file: `chaabi-2051010${day}T000000Z.backup`, madeAt: new Date(`2051-01-0${day}`), bytes: 1 }
        await writeFile(path.join(directory, ahead.file), '')
        await noteBackup(store.db, ahead)
      }
      expect(await newestBackupAt(store.db, place.dataDir, now)).toBeUndefined()

      const file = await backUp(place, now)

      expect(await readdir(directory)).toContain(path.basename(file))
      expect(await readdir(directory)).toHaveLength(7)
      expect((await readNewestFile(place.dataDir, now))?.file).toBe(path.basename(file))
      expect(await newestBackupAt(store.db, place.dataDir, now)).toEqual(now)
    }),
  ))

test('a backup beside which the secret keys were rotated is made again, because it lacks the new one', () =>
  withStore(
    (store) =>
      withPlace(store, async ({ dataDir, owner, migrations }) => {
        await sellSomething(store)
        await replaceSecretFile(secretFile(dataDir), [SECRET])
        const config = readConfig({ DATA_DIR: dataDir, BACKUP_PASSPHRASE: 'a passphrase of mine' })
        let isRotated = false
        const say = (line: string) => {
          if (isRotated || !line.startsWith('Copied ')) return
          isRotated = true
          writeFileSync(
            secretFile(dataDir),
            [newSecret([SECRET]), SECRET].map((each) => each.toString('base64')).join(),
          )
        }
        const make = () => runCommand('backup', { config, args: [], db: store.db, owner, migrations, say })

        await expect(make()).rejects.toThrow('The secret keys were rotated during this backup')
        await make()
      }),
    { sealer: (db) => openSealer(db, [SECRET]) },
  ))

test('a backup that one node made is seen by the doctor of another', () =>
  withStore((store) =>
    withPlace(store, (first) =>
      withPlace(store, async (second) => {
        const ask = async () => {
          const said: string[] = []
          await examine(store.db, { ...second, say: (line) => void said.push(line) })
          return said.join('\n')
        }
        expect(await ask()).toContain('WARNING Your store has no backup yet.')

        await backUp(first, machineClock.now())

        expect(await listBackups(second.dataDir, machineClock.now())).toEqual([])
        expect(await ask()).toMatch(/^ok {6}Last backup: 0\.0 hours ago\.$/m)
      }),
    ),
  ))
