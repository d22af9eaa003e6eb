/** A pooler before the database is refused. With a real PgBouncer, where one is installed. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, inject, test } from 'vitest'
import { startPrimary, urlOf } from '../../../../test/worlds/engine-pair.ts'
import { hasPooler, startPooler } from '../../../../test/worlds/pooler.ts'
import { openDirectly } from './direct-connection.ts'

const engine = inject('engine').connection

test.runIf('host' in engine)('what gives process ids of its own is refused, as a pooler is', async () => {
  const { host, port, user } = engine as Exclude<typeof engine, { connectionString: string }>
  let added = 0
  const between = createServer((peer) => {
    const server = connect(path.join(host, `.s.PGSQL.${port}`))
    for (const end of [peer, server]) end.on('error', () => {})
    peer.pipe(server)
    server.on('data', (data) => {
      const at = data.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]))
      if (at >= 0) data.writeInt32BE(data.readInt32BE(at + 5) + added, at + 5)
      peer.write(data)
    })
    server.on('close', () => peer.destroy())
  }).listen(0, '127.0.0.1')
  await once(between, 'listening')
  const url = `postgres://${user}@127.0.0.1:${(between.address() as AddressInfo).port}/postgres`
  try {
    await openDirectly(url)
    added = 1
    await expect(openDirectly(url)).rejects.toThrow('leads through a pooler')
  } finally {
    between.close()
  }
})

test('a server that is not there, and one that lets nobody in, are told with the setting to correct', async () => {
  await expect(openDirectly('postgres://u:p@127.0.0.1:1/shop')).rejects.toThrow(
    'The server in DATABASE_URL can’t be reached. Is it running, and is its name right? (connect ECONNREFUSED',
  )
  const { host, port, user } = engine as Exclude<typeof engine, { connectionString: string }>
  const at = `postgres://${user}@/no-such?host=${encodeURIComponent(host)}&port=${port}`
  await expect(openDirectly(at)).rejects.toThrow(
    'The server in DATABASE_URL refuses. Correct the user, the password or the database. (database "no-such"',
  )
})

test.runIf(hasPooler)(
  'the store refuses PgBouncer in both of its modes, also when it drops what it does not know',
  async () => {
    // Its account must get in
    const directory = await mkdtemp(path.join(tmpdir(), 'chaabi-pooler-'))
    const engine = await startPrimary(path.join(directory, 'a/postgres'))
    try {
      await openDirectly(urlOf(engine))
      for (const mode of ['transaction', 'session'])
        for (const ignored of ['', 'options']) {
          const pooler = await startPooler(`${directory}-${mode}-${ignored}`, engine, { mode, ignored })
          await expect(openDirectly(pooler.url), `${mode} ${ignored}`).rejects.toThrow(
            /leads through a pooler .* Name the server itself: a node needs 20 connections\./,
          )
          pooler.end()
          await rm(`${directory}-${mode}-${ignored}`, { recursive: true })
        }
    } finally {
      await engine.stop()
      await rm(directory, { recursive: true })
    }
  },
)
