/** Plants mistakes in copies of the sources, one after the other, and runs the quick drill on each: it must fail. */
import { spawn } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { plantIn, type PlantedBug } from '../test/model/planted-bugs/plant.ts'
import { newDirectory, type DrillOptions, type Finding } from './drill.ts'
import { endLater } from './store-process.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const COPIED = ['contract', 'server', 'web', 'test', 'scripts', 'drills', 'package.json', 'tsconfig.json']

interface Control {
  drill: string
  count: number
  bugs: readonly PlantedBug[]
  /** In the figures of the drill, with what it found wrong in the first group. */
  wrong: RegExp
  /** What it says there when it found nothing. */
  isWell: string
}

export async function runControl({ directories, plant = '', say }: DrillOptions, control: Control): Promise<Finding> {
  const bugs = control.bugs.filter(({ name }) => name.includes(plant))
  const missed: string[] = []
  for (const bug of bugs) {
    let output = await runWith(bug, control, directories)
    // It broke before it looked, as on a machine that does much else
    if (!control.wrong.test(output)) output = await runWith(bug, control, directories)
    const found = control.wrong.exec(output)?.[1] ?? control.isWell
    const isMissed = found === control.isWell
    say(`${bug.name}: ${isMissed ? 'NOT NOTICED' : found}`)
    if (isMissed) {
      missed.push(bug.name)
      say(output.slice(-1_000))
    }
  }
  return {
    passed: bugs.length > 0 && missed.length === 0,
    figures: [`${bugs.length - missed.length} of ${bugs.length} planted mistakes noticed`, ...missed],
    proved: 'the drill notices these mistakes.',
    cannotProve: 'that it notices others.',
  }
}

async function runWith({ changes }: PlantedBug, { drill, count }: Control, directories: string[]): Promise<string> {
  const copy = newDirectory(directories)
  for (const name of COPIED) cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true })
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'))
  for (const change of changes) {
    const file = path.join(copy, change.file)
    writeFileSync(file, plantIn(readFileSync(file, 'utf8'), change))
  }
  const program = ['--import', 'tsx', 'drills/run.ts', drill, '--quick', '--count', String(count)]
  const child = spawn(process.execPath, program, { cwd: copy, stdio: ['ignore', 'pipe', 'pipe'] })
  endLater(async () => void (child.exitCode === null && child.kill('SIGTERM')))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()))
  await new Promise((resolve) => child.once('close', resolve))
  return output
}
