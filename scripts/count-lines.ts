/**
 * Prints what the program weighs: production lines by folder, beside those of another commit with `--beside <commit>`.
 * Tests stand apart. So do what is read of a purchase, a top-up and a bank alert, the medians of files and functions,
 * and the packages that run in production.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import ts from 'typescript-5'
import * as z from 'zod/mini'

const FOLDERS = ['server', 'web', 'contract', 'drills', 'bench', 'scripts']
const TEST = /\.test\.tsx?$|^test\//
const Lock = z.object({
  packages: z.record(z.string(), z.object({ dev: z.optional(z.boolean()), optional: z.optional(z.boolean()) })),
})

type Figures = Map<string, number>

const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' })

const DECIDED = [
  'server/payments/decide-top-up',
  'server/payments/top-ups',
  'server/wallet/credit',
  'server/wallet/ledger',
]
/** What ARCHITECTURE.md reads in order on the server, with its contract. */
const READ: Record<string, readonly string[]> = {
  'one purchase': [
    'contract/orders',
    ...['routes', 'place-order', 'place-orders', 'repeated-orders', 'decide-orders'].map(
      (file) => `server/orders/${file}`,
    ),
    'server/keys/take-keys',
    'server/wallet/ledger',
  ],
  'one top-up': [
    'contract/payments',
    ...['routes', 'request-top-up', 'same-transfer'].map((file) => `server/payments/${file}`),
    ...DECIDED,
  ],
  'one bank alert': [
    'contract/bank-phones',
    'server/bank/phone-routes',
    ...['take-alert', 'alert-message', 'read-alert', 'note-alerts'].map((file) => `server/bank/alerts/${file}`),
    'server/bank/credits/record-credits',
    ...['settle', 'matches', 'match-facts', 'decide-match', 'approve-by-rules'].map(
      (file) => `server/bank/matching/${file}`,
    ),
    ...DECIDED,
  ],
}

/** @param listed the names of all files in the folder */
function weigh(root: string, listed: string): Figures {
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
  const files = listed.split('\n').filter((file) => /\.(tsx?|mjs)$/.test(file))
  const figures: Figures = new Map([...FOLDERS, 'all', 'tests'].map((name) => [name, 0]))
  const lengths: number[] = []
  const functions: number[] = []
  const count = (name: string, lines: number) => figures.set(name, (figures.get(name) ?? 0) + lines)
  for (const file of files) {
    const [folder = ''] = file.split('/')
    if (!FOLDERS.includes(folder) && folder !== 'test') continue
    const text = read(file)
    const lines = linesOf(text)
    if (TEST.test(file)) {
      count('tests', lines)
      continue
    }
    count(folder, lines)
    count('all', lines)
    lengths.push(lines)
    functions.push(...functionsIn(ts.createSourceFile(file, text, ts.ScriptTarget.Latest)))
  }
  for (const [name, parts] of Object.entries(READ)) {
    const found = parts.map((part) => `${part}.ts`).filter((file) => files.includes(file))
    const lines = found.reduce((sum, file) => sum + linesOf(read(file)), 0)
    figures.set(`${name}, files`, found.length).set(`${name}, lines`, lines)
  }
  figures.set('files', lengths.length)
  figures.set('median file', median(lengths))
  figures.set('functions', functions.length)
  figures.set('median function', median(functions))
  const { packages } = z.parse(Lock, JSON.parse(read('package-lock.json')))
  const running = Object.entries(packages).filter(([name, { dev, optional }]) => name !== '' && !dev && !optional)
  return figures.set('run-time packages', running.length)
}

const linesOf = (text: string): number => text.split('\n').length - 1

/** Lengths of all functions that have a body of statements. */
function functionsIn(node: ts.SourceFile): number[] {
  const found: number[] = []
  const visit = (each: ts.Node) => {
    if (ts.isFunctionLike(each) && 'body' in each && each.body && ts.isBlock(each.body))
      found.push(linesOf(node.text.slice(each.getStart(node), each.end)) + 1)
    ts.forEachChild(each, visit)
  }
  visit(node)
  return found
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}

function weighCommit(commit: string): Figures {
  const root = mkdtempSync(path.join(tmpdir(), 'chaabi-weight-'))
  try {
    execFileSync('tar', ['-x', '-C', root], { input: execFileSync('git', ['archive', commit], { maxBuffer: 2 ** 30 }) })
    return weigh(root, git('ls-tree', '-r', '--name-only', commit))
  } finally {
    rmSync(root, { recursive: true })
  }
}

const { beside } = parseArgs({ options: { beside: { type: 'string' } } }).values
const now = weigh('.', git('ls-files'))
const before = beside === undefined ? undefined : weighCommit(beside)
for (const [name, figure] of now) {
  const earlier = before?.get(name)
  const change = earlier === undefined ? '' : `${earlier}`.padStart(9) + signed(figure - earlier).padStart(8)
  console.log(name.padEnd(18) + `${figure}`.padStart(8) + change)
}

function signed(change: number): string {
  return change > 0 ? `+${change}` : `${change}`
}
