/** The secrets that a store accepts, when it starts and while it runs. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import pg from 'pg'
import * as z from 'zod/mini'
import { withDatabase } from '../../../test/database.ts'
import { startPrimary, urlOf } from '../../../test/worlds/engine-pair.ts'
import { openDatabase, sql, type Database } from '../database/database.ts'
import { migrate } from '../database/migrations.ts'
import { rotateKeys } from '../../operations/rotate-keys.ts'
import { newId } from '../ids.ts'
import { newSecret, openNodeSealer, openSealer, replaceSecretFile } from './secret-keys.ts'
import { secretFile, SECRETS_FOLLOWED_MS } from './secret-keys.ts'

async function withDirectory(work: (db: Database, dataDir: string) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'chaabi-secrets-'))
  try {
    await withDatabase((db) => work(db, dataDir))
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

test('a second node without the first one’s secret is told to set SECRET_KEY, also when both start at once', () =>
  withDirectory(async (db, dataDir) => {
    const first = path.join(dataDir, 'first')
    const other = path.join(dataDir, 'other')
    const starts = await Promise.allSettled([openNodeSealer(db, first), openNodeSealer(db, other)])
    const refused = starts.filter((start) => start.status === 'rejected')
    expect(refused).toHaveLength(1)
    expect(String(refused[0]?.reason)).toContain('Set SECRET_KEY to the same value on every node')
    await expect(openNodeSealer(db, path.join(dataDir, 'third'))).rejects.toThrow('Set SECRET_KEY to the same value')
  }))

test('a second machine without SECRET_KEY is refused, also with a copy of the first one’s file', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'chaabi-secrets-'))
  const engine = await startPrimary(path.join(dataDir, 'postgres'))
  const connectionString = urlOf(engine)
  const role = await migrate({ connectionString }, 'server/migrations', () => {})
  const db = openDatabase({ connection: connectionString, role: role!, poolSize: 1 })
  // A socket has another address than the network
  const { host, port, user, database } = engine
  const first = new pg.Client({ host, port, user, database, application_name: 'chaabi' })
  try {
    await openNodeSealer(db, dataDir)
    await first.connect()
    await expect(openNodeSealer(db, dataDir)).rejects.toThrow(
      'Another node works on this database (beside the database). Set SECRET_KEY to the same value on every node.',
    )
  } finally {
    await Promise.all([first.end(), db.close()])
    await engine.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})

const rotate = (db: Database, dataDir: string, secretKeys?: readonly Buffer[]) =>
  rotateKeys(db, { dataDir, secretKeys, settleMs: 0, say: () => {} }, async () => new Date('2026-11-21T12:00:00Z'))

const SealedRow = z.object({ sealed: z.instanceof(Buffer) })

const ID = newId()

const untilLookedAgain = () => sleep(SECRETS_FOLLOWED_MS + 50)

test('a new store makes its secret, and one that has sealed something says that it is missing', () =>
  withDirectory(async (db, dataDir) => {
    const file = secretFile(dataDir)
    const sealed = (await openSealer(db, dataDir)).seal('key', ID, 'KEY-1')
    const secret = await readFile(file, 'utf8')
    await rm(file)

    await expect(openSealer(db, dataDir)).rejects.toThrow('Put your copy of secret.key back')

    expect(await readdir(dataDir)).toEqual([])
    await writeFile(file, secret)
    expect((await openSealer(db, dataDir)).open('key', ID, sealed)).toBe('KEY-1')
  }))

test('a running store does not follow to a secret that is not its own, and seals nothing until that is mended', () =>
  withDirectory(async (db, dataDir) => {
    const file = secretFile(dataDir)
    const sealer = await openSealer(db, dataDir)
    const before = sealer.seal('key', ID, 'KEY-1')
    const secret = await readFile(file, 'utf8')
    await rm(file)
    await untilLookedAgain()
    expect(() => sealer.seal('key', ID, 'KEY-2')).toThrow('Put your copy of secret.key back')
    await replaceSecretFile(file, [newSecret([])])

    expect(() => sealer.seal('key', ID, 'KEY-2')).toThrow('doesn’t match this database')

    expect(sealer.open('key', ID, before)).toBe('KEY-1')
    await writeFile(file, secret)
    const after = sealer.seal('key', ID, 'KEY-2')
    expect((await openSealer(db, dataDir)).open('key', ID, after)).toBe('KEY-2')
  }))

test('a running store that has sealed nothing during a rotation follows it all the same', () =>
  withDirectory(async (db, dataDir) => {
    const sealer = await openSealer(db, dataDir)
    sealer.seal('key', ID, 'KEY-1')
    await rotate(db, dataDir)
    await untilLookedAgain()

    const sealed = sealer.seal('key', ID, 'KEY-2')

    expect((await openSealer(db, dataDir)).open('key', ID, sealed)).toBe('KEY-2')
    // Also when the retired secret is gone by then, for what the database holds proves the new one
    const [fingerprint] = await db.rows(sql(SealedRow)`select sealed from sealed_secrets`)
    await rotate(db, dataDir)
    await rm(`${secretFile(dataDir)}.retired`)
    const [anew] = await db.rows(sql(SealedRow)`select sealed from sealed_secrets`)
    expect(anew).not.toEqual(fingerprint)
    await untilLookedAgain()
    expect(() => sealer.seal('key', ID, 'KEY-3')).toThrow('doesn’t match this database')
    sealer.open('secret', 'fingerprint', anew?.sealed ?? Buffer.alloc(0))
    expect((await openSealer(db, dataDir)).open('key', ID, sealer.seal('key', ID, 'KEY-3'))).toBe('KEY-3')
  }))

test('a rotation makes no secret for a store whose own is missing or another one, and writes nothing', () =>
  withDirectory(async (db, dataDir) => {
    const own = newSecret([])
    await openSealer(db, [own])
    const before = await db.rows(sql(SealedRow)`select sealed from sealed_secrets`)

    await expect(rotate(db, dataDir)).rejects.toThrow('is missing')
    expect(await readdir(dataDir)).toEqual([])

    const other = newSecret([own])
    await replaceSecretFile(secretFile(dataDir), [other])
    await expect(rotate(db, dataDir)).rejects.toThrow('doesn’t match this database')
    expect(await readFile(secretFile(dataDir), 'utf8')).toBe(other.toString('base64'))

    await expect(rotate(db, dataDir, [newSecret([own, other]), other])).rejects.toThrow('doesn’t match this database')
    expect(await db.rows(sql(SealedRow)`select sealed from sealed_secrets`)).toEqual(before)
  }))
