/** Databases to make backups of, and to restore them into. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as z from 'zod/mini'
import { inject } from 'vitest'
import { administer, inDatabase } from '../engine.ts'
import { base64, webp } from '../pictures.ts'
import { openShop } from './shop.ts'
import { withStore, type StoreOptions, type TestStore } from '../store.ts'
import { backUp, type BackupPlace } from '../../server/backup/backup-store.ts'
import {
  openDatabase,
  sql,
  type Database,
  type DatabaseOptions,
  type Queries,
} from '../../server/platform/database/database.ts'
import { newId } from '../../server/platform/ids.ts'

export const MIGRATIONS = path.resolve('server/migrations')

export const SECRET = Buffer.alloc(32, 7)

export function ownerOf(database: string): DatabaseOptions['connection'] {
  const { connection } = inject('engine')
  const given = inDatabase(connection, database)
  return given.connectionString ?? (given as Exclude<DatabaseOptions['connection'], string>)
}

export async function withPlace<T>(
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

export const sums = (db: Queries) =>
  db.one(sql(Sums)`
    select (select sum(balance_paise) from wallets)::bigint as balances, (select count(*) from orders) as orders,
           (select count(*) from license_keys) as keys, (select count(*) from audit_entries) as audits`)

export async function sellSomething(store: TestStore): Promise<void> {
  const shop = await openShop(store)
  const product = await shop.product({ stock: 5 })
  const buyer = await shop.buyer({ balance: 500 })
  await buyer.api.orders.place({ productId: product._id, duration: '10 Days', quantity: 2 })
  await shop.owner.api.pictures.saveOfProduct({ id: product._id, data: base64(webp(320, 320, 5_000)) })
}

/** Makes a backup of a store that has sold something. */
export const withBackup = (
  work: (file: string, place: BackupPlace) => Promise<void>,
  { passphrase, ...options }: StoreOptions & { passphrase?: string } = {},
): Promise<void> =>
  withStore((store) => {
    const fill = async (place: BackupPlace) => {
      await sellSomething(store)
      await work(await backUp(place, new Date('2026-11-21T12:00:00Z')), place)
    }
    return withPlace(store, fill, passphrase)
  }, options)

export const pictureOf = (db: Queries) =>
  db.one(sql(z.object({ name: z.string(), bytes: z.instanceof(Buffer) }))`select name, bytes from pictures`)

export async function withEmptyDatabase<T>(
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

export const asOwner = async <T>(
  owner: DatabaseOptions['connection'],
  work: (db: Database) => Promise<T>,
): Promise<T> => {
  const db = openDatabase({ connection: owner, poolSize: 1 })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

export const countProducts = (db: Queries) =>
  db.one(sql(z.object({ products: z.number() }))`select count(*) as products from products`)
