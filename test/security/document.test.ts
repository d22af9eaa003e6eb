/** docs/security.md names a test for what it claims: each of them must be there, by that name. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Names that the page explains at its head. */
const SHORT: Record<string, string> = {
  contract: 'test/contract',
  tidy: 'test/tidy.test.ts',
  'hostile text': 'test/journeys/hostile-text.spec.ts',
}
/** What no test shows, and why it is there all the same. */
const WITHOUT = ['2.3.5', '3.5.4', '4.1.2', '9.1.1–9.2.1']

interface Row {
  id: string
  how: string
  shownBy: string
}

const rows = (page: string): Row[] =>
  [...page.matchAll(/^\| *(\d[\d.,–]*(?: [\w().,–]+)*) *\|(.*?)\|(.*?)\|$/gm)].map(
    ([, id = '', how = '', shownBy = '']) => ({
      id: id.trim(),
      how: how.trim(),
      shownBy: shownBy.trim(),
    }),
  )

function fileOf(name: string): string | undefined {
  const places = [
    SHORT[name] ?? name,
    `test/${name}.test.ts`,
    `server/${name}.test.ts`,
    `${name}.test.ts`,
    `test/journeys/${name}.spec.ts`,
  ]
  return places.find((place) => existsSync(place) && (/\.(ts|tsx|sql)$/.test(place) || place === SHORT[name]))
}

/** Of a directory: all that its tests are called. */
function textOf(place: string): string {
  if (place.endsWith('.ts') || place.endsWith('.tsx') || place.endsWith('.sql')) return readFileSync(place, 'utf8')
  const tests = readdirSync(place).filter((file) => file.endsWith('.test.ts'))
  return tests.map((file) => readFileSync(`${place}/${file}`, 'utf8')).join('\n')
}

/** @returns what of "file: a part of a test's name; another part; another file" is not there */
function missingOf({ id, shownBy }: Row): string[] {
  let text = ''
  const missing: string[] = []
  for (const part of shownBy.replaceAll(/\([^)]*\)/g, '').split(';')) {
    const [, files = '', name] = /^([^:]+)(?:: (.*))?$/.exec(part.trim()) ?? []
    const found = files.split(', ').map((file) => fileOf(file.trim()))
    if (found.some((file) => file !== undefined)) {
      text = found.map((file) => (file === undefined ? '' : textOf(file).replaceAll("\\'", "'"))).join('\n')
      if (found.includes(undefined)) missing.push(`${id}: ${files}`)
      if (name !== undefined && !text.includes(name.trim())) missing.push(`${id}: ${part.trim()}`)
    } else if (text === '' || !text.includes(part.trim())) {
      missing.push(`${id}: ${part.trim()}`)
    }
  }
  return missing
}

test('every row says how it is met, and the tests that it names are there', () => {
  const all = rows(readFileSync('docs/security.md', 'utf8'))
  expect(all.length).toBeGreaterThan(80)
  expect(all.filter((row) => row.how === '')).toEqual([])
  expect(all.filter((row) => row.shownBy === '').map((row) => row.id)).toEqual(WITHOUT)
  expect(all.filter((row) => row.shownBy !== '').flatMap(missingOf)).toEqual([])
})

test('a test that is not there is found out', () => {
  const [row] = rows('| 1.1.1 | So | security/http: a name that no test has |')
  expect(row && missingOf(row)).toHaveLength(1)
})
