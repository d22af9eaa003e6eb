/**
 * What the packages hold and this machine may lack: the engine and the password hashing of either architecture, and the
 * Node that lies in them. npm takes each by the SHA-512 of a lock file, and it is kept in .cache/parts.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '..')

/**
 * @param {'x64' | 'arm64'} arch
 * @returns {{ modules: string, node: string }} a node_modules for running the store there, and that Node
 */
export function fetchParts(arch) {
  const modules = install('', ['--omit=dev'], arch)
  const runtime = install('scripts/runtime', [], arch)
  return { modules, node: path.join(runtime, `node-linux-${arch}/bin/node`) }
}

/** @returns {string} the version of the Node that lies in the packages */
export const nodeVersion = () =>
  Object.values(
    JSON.parse(readFileSync(path.join(ROOT, 'scripts/runtime/package.json'), 'utf8')).optionalDependencies,
  )[0]

function install(from, options, arch) {
  const files = ['package.json', 'package-lock.json'].map((name) => path.join(ROOT, from, name))
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(file))
  const place = path.join(ROOT, `.cache/parts/${arch}-${hash.digest('hex').slice(0, 16)}`)
  if (existsSync(place)) return path.join(place, 'node_modules')
  const beside = `${place}.${process.pid}`
  rmSync(beside, { recursive: true, force: true })
  mkdirSync(beside, { recursive: true })
  for (const file of files) copyFileSync(file, path.join(beside, path.basename(file)))
  writeFileSync(path.join(beside, '.npmrc'), 'omit-lockfile-registry-resolved=true\n')
  const args = ['ci', ...options, '--os=linux', `--cpu=${arch}`, '--libc=glibc', '--no-audit', '--no-fund']
  const { status, stderr } = spawnSync('npm', args, { cwd: beside, encoding: 'utf8' })
  // Half of it is never taken for all
  if (status !== 0) {
    rmSync(beside, { recursive: true, force: true })
    throw new Error(`The parts for ${arch} could not be fetched. Nothing was made. npm says: ${stderr.trim()}`)
  }
  renameSync(beside, place)
  return path.join(place, 'node_modules')
}
