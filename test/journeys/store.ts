/** The built store as its owner runs it: a process of its own, in a directory of its own, on a port of its own. */
import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test as base, type Browser, type BrowserContext, type Page } from '@playwright/test'

export interface RunningStore {
  url: string
  admin: { username: string; password: string }
  /** Stops it, does `meanwhile`, and starts it again with its data, at the same address. */
  restart(meanwhile: () => Promise<unknown>): Promise<void>
}

const ADMIN = { username: 'owner', password: 'a long owner password' }
const START_MAX_MS = 110_000

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('No port')
  return address.port
}

export async function runStore(mode: 'start' | 'demo' = 'start'): Promise<RunningStore & { stop(): Promise<void> }> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'chaabi-journey-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  // In a run of the whole suite the log is kept, and searched for secrets (scripts/test.mjs)
  const traces = process.env.TEST_TRACES
  const launch = async () => {
    const child = spawn(process.execPath, ['scripts/run.mjs', mode], {
      env: {
        ...process.env,
        PORT: String(port),
        DATA_DIR: dataDir,
        ADMIN_USERNAME: ADMIN.username,
        ADMIN_PASSWORD: ADMIN.password,
        RATE_LIMIT_SCALE: '1000',
        LOG_LEVEL: traces === undefined ? 'warn' : 'debug',
      },
      stdio: [
        'ignore',
        traces === undefined ? 'inherit' : openSync(path.join(traces, `journey-${port}.log`), 'a'),
        'inherit',
      ],
    })
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    for (const until = Date.now() + START_MAX_MS; ; await sleep(100)) {
      if (child.exitCode !== null) throw new Error(`The store ended with ${child.exitCode}`)
      if (Date.now() > until) throw new Error('The store does not answer')
      const healthy = await fetch(`${url}/api/health`).then(
        (answer) => answer.ok,
        () => false,
      )
      if (healthy) break
    }
    return () => {
      child.kill('SIGTERM')
      return exited
    }
  }
  let end = await launch()
  return {
    url,
    admin: ADMIN,
    async restart(meanwhile) {
      await end()
      await meanwhile()
      end = await launch()
    },
    async stop() {
      await end()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** A person with a browser profile of their own. */
export async function person(
  browser: Browser,
  store: RunningStore,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({ baseURL: store.url, ...options })
  return { context, page: await context.newPage() }
}

export const test = base.extend<{ store: RunningStore }, { demo: RunningStore }>({
  store: [
    async ({ browserName: _ }, use) => {
      const store = await runStore('start')
      await use(store)
      await store.stop()
    },
    { timeout: 120_000 },
  ],
  demo: [
    async ({ browserName: _ }, use) => {
      const store = await runStore('demo')
      await use(store)
      await store.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

export { expect } from '@playwright/test'
