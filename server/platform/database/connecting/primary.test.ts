/** Several servers in DATABASE_URL, on two real engines: one primary and the standby that follows it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { ownAddress, promote, startPrimary, startStandby, urlOf } from '../../../../test/worlds/engine-pair.ts'
import { openDatabase, sql } from '../database.ts'
import { openDirectly } from './direct-connection.ts'
import { lookAgain, onServers, serversOf, splitServers } from './primary.ts'

const directories: string[] = []
afterAll(() => Promise.all(directories.map((each) => rm(each, { recursive: true, force: true }))))

test('several servers are read as libpq reads them, for the primary only', () => {
  expect(splitServers('postgres://u:p@db1:6000,db2,[::1]:6001/chaabi?sslmode=require')).toEqual([
    'postgres://u:p@db1:6000/chaabi?sslmode=require',
    'postgres://u:p@db2:5432/chaabi?sslmode=require',
    'postgres://u:p@[::1]:6001/chaabi?sslmode=require',
  ])
  for (const wanted of ['read-write', 'primary'])
    expect(splitServers(`postgres://u@a,b/c?target_session_attrs=${wanted}`)).toEqual([
      'postgres://u@a:5432/c',
      'postgres://u@b:5432/c',
    ])
  for (const wanted of ['any', 'standby', 'prefer-standby', 'read-only'])
    expect(() => splitServers(`postgres://u@a,b/c?target_session_attrs=${wanted}`)).toThrow('needs the primary')
  for (const wrong of [
    'postgres://u@a,/c',
    'postgres://u@a:x,b/c',
    'postgres:///c?host=a,b',
    'postgres://u@a,b/c?host=d',
  ])
    expect(() => splitServers(wrong), wrong).toThrow('must look like')
  expect(onServers('postgres://u:p@a,b:1/c?x=1', 'other')).toBe('postgres://u:p@a,b:1/other?x=1')
})

test('the store works on the primary, refuses a standby in words, and goes on when it is promoted', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'chaabi-pair-'))
  directories.push(directory)
  const first = await startPrimary(path.join(directory, 'a/postgres'))
  const second = await startStandby(first, path.join(directory, 'b/postgres'), { synchronous: true })
  const silent = { address: ownAddress() }
  const swallow = createServer().listen(5432, silent.address)
  const db = openDatabase({ connection: urlOf(second, first), poolSize: 2 })
  const onlyStandby = openDatabase({ connection: urlOf(second), poolSize: 1 })
  const port = async () => (await db.one(sql(z.object({ at: z.string() }))`select host(inet_server_addr()) as at`)).at
  try {
    await openDirectly(urlOf(second, first))
    await expect(openDirectly(urlOf(second))).rejects.toThrow(/names a standby.*Name the primary/)
    await expect(onlyStandby.run(sql`select`)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await db.run(sql`create table kept (n int)`)
    await db.run(sql`insert into kept values (1)`)
    expect(await port()).toBe(first.address)

    await first.stop()
    await expect(db.run(sql`insert into kept values (2)`)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await expect(openDirectly(urlOf(first, second))).rejects.toThrow(
      `No server in DATABASE_URL is a primary: ${first.address}:5432 does not answer (ECONNREFUSED), ` +
        `${second.address}:5432 is a standby.`,
    )
    await expect(openDirectly(urlOf(first, second).replace('chaabi_owner', 'stranger'))).rejects.toThrow(
      `${second.address}:5432 refuses (role "stranger" does not exist).`,
    )
    const search = lookAgain(serversOf(urlOf(silent, second))!)
    await promote(second)

    // The server that says nothing holds up nobody, and the standby is asked until it is the primary
    expect(await search).toBe(true)
    await expect.poll(() => port().catch(() => undefined), { timeout: 5_000 }).toBe(second.address)
    expect(await db.rows(sql(z.object({ n: z.number() }))`select n from kept`)).toEqual([{ n: 1 }])
  } finally {
    await Promise.all([db.close(), onlyStandby.close()])
    swallow.close()
    await Promise.all([first.stop(), second.stop()])
  }
})

test('a connection whose engine became read-only is given up', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'chaabi-demoted-'))
  directories.push(directory)
  const engine = await startPrimary(path.join(directory, 'postgres'))
  const db = openDatabase({ connection: urlOf(engine), poolSize: 1 })
  const pid = async () => (await db.one(sql(z.object({ pid: z.number() }))`select pg_backend_pid() as pid`)).pid
  try {
    const before = await pid()
    await db.run(sql`set default_transaction_read_only = on`)
    await expect(db.run(sql`create table refused (n int)`)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(await pid()).not.toBe(before)
    await db.run(sql`create table taken (n int)`)
  } finally {
    await db.close()
    await engine.stop()
  }
})
