/**
 * How long the store takes to start, from the command to a healthy GET /api/health, with the web built already:
 * once on an empty DATA_DIR, then on what is there. Exits with 1 when a goal is missed.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buildIsFresh } from './build.mjs'
import { freePort, launchStore } from './store-process.ts'

const LATER_STARTS = 5
const FIRST_START_GOAL_MS = 8_000
const LATER_START_GOAL_MS = 2_500
const START_MS_MAX = 60_000

if (!buildIsFresh()) {
  console.error('The build is missing or old, and building is not what is measured here. Run: npm run build')
  process.exit(1)
}
const folder = mkdtempSync(path.join(tmpdir(), 'chaabi-start-'))
try {
  const port = await freePort()
  const first = await measure(port)
  const later = []
  for (let run = 0; run < LATER_STARTS; run += 1) later.push(await measure(port))
  report('first start', [first.start], FIRST_START_GOAL_MS)
  report(
    'later start',
    later.map(({ start }) => start),
    LATER_START_GOAL_MS,
  )
  report(
    'stop',
    [first, ...later].map(({ stop }) => stop),
    undefined,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Starts the store, waits until it is healthy, ends it; both times in ms. */
async function measure(port) {
  const began = performance.now()
  const store = launchStore({
    port,
    dataDir: path.join(folder, 'data'),
    environment: { NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [store.child.stdout, store.child.stderr]) stream.on('data', (chunk) => (said += chunk))
  try {
    await store.untilHealthy({ withinMs: START_MS_MAX, everyMs: 5 })
    const start = performance.now() - began
    const { code, tookMs } = await store.stop()
    if (code !== 0) throw new Error(`The store did not stop cleanly (${code})`)
    return { start, stop: tookMs }
  } catch (error) {
    throw new Error(`${error.message}: ${said}`, { cause: error })
  } finally {
    if (store.alive) await store.kill()
  }
}

function report(name, times, goalMs) {
  const sorted = times.toSorted((a, b) => a - b)
  const inSeconds = (ms) => `${(ms / 1000).toFixed(2)} s`
  const spread =
    times.length === 1 ? '' : ` (${inSeconds(sorted[0])} to ${inSeconds(sorted.at(-1))}, ${times.length} runs)`
  const middle = sorted[Math.floor(sorted.length / 2)]
  const missed = goalMs !== undefined && sorted.at(-1) > goalMs
  const goal = goalMs === undefined ? '' : `, goal ${inSeconds(goalMs)}: ${missed ? 'MISSED' : 'met'}`
  console.log(`${name.padEnd(12)} ${inSeconds(middle)}${spread}${goal}`)
  if (missed) process.exitCode = 1
}
