/**
 * Plays the suite on other days: what must hold today must hold on any day. `npm run other-days`, or with the names of
 * some days and files: `npm run other-days -- --day '29 February' server/privacy user-wallet`. `--code` leaves the
 * browsers out, `--browser` leaves the rest out, and `--sweeps` takes the sweeps along. It plays what is built.
 *
 * Debian's faketime moves the clock of every program, of PostgreSQL and of the browsers too. What fails is played
 * again, alone, and its cause is the first of these in which it fails again: today, without the tool; today, with a
 * clock that the tool moves by a minute, which is the tool's own fault; on that day. What fails in none of them failed
 * by chance. Known of the tool: a time-out of PostgreSQL whose signal comes in a wait reads the true time, and so a
 * statement that waits for a lock is not refused in time.
 */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { LESS_JOURNEYS, LESS_TESTS, MODEL_SECONDS } from './sweeps.mjs'

const ROOT = path.resolve(import.meta.dirname, '..')
const REPORTS = path.join(ROOT, '.cache/other-days')
const SHIM = pathToFileURL(path.join(ROOT, 'scripts/on-another-day.mjs')).href
const DAY_MS = 86_400_000
const A_MINUTE_S = 60

/** The next moment of this month, day and time, in ms since 1970. */
const next = (monthAndTime: string, isThere = (_: number) => true) => {
  for (let year = new Date().getUTCFullYear(); ; year++) {
    const at = Date.parse(`${year}-${monthAndTime}Z`)
    if (isThere(year) && at > Date.now()) return at
  }
}
const isLeapYear = (year: number) => new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1

/** When each begins. Those that begin ten minutes before a turn are still running when it comes. */
const DAYS: Readonly<Record<string, () => number>> = {
  'in 125 days': () => Date.now() + 125 * DAY_MS,
  '28 February': () => next('02-28T18:20', isLeapYear),
  '29 February': () => next('02-29T12:00', isLeapYear),
  // The financial year of India begins at 18:30 UTC
  '31 March': () => next('03-31T18:20'),
  '1 April': () => next('04-01T06:00'),
  '31 December': () => next('12-31T23:50'),
  // The day of India has begun, and that of UTC has not
  '02:00 in India': () => Math.ceil(Date.now() / DAY_MS) * DAY_MS + 20.5 * 3_600_000,
  'in four years': () => Date.now() + 1_461 * DAY_MS,
}

interface Suite {
  name: string
  command(report: string, files: readonly string[], test?: string): string[]
  environment(report: string): Record<string, string>
  failed(report: unknown): Failed[]
  less: readonly string[]
}

interface Failed {
  file: string
  title: string
}

interface VitestReport {
  numPassedTests: number
  testResults: { name: string; status: string; assertionResults: { status: string; title: string }[] }[]
}
interface PlaywrightSuite {
  file: string
  suites?: PlaywrightSuite[]
  specs: { ok: boolean; title: string; file: string }[]
}

const literally = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

const CODE: Suite = {
  name: 'code and HTTP',
  command: (report, files, test) => [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...files,
    ...(test === undefined ? [] : ['-t', literally(test)]),
  ],
  environment: () => ({ MODEL_SECONDS }),
  failed: (report) =>
    (report as VitestReport).testResults.flatMap(({ name: file, status, assertionResults }) => {
      const failed = assertionResults.filter((each) => each.status === 'failed')
      // A file that cannot be read has no tests
      return status === 'failed' && failed.length === 0
        ? [{ file, title: '' }]
        : failed.map(({ title }) => ({ file, title }))
    }),
  less: LESS_TESTS,
}

const BROWSER: Suite = {
  name: 'browser',
  command: (_, files, test) => [
    'node_modules/@playwright/test/cli.js',
    'test',
    '--reporter=dot,json',
    ...files,
    ...(test === undefined ? [] : [`--grep=${literally(test)}`]),
  ],
  environment: (report) => ({ PLAYWRIGHT_JSON_OUTPUT_FILE: report }),
  failed: (report) => {
    const specsOf = ({ specs, suites = [] }: PlaywrightSuite): PlaywrightSuite['specs'] => [
      ...specs,
      ...suites.flatMap(specsOf),
    ]
    return (report as { suites: PlaywrightSuite[] }).suites
      .flatMap(specsOf)
      .filter(({ ok }) => !ok)
      .map(({ file, title }) => ({ file, title }))
  },
  less: LESS_JOURNEYS,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    day: { type: 'string', multiple: true },
    code: { type: 'boolean', default: false },
    browser: { type: 'boolean', default: false },
    sweeps: { type: 'boolean', default: false },
  },
})
const suites = [...(values.browser ? [] : [CODE]), ...(values.code ? [] : [BROWSER])]
const library = spawnSync('faketime', ['-m', '-f', '+0', 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' }).stdout?.trim()
if (!library) {
  console.error('No day but today is seen without Debian’s faketime: apt-get install -y faketime')
  process.exit(1)
}

let faults = 0
mkdirSync(REPORTS, { recursive: true })
for (const name of values.day ?? Object.keys(DAYS)) {
  const begin = DAYS[name]
  if (!begin) throw new Error(`No such day: ${name}. There are: ${Object.keys(DAYS).join(', ')}`)
  for (const suite of suites) faults += await playDay(name, suite, begin())
}
console.log(faults === 0 ? 'No day breaks anything' : `${faults} FAILED`)
process.exitCode = faults === 0 ? 0 : 1

/** @returns how many tests fail because of the day, or whatever the day */
async function playDay(day: string, suite: Suite, atMs: number): Promise<number> {
  const began = performance.now()
  const aheadS = Math.round((atMs - Date.now()) / 1_000)
  const failed = await play(suite, aheadS, [...positionals, ...(values.sweeps ? [] : suite.less)])
  const minutes = ((performance.now() - began) / 60_000).toFixed(1)
  console.log(`── ${day}, ${new Date(atMs).toISOString()}, ${suite.name}: ${failed.length} failed in ${minutes} min`)
  let count = 0
  for (const { file, title } of failed) {
    const again = async (byS?: number) => (await play(suite, byS, [file], title === '' ? undefined : title)).length > 0
    const cause = (await again())
      ? 'FAILS TODAY AS WELL'
      : (await again(A_MINUTE_S))
        ? 'faketime’s own fault'
        : (await again(aheadS))
          ? 'FAILS ON THAT DAY'
          : 'failed by chance'
    if (cause.startsWith('FAILS')) count += 1
    console.log(`   ${cause}: ${path.relative(ROOT, file)} > ${title}`)
  }
  return count
}

/**
 * @param aheadS how far the clock is moved, in seconds; undefined leaves the tool out
 * @param test its name, to play it alone and in silence
 * @returns what failed. @throws Error when the suite gave no report
 */
async function play(
  suite: Suite,
  aheadS: number | undefined,
  args: readonly string[],
  test?: string,
): Promise<Failed[]> {
  const report = path.join(REPORTS, `${suite.name.replaceAll(' ', '-')}.json`)
  rmSync(report, { force: true })
  const scratch = mkdtempSync(path.join(tmpdir(), 'chaabi-day-'))
  // PostgreSQL runs as another user, in a folder below
  chmodSync(scratch, 0o711)
  const child = spawn(process.execPath, suite.command(report, args, test), {
    cwd: ROOT,
    stdio: test === undefined ? 'inherit' : 'ignore',
    env: {
      ...process.env,
      ...suite.environment(report),
      TMPDIR: scratch,
      ...(aheadS !== undefined && { LD_PRELOAD: library, FAKETIME: `+${aheadS}`, NODE_OPTIONS: `--import ${SHIM}` }),
    },
  })
  await new Promise((resolve) => child.once('close', resolve))
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
  forgetMemory()
  return suite.failed(JSON.parse(readFileSync(report, 'utf8')))
}

/** The library leaves some bytes of memory of each program that was killed, and stops where it finds old ones. */
function forgetMemory(): void {
  const names = readdirSync('/dev/shm').filter((name) => /^(?:sem\.)?faketime_(?:shm|sem)_\d+$/.test(name))
  const isOver = (name: string) => {
    try {
      return process.kill(Number(name.split('_').at(-1)), 0) && false
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ESRCH'
    }
  }
  for (const name of names.filter(isOver)) rmSync(path.join('/dev/shm', name), { force: true })
}
