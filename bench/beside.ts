/**
 * `npm run bench -- NAME --beside DIR [--runs 3]`: the same bench here and in another checkout of the store, turn by
 * turn, so that what else the machine does falls on both alike. Each side runs its own programs, from its own folder;
 * who goes first changes with every turn. DIR needs its own node_modules.
 */
import { spawn } from 'node:child_process'
import { median } from './report.ts'

/** @param args for the bench of either side, without how many runs */
export async function runBeside(name: string, directory: string, runs: number, args: readonly string[]): Promise<void> {
  const ratios = new Map<string, number[]>()
  for (let turn = 1; turn <= runs; turn++) {
    const sides = turn % 2 === 1 ? ['.', directory] : [directory, '.']
    const found = new Map<string, Map<string, number>>()
    for (const side of sides) found.set(side, await measure(side, [name, '--runs', '1', ...args]))
    for (const [what, here] of found.get('.') ?? []) {
      const there = found.get(directory)?.get(what)
      if (there === undefined) continue
      ratios.set(what, [...(ratios.get(what) ?? []), here / there])
      console.log(`  turn ${turn} · ${what} · here ${here} · there ${there} · ${(here / there).toFixed(2)}`)
    }
  }
  console.log('\n| what | here ÷ there, turn by turn | median |\n| --- | --- | --- |')
  for (const [what, values] of ratios)
    console.log(`| ${what} | ${values.map((value) => value.toFixed(2)).join(' / ')} | ${median(values).toFixed(2)} |`)
}

/** Returns the figure of each line of the report's table. Ignores missed goals, because the other side is the goal. */
async function measure(directory: string, args: readonly string[]): Promise<Map<string, number>> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'bench/run.ts', ...args], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const rows = [...said.matchAll(/^\| (.+?) \| ([\d.]+) \S+ \|/gm)]
  if (rows.length === 0) throw new Error(`The bench in ${directory} found nothing:\n${said.slice(-2_000)}`)
  return new Map(rows.map(([, what = '', value]) => [what, Number(value)]))
}
