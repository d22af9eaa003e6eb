/** The built store as its owner runs it: a process of its own, in a directory of its own, on a port of its own. */
import { openSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test as base, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { freePort, launchStore } from '../../scripts/store-process.ts'

export interface RunningStore {
  url: string
  admin: { username: string; password: string }
  /** Stops it, does `meanwhile`, and starts it again with its data, at the same address. */
  restart(meanwhile: () => Promise<unknown>): Promise<void>
}

const ADMIN = { username: 'owner', password: 'a long owner password' }
const START_MAX_MS = 110_000

type Environment = Record<string, string>

export async function runStore(
  mode: 'start' | 'demo' = 'start',
  environment: Environment = {},
): Promise<RunningStore & { stop(): Promise<void> }> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'chaabi-journey-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  // In a run of the whole suite the log is kept, and searched for secrets (scripts/test.mjs)
  const traces = process.env.TEST_TRACES
  const launch = async () => {
    const store = launchStore({
      port,
      dataDir,
      mode,
      admin: ADMIN,
      environment: {
        RATE_LIMIT_SCALE: '1000',
        LOG_LEVEL: traces === undefined ? 'warn' : 'debug',
        ...environment,
      },
      stdio: [
        'ignore',
        traces === undefined ? 'inherit' : openSync(path.join(traces, `journey-${port}.log`), 'a'),
        'inherit',
      ],
    })
    await store.untilHealthy({ withinMs: START_MAX_MS })
    return () => store.stop()
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
  const page = await context.newPage()
  waitUntilAlive(page)
  return { context, page }
}

/**
 * A drawn page is loaded before its scripts are. What is done in that time is not lost (first-paint.spec.ts), but keys
 * that move the focus, and a reload, are: people are slower than that, and so are the tests. Not with `waitUntil:
 * 'commit'`.
 */
export function waitUntilAlive(page: Page): void {
  const alive = () => page.waitForFunction(() => !('noteEarly' in globalThis), undefined, { timeout: 10_000 })
  const goto = page.goto.bind(page)
  page.goto = async (url, options) => {
    await leaveLayers(page)
    const answer = await goto(url, options)
    if (options?.waitUntil !== 'commit') await alive().catch(() => undefined)
    return answer
  }
  const reload = page.reload.bind(page)
  page.reload = async (options) => {
    await leaveLayers(page)
    const answer = await reload(options)
    if (options?.waitUntil !== 'commit') await alive().catch(() => undefined)
    return answer
  }
}

/**
 * A dialog that was closed takes its entry of the history back a moment later, which would cut off a load that has
 * begun.
 */
async function leaveLayers(page: Page): Promise<void> {
  const isLeft = () => history.state?.isLayer !== true || document.querySelector('dialog[open]') !== null
  await page.waitForFunction(isLeft, undefined, { timeout: 2_000 }).catch(() => undefined)
}

export const test = base.extend<{ store: RunningStore; environment: Environment }, { demo: RunningStore }>({
  /** Of `store`, beside what every store of the tests is given. */
  environment: [{}, { option: true }],
  store: [
    async ({ environment }, use) => {
      const store = await runStore('start', environment)
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
