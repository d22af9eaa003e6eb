import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, inject, test } from 'vitest'
import { anAdmin } from '../../test/worlds/admins.ts'
import { asOwner, MIGRATIONS, ownerOf, sellSomething, sums, withEmptyDatabase } from '../../test/worlds/backups.ts'
import { openShop, type Shop } from '../../test/worlds/shop.ts'
import { givenAdminCall, servicesOf } from '../../test/services.ts'
import { administer } from '../../test/engine.ts'
import { withDatabase } from '../../test/database.ts'
import { withStore, type Browser, type TestStore } from '../../test/store.ts'
import { sql, type Database } from '../platform/database/database.ts'
import { restore } from './backup-store.ts'
import { downloadBackup } from './download-backup.ts'

const PASSPHRASE = 'four words and a sign'

/** Takes the file as a browser does: the bytes, and not a text of them. */
async function fetchBackup({ url }: TestStore, { cookies }: Browser, passphrase = PASSPHRASE, signal?: AbortSignal) {
  return fetch(`${url}/api/backup`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    },
    body: JSON.stringify({ passphrase }),
    signal: signal ?? null,
  })
}

async function proven({ owner }: Shop): Promise<Browser> {
  // The browser of a test answers the question
  await owner.post('/backup', { passphrase: PASSPHRASE })
  return owner
}

test('a shop is restored from a downloaded file and its passphrase alone, on a machine without its secret key', () =>
  withStore(async (store) => {
    await sellSomething(store)
    const shop = await openShop(store)
    const owner = await proven(shop)
    const dataDir = await mkdtemp(path.join(tmpdir(), 'chaabi-download-'))
    try {
      const answer = await fetchBackup(store, owner)
      const before = await asOwner(ownerOf(store.databaseName), sums)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('application/octet-stream')
      expect(answer.headers.get('content-disposition')).toBe('attachment; filename="store.backup"')
      expect(answer.headers.get('cache-control')).toBe('no-store')
      const file = path.join(dataDir, 'store.backup')
      await writeFile(file, Buffer.from(await answer.arrayBuffer()))

      await withEmptyDatabase(async (connection) => {
        const said: string[] = []
        const place = {
          owner: connection,
          migrations: MIGRATIONS,
          dataDir,
          secrets: [],
          secretsFrom: 'file' as const,
          passphrase: PASSPHRASE,
          say: (line: string) => void said.push(line),
        }
        await expect(restore({ ...place, passphrase: 'another passphrase' }, file, { replace: false })).rejects.toThrow(
          'made with a different key',
        )
        await restore(place, file, { replace: false })
        expect(await asOwner(connection, sums)).toEqual(before)
        expect(said.join('\n')).toContain(`are now in ${path.join(dataDir, 'secret.key')}`)
      })
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  }))

test('the log and every owner learn of it before the first byte leaves, and nobody else may ask', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    for (const role of ['payments', 'stock', 'support', 'read-only'] as const)
      expect((await (await anAdmin(shop, role)).browser.post('/backup', { passphrase: PASSPHRASE })).status).toBe(403)
    expect((await shop.visitor().post('/backup', { passphrase: PASSPHRASE })).status).toBe(401)
    expect(await shop.owner.post('/backup', { passphrase: 'too short' })).toMatchObject({
      status: 400,
      body: { fields: { passphrase: 'Passphrase must have at least 12 characters' } },
    })
    await proven(shop)
    const { entries } = await shop.owner.api.reports.audit({ action: 'backup', limit: 50 })
    expect(entries.map(({ action, admin, subject, after }) => ({ action, admin, subject, after }))).toEqual([
      { action: 'backup.download', admin: 'owner', subject: 'Backup', after: null },
    ])
    expect(JSON.stringify(entries)).not.toContain(PASSPHRASE)
  }))

/** A database whose backup does not fit into the buffers of a stream. */
const withMuch = (work: (db: Database, begin: () => ReturnType<typeof downloadBackup>) => Promise<void>) =>
  withDatabase(async (db) => {
    const by = await givenAdminCall(db)
    await db.run(sql`
      insert into referral_codes (id, code, description, created_at, created_by)
      select gen_random_uuid(), md5(n::text), md5((n * 7)::text), now(), ${by.admin.id}
        from generate_series(1, 20000) n`)
    const begun: Awaited<ReturnType<typeof downloadBackup>>[] = []
    try {
      await work(db, async () => {
        const pieces = await downloadBackup(servicesOf(db), PASSPHRASE, by)
        begun.push(pieces)
        return pieces
      })
    } finally {
      for (const pieces of begun) await pieces.return(undefined)
    }
  })

const copies = (db: Database) => db.texts(sql`select copied_to from backups where bytes > 100000`)

test('a whole download is a copy elsewhere; one that is given up is none, and leaves its connection', () =>
  withMuch(async (db, begin) => {
    const half = await begin()
    await half.next()
    await half.next()
    expect(db.connections().inUse).toBe(1)
    await half.return(undefined)
    await expect.poll(() => db.connections().inUse).toBe(0)
    expect(await copies(db)).toEqual([])

    for await (const _ of await begin());
    expect(await copies(db)).toEqual(['download'])
  }))

test('a database that dies half way breaks the download off, so that half a file is never taken for a whole one', () =>
  withMuch(async (db, begin) => {
    const pieces = await begin()
    await pieces.next()
    await pieces.next()
    const name = await db.text(sql`select current_database()`)
    await administer(
      inject('engine').connection,
      // It may be reading its next rows just then
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and state <> 'idle'`,
    )
    await expect(async () => {
      for await (const _ of pieces);
    }).rejects.toThrow()
    expect(await copies(db)).toEqual([])
  }))
