import { createServer, connect, type Socket } from 'node:net'
import { expect, inject, test } from 'vitest'
import { Refusal } from '../../contract/errors.ts'
import { inDatabase } from '../../test/engine.ts'
import { openDatabase, sql } from './database.ts'

interface Network {
  port: number
  /** What passes from now on arrives nowhere, and no end is told. */
  swallow(): void
  /** New connections come through; those of before stay dead. */
  heal(): void
  /** Those that there are die without a word; new ones come through. */
  cut(): void
  close(): void
}

/** A network between the store and its database. */
async function openNetwork(host: string, port: number): Promise<Network> {
  const sockets: Socket[] = []
  let passing = { on: true }
  const server = createServer((near) => {
    const far = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
    const own = passing
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.push(from)
      from.on('error', () => {})
      from.on('data', (data) => own.on && to.write(data))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    swallow() {
      passing.on = false
    },
    heal() {
      passing = { on: true }
    },
    cut() {
      passing.on = false
      passing = { on: true }
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

test('a network that swallows everything ends a call in a refusal, and after it the store works as before', async ({
  skip,
}) => {
  const { host, port = 5432, user = '', database = '' } = inDatabase(inject('engine').connection, 'postgres')
  if (host === undefined) skip()
  const network = await openNetwork(host ?? '', port)
  const db = openDatabase({ connection: { host: '127.0.0.1', port: network.port, user, database }, poolSize: 1 })
  try {
    await db.run(sql`select 1`)
    network.swallow()
    const began = performance.now()
    await expect(db.transaction((tx) => tx.run(sql`select 2`))).rejects.toBeInstanceOf(Refusal)
    expect(performance.now() - began).toBeLessThan(3_500)
    const refused = performance.now()
    await expect(db.run(sql`select 3`)).rejects.toBeInstanceOf(Refusal)
    expect(performance.now() - refused, 'while nothing is heard, nobody waits').toBeLessThan(500)
    network.heal()
    await expect.poll(() => db.run(sql`select 4`).catch(() => 0), { timeout: 5_000 }).toBe(1)
  } finally {
    network.close()
    await db.close()
  }
})

test('one connection that dies without a word is found out, and what it has locked is free at once', async ({
  skip,
}) => {
  const { host, port = 5432, user = '', database = '' } = inDatabase(inject('engine').connection, 'postgres')
  if (host === undefined) skip()
  const network = await openNetwork(host ?? '', port)
  const own = { host: host ?? '', port, user, database }
  const db = openDatabase({ connection: { ...own, host: '127.0.0.1', port: network.port }, poolSize: 2 })
  const others = openDatabase({ connection: own, poolSize: 1 })
  const inUse = sql`select pg_advisory_xact_lock(99001)`
  try {
    const began = performance.now()
    const cut = db.transaction(async (tx) => {
      await tx.run(inUse)
      network.cut()
      await tx.run(sql`select 1`)
    })
    await expect(cut).rejects.toBeInstanceOf(Refusal)
    expect(performance.now() - began).toBeLessThan(3_000)
    await others.transaction((tx) => tx.run(inUse), { lockTimeoutMs: 1_000 })
    expect(await db.run(sql`select 2`)).toBe(1)

    // One that works for long is none: it is waited for on the connection that it has
    const slow = db.transaction((tx) => tx.run(sql`select pg_sleep(3.5)`))
    await expect(slow).resolves.toBe(1)
  } finally {
    network.close()
    await db.close()
    await others.close()
  }
})
