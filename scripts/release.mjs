/**
 * `npm run release` makes what a server installs into .cache/release, for amd64 and arm64: a tarball, a Debian package,
 * the list of what is in them (SBOM), and the checksums of all. Node 24 is inside, and builds the store, whatever Node
 * runs this. The same commit gives the same bytes.
 *
 * - `--version 0.2.0` first sets that version everywhere, and closes *Unreleased* in the changelog.
 * - `--arch arm64` makes those of one architecture.
 * - `--quick` makes only a larger package, for this machine.
 * - `--tree` makes only the folder, for this machine, as a container needs it.
 */
import './need-node.mjs'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { buildIsFresh } from './build.mjs'
import { checkPrograms, GLIBC_MIN } from './check-programs.mjs'
import { fetchParts } from './fetch-parts.mjs'
import { setVersion } from './set-version.mjs'
import { stageProgram } from './stage-program.mjs'
import { noticesText, sbomOf, whatLiesIn } from './what-lies-in.mjs'

const ROOT = path.resolve(import.meta.dirname, '..')
const MB_MAX = 70
/** As Debian names what Node names. */
const DEBIAN = { x64: 'amd64', arm64: 'arm64' }

const { values } = parseArgs({
  options: {
    version: { type: 'string' },
    out: { type: 'string' },
    arch: { type: 'string' },
    quick: { type: 'boolean' },
    tree: { type: 'boolean' },
  },
})
if (values.version !== undefined) setVersion(ROOT, values.version)
const { version, homepage } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
if (process.platform !== 'linux' || !(process.arch in DEBIAN)) throw new Error('A release is made on Linux.')
const only = values.arch ?? (values.quick || values.tree ? process.arch : undefined)
const archs = only === undefined ? Object.keys(DEBIAN) : [only === 'amd64' ? 'x64' : only]
if (!archs.every((arch) => arch in DEBIAN)) throw new Error(`There is no package for ${only}. Name amd64 or arm64.`)
const out = path.resolve(values.out ?? path.join(ROOT, '.cache/release'))
const seconds = Number(process.env.SOURCE_DATE_EPOCH || run('git', 'log', '-1', '--format=%ct').trim())
const madeAt = new Date(seconds * 1000)

// Another Node compresses to other bytes
const own = fetchParts(process.arch).node
const versions = JSON.parse(run(own, '-p', 'JSON.stringify(process.versions)'))
const builtBy = () => JSON.parse(readFileSync(path.join(ROOT, 'dist/stamp.json'), 'utf8')).node
if (!buildIsFresh() || builtBy() !== `v${versions.node}`) run(own, 'scripts/build.mjs')
mkdirSync(out, { recursive: true })
// Only what a release has made, because --out may name any folder
for (const old of readdirSync(out))
  if (/^(chaabi[-_]\d+\.\d+\.\d+|SHA256SUMS$)/.test(old)) rmSync(path.join(out, old), { recursive: true })
const files = archs.flatMap((arch) => makeFor(arch))
if (files.length > 0)
  writeFileSync(path.join(out, 'SHA256SUMS'), files.map((file) => `${sumOf(file)}  ${path.basename(file)}\n`).join(''))
for (const file of files) {
  const mb = statSync(file).size / 1e6
  console.log(`${path.relative(ROOT, file)}: ${mb.toFixed(1)} MB, SHA-256 ${sumOf(file)}`)
  if (mb > MB_MAX && !values.quick) throw new Error(`It is larger than ${MB_MAX} MB.`)
}
console.log(`The files are in ${out}${files.length > 0 ? ', with their checksums in SHA256SUMS' : ''}.`)
const mine = files.find((file) => file.endsWith(`_${DEBIAN[process.arch]}.deb`))
if (mine) console.log(`To install them: sudo apt install '${mine}'`)

/** @returns the files of one architecture. The folder stays for the container, if it is that of this machine */
function makeFor(arch) {
  const parts = { ...fetchParts(arch), arch, nodeVersion: `v${versions.node}`, versions }
  const tree = path.join(out, `chaabi-${version}${arch === process.arch ? '' : `-${arch}`}`)
  let inside
  stageProgram(tree, { version, madeAt }, parts, () => {
    inside = whatLiesIn(tree, parts)
    writeFileSync(path.join(tree, 'NOTICES.txt'), noticesText(inside))
    writeFileSync(path.join(tree, 'sbom.cdx.json'), jsonOf(sbomOf(inside, { version, arch, madeAt })))
  })
  const programs = checkPrograms(tree, arch)
  const mb = run('du', '-sm', tree).split('\t')[0]
  console.log(`${DEBIAN[arch]}: ${mb} MB installed, ${inside.length} parts of others, ${programs} programs for ${arch}`)
  if (values.tree) return []
  if (values.quick) return [makePackage(tree, arch)]
  const sbom = path.join(out, `chaabi-${version}-${arch}.cdx.json`)
  cpSync(path.join(tree, 'sbom.cdx.json'), sbom)
  return [makeTarball(tree, arch), makePackage(tree, arch), sbom]
}

function jsonOf(content) {
  return `${JSON.stringify(content, null, 2)}\n`
}

function makeTarball(tree, arch) {
  const name = `chaabi-${version}`
  const file = path.join(out, `${name}-linux-${arch}.tar.xz`)
  const ownership = ['--owner=0', '--group=0', '--numeric-owner', `--mtime=@${seconds}`]
  const archive = file.replace(/\.xz$/, '')
  const renamed = `--transform=s,^${path.basename(tree)}\\(/\\|$\\),${name}\\1,S`
  run('tar', '--sort=name', '--format=gnu', ...ownership, renamed, '-C', out, '-cf', archive, path.basename(tree))
  run('xz', '-6', '--threads=2', archive)
  return file
}

function makePackage(tree, arch) {
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
Architecture: ${DEBIAN[arch]}
Maintainer: The authors of Chaabi
${homepage ? `Homepage: ${homepage}\n` : ''}Depends: libc6 (>= ${GLIBC_MIN}), libstdc++6
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
  const file = path.join(out, `chaabi_${version}_${DEBIAN[arch]}.deb`)
  const squeeze = values.quick ? ['-Zgzip', '-z1'] : ['-Zxz', '-z6']
  // The packer uses this time in all that it writes
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
