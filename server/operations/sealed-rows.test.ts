/** Encrypted values stay in their rows (security.md: 11.3.2, 11.3.3). */
import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { cloneDatabase } from '../../test/database.ts'
import { inDatabase } from '../../test/engine.ts'
import { unique } from '../../test/worlds/constants.ts'
import { openForUpkeep } from '../backup/upkeep-databases.ts'
import { prepared, sql, type Database } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { newSecret, openSealer, sealerOf } from '../platform/secrets/secret-keys.ts'
import { readSealed, SEALED_COLUMNS, type SealedColumn } from '../platform/secrets/sealed-columns.ts'
import { BOUND_MARK, createSealer, secretId, type Sealer } from '../platform/secrets/sealing.ts'
import { examine } from './doctor.ts'
import { rotateKeys } from './rotate-keys.ts'

const Column = z.object({ name: z.string(), type: z.string() })

/** Any value of a type, unlike all others of the run. */
const anyOf = (type: string): string =>
  type === 'uuid'
    ? `'${newId()}'`
    : type === 'bytea'
      ? `'\\x${randomBytes(32).toString('hex')}'`
      : type === 'text'
        ? `'${unique('x')}'`
        : type === 'jsonb'
          ? `'{}'`
          : type.startsWith('timestamp') || type === 'date'
            ? 'now()'
            : type === 'boolean'
              ? 'false'
              : type === 'ARRAY'
                ? `'{}'`
                : `'${randomBytes(3).readUIntBE(0, 3)}'`

/** Two rows of the table, with nothing but what must be there. Works as the owner, without rules about values. */
async function givenRows(owner: Database, { table, key, column }: SealedColumn): Promise<string[]> {
  const columns = await owner.rows(
    sql(Column)`select column_name as name, data_type as type from information_schema.columns
       where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER' and is_identity = 'NO'
         and (is_nullable = 'NO' and column_default is null or column_name in (${column}, 'endpoint_hash'))`,
  )
  const names = columns.map(({ name }) => name).join(', ')
  const rows = [0, 1].map(() => `(${columns.map(({ type }) => anyOf(type)).join(', ')})`).join(', ')
  return owner.transaction(async (tx) => {
    await tx.run(prepared('set local session_replication_role = replica'))
    return tx.texts(prepared(`insert into ${table} (${names}) values ${rows} returning ${key}::text`))
  })
}

async function fill(owner: Database, target: SealedColumn, sealer: Sealer): Promise<string[]> {
  const keys = await givenRows(owner, target)
  const { table, key, column, purpose, fingerprint } = target
  const rows = await readSealed(owner, target, sql`${prepared(key)}::text = any(${keys}::text[])`)
  for (const [n, { key: id, row }] of rows.entries()) {
    const text = `${table} ${n}`
    await owner.run(sql`
      update ${prepared(table)} set ${prepared(column)} = ${sealer.seal(purpose, row, text)}
        ${fingerprint === undefined ? prepared('') : sql`, ${prepared(fingerprint)} = ${sealer.fingerprint(text)}`}
       where ${prepared(key)}::text = ${id}`)
  }
  return keys
}

const swap = ({ table, key, column }: SealedColumn, keys: readonly string[]) => sql`
  update ${prepared(table)} target
     set ${prepared(column)} = other.${prepared(column)}
    from ${prepared(table)} other
   where target.${prepared(key)}::text = any(${keys}::text[]) and other.${prepared(key)}::text = any(${keys}::text[])
     and target.${prepared(key)} <> other.${prepared(key)}`

/** As an older version encrypted. */
function unboundForm(secret: Buffer, text: string, nonce = randomBytes(12)): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'chaabi sealing', 32))
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  return Buffer.concat([
    Buffer.of(secretId(secret)),
    nonce,
    cipher.update(text, 'utf8'),
    cipher.final(),
    cipher.getAuthTag(),
  ])
}

async function withRows(work: (world: World) => Promise<void>): Promise<void> {
  const { name, drop } = await cloneDatabase(inject('engine'))
  const given = inDatabase(inject('engine').connection, name)
  const owner = openForUpkeep(given.connectionString ?? (given as Parameters<typeof openForUpkeep>[0]))
  try {
    const secret = newSecret([])
    const sealer = await openSealer(owner, [secret])
    for (const rule of await owner.texts(
      prepared(`select format('alter table %s drop constraint %I', conrelid::regclass, conname) from pg_constraint
                 where contype = 'c' and connamespace = 'public'::regnamespace`),
    ))
      await owner.run(prepared(rule))
    await work({ owner, secret, sealer })
  } finally {
    await owner.close()
    await drop()
  }
}

interface World {
  owner: Database
  secret: Buffer
  sealer: Sealer
}

async function doctor(db: Database, secrets: readonly Buffer[]): Promise<string> {
  const said: string[] = []
  const place = { migrations: path.resolve('server/migrations'), dataDir: tmpdir(), secrets }
  await examine(db, { ...place, say: (line) => void said.push(line) })
  return said.filter((line) => line.includes('ncrypted values')).join('\n')
}

test('a value that was swapped with another row’s is opened nowhere, and the doctor names both rows', () =>
  withRows(async ({ owner, secret, sealer }) => {
    for (const target of SEALED_COLUMNS) {
      const { table, column, purpose } = target
      const keys = await fill(owner, target, sealer)
      const own = sql`${prepared(target.key)}::text = any(${keys}::text[])`
      for (const { row, sealed } of await readSealed(owner, target, own))
        expect(sealer.open(purpose, row, sealed)).toMatch(`${table} `)
      expect(await doctor(owner, [secret])).toMatch(/^ok .*all in their rows\.$/)

      await owner.run(swap(target, keys))

      for (const { row, sealed } of await readSealed(owner, target, own))
        expect(() => sealer.open(purpose, row, sealed), `${table}.${column}`).toThrow()
      const said = await doctor(owner, [secret])
      expect(said).toMatch(new RegExp(`^BROKEN Somebody changed .*: 2\\. They are in ${table}\\.${column}: `))
      for (const key of keys) expect(said).toContain(key)
      await owner.run(swap(target, keys))
    }
  }))

test('a value from before is read until the secret key is rotated, and refused after that', () =>
  withRows(async ({ owner, secret, sealer }) => {
    const [target] = SEALED_COLUMNS
    if (!target) throw new Error('There is no column')
    const [id = ''] = await fill(owner, target, sealer)
    const before = unboundForm(secret, 'license_keys old')
    await owner.run(sql`
      update license_keys set sealed = ${before}, fingerprint = ${sealer.fingerprint('license_keys old')}
       where id = ${id}`)
    expect(sealer.open('key', id, before)).toBe('license_keys old')
    expect(await doctor(owner, [secret])).toMatch(/^ok .*1 from an older version could be swapped unnoticed/)

    const next = newSecret([secret])
    const place = { dataDir: tmpdir(), secretKeys: [next, secret], settleMs: 0, say: () => {} }
    await rotateKeys(owner, place, async () => new Date())

    const anew = await sealerOf(owner, [next])
    const [row] = await readSealed(owner, target, sql`id = ${id}`)
    expect(anew.open('key', id, row?.sealed ?? Buffer.of())).toBe('license_keys old')
    expect(() => anew.open('key', newId(), row?.sealed ?? Buffer.of())).toThrow()
    expect(() => anew.open('key', id, before)).toThrow('Encrypted with a key that is not here')
    expect(await doctor(owner, [next])).toMatch(/^ok .*all in their rows\.$/)
  }))

test('a key whose text is not that of its fingerprint is found, in the form from before, too', () =>
  withRows(async ({ owner, secret, sealer }) => {
    const [target] = SEALED_COLUMNS
    if (!target) throw new Error('There is no column')
    const keys = await fill(owner, target, sealer)
    for (const [n, id] of keys.entries())
      await owner.run(
        sql`update license_keys set sealed = ${unboundForm(secret, `license_keys ${n}`)} where id = ${id}`,
      )
    await owner.run(swap(target, keys))

    expect(await doctor(owner, [secret])).toMatch(/^BROKEN Somebody changed .*: 2\. They are in license_keys\.sealed/)
  }))

test('a value from before is read, even if its nonce begins like the mark of those that are bound', () => {
  const secret = newSecret([])
  const nonce = Buffer.concat([Buffer.of(BOUND_MARK), randomBytes(11)])
  expect(createSealer([secret]).open('key', newId(), unboundForm(secret, 'AAAA-1', nonce))).toBe('AAAA-1')
})
