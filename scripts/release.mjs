/**
 * `npm run release` makes what a server installs, with Node inside, into .cache/release: a tarball, a Debian package,
 * the list of what is in them (SBOM) and the checksums of all three. The same commit gives the same bytes.
 * `--version 0.1.1` names another version, and `--quick` makes only a larger package.
 */
import './need-node.mjs'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { buildIsFresh } from './build.mjs'
import { stageProgram } from './stage-program.mjs'

const ROOT = path.resolve(import.meta.dirname, '..')
const MB_MAX = 60

const { values } = parseArgs({
  options: { version: { type: 'string' }, out: { type: 'string' }, quick: { type: 'boolean' } },
})
const version = values.version ?? JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')).version
if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`${version} is no version like 0.1.0`)
if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('A release is made on Linux, x64.')
const out = path.resolve(values.out ?? path.join(ROOT, '.cache/release'))
const seconds = Number(run('git', 'log', '-1', '--format=%ct').trim())
const madeAt = new Date(seconds * 1000)

if (!buildIsFresh()) run('npm', 'run', '-s', 'build')
mkdirSync(out, { recursive: true })
// Only what a release has made, because --out may name any folder
for (const old of readdirSync(out))
  if (/^(chaabi[-_]\d+\.\d+\.\d+|SHA256SUMS$)/.test(old)) rmSync(path.join(out, old), { recursive: true })
const tree = path.join(out, `chaabi-${version}`)
stageProgram(tree, { version, madeAt })
const files = values.quick ? [makePackage()] : [makeTarball(), makePackage(), makeSbom()]
writeFileSync(path.join(out, 'SHA256SUMS'), files.map((file) => `${sumOf(file)}  ${path.basename(file)}\n`).join(''))
for (const file of files) {
  const mb = statSync(file).size / 1e6
  console.log(`${path.relative(ROOT, file)}: ${mb.toFixed(1)} MB, SHA-256 ${sumOf(file)}`)
  if (mb > MB_MAX && !values.quick) throw new Error(`It is larger than ${MB_MAX} MB.`)
}
console.log(`Installed: ${run('du', '-sm', tree).split('\t')[0]} MB`)
console.log(`The files are in ${out}, with their checksums in SHA256SUMS.`)
console.log(`To install them: sudo apt install '${files.find((file) => file.endsWith('.deb'))}'`)

function makeTarball() {
  const file = path.join(out, `chaabi-${version}-linux-x64.tar.xz`)
  const ownership = ['--owner=0', '--group=0', '--numeric-owner', `--mtime=@${seconds}`]
  const archive = file.replace(/\.xz$/, '')
  run('tar', '--sort=name', '--format=gnu', ...ownership, '-C', out, '-cf', archive, path.basename(tree))
  run('xz', '-6', '--threads=2', archive)
  return file
}

/** Says of which packages the release is made, for who looks for a fault that became known. */
function makeSbom() {
  const file = path.join(out, `chaabi-${version}.cdx.json`)
  const sbom = JSON.parse(run('npm', 'run', '-s', 'sbom'))
  // It would make the same commit give other bytes
  delete sbom.serialNumber
  sbom.metadata.timestamp = madeAt.toISOString()
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`)
  return file
}

function makePackage() {
  const root = `${tree}-package`
  const about = path.join(root, 'DEBIAN')
  mkdirSync(about, { recursive: true })
  cpSync(tree, path.join(root, 'opt/chaabi', version), {
    recursive: true,
    preserveTimestamps: true,
    verbatimSymlinks: true,
  })
  mkdirSync(path.join(root, 'usr/bin'), { recursive: true })
  symlinkSync('/opt/chaabi/current/bin/chaabi', path.join(root, 'usr/bin/chaabi'))
  const control = `Package: chaabi
Version: ${version}
Architecture: amd64
Maintainer: Chaabi <chaabi@localhost>
Depends: libc6 (>= 2.28), libstdc++6
Recommends: caddy, rsync
Section: web
Priority: optional
Description: Store for time-limited licence keys
 The store with its database and Node inside. Run: chaabi setup shop.example
`
  writeFileSync(path.join(about, 'control'), control)
  for (const script of ['preinst', 'postinst', 'prerm']) {
    const text = readFileSync(path.join(ROOT, 'deploy/debian', script), 'utf8').replace('@VERSION@', version)
    writeFileSync(path.join(about, script), text)
    chmodSync(path.join(about, script), 0o755)
  }
  const file = path.join(out, `chaabi_${version}_amd64.deb`)
  const squeeze = values.quick ? ['-Zgzip', '-z1'] : ['-Zxz', '-z6']
  // It takes this moment for all that it writes itself
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(seconds) }
  execFileSync('dpkg-deb', ['--root-owner-group', ...squeeze, '--build', root, file], { env, stdio: 'ignore' })
  rmSync(root, { recursive: true })
  return file
}

function run(program, ...args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr.trim()}`)
  return stdout
}

function sumOf(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
