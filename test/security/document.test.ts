/** docs/security.md names a test for what it claims: each of them must be there, by that name. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Names that the page explains at its head. */
const SHORT: Record<string, string> = {
  contract: 'test/contract',
  tidy: 'test/tidy.test.ts',
  'hostile text': 'test/journeys/hostile-text.spec.ts',
}
/** Claims that no test shows, with the reason to keep them. */
const WITHOUT = ['2.3.5', '3.5.4', '4.1.2', '9.1.1–9.2.1']

interface Row {
  id: string
  how: string
  /** Each "file" or "file: part of a test's name". */
  tests: string[]
}

/** A row is a line like "**1.1.1 Decoding.** Met." and the list below it, whose last item names the tests. */
const rows = (page: string): Row[] =>
  [
    ...page.matchAll(
      /^\*\*(\d[\d.,–]*(?: \d[\d.,–]*)*) [^*]+\*\* (?:Met|Deviation|Does not apply)\b([^]*?)(?=^\*\*\d|^#|(?![^]))/gm,
    ),
  ].map(([, id = '', text = '']) => {
    const [how = '', shownBy = ''] = text.split('\n- Test: ')
    return {
      id,
      how: how.slice(how.indexOf('\n')).trim(),
      tests: [...shownBy.matchAll(/`([^`]+)`/g)].map(([, test = '']) => test.replaceAll(/\s+/g, ' ')),
    }
  })

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

/** @returns the tests that are not there */
const missingOf = ({ id, tests }: Row): string[] =>
  tests.flatMap((test) => {
    const [, file = '', name = ''] = /^([^:]+)(?:: (.*))?$/.exec(test) ?? []
    const place = fileOf(file)
    return place !== undefined && textOf(place).replaceAll("\\'", "'").includes(name) ? [] : [`${id}: ${test}`]
  })

test('every row says how it is met, and the tests that it names are there', () => {
  const page = readFileSync('docs/security.md', 'utf8')
  const all = rows(page)
  expect(all.length).toBe(page.split('\n').filter((line) => /^\*\*\d/.test(line)).length)
  expect(all.length).toBeGreaterThan(80)
  expect(all.filter((row) => !row.how.startsWith('- ')).map((row) => row.id)).toEqual([])
  expect(all.filter((row) => row.tests.length === 0).map((row) => row.id)).toEqual(WITHOUT)
  expect(all.flatMap(missingOf)).toEqual([])
})

test('a test that is not there is found', () => {
  const [row] = rows('**1.1.1 Decoding.** Met.\n\n- So.\n- Test: `security/http: a name that no test has`\n')
  expect(row && missingOf(row)).toHaveLength(1)
})
