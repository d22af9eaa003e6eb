import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, inject, test } from 'vitest'
import { bundleServer } from '../scripts/bundle-server.mjs'
import { freePort, launchStore } from '../scripts/store-process.ts'
import { cloneDatabase } from './database.ts'
import { inDatabase } from './engine.ts'
import { startStore } from './store.ts'

// Seen to fail without the list of unused connections: the store then ends after a minute.
test('a connection that a browser has opened ahead does not keep the store from ending', async () => {
  const store = await startStore(inject('engine'))
  const { hostname, port } = new URL(store.url)
  const ahead = connect({ host: hostname, port: Number(port) })
  await new Promise((resolve) => ahead.once('connect', resolve))
  expect((await fetch(`${store.url}/api/health`)).status).toBe(200)
  const began = performance.now()

  await store.stop()

  expect(performance.now() - began).toBeLessThan(10_000)
  ahead.destroy()
})

// Seen to fail, with exit code 1, where the last resort does not wait for as long as callers are given.
test('a node with the longest time to drain ends cleanly, and says at start what is doubtful', async () => {
  const engine = inject('engine')
  const { name, drop } = await cloneDatabase(engine)
  const given = inDatabase(engine.connection, name)
  const url = given.connectionString ?? `postgres://${given.user}@localhost:${given.port}/${name}?host=${given.host}`
  // Inside the project, so that its packages are found
  const built = path.resolve(`.cache/closing-${process.pid}`)
  const dataDir = await mkdtemp(path.join(tmpdir(), 'chaabi-closing-'))
  const store = launchStore({
    port: await freePort(),
    dataDir,
    program: await bundleServer(built, { sourcemap: false, logLevel: 'error' }),
    isolated: true,
    environment: { DATABASE_URL: url, DRAIN_MS: '9999', PUBLIC_URL: 'https://shop.example' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    let said = ''
    store.child.stdout?.on('data', (part: Buffer) => (said += part.toString()))
    await store.untilHealthy()
    expect(said).toContain('PUBLIC_URL is https but TRUST_PROXY is not set')

    const { code, tookMs } = await store.stop()

    expect(code).toBe(0)
    expect(tookMs).toBeGreaterThan(9_900)
  } finally {
    if (store.alive) await store.kill()
    await drop()
    for (const directory of [dataDir, built]) await rm(directory, { recursive: true, force: true })
  }
})
