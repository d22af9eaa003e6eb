import { connect } from 'node:net'
import { expect, inject, test } from 'vitest'
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
