import { once } from 'node:events'
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import { Refusal } from '../../../contract/errors.ts'
import * as z from 'zod/mini'
import { withDatabase } from '../../../test/database.ts'
import { inDatabase } from '../../../test/engine.ts'
import { openDatabase, sql, violates, wasRolledBack, type Database } from './database.ts'

interface Network {
  port: number
  /** What passes from now on arrives nowhere, and no end is reported. */
  swallow(): void
  /** New connections come through. Earlier ones stay dead. */
  heal(): void
  /** Present connections die without a word. New ones come through. */
  cut(): void
  /** Cuts when a client next sends this word, before it arrives. */
  cutAtWord(word: string): void
  close(): void
}

/** A network between the store and its database. */
async function openNetwork(host: string, port: number): Promise<Network> {
  const sockets: Socket[] = []
  let passing = { on: true }
  let cutAt: string | undefined
  const cut = () => {
    passing.on = false
    passing = { on: true }
  }
  const server = createServer((near) => {
    const far = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
    const own = passing
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.push(from)
      from.on('error', () => {})
      from.on('data', (data: Buffer) => {
        if (cutAt !== undefined && own.on && data.includes(cutAt)) {
          cutAt = undefined
          cut()
        }
        if (own.on) to.write(data)
      })
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
    cut,
    cutAtWord(word) {
      cutAt = word
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

// Together, for most of what they do is wait
test.concurrent('a call on a network that swallows everything is refused, and later the store works again', async ({
  skip,
  expect,
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

test.concurrent('one connection that dies without a word is found out, and what it has locked is free at once', async ({
  skip,
  expect,
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

    // One that works for long isn't dead: its caller waits on the connection that it has
    const slow = db.transaction((tx) => tx.run(sql`select pg_sleep(3.5)`))
    await expect(slow).resolves.toBe(1)
  } finally {
    network.close()
    await db.close()
    await others.close()
  }
})

interface CutOff {
  network: Network
  /** Through the network. */
  db: Database
}

async function withNetwork(poolSize: number, work: (given: CutOff) => Promise<void>, skip: () => void): Promise<void> {
  const { host, port = 5432, user = '', database = '' } = inDatabase(inject('engine').connection, 'postgres')
  if (host === undefined) return skip()
  const network = await openNetwork(host, port)
  const db = openDatabase({ connection: { host: '127.0.0.1', port: network.port, user, database }, poolSize })
  try {
    await work({ network, db })
  } finally {
    network.close()
    await db.close()
  }
}

test.concurrent('another connection asks about dead ones when the first one that asks dies too', ({ skip, expect }) =>
  withNetwork(
    2,
    async ({ network, db }) => {
      await db.run(sql`select 1`)
      network.cut()
      network.cutAtWord('pg_stat_activity')
      const began = performance.now()
      await expect(db.run(sql`select 2`)).rejects.toBeInstanceOf(Refusal)
      expect(await db.run(sql`select 3`)).toBe(1)
      expect(performance.now() - began).toBeLessThan(3_000)
    },
    skip,
  ))

test.concurrent('after a silence the connections of before are not used again, for only new ones may work', ({
  skip,
  expect,
}) =>
  withNetwork(
    2,
    async ({ network, db }) => {
      const cut = db.run(sql`select pg_sleep(0.3)`)
      await db.run(sql`select pg_sleep(0.1)`)
      network.swallow()
      await expect(cut).rejects.toBeInstanceOf(Refusal)
      network.heal()
      await expect.poll(() => db.connections().isSilent, { timeout: 5_000 }).toBe(false)
      const heard = performance.now()
      expect(await db.run(sql`select 1`)).toBe(1)
      expect(performance.now() - heard).toBeLessThan(700)
    },
    skip,
  ))

test.concurrent('after a connection was found dead, no connection without an answer since then is used', ({
  skip,
  expect,
}) =>
  withNetwork(
    2,
    async ({ network, db }) => {
      const cut = db.run(sql`select pg_sleep(0.3)`)
      await db.run(sql`select pg_sleep(0.1)`)
      network.cut()
      await expect(cut).rejects.toBeInstanceOf(Refusal)
      const found = performance.now()
      expect(await db.run(sql`select 1`)).toBe(1)
      expect(performance.now() - found).toBeLessThan(700)
    },
    skip,
  ))

test.concurrent('who listens on a connection that died without a word listens again as soon as one was found dead', ({
  skip,
  expect,
}) =>
  withNetwork(
    1,
    async ({ network, db }) => {
      const end = new AbortController()
      const heard: string[] = []
      let listening = 0
      db.listen(
        'cut_off',
        (payload) => heard.push(payload),
        end.signal,
        () => listening++,
      )
      await expect.poll(() => listening).toBe(1)
      await db.run(sql`select 1`)
      network.cut()
      await expect(db.run(sql`select 2`)).rejects.toBeInstanceOf(Refusal)
      await expect.poll(() => listening, { timeout: 4_000 }).toBe(2)
      await db.run(sql`select pg_notify('cut_off', 'after')`)
      await expect.poll(() => heard).toEqual(['after'])
      end.abort()
    },
    skip,
  ))

// Seen to fail without the first error kept: the one behind it is noticed sooner.
test.concurrent('of what was asked together, the first to fail is the reason', () =>
  withDatabase(async (db) => {
    const error: unknown = await db
      .transaction((tx) =>
        Promise.all([
          // Noticed a few turns later than what is asked behind it
          tx
            .run(sql`insert into rate_limits (key) values (null)`)
            .then((rows) => rows)
            .then((rows) => rows),
          tx.run(sql`select`),
        ]),
      )
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: '23502' })
  }))

test.concurrent('what is sent without waiting is done with the commit, and undoes everything when it fails', () =>
  withDatabase(async (db) => {
    const note = (name: string) => sql`insert into rate_limits (key, points, expire) values (${name}, 1, 1)`
    const notes = () => db.rows(sql(z.object({ key: z.string() }))`select key from rate_limits order by key`)

    await db.transaction(async (tx) => {
      void tx.send(note('first'))
      void tx.send(note('second'))
    })
    expect(await notes()).toEqual([{ key: 'first' }, { key: 'second' }])

    const failed = db.transaction(async (tx) => {
      void tx.send(note('third'))
      void tx.send(note('first'))
      // Longer than the answer takes: nobody waits for it yet, and it is no unheeded error
      await tx.rows(sql(z.object({}))`select`).catch(() => {})
      await sleep(20)
      return 'done'
    })
    const error: unknown = await failed.catch((reason: unknown) => reason)
    expect(violates(error, 'rate_limits_pkey')).toBe(true)
    expect(wasRolledBack(error)).toBe(true)
    expect(await notes()).toEqual([{ key: 'first' }, { key: 'second' }])
  }))

function ownEngine() {
  const {
    connectionString,
    host = '',
    port = 5432,
    user = '',
    database = '',
  } = inDatabase(inject('engine').connection, 'postgres')
  return connectionString ?? { host, port, user, database }
}

// Seen to fail where who listens gives up as soon as who waits for an answer: a slow machine's start takes that long
test('listening begins while the process is busy with its start, and no lost connection is told', async () => {
  const connection = ownEngine()
  const errors: Error[] = []
  const db = openDatabase({ connection, poolSize: 1, onError: (error) => errors.push(error) })
  const end = new AbortController()
  const listening = new Promise<void>((resolve) => db.listen('busy_start', () => {}, end.signal, resolve))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500)

  await listening

  expect(errors).toEqual([])
  end.abort()
  await db.close()
})

test.concurrent('who waits behind a lock, or for a connection, is refused within 3 s', async ({ expect }) => {
  const connection = ownEngine()
  const [holder, db] = [openDatabase({ connection, poolSize: 1 }), openDatabase({ connection, poolSize: 4 })]
  const wait = (tx: Pick<Database, 'run'>) => tx.run(sql`select pg_advisory_xact_lock(73)`)
  const refused = async () => {
    const began = performance.now()
    const error = await wait(db).catch((failure: unknown) => failure)
    return { error, tookMs: performance.now() - began }
  }
  const refusals = await holder.transaction(async (tx) => {
    await wait(tx)
    const first = Array.from({ length: 12 }, refused)
    // These get connections from them, and then wait for the lock
    await sleep(1_000)
    return Promise.all([...first, ...Array.from({ length: 12 }, refused)])
  })

  for (const { error, tookMs } of refusals) {
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(tookMs).toBeLessThan(3_300)
  }
  expect(await wait(db), 'the lock is free').toBe(1)
  await Promise.all([holder.close(), db.close()])
})

// Seen to end the process without PrimaryClient's own listener.
test('an engine that ends a connection with its login costs a refusal, and never the process', async () => {
  const message = (type: string, body: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeInt32BE(body.length + 4)
    return Buffer.concat([Buffer.from(type), length, body])
  }
  const loggedIn = message('R', Buffer.alloc(4))
  const ready = message('Z', Buffer.from('I'))
  const ended = message(
    'E',
    Buffer.from('SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0'),
  )
  const engine = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(Buffer.concat([loggedIn, ready, ended])))
  }).listen(0, '127.0.0.1')
  await once(engine, 'listening')
  const { port } = engine.address() as AddressInfo
  const db = openDatabase({ connection: { host: '127.0.0.1', port, user: 'nobody', database: 'none' }, poolSize: 1 })
  try {
    for (const ask of [() => db.run(sql`select`), () => db.transaction((tx) => tx.run(sql`select`))])
      await expect(ask()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  } finally {
    await db.close()
    engine.close()
  }
})
