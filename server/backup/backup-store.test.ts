import { mkdir, mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as z from 'zod/mini'
import { expect, inject, test, vi } from 'vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import { administer, inDatabase } from '../../test/engine.ts'
import { base64, webp } from '../../test/pictures.ts'
import { rules } from '../../test/worlds/bank.ts'
import { alertOf, phone } from '../../test/worlds/phones.ts'
import { logIn, nextUtr, openShop, OWNER } from '../../test/worlds/shop.ts'
import { copyOf, openBrowser, withSecondNode, withStore, type TestStore } from '../../test/store.ts'
import { backUp, listBackups, newestBackupAt, readNewestFile, restore, type BackupPlace } from './backup-store.ts'
import { noteBackup } from './backup-rows.ts'
import { forgetReplaced, listReplaced } from './upkeep-databases.ts'
import { runCommand } from '../operations/commands.ts'
import { examine } from '../operations/doctor.ts'
import { readConfig } from '../platform/config.ts'
import { closeDueAccounts } from '../privacy/close-due-accounts.ts'
import { machineClock } from '../platform/clock.ts'
import { verifyAuditChain } from '../audit/audit-chain.ts'
import { openDatabase, sql, type Database, type DatabaseOptions, type Queries } from '../platform/database/database.ts'
import { findBroken } from '../platform/database/invariants.ts'
import { newId } from '../platform/ids.ts'
import {
  newSecret,
  openSealer,
  replaceSecretFile,
  retiredSecretFile,
  secretFile,
} from '../platform/secrets/secret-keys.ts'

// Each restores several times
vi.setConfig({ testTimeout: 120_000 })

const MIGRATIONS = path.resolve('server/migrations')
const SECRET = Buffer.alloc(32, 7)

function ownerOf(database: string): DatabaseOptions['connection'] {
  const { connection } = inject('engine')
  const given = inDatabase(connection, database)
  return given.connectionString ?? (given as Exclude<DatabaseOptions['connection'], string>)
}

async function withPlace<T>(
  store: TestStore,
  work: (place: BackupPlace) => Promise<T>,
  passphrase?: string,
): Promise<T> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'chaabi-backup-'))
  try {
    const owner = ownerOf(store.databaseName)
    return await work({
      owner,
      migrations: MIGRATIONS,
      dataDir,
      secrets: [SECRET],
      secretsFrom: 'file',
      passphrase,
      say: () => {},
    })
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

const Sums = z.object({ balances: z.number(), orders: z.number(), keys: z.number(), audits: z.number() })
const sums = (db: Queries) =>
  db.one(sql(Sums)`
    select (select sum(balance_paise) from wallets)::bigint as balances, (select count(*) from orders) as orders,
           (select count(*) from license_keys) as keys, (select count(*) from audit_entries) as audits`)

async function sellSomething(store: TestStore): Promise<void> {
  const shop = await openShop(store)
  const product = await shop.product({ stock: 5 })
  const buyer = await shop.buyer({ balance: 500 })
  await buyer.api.orders.place({ productId: product._id, duration: '10 Days', quantity: 2 })
  await shop.owner.api.pictures.saveOfProduct({ id: product._id, data: base64(webp(320, 320, 5_000)) })
}

const pictureOf = (db: Queries) =>
  db.one(sql(z.object({ name: z.string(), bytes: z.instanceof(Buffer) }))`select name, bytes from pictures`)

async function withEmptyDatabase<T>(
  work: (connection: DatabaseOptions['connection'], name: string) => Promise<T>,
): Promise<T> {
  const name = `chaabi_restored_${newId().replaceAll('-', '')}`
  const { connection } = inject('engine')
  await administer(connection, `create database ${name} template template0`)
  try {
    return await work(ownerOf(name), name)
  } finally {
    await administer(connection, `drop database if exists ${name} with (force)`)
  }
}

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
  withStore((store) =>
    withPlace(store, async (place) => {
      await sellSomething(store)
      const file = await backUp(place, new Date('2026-11-21T12:00:00Z'))
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
    }),
  ))

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

test('a store with data is not written over by accident, and a passphrase brings the secrets along', () =>
  withStore((store) =>
    withPlace(
      store,
      async (place) => {
        await sellSomething(store)
        const file = await backUp(place, new Date('2026-11-21T12:00:00Z'))
        await expect(restore(place, file, { replace: false })).rejects.toThrow('The store is running on this database')

        await withEmptyDatabase(async (owner) => {
          const there = { ...place, owner, secrets: [Buffer.alloc(32, 1)] }
          await restore(there, file, { replace: false })
          await expect(restore(there, file, { replace: false })).rejects.toThrow('already has data')
          await restore(there, file, { replace: true })
        })
        expect(await readFile(path.join(place.dataDir, 'secret.key.from-backup'), 'utf8')).toBe(
          SECRET.toString('base64'),
        )
      },
      'a passphrase of mine',
    ),
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
    { sealer: (db) => openSealer(db, [SECRET]) },
  ))

test('a store that has no secret yet takes those that a backup under a passphrase brings', () =>
  withStore((store) =>
    withPlace(
      store,
      async (place) => {
        await sellSomething(store)
        const file = await backUp(place, new Date('2026-11-21T12:00:00Z'))
        await withEmptyDatabase((owner) => restore({ ...place, owner, secrets: [] }, file, { replace: false }))
        expect(await readFile(path.join(place.dataDir, 'secret.key'), 'utf8')).toBe(SECRET.toString('base64'))
        await expect(
          restore({ ...place, secrets: [], passphrase: undefined }, file, { replace: true }),
        ).rejects.toThrow('No secret key found to open this backup')
      },
      'a passphrase of mine',
    ),
  ))

test('a backup of before a rotation brings its old secret key back behind the new one, also under a passphrase', () =>
  withStore(
    (store) =>
      withPlace(
        store,
        async (place) => {
          await sellSomething(store)
          const file = await backUp(place, new Date('2026-11-21T12:00:00Z'))
          const newest = newSecret([SECRET])
          await replaceSecretFile(secretFile(place.dataDir), [newest])
          await replaceSecretFile(retiredSecretFile(place.dataDir), [SECRET])

          await withEmptyDatabase((owner) => restore({ ...place, owner, secrets: [newest] }, file, { replace: false }))

          expect(await readFile(secretFile(place.dataDir), 'utf8')).toBe(
            [newest, SECRET].map((each) => each.toString('base64')).join(),
          )
          expect(await readdir(place.dataDir)).not.toContain('secret.key.from-backup')
        },
        'a passphrase of mine',
      ),
    { sealer: (db) => openSealer(db, [SECRET]) },
  ))

const Access = z.object({ sessions: z.number(), proofs: z.number(), links: z.number(), devices: z.number() })
/** Whatever lets somebody in without a password. */
const access = (db: Queries) =>
  db.one(sql(Access)`
    select (select count(*) from user_sessions where ended_at is null) +
           (select count(*) from admin_sessions where ended_at is null) as sessions,
           (select count(*) from admin_sessions where proven_at is not null) as proofs,
           (select count(*) from password_resets where used_at is null) +
           (select count(*) from telegram_links where revoked_at is null) as links,
           (select count(*) from users where device_hash is not null) as devices`)

test('who was logged in when a backup was made is not after it was restored, and logs in again, on any device', () =>
  withStore((store) =>
    withPlace(store, async (place) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer({ balance: 500 })
      await shop.owner.api.admins.stepUp({ password: OWNER.password })
      const link = await shop.owner.post(`/admin/users/${buyer.id}/reset-link`)
      expect(link.status).toBe(200)
      await store.db.run(sql`
        insert into telegram_links (id, admin_id, role, chat_id, from_id, created_at, expires_at)
        select ${newId()}, id, role, 7, 7, now(), now() + interval '90 days' from admins`)
      expect(await access(store.db)).toEqual({ sessions: 2, proofs: 1, links: 2, devices: 1 })
      const file = await backUp(place, new Date('2026-11-21T12:00:00Z'))

      await withEmptyDatabase(async (owner, name) => {
        const said: string[] = []
        await restore({ ...place, owner, say: (line) => void said.push(line) }, file, { replace: false })

        expect(said.join('\n')).toMatch(
          /^All users and admins are logged out\. Passwords, .* are as of 2026-11-21T12:00:00\.000Z\. /m,
        )
        expect(await asOwner(owner, access)).toEqual({ sessions: 0, proofs: 0, links: 0, devices: 0 })
        await asOwner(owner, async (db) => expect(await findBroken(db, MIGRATIONS)).toEqual([]))
        await asOwner(owner, async (db) => expect(await verifyAuditChain(db)).toEqual([]))
        await withSecondNode({ ...store, databaseName: name }, async ({ url }) => {
          expect((await copyOf(url, buyer).get('/auth/me')).body).toMatchObject({ code: 'SESSION_EXPIRED' })
          expect((await copyOf(url, shop.owner).get('/admin/stats')).status).toBe(401)
          const elsewhere = openBrowser(url)
          expect((await logIn(elsewhere, buyer.username)).status).toBe(200)
          expect((await elsewhere.get('/auth/me')).status).toBe(200)
        })
      })
    }),
  ))

test('a restored store credits nothing by itself until its owner says so, not even on the word of a lost phone', () =>
  withStore((store) =>
    withPlace(store, async (place) => {
      const shop = await openShop(store)
      const { token } = await phone(shop)
      await shop.owner.api.bank.saveRules(rules({ mode: 'auto', trusts: 'phone' }))
      const utr = nextUtr()
      const { payment } = await (
        await shop.buyer()
      ).api.payments.addMoney({ amount: 500, utr, payerName: '9876543210' })
      const file = await backUp(place, new Date('2026-11-21T12:00:00Z'))

      await withEmptyDatabase(async (owner, name) => {
        const said: string[] = []
        await restore({ ...place, owner, say: (line) => void said.push(line) }, file, { replace: false })

        await withSecondNode({ ...store, databaseName: name }, async ({ url }) => {
          const alert = JSON.stringify({ from: 'VM-HDFCBK-S', text: alertOf({ ref: utr, amount: '500.00' }) })
          const heard = await openBrowser(url).call('POST', '/bank/alerts', alert, { authorization: `Bearer ${token}` })
          expect(heard.body).toEqual({ outcome: 'ignored' })
          const { api } = openBrowser(url)
          await api.sessions.adminLogin(OWNER)
          const why = 'The store was restored from a backup'
          expect(await api.bank.rules({})).toMatchObject({ mode: 'propose', offWhy: why })
          expect((await api.bank.alarms({ open: true })).alarms).toMatchObject([{ kind: 'automation-off' }])
          expect((await api.bank.devices({})).devices).toMatchObject([{ pausedWhy: why, endedAt: null }])
          const { payments } = await api.payments.list({})
          expect(payments.find(({ _id }) => _id === payment._id)).toMatchObject({ status: 'pending' })
        })
        expect(said.join('\n')).toContain('Automatic approval is off, and the phones of the bank inbox are paused')
      })
    }),
  ))

test('an account that was closing at the backup is not erased before its buyer can keep it again', () =>
  withStore((store) =>
    withPlace(store, async (place) => {
      const shop = await openShop(store)
      const buyer = await shop.buyer()
      await store.db.run(sql`update users set closes_at = '2026-11-22' where id = ${buyer.id}`)
      const file = await backUp(place, new Date('2026-11-21T12:00:00Z'))

      await withEmptyDatabase(async (owner) => {
        await restore({ ...place, owner }, file, { replace: false })
        const after = (days: number) => new Date(machineClock.now().getTime() + days * 86_400_000)
        await asOwner(owner, async (db) =>
          expect(await closeDueAccounts(db, after(6))).toEqual({ closed: 0, heldUp: 0 }),
        )
        await asOwner(owner, async (db) => expect(await closeDueAccounts(db, after(8))).toMatchObject({ closed: 1 }))
      })
    }),
  ))

const asOwner = async <T>(owner: DatabaseOptions['connection'], work: (db: Database) => Promise<T>): Promise<T> => {
  const db = openDatabase({ connection: owner, poolSize: 1 })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}
const countProducts = (db: Queries) =>
  db.one(sql(z.object({ products: z.number() }))`select count(*) as products from products`)

test('what is restored has the rights and settings of what was there, which is kept beside it', () =>
  withStore((store) =>
    withPlace(store, async (place) => {
      await sellSomething(store)
      const file = await backUp(place, new Date('2026-11-21T12:00:00Z'))
      await withEmptyDatabase(async (owner, name) => {
        const said: string[] = []
        const there = { ...place, owner, say: (line: string) => void said.push(line) }
        await restore(there, file, { replace: false })
        await asOwner(owner, (db) => db.run(sql`delete from products where id not in (select product_id from orders)`))
        await asOwner(owner, (db) =>
          db.run(sql`insert into products (id, name, created_at) values (${newId()}, 'Newer', now())`),
        )
        await administer(inject('engine').connection, `alter database ${name} set statement_timeout = '77s'`)
        await administer(inject('engine').connection, `revoke connect on database ${name} from public`)

        await restore(there, file, { replace: true })

        expect(await asOwner(owner, countProducts)).toEqual({ products: 1 })
        const Rights = z.object({ sells: z.boolean(), rewrites: z.boolean(), anybody: z.boolean(), limit: z.string() })
        const rights = await asOwner(owner, (db) =>
          db.one(sql(Rights)`
            select has_table_privilege('chaabi_app', 'orders', 'insert') as sells,
                   has_table_privilege('chaabi_app', 'wallet_entries', 'update') as rewrites,
                   (select count(*) > 0 from pg_database, aclexplode(datacl) acl
                     where datname = current_database() and acl.grantee = 0
                       and acl.privilege_type = 'CONNECT') as anybody,
                   (select setconfig[1] from pg_db_role_setting join pg_database on oid = setdatabase
                     where datname = current_database()) as limit`),
        )
        expect(rights).toEqual({ sells: true, rewrites: false, anybody: false, limit: 'statement_timeout=77s' })
        const [first = '', second = ''] = said.flatMap((line) => /replaced_\w+/.exec(line) ?? [])
        expect(await asOwner(ownerOf(second), countProducts)).toEqual({ products: 2 })
        const kept = () => asOwner(owner, listReplaced)
        expect((await kept()).map((each) => each.name)).toEqual(expect.arrayContaining([first, second]))
        await forgetReplaced(there)
        expect(await kept()).toEqual([])
      })
    }),
  ))

test('a restore that ends before its last step has changed nothing, and leaves nothing behind', () =>
  withStore((store) =>
    withPlace(store, async (place) => {
      await sellSomething(store)
      const file = await backUp(place, new Date('2026-11-21T12:00:00Z'))
      await withEmptyDatabase(async (owner) => {
        const databases = () =>
          asOwner(owner, (db) =>
            db.rows(sql(z.object({ name: z.string() }))`
              select datname as name from pg_database
               where datname like 'chaabi_proof_%' or datname like 'replaced_%'`),
          )
        const before = await databases()
        const say = (line: string) => {
          if (line.startsWith('Checked the backup')) throw new Error('cut short')
        }
        await expect(restore({ ...place, owner, say }, file, { replace: false })).rejects.toThrow('cut short')
        const there = await asOwner(owner, (db) =>
          db.one(sql(z.object({ users: z.nullable(z.string()) }))`select to_regclass('users')::text as users`),
        )
        expect(there).toEqual({ users: null })
        expect(await databases()).toEqual(before)
      })
    }),
  ))

test('who has hung up just now is not taken for a store that runs, and who stays is', () =>
  withStore((store) =>
    withPlace(store, async (place) => {
      await sellSomething(store)
      const file = await backUp(place, new Date('2026-11-21T12:00:00Z'))
      await withEmptyDatabase(async (owner) => {
        const last = openDatabase({ connection: owner, poolSize: 1 })
        await last.run(sql`select 1`)
        await expect(restore({ ...place, owner }, file, { replace: false })).rejects.toThrow('The store is running')
        const hangingUp = sleep(500).then(() => last.close())
        await restore({ ...place, owner }, file, { replace: false })
        await hangingUp
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
          await examine(store.db, { ...second, say: (line) => void said.push(line) }, machineClock)
          return said.join('\n')
        }
        expect(await ask()).toContain('WARNING No backup yet.')

        await backUp(first, machineClock.now())

        expect(await listBackups(second.dataDir, machineClock.now())).toEqual([])
        expect(await ask()).toMatch(/^ok {6}Last backup: 0\.0 hours ago\.$/m)
      }),
    ),
  ))
