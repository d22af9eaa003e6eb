/**
 * `npm run drill` runs every drill, `npm run drill -- kill-server streams` some of them. `--quick` runs shorter
 * forms, `--gigabytes 1` sets the size of the restored store, `--count 100` how often it is done, and `--nice 0` keeps
 * the priority. `--control` does what a drill must notice, `--control --plant WORD` only what has WORD in its name,
 * `--patroni` fails over with Patroni, and `--restore` lets `trade` go on from a backup. A drill breaks something on
 * purpose while buyers buy, and then counts the results. It uses only this machine, is bounded in time and count, and
 * has a low priority.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { loadavg, setPriority } from 'node:os'
import { inspect, parseArgs } from 'node:util'
import type { Drill } from './drill.ts'
import { stopAll } from './store-process.ts'

const DRILLS = [
  'kill-server',
  'kill-postgres',
  'retries',
  'bank',
  'flash-sale',
  'frozen-postgres',
  'cut-connections',
  'full-disk',
  'hostile-input',
  'strangers',
  'kill-rotation',
  'kill-import',
  'rolling-restarts',
  'nodes',
  'failover',
  'streams',
  'messages',
  'waiting',
  'claims',
  'wishes',
  'renewals',
  'invites',
  'trade',
  'restore',
  'bare-machine',
  'copies',
  'setup',
  'machines',
  'container',
]
/** Far more than any drill takes, even with a gigabyte, or than one of its repetitions. */
const DRILL_MINUTES_MAX = 30
/**
 * A month in ten stores, beside other programs; machines that install all that they need, and are lost; planted
 * mistakes, one after the other.
 */
const LONGER: Record<string, number> = { bank: 90, machines: 90, setup: 60, trade: 90, renewals: 60 }
const EACH_MINUTES_MAX = 1

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    control: { type: 'boolean', default: false },
    plant: { type: 'string' },
    patroni: { type: 'boolean', default: false },
    restore: { type: 'boolean', default: false },
    count: { type: 'string' },
    gigabytes: { type: 'string', default: '0.05' },
    nice: { type: 'string', default: '10' },
    report: { type: 'string' },
  },
})
const unknown = positionals.filter((name) => !DRILLS.includes(name))
if (unknown.length > 0) {
  process.stderr.write(`There is no drill ${unknown.join(', ')}. There are: ${DRILLS.join(', ')}\n`)
  process.exit(2)
}
setPriority(Number(values.nice))
/** The directories of the running drill. */
let directories: string[] = []
const tidyUp = async () => {
  await stopAll()
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void tidyUp().finally(() => process.exit(1)))

const today = () => new Date().toISOString().slice(0, 10)
/** One line per drill, for docs/reliability.md. */
const summary: string[] = []
let failed = 0
let skipped = 0
for (const name of positionals.length > 0 ? positionals : DRILLS) {
  const began = performance.now()
  // Reads the load of other programs, before the drill adds its own
  const load = loadavg()[0]?.toFixed(1)
  process.stdout.write(`── ${name} (load average ${load})\n`)
  directories = []
  const minutesMax = (LONGER[name] ?? DRILL_MINUTES_MAX) + EACH_MINUTES_MAX * Number(values.count ?? 0)
  const tooLong = setTimeout(() => {
    process.stderr.write(`${name} took longer than ${minutesMax} minutes\n`)
    void tidyUp().finally(() => process.exit(1))
  }, minutesMax * 60_000)
  try {
    const { drill } = (await import(`./${name}.ts`)) as { drill: Drill }
    const finding = await drill({
      quick: values.quick,
      control: values.control,
      plant: values.plant,
      patroni: values.patroni,
      restore: values.restore,
      count: values.count === undefined ? undefined : Number(values.count),
      gigabytes: Number(values.gigabytes),
      say: (line) => void process.stdout.write(`   ${line}\n`),
      directories,
    })
    for (const line of finding.figures) process.stdout.write(`   ${line}\n`)
    const outcome = finding.skipped ? 'skipped' : finding.passed ? 'passed' : 'FAILED'
    summary.push(
      `| ${name}${values.quick ? ' (quick)' : ''} | ${outcome} | ${finding.figures.join('; ')} | ${today()}, ` +
        `load ${load} |`,
    )
    if (!finding.passed) failed++
    if (finding.skipped) skipped++
    const seconds = ((performance.now() - began) / 1_000).toFixed(0)
    process.stdout.write(`   ${outcome.toUpperCase()} in ${seconds} s\n`)
    const proved = outcome === 'passed' ? 'Proved' : 'Did NOT prove'
    process.stdout.write(`   ${proved}: ${finding.proved} Cannot prove: ${finding.cannotProve}\n`)
  } catch (error) {
    failed++
    process.stdout.write(`   FAILED: ${inspect(error)}\n`)
    summary.push(`| ${name} | FAILED | ${(error as Error).message} | ${today()}, load ${load} |`)
  } finally {
    clearTimeout(tooLong)
    await tidyUp()
  }
}
if (values.report !== undefined)
  writeFileSync(values.report, JSON.stringify({ passed: summary.length - failed - skipped, failed }))
process.stdout.write(`\n${summary.join('\n')}\n`)
process.exit(failed === 0 ? 0 : 1)
