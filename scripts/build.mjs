/**
 * Builds the store into dist/: `web` (precompressed), `render` (the same screens, for drawing them on the server),
 * `server` with its migrations, and a stamp that says which sources it was made of. It is made beside and moved into
 * place, so a build that fails leaves the last one.
 */
import './need-node.mjs'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { bundleServer } from './bundle-server.mjs'
import { notePackages } from './note-packages.mjs'

const ROOT = path.resolve(import.meta.dirname, '..')
const DIST = path.join(ROOT, 'dist')
const STAMP = 'stamp.json'
const SOURCES = [
  'contract',
  'server',
  'web',
  'package-lock.json',
  'tsconfig.json',
  'vite.config.ts',
  'scripts/build.mjs',
  'scripts/bundle-server.mjs',
  'scripts/note-packages.mjs',
  'scripts/served-browsers.mjs',
]
/** Smaller ones do not get smaller by more than the header that says so. */
const COMPRESSIBLE_BYTES_MIN = 512
const COMPRESSIBLE = /\.(html|js|css|svg|json|webmanifest|txt|xml)$/

/**
 * @returns whether dist/ was made of the sources as they are. An installation without sources is as fresh as can be.
 */
export function buildIsFresh() {
  if (!existsSync(path.join(DIST, 'server/main.js'))) return false
  if (!existsSync(path.join(ROOT, 'server/main.ts'))) return true
  try {
    return JSON.parse(readFileSync(path.join(DIST, STAMP), 'utf8')).sources === hashOfSources()
  } catch {
    return false
  }
}

/** By content and not by time: a fresh checkout of the same sources needs no new build. Takes some 10 ms. */
function hashOfSources() {
  const hash = createHash('sha1')
  for (const source of SOURCES) addToHash(hash, source)
  return hash.digest('hex')
}

function addToHash(hash, name) {
  const file = path.join(ROOT, name)
  let entries
  try {
    entries = readdirSync(file, { withFileTypes: true })
  } catch (error) {
    if (error.code === 'ENOTDIR') hash.update(`${name}\0`).update(readFileSync(file)).update('\0')
    return
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!/\.test\.tsx?$|^\./.test(entry.name)) addToHash(hash, `${name}/${entry.name}`)
  }
}

async function build() {
  const began = Date.now()
  process.env.NODE_ENV = 'production'
  const sources = hashOfSources()
  const beside = path.join(ROOT, `.cache/build-${process.pid}`)
  mkdirSync(beside, { recursive: true })
  const packages = notePackages()
  try {
    const { build: bundle } = await import('vite')
    await bundle({
      root: path.join(ROOT, 'web'),
      configFile: path.join(ROOT, 'vite.config.ts'),
      logLevel: 'warn',
      plugins: [packages.plugin],
      worker: { plugins: () => [packages.plugin] },
      build: { outDir: path.join(beside, 'web'), emptyOutDir: true },
    })
    // React goes into the bundle, because an installation without the build's tools has none.
    await bundle({
      root: path.join(ROOT, 'web'),
      configFile: path.join(ROOT, 'vite.config.ts'),
      publicDir: false,
      logLevel: 'warn',
      plugins: [packages.plugin],
      define: { 'process.env.NODE_ENV': '"production"' },
      ssr: { noExternal: true },
      build: {
        ssr: path.join(ROOT, 'web/server.tsx'),
        outDir: path.join(beside, 'render'),
        emptyOutDir: true,
        manifest: false,
        rolldownOptions: { output: { entryFileNames: 'render.js', codeSplitting: undefined } },
      },
    })
    await bundleServer(path.join(beside, 'server'), { plugins: [packages.plugin] })
    packages.write(path.join(beside, 'packages.json'))
    checkPages(path.join(beside, 'web'))
    await compress(path.join(beside, 'web'))
    const stamp = { sources, builtAt: new Date().toISOString(), node: process.version }
    writeFileSync(path.join(beside, STAMP), `${JSON.stringify(stamp, null, 2)}\n`)
    moveIntoPlace(beside)
  } finally {
    rmSync(beside, { recursive: true, force: true })
  }
  console.log(`Built dist/ in ${((Date.now() - began) / 1000).toFixed(1)} s`)
}

/** A build fails if a phone has to fetch too much, or cannot run it, because neither may come unseen. */
function checkPages(directory) {
  for (const name of ['check-budgets.mjs', 'check-browsers.mjs']) {
    const script = path.join(ROOT, 'scripts', name)
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, directory], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`The web pages fail ${name}.\n${stdout}${stderr}`)
  }
}

/** Puts .br and .gz beside each file that gains by it, once and well, so that serving costs nothing. */
async function compress(directory) {
  const brotli = promisify(brotliCompress)
  const zip = promisify(gzip)
  const files = readdirSync(directory, { recursive: true }).filter((name) => COMPRESSIBLE.test(name))
  await Promise.all(
    files.map(async (name) => {
      const file = path.join(directory, name)
      const content = await readFile(file)
      if (content.length < COMPRESSIBLE_BYTES_MIN) return
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
      const [br, gz] = await Promise.all([brotli(content, { params }), zip(content, { level: 9 })])
      if (br.length < content.length) await writeFile(`${file}.br`, br)
      if (gz.length < content.length) await writeFile(`${file}.gz`, gz)
    }),
  )
}

/** Two renames: a directory cannot replace one that has files. */
function moveIntoPlace(beside) {
  const old = path.join(ROOT, `.cache/replaced-${process.pid}`)
  // Another build may put its own there between the two; then ours replaces that.
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (existsSync(DIST)) renameSync(DIST, old)
      renameSync(beside, DIST)
      rmSync(old, { recursive: true, force: true })
      return
    } catch (error) {
      rmSync(old, { recursive: true, force: true })
      if (attempt === 5) throw error
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  build().catch((error) => {
    console.error(error)
    process.exit(1)
  })
}
