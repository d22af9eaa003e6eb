// What a phone has to fetch, against the budgets of the design, from Vite's manifest of the last build.
// Prints every figure; exits with 1 when one is over. `npm run budgets`; the build runs it on what it
// has made: `node scripts/check-budgets.mjs DIRECTORY`
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const dist = `${process.argv[2] ?? fileURLToPath(new URL('../dist/web', import.meta.url))}/`
const manifestPath = `${dist}.vite/manifest.json`
if (!existsSync(manifestPath)) {
  console.error('No build in dist/web: run `npm run build` first.')
  process.exit(1)
}
/**
 * @typedef {{ file: string, src?: string, imports?: string[], dynamicImports?: string[], css?: string[] }} Chunk
 * @type {Record<string, Chunk>}
 */
const manifest = JSON.parse(readFileSync(manifestPath, 'utf8'))

const sizes = new Map()
/** Sizes of a file in dist/web, in bytes. */
function size(file) {
  if (!sizes.has(file)) {
    const content = readFileSync(dist + file)
    sizes.set(file, { gz: gzipSync(content, { level: 9 }).length, br: brotliCompressSync(content).length })
  }
  return sizes.get(file)
}

/** The scripts that come with an entry of the manifest, its static imports included. */
function scriptsOf(key, found = new Set()) {
  const chunk = manifest[key]
  if (!chunk || found.has(chunk.file)) return found
  found.add(chunk.file)
  for (const name of chunk.imports ?? []) scriptsOf(name, found)
  return found
}

const sum = (files, form) => [...files].reduce((total, file) => total + size(file)[form], 0)
const without = (files, known) => [...files].filter((file) => !known.has(file))

const rows = []
/** One budget; `limit` in kB of 1,000 bytes, or undefined for a figure that is only shown. */
function row(name, bytes, limit) {
  rows.push({ name, kB: (bytes / 1000).toFixed(1), limit, over: limit !== undefined && bytes / 1000 > limit })
}

// The page itself says what comes first; the manifest, what each of its scripts brings along.
const page = readFileSync(`${dist}index.html`, 'utf8')
const keyOf = new Map(Object.entries(manifest).map(([key, chunk]) => [chunk.file, key]))
const first = new Set()
for (const [, file] of page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)) scriptsOf(keyOf.get(file), first)
const styles = new Set([...first].flatMap((file) => manifest[keyOf.get(file)]?.css ?? []))
if (first.size === 0 || styles.size === 0) throw new Error('index.html names no script or style sheet of the build')
const fonts = readdirSync(`${dist}assets`).filter((file) => file.endsWith('.woff2'))

row('/ JS + CSS, gz', sum(first, 'gz') + sum(styles, 'gz'), 118)
row('/ JS + CSS, br', sum(first, 'br') + sum(styles, 'br'), 105)
row('/ CSS, gz', sum(styles, 'gz'), 12)
row('HTML with inlined CSS, br', brotliCompressSync(page).length, 14)
row(
  'fonts, 2 files',
  fonts.reduce((total, file) => total + readFileSync(`${dist}assets/${file}`).length, 0),
  22,
)
// The page, its scripts and both fonts; the style sheet is in the page.
const requests = 1 + first.size + fonts.length
rows.push({ name: 'requests on /', kB: String(requests), limit: 6, over: requests > 6 })

const ADMIN = /\/admin\//
const screens = Object.keys(manifest).filter((key) => key.endsWith('-screen.tsx'))
const shell = scriptsOf('shell/admin/admin-shell.tsx')
if (shell.size === 0) throw new Error('The build has no frame of the panel at shell/admin/admin-shell.tsx')
const shared = new Map()
for (const key of screens) {
  const isAdmin = ADMIN.test(key)
  const chunk = manifest[key]
  if (!chunk || first.has(chunk.file)) continue
  row(`${isAdmin ? 'admin' : 'user'} route ${key}`, size(chunk.file).gz, 8)
  // With one icon or import too many in vite.config.ts's group, every buyer would fetch the panel's parts.
  const stray = isAdmin ? undefined : [...scriptsOf(key)].find((file) => /\/panel-/.test(file))
  if (stray) throw new Error(`${key} is a buyer's screen and brings ${stray} of the admin panel`)
  const known = new Set([...first, ...(isAdmin ? shell : [])])
  const all = without(scriptsOf(key), known)
  shared.set(key, sum(all, 'gz'))
}
const adminDashboard = screens.find((key) => key.includes('admin-dashboard'))
if (adminDashboard) {
  const extra = new Set([...without(shell, first), ...without(scriptsOf(adminDashboard), first)])
  // Grew by 0.5 for the calls of invitations and of groups that grade themselves
  row('first admin screen over the store', sum(extra, 'gz'), 90.5)
}
for (const key of Object.keys(manifest)) {
  if (/add-money-(dialog|form)/.test(key))
    row(`${key}, all that it brings`, sum(without(scriptsOf(key), first), 'gz'), 75)
  if (/chart/.test(key) && !first.has(manifest[key].file)) row(`chart ${key}`, size(manifest[key].file).gz, 25)
}

// What the upload of a statement brings, and what a PDF brings when one is chosen
const named = (name) =>
  readdirSync(`${dist}assets`)
    .filter((file) => name.test(file))
    .map((file) => `assets/${file}`)
row('upload of a statement, dialog', sum(named(/^upload-dialog-[^.]+\.js$/), 'gz'), 14)
row('a chosen PDF, with its worker', sum(named(/^(?:read-pdf|pdf(?:\.worker\.min)?)-[^.]+\.js$/), 'gz'), 560)

// What readers of another language fetch besides: the store's words, those of the terms, and those of the panel
// The panel's grew by 4 for turnover, large payments and the paper for the bank, and by 0.5 for prices of quantities
// and groups; the store's by 0.3 for limits, and by 0.5 for redeem codes; that of suppliers by 0.5 for other APIs
const CATALOGUES = {
  '': 20.8,
  '-terms': 7,
  '-panel': 44.5,
  '-renewals': 2,
  '-fetch': 1.5,
  '-supply': 6,
  '-codes': 2,
  '-groups': 1,
  '-invites': 2,
  '-inviters': 2,
}
for (const key of Object.keys(manifest)) {
  const [, part] = /^words\/[a-z]+(|-[a-z]+)\.json$/.exec(key) ?? []
  if (part !== undefined) row(`catalogue ${key}, br`, size(manifest[key].file).br, CATALOGUES[part] ?? 0)
}
if (!rows.some(({ name }) => name.startsWith('catalogue'))) throw new Error('The build has no catalogues in words/')

console.log('Budgets (kB, gz unless said otherwise)')
for (const { name, kB, limit, over } of rows) {
  console.log(`${over ? ' ✗' : '  '} ${name.padEnd(52)} ${kB.padStart(7)}${limit === undefined ? '' : ` / ${limit}`}`)
}
const largest = [...shared].sort((a, b) => b[1] - a[1]).slice(0, 3)
console.log(
  '   with what they share, largest: ' +
    largest.map(([key, bytes]) => `${key} ${(bytes / 1000).toFixed(1)}`).join(', '),
)
if (rows.some((each) => each.over)) {
  console.error('Over budget: see ✗ above.')
  process.exit(1)
}
