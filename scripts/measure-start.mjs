/**
 * How long the store takes to start, from the command to a healthy GET /api/health, with the web built already:
 * once on an empty DATA_DIR, then on what is there. Exits with 1 when a goal is missed.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildIsFresh } from './build.mjs'

const ROOT = path.resolve(import.meta.dirname, '..')
const LATER_STARTS = 5
const FIRST_START_GOAL_MS = 8_000
const LATER_START_GOAL_MS = 2_500
const START_MS_MAX = 60_000
const STOP_MS_MAX = 20_000

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
  const store = spawn(process.execPath, [path.join(ROOT, 'scripts/run.mjs'), 'start'], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: 'production', DATA_DIR: path.join(folder, 'data'), PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [store.stdout, store.stderr]) stream.on('data', (chunk) => (said += chunk))
  const gone = new Promise((resolve) => store.once('exit', resolve))
  try {
    while (!(await isHealthy(port))) {
      if (store.exitCode !== null) throw new Error(`The store ended: ${said}`)
      if (performance.now() - began > START_MS_MAX) throw new Error(`The store did not become healthy: ${said}`)
      await sleep(5)
    }
    const start = performance.now() - began
    store.kill('SIGTERM')
    const asked = performance.now()
    await Promise.race([gone, sleep(STOP_MS_MAX, undefined, { ref: false })])
    if (store.exitCode === null) throw new Error(`The store did not stop: ${said}`)
    return { start, stop: performance.now() - asked }
  } finally {
    if (store.exitCode === null) store.kill('SIGKILL')
  }
}

async function isHealthy(port) {
  try {
    return (await fetch(`http://127.0.0.1:${port}/api/health`)).ok
  } catch {
    return false
  }
}

async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
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
