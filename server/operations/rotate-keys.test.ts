/** New secrets while the store sells (security.md: 11.3.2, 11.3.3). */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { codeOf, enrolled } from '../../test/worlds/admins.ts'
import { openShop, type Shop } from '../../test/worlds/shop.ts'
import { startStore, type TestStore } from '../../test/store.ts'
import { unique } from '../../test/worlds/constants.ts'
import { readSecretKeys } from '../platform/secrets/read-secret-keys.ts'
import { prepared, sql, type Database } from '../platform/database/database.ts'
import { secretId } from '../platform/secrets/sealing.ts'
import { SEALED_COLUMNS } from '../platform/secrets/sealed-columns.ts'
import { rotateKeys } from './rotate-keys.ts'
import { newSecret, openSealer, ownSecretKeys, secretFile } from '../platform/secrets/secret-keys.ts'

interface World {
  store: TestStore
  shop: Shop
  dataDir: string
  secrets(): Promise<Buffer[]>
  rotate(say?: (line: string) => void): Promise<void>
}

/** A store that follows the secrets of a data directory, as one that was started does. */
async function withWorld(work: (world: World) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'chaabi-rotation-'))
  const store = await startStore(inject('engine'), { sealer: (db) => openSealer(db, dataDir) })
  try {
    const shop = await openShop(store)
    const place = { dataDir, secretKeys: undefined, settleMs: 1_500 }
    await work({
      store,
      shop,
      dataDir,
      secrets: async () => readSecretKeys(await readFile(secretFile(dataDir), 'utf8')),
      rotate: (say = () => {}) => rotateKeys(store.db, { ...place, say }, async () => store.clock.now()),
    })
  } finally {
    await store.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** How many sealed values there are by the first byte of each, which names the secret. */
async function countBySecret(db: Database): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { table, column } of SEALED_COLUMNS) {
    const rows = await db.rows(
      sql(z.object({ id: z.number(), n: z.number() }))`${prepared(
        `select get_byte(${column}, 0) as id, count(*) as n from ${table} where ${column} is not null group by 1`,
      )}`,
    )
    for (const { id, n } of rows) counts[id] = (counts[id] ?? 0) + n
  }
  return counts
}

describe('v5.0.0-11.3.3 new secrets', () => {
  test('seal everything anew while buyers buy, admins import and log in, and none of them notices', () =>
    withWorld(async ({ store, shop, secrets, rotate, dataDir }) => {
      const product = await shop.product({ stock: 700 })
      const { admin, secret } = await enrolled(shop)
      const before = await secrets()
      const buyers = await Promise.all(Array.from({ length: 4 }, () => shop.buyer({ balance: 100_000 })))
      const bought: string[] = []
      const imported: string[] = []
      const ended = new AbortController()
      const buy = async (buyer: (typeof buyers)[number]) => {
        while (!ended.signal.aborted) {
          const { keys } = await buyer.api.orders.place({ productId: product._id, duration: '10 Days', quantity: 1 })
          bought.push(...keys.map((key) => key.key))
        }
      }
      const stock = async () => {
        while (!ended.signal.aborted) {
          const texts = Array.from({ length: 20 }, () => unique('LATE-'))
          imported.push(...texts)
          await shop.owner.api.keys.add({ productId: product._id, duration: '10 Days', keys: texts })
        }
      }
      const working = Promise.all([...buyers.map(buy), stock()])

      await rotate()
      ended.abort()
      await working

      const after = await secrets()
      expect(after).toHaveLength(1)
      expect(after[0]?.equals(before[0] ?? Buffer.alloc(0))).toBe(false)
      expect(await readFile(`${secretFile(dataDir)}.retired`, 'utf8')).toBe(before[0]?.toString('base64'))
      expect(Object.keys(await countBySecret(store.db))).toEqual([String(secretId(after[0] ?? Buffer.alloc(0)))])
      expect(bought.length).toBeGreaterThan(10)
      expect(new Set(bought).size).toBe(bought.length)
      for (const text of bought) expect([...product.keyTexts, ...imported]).toContain(text)
      for (const buyer of buyers)
        expect((await buyer.api.keys.mine()).every((key) => bought.includes(key.key))).toBe(true)

      // A store that starts now has never seen the old secret
      const sealer = await openSealer(store.db, dataDir)
      const rows = await store.db.rows(sql(
        z.object({ id: z.string(), sealed: z.instanceof(Buffer), fingerprint: z.instanceof(Buffer) }),
      )`
        ${prepared('select id, sealed, fingerprint from license_keys')}`)
      const texts = rows.map((row) => sealer.open('key', row.id, row.sealed))
      expect(texts.toSorted()).toEqual([...product.keyTexts, ...imported].toSorted())
      // Equal texts are still found to be equal
      for (const [n, row] of rows.entries()) expect(sealer.fingerprint(texts[n] ?? '')).toEqual(row.fingerprint)
      const again = await shop.owner.post('/keys/bulk', {
        productId: product._id,
        duration: '10 Days',
        keys: product.keyTexts.slice(0, 3),
      })
      expect(again.body).toMatchObject({ code: 'DUPLICATE_KEYS', added: 0 })
      store.clock.advance(60_000)
      const login = { username: admin.username, password: 'a long owner password', totp: codeOf(shop, secret) }
      expect((await store.browser().post('/admin/login', login)).status).toBe(200)
    }))

  test('are the same ones after a rotation that was cut off, and the old one stays until nothing needs it', () =>
    withWorld(async ({ store, shop, secrets, rotate }) => {
      const { productId, keys } = await (async () => {
        const product = await shop.product({ stock: 1_200 })
        return { productId: product._id, keys: product.keyTexts }
      })()
      const [old = Buffer.alloc(0)] = await secrets()

      const cut = rotate((line) => {
        if (line === 'license_keys.sealed: 500') throw new Error('killed')
      })
      await expect(cut).rejects.toThrow('killed')

      const [next = Buffer.alloc(0), kept] = await secrets()
      expect(kept?.equals(old)).toBe(true)
      expect(await countBySecret(store.db)).toEqual({ [secretId(next)]: 500, [secretId(old)]: 701 })
      const read = await shop.owner.api.keys.list({ productId, duration: '10 Days' })
      expect(read.map((key) => key.key).toSorted()).toEqual(keys.toSorted())

      await rotate()

      expect((await secrets()).map((secret) => secret.toString('base64'))).toEqual([next.toString('base64')])
      expect(await countBySecret(store.db)).toEqual({ [secretId(next)]: 1_201 })
    }))

  test('of two rotations that begin at once make one secret', () =>
    withWorld(async ({ store, shop, secrets, rotate }) => {
      await shop.product({ stock: 20 })
      await Promise.all([rotate(), rotate()])
      const [only = Buffer.alloc(0), ...others] = await secrets()
      expect(others).toEqual([])
      expect(Object.keys(await countBySecret(store.db))).toEqual([String(secretId(only))])
    }))

  test('in SECRET_KEY are the operator’s: one alone is refused, a new one in front takes over', () =>
    withWorld(async ({ store, shop, dataDir }) => {
      await shop.product({ stock: 5 })
      const old = await ownSecretKeys(dataDir)
      const run = (secretKeys: Buffer[]) =>
        rotateKeys(store.db, { dataDir, secretKeys, settleMs: 0, say: () => {} }, async () => store.clock.now())
      await expect(run(old)).rejects.toThrow('SECRET_KEY=new,old')

      const next = newSecret(old)
      await run([next, ...old])

      expect(await countBySecret(store.db)).toEqual({ [secretId(next)]: 6 })
      await expect(openSealer(store.db, [next])).resolves.toBeDefined()
      await expect(openSealer(store.db, old)).rejects.toThrow('doesn’t match this database')
    }))

  test('reach every column that holds something sealed', () =>
    withWorld(async ({ store }) => {
      const columns = await store.db.texts(
        prepared(`
          select table_name || '.' || column_name from information_schema.columns
           where table_schema = 'public' and data_type = 'bytea' order by 1`),
      )
      const hashes = /hash|fingerprint|sha256|_key$|_session$|\.(?:bytes|card)$/
      expect(columns.filter((name) => !hashes.test(name))).toEqual(
        SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).toSorted(),
      )
    }))
})
