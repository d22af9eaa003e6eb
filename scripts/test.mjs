/**
 * The test command: everything that must hold, from the cheapest check to the dearest, up to the first that fails.
 * `npm test -- --sweeps` takes the sweeps (sweeps.mjs) along, as CI does. The last line is `N passed, N failed`,
 * counted from what the test programs report in their files.
 */
import './need-node.mjs'
import { spawn } from 'node:child_process'
import { chmodSync, createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findCanaries } from './canaries.ts'
import { findBrowser, findFirefox, findWebKit } from './find-browser.ts'
import { LESS_JOURNEYS, LESS_TESTS, MODEL_SECONDS, SWEEPS } from './sweeps.mjs'

const ROOT = path.resolve(import.meta.dirname, '..')
const REPORTS = path.join(ROOT, '.cache/test-reports')
/** Where every store of the run writes its log, and what the programs print is kept. */
const TRACES = path.join(ROOT, '.cache/test-traces')
const VITEST_REPORT = path.join(REPORTS, 'vitest.json')
const VITEST_REPORTERS = ['--reporter=default', '--reporter=json', `--outputFile.json=${VITEST_REPORT}`]
const DRILL_REPORT = path.join(REPORTS, 'drills.json')
/** Those that are done within seconds; `npm run drill` runs all of them, at length. */
const DRILLS = ['kill-server', 'kill-postgres', 'retries', 'rolling-restarts']
const PLAYWRIGHT_REPORT = path.join(REPORTS, 'playwright.json')

/** Where Linux keeps files in memory. */
const MEMORY = '/dev/shm'
/** Most of what a run has there at once is 1 GB. */
const MEMORY_MIN_BYTES = 4 * 2 ** 30

/** All that `npm run check` runs. */
const CHECKS = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
  .scripts.check.split(' && ')
  .map((line) => ({ name: line.split(' ').at(-1), command: line.split(' ') }))

const withSweeps = process.argv.includes('--sweeps')
const lessTests = withSweeps ? [] : LESS_TESTS
const moreDrills = withSweeps ? SWEEPS.drills : []
const lessJourneys = withSweeps ? [] : LESS_JOURNEYS

/** Steps run one after the other. The commands of one step run at once. */
const STEPS = [
  [...CHECKS, { name: 'build', command: ['npm', 'run', '-s', 'build'] }],
  {
    name: 'code and HTTP',
    command: ['npx', 'vitest', 'run', ...VITEST_REPORTERS, ...lessTests],
    env: withSweeps ? {} : { MODEL_SECONDS },
    count: countVitest,
  },
  {
    name: 'drills, the short cuts',
    command: [
      'npx',
      'tsx',
      'drills/run.ts',
      '--quick',
      '--nice',
      '0',
      '--report',
      DRILL_REPORT,
      ...DRILLS,
      ...moreDrills,
    ],
    count: () => read(DRILL_REPORT),
  },
  {
    name: 'browser',
    command: ['npx', 'playwright', 'test', '--reporter=list,json', ...lessJourneys],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: PLAYWRIGHT_REPORT },
    count: countPlaywright,
  },
]

const total = { passed: 0, failed: 0 }
process.exitCode = (await allSteps()) ? 0 : 1
console.log(`${total.passed} passed, ${total.failed} failed`)

async function allSteps() {
  for (const directory of [REPORTS, TRACES]) {
    rmSync(directory, { recursive: true, force: true })
    mkdirSync(directory, { recursive: true })
  }
  const scratch = mkdtempSync(path.join(hasMemory() ? MEMORY : tmpdir(), 'chaabi-tests-'))
  // Other accounts have stores there too
  chmodSync(scratch, 0o1777)
  process.on('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }))
  process.once('SIGINT', () => process.exit(130))
  const environment = { ...process.env, TEST_TRACES: TRACES, TMPDIR: scratch }
  try {
    // Now, so that a missing browser is not learnt of after minutes.
    environment.CHROME_PATH = findBrowser()
  } catch (error) {
    console.error(error.message)
    total.failed += 1
    return false
  }
  console.log(`Browser: ${environment.CHROME_PATH}`)
  const engines = [
    ['Firefox', findFirefox(), 'its paths and a push message are not seen (apt-get install -y firefox-esr)'],
    [
      'WebKit',
      findWebKit()?.browser,
      'no path or dialog is seen as on iPhones (apt-get install -y webkit2gtk-driver xvfb)',
    ],
  ]
  for (const [engine, file, loss] of engines) console.log(`${engine}: ${file ?? `none, so ${loss}`}`)
  for (const steps of STEPS) {
    const succeeded = await Promise.all([steps].flat().map((step) => take(step, environment)))
    if (succeeded.includes(false)) return false
  }
  return noCanaries()
}

/** A database is copied for each of a thousand tests; on a disk that is a third of their CPU time. */
function hasMemory() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return Math.min(bavail * bsize, process.availableMemory()) >= MEMORY_MIN_BYTES
  } catch {
    return false
  }
}

async function take(step, environment) {
  const began = performance.now()
  console.log(`\n── ${step.name}: ${step.command.join(' ').replaceAll(`${ROOT}/`, '')}`)
  const succeeded = await run(step, { ...environment, ...step.env })
  const counted = step.count?.() ?? { passed: 0, failed: 0 }
  total.passed += counted.passed
  total.failed += counted.failed
  // What fails without naming a test, such as a type error, must not read as `0 failed`.
  if (!succeeded && counted.failed === 0) total.failed += 1
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`── ${step.name}: ${succeeded ? 'passed' : 'FAILED'} in ${seconds} s`)
  return succeeded
}

/** What the tests know as secret must not be in any log, nor in what was printed. */
function noCanaries() {
  const { found, logLines } = findCanaries(TRACES)
  for (const each of found.slice(0, 20)) console.error(each)
  total[found.length === 0 ? 'passed' : 'failed'] += 1
  console.log(`── canaries: ${found.length} found in ${logLines} lines of logs`)
  return found.length === 0
}

/** True when the command ends well. What interrupts this program interrupts the command too. */
async function run({ name, command: [file, ...args] }, env) {
  const child = spawn(file, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const kept = createWriteStream(path.join(TRACES, `${name.replaceAll(' ', '-')}.output`))
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ]) {
    from.pipe(to, { end: false })
    from.pipe(kept, { end: false })
  }
  const pass = (signal) => child.kill(signal)
  process.on('SIGTERM', pass)
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`${file}: ${error.message}`)
      resolve(1)
    })
    // Not 'exit': what was printed last is still on its way then
    child.once('close', resolve)
  })
  process.off('SIGTERM', pass)
  await new Promise((resolve) => kept.end(resolve))
  return code === 0
}

function countVitest() {
  const report = read(VITEST_REPORT)
  return report && { passed: report.numPassedTests, failed: report.numFailedTests }
}

/** A flaky test passed in the end. */
function countPlaywright() {
  const report = read(PLAYWRIGHT_REPORT)
  return report && { passed: report.stats.expected + report.stats.flaky, failed: report.stats.unexpected }
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
