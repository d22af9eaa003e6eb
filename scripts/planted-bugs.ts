/**
 * Proves that the model test finds what it is there to find: plants one known mistake after another in a copy of
 * the sources and runs the model on it, or the test that must catch it. `npm run planted-bugs`, or with parts of
 * names for some of them. Each has two minutes to be caught; on a machine that is busy with other work, where the model
 * gets through a tenth of its stories in that time, `--minutes 10`.
 */
import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { plantedBugs } from '../test/model/planted-bugs/bugs.ts'
import { plantIn, type PlantedBug } from '../test/model/planted-bugs/plant.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const COPIED = ['contract', 'server', 'web', 'test', 'scripts', 'package.json', 'tsconfig.json', 'vitest.config.ts']
/** The engine starts and stops besides. */
const BESIDES_MS = 120_000
/** How long the sources as they are must come out well. */
const CONTROL_MINUTES = 0.25

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '2' } },
})
const MINUTES = Number(values.minutes)
const wanted = positionals.length === 0 ? [''] : positionals
const chosen = plantedBugs.filter(({ name }) => wanted.some((part) => name.includes(part)))
let failures = 0

const control = await tell({ name: 'no bug', changes: [] }, CONTROL_MINUTES)
if (control.fault !== undefined || !control.ended) {
  failures += 1
  console.error(control.output)
}
say('no bug planted', control.fault ?? (control.ended ? 'nothing found' : 'DID NOT RUN'), control)

for (const bug of chosen) {
  const run = await tell(bug, MINUTES)
  if (run.fault === undefined) failures += 1
  say(bug.name, run.fault === undefined ? (run.ended ? 'NOT CAUGHT' : 'DID NOT RUN') : `caught: ${run.fault}`, run)
}
console.log(`${chosen.length} bugs planted; ${failures === 0 ? 'all caught' : `${failures} FAILED`}`)
process.exitCode = failures === 0 ? 0 : 1

interface Run {
  seconds: number
  /** The first thing that cannot be. */
  fault: string | undefined
  /** Whether the model ran to its end. */
  ended: boolean
  output: string
}

function say(name: string, outcome: string, { seconds }: Run): void {
  console.log(`${seconds.toFixed(1).padStart(5)} s  ${name.padEnd(56)} ${outcome}`)
}

async function tell(bug: PlantedBug, minutes: number): Promise<Run> {
  const copy = await mkdtemp(path.join(tmpdir(), 'chaabi-planted-'))
  try {
    for (const name of COPIED) await cp(path.join(ROOT, name), path.join(copy, name), { recursive: true })
    await symlink(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'))
    await plant(copy, bug)
    const began = performance.now()
    const { test } = bug
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', test ?? '', '--reporter', 'tap-flat']
    const output = await run(copy, minutes, test === undefined ? modelFor(minutes) : vitest)
    const seconds = (performance.now() - began) / 1_000
    const fault = (test === undefined ? /^What is wrong:\n {2}(.+)$/m : /^not ok \d+ - (.+ > .+)$/m).exec(output)?.[1]
    // Lines of progress end alike
    const ended = test === undefined ? /^0 violations$/m.test(output) : /^ok 1 /m.test(output)
    if (fault === undefined && !ended) console.error(output.slice(-2_000))
    return { seconds, fault, ended, output }
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

async function plant(copy: string, { changes }: PlantedBug): Promise<void> {
  for (const change of changes) {
    const target = path.join(copy, change.file)
    await writeFile(target, plantIn(await readFile(target, 'utf8'), change))
  }
}

function modelFor(minutes: number): string[] {
  return ['test/model/run-model.ts', '--minutes', String(minutes), '--as-found']
}

async function run(copy: string, minutes: number, program: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, ['--import', 'tsx', ...program], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const timer = setTimeout(() => child.kill('SIGKILL'), minutes * 60_000 + BESIDES_MS)
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => resolve())
  })
  clearTimeout(timer)
  return output
}
