/** The changelog: what the check asks of it, and what a new version makes of it. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { setVersion, unreleased } from '../scripts/set-version.mjs'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
const newFolder = () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'chaabi-changelog-'))
  folders.push(folder)
  return folder
}

function givenProject(changelog: string) {
  const root = newFolder()
  mkdirSync(path.join(root, 'docs'))
  const files = ['package.json', 'package-lock.json', 'README.md', 'docs/install.md', 'docs/several-machines.md']
  for (const file of files) cpSync(file, path.join(root, file))
  writeFileSync(path.join(root, 'CHANGELOG.md'), changelog)
  return { root, read: (file: string) => readFileSync(path.join(root, file), 'utf8'), files }
}

test('a new version is set everywhere, and its changelog is closed', () => {
  const { root, read, files } = givenProject(
    '# Changelog\n\n## Unreleased\n\n- A thing.\n\n## 0.1.0 – 2026-11-28\n\n- All.\n',
  )
  const { version } = JSON.parse(read('package.json')) as { version: string }
  setVersion(root, '9.10.0', new Date('2027-01-02T00:00:00Z'))
  expect(read('CHANGELOG.md')).toContain('## Unreleased\n\n## 9.10.0 – 2027-01-02\n\n- A thing.\n')
  expect(unreleased(read('CHANGELOG.md'))).toBe('')
  for (const file of files) {
    expect(read(file), file).toContain('9.10.0')
    expect(read(file), file).not.toContain(`chaabi_${version}_`)
  }
})

test.each([
  ['9.9.9', '# Changelog\n\n## Unreleased\n\n## 0.1.0 – 2026-11-28\n', /says nothing under Unreleased/],
  ['0.0.1', '## Unreleased\n\n- A thing.\n\n## 0.1.0\n', /0\.0\.1 is not newer than .*\. Nothing was changed\./],
  ['next', '## Unreleased\n\n- A thing.\n\n## 0.1.0\n', /next is no version like 0\.2\.0/],
])('version %s is refused in a sentence, and nothing changes', (version, changelog, words) => {
  const { root, read } = givenProject(changelog)
  const before = read('package.json')
  expect(() => setVersion(root, version)).toThrow(words)
  expect([read('package.json'), read('CHANGELOG.md')]).toEqual([before, changelog])
})

test('a change of the wire or the database that the changelog does not name is found', () => {
  const root = newFolder()
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: root })
  const commit = (file: string, message: string) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), `${message}\n`)
    git('add', '--all')
    git('commit', '-qm', message)
  }
  const ask = () => {
    const { status, stderr } = spawnSync('node', [path.resolve('scripts/check-changelog.mjs')], { cwd: root })
    return { status, said: stderr.toString() }
  }
  git('init', '-q')
  commit('CHANGELOG.md', 'begin')
  commit('contract/a.test.ts', 'a test')
  commit('web/a.ts', 'a screen')
  expect(ask()).toEqual({ status: 0, said: '' })
  commit('contract/a.ts', 'quiet\n\nChangelog: none')
  expect(ask().status).toBe(0)
  commit('server/migrations/0099_a.sql', 'a table')
  expect(ask()).toMatchObject({
    status: 1,
    said: expect.stringMatching(/says nothing of: \w+ a table\. Add a line/) as string,
  })
  writeFileSync(path.join(root, 'CHANGELOG.md'), 'a line\n')
  expect(ask().status).toBe(0)
})
