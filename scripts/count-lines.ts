/**
 * Prints what the program weighs: production lines by folder, beside those of another commit with `--beside <commit>`.
 * Tests stand apart. So do what one reads to follow each of six ways of data, the medians of files and functions, and
 * the packages that run in production.
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

/** Plumbing that all ways share, and the texts of messages. It is read once, whatever the feature. */
const SHARED = /^(contract|server\/(audit|messages\/words|platform|settings))\b/
/** A way of its own, which the others only call. */
const PURCHASE = 'server/orders/place-orders.ts'

interface Way {
  /** Read themselves, not what they import: the endpoints, and the one line of each. */
  shown: readonly string[]
  /** Read with all that they import from features, directly or not. */
  followed: readonly string[]
}

/** What one reads to understand a way of data through the server. */
const WAYS: Record<string, Way> = {
  purchase: { shown: ['contract/orders', 'server/orders/routes'], followed: ['server/orders/place-order'] },
  'top-up': {
    shown: ['contract/payments', 'server/payments/routes'],
    followed: ['server/payments/request-top-up', 'server/payments/decide-top-up'],
  },
  'bank alert': {
    shown: ['contract/bank-phones', 'server/bank/phone-routes'],
    followed: ['server/bank/inbox/take-alert'],
  },
  refund: { shown: ['contract/claims', 'server/claims/routes'], followed: ['server/claims/decide-claims'] },
  message: { shown: ['contract/message-kinds'], followed: ['server/messages/spread', 'server/messages/worker'] },
  'list in the panel': {
    shown: ['contract/payments', 'server/payments/routes', 'server/panel-data'],
    followed: ['server/payments/list-payments'],
  },
}

/** @returns the files of a way, with what they import from features */
function filesOf({ shown, followed }: Way, read: (file: string) => string): string[] {
  const found = new Set(shown.map((file) => `${file}.ts`))
  const follow = (file: string) => {
    // Wordings of banks are data
    if (found.has(file) || SHARED.test(file) || file.endsWith('.json')) return
    found.add(file)
    const imported = read(file).matchAll(/^(?:import|export)\s(?!type\b)[^']*from '(\.[^']+)'/gm)
    for (const [, to = ''] of imported) {
      const next = path.posix.join(path.posix.dirname(file), to)
      if (next !== PURCHASE || followed.includes('server/orders/place-order')) follow(next)
    }
  }
  for (const file of followed) follow(`${file}.ts`)
  return [...found]
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
  for (const [name, way] of Object.entries(WAYS)) {
    // An older commit may have them elsewhere
    const isThere = [...way.shown, ...way.followed].every((file) => files.includes(`${file}.ts`))
    if (!isThere && root === '.') throw new Error(`A file of "${name}" has moved: mend WAYS`)
    const found = isThere ? filesOf(way, read) : []
    figures.set(`${name}, files`, found.length)
    figures.set(`${name}, lines`, sum(found.map((file) => linesOf(read(file)))))
  }
  figures.set('files', lengths.length)
  figures.set('median file', median(lengths))
  figures.set('functions', functions.length)
  figures.set('median function', median(functions))
  const { packages } = z.parse(Lock, JSON.parse(read('package-lock.json')))
  const running = Object.entries(packages).filter(([name, { dev, optional }]) => name !== '' && !dev && !optional)
  return figures.set('run-time packages', running.length)
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
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
  console.log(name.padEnd(26) + `${figure}`.padStart(8) + change)
}

function signed(change: number): string {
  return change > 0 ? `+${change}` : `${change}`
}
