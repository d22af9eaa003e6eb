import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { SECRET, sellSomething, withBackup, withEmptyDatabase, withPlace } from '../../test/worlds/backups.ts'
import { withStore } from '../../test/store.ts'
import { backUp, restore } from './backup-store.ts'
import type { Database } from '../platform/database/database.ts'
import {
  newSecret,
  openSealer,
  replaceSecretFile,
  retiredSecretFile,
  secretFile,
} from '../platform/secrets/secret-keys.ts'

// Each restores several times
vi.setConfig({ testTimeout: 120_000 })

const passphrase = 'a passphrase of mine'
const sealer = (db: Database) => openSealer(db, [SECRET])

test('a store with data is not written over by accident, and a passphrase brings the secrets along', () =>
  withBackup(
    async (file, place) => {
      await expect(restore(place, file, { replace: false })).rejects.toThrow('The store is running on this database')

      await withEmptyDatabase(async (owner) => {
        const there = { ...place, owner, secrets: [Buffer.alloc(32, 1)] }
        await restore(there, file, { replace: false })
        await expect(restore(there, file, { replace: false })).rejects.toThrow('already has data')
        await restore(there, file, { replace: true })
      })
      expect(await readFile(path.join(place.dataDir, 'secret.key.from-backup'), 'utf8')).toBe(SECRET.toString('base64'))
    },
    { passphrase },
  ))

test('a backup under a secret that is not the store’s is refused, and nothing is written', () =>
  withStore(
    (store) =>
      withPlace(store, async (place) => {
        await sellSomething(store)
        const refused = (secrets: Buffer[]) =>
          expect(backUp({ ...place, secrets }, new Date('2026-11-21T12:00:00Z'))).rejects

        await refused([newSecret([SECRET])]).toThrow('doesn’t match this database')
        await refused([]).toThrow('is missing')

        expect(await readdir(place.dataDir)).toEqual([])
      }),
    { sealer },
  ))

test('a store that has no secret yet takes those that a backup under a passphrase brings', () =>
  withBackup(
    async (file, place) => {
      await withEmptyDatabase((owner) => restore({ ...place, owner, secrets: [] }, file, { replace: false }))
      expect(await readFile(path.join(place.dataDir, 'secret.key'), 'utf8')).toBe(SECRET.toString('base64'))
      await expect(restore({ ...place, secrets: [], passphrase: undefined }, file, { replace: true })).rejects.toThrow(
        'No secret key found to open this backup',
      )
    },
    { passphrase },
  ))

test('a backup of before a rotation brings its old secret key back behind the new one, also under a passphrase', () =>
  withBackup(
    async (file, place) => {
      const newest = newSecret([SECRET])
      await replaceSecretFile(secretFile(place.dataDir), [newest])
      await replaceSecretFile(retiredSecretFile(place.dataDir), [SECRET])

      await withEmptyDatabase((owner) => restore({ ...place, owner, secrets: [newest] }, file, { replace: false }))

      expect(await readFile(secretFile(place.dataDir), 'utf8')).toBe(
        [newest, SECRET].map((each) => each.toString('base64')).join(),
      )
      expect(await readdir(place.dataDir)).not.toContain('secret.key.from-backup')
    },
    { passphrase, sealer },
  ))
