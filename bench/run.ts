/**
 * `npm run bench -- NAME [--runs 3] [--seconds N]` measures one thing, in at most 90 seconds unless it is asked for
 * more; `npm run bench -- all` one after the other. Each prints a table for docs/performance.md and ends with a line
 * that says whether the goals were met. With `--beside DIR` it is measured here and in another checkout in turns.
 */
import { parseArgs } from 'node:util'
import { runBeside } from './beside.ts'
import { openReport, type Bench } from './report.ts'

/** Loaded when it is wanted: each brings its own weight. */
const BENCHES: Record<string, () => Promise<{ bench: Bench }>> = {
  purchases: () => import('./purchases.ts'),
  cost: () => import('./cost.ts'),
  reads: () => import('./reads.ts'),
  special: () => import('./special.ts'),
  login: () => import('./login.ts'),
  import: () => import('./import.ts'),
  statement: () => import('./statement.ts'),
  approvals: () => import('./approvals.ts'),
  alerts: () => import('./alerts.ts'),
  messages: () => import('./messages.ts'),
  memory: () => import('./memory.ts'),
  growth: () => import('./growth.ts'),
}
/** With a table and options of their own, and longer. */
const APART: Record<string, () => Promise<{ bench: (args: string[]) => Promise<void> }>> = {
  lists: () => import('./lists.ts'),
  paint: () => import('./paint.ts'),
  taps: () => import('./taps.ts'),
  slices: () => import('./slices.ts'),
}

const [name = '', ...args] = process.argv.slice(2)
const apart = APART[name]
if (apart) {
  const { bench } = await apart()
  await bench(args)
} else if (name === 'all') {
  for (const each of Object.keys(BENCHES)) await run(each, [])
} else if (name in BENCHES) {
  await run(name, args)
} else {
  const names = [...Object.keys(BENCHES), ...Object.keys(APART), 'all']
  process.stderr.write(`Choose what to measure: ${names.map((each) => `npm run bench -- ${each}`).join(', ')}\n`)
  process.exitCode = 2
}

async function run(which: string, given: string[]): Promise<void> {
  const load = BENCHES[which]
  if (!load) return
  const { bench } = await load()
  const { values } = parseArgs({
    args: given,
    options: {
      runs: { type: 'string', default: '3' },
      seconds: { type: 'string', default: String(bench.seconds) },
      beside: { type: 'string' },
      ...Object.fromEntries((bench.own ?? []).map((option) => [option, { type: 'string' as const }])),
    },
  })
  const { runs, seconds, beside, ...own } = values as Record<string, string | undefined>
  if (beside !== undefined) {
    const others = Object.entries({ seconds, ...own }).flatMap(([option, value]) => [`--${option}`, value ?? ''])
    return runBeside(which, beside, Number(runs), others)
  }
  const report = openReport(bench.title)
  console.log(bench.title)
  await bench.measure({ runs: Number(runs), seconds: Number(seconds), own }, report)
  if (!report.finish()) process.exitCode = 1
}
