/** `npm run check` reads every page with scripts/check-docs.mjs. These tests plant faults for it to find. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'chaabi-docs-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** @returns the faults that the check finds in a page with this text, and its exit code */
function check(text: string): { faults: string[]; exitCode: number | null } {
  const file = path.join(folder, 'page.md')
  writeFileSync(file, text)
  const { stderr, status } = spawnSync(process.execPath, ['scripts/check-docs.mjs', file], { encoding: 'utf8' })
  return { faults: stderr.split('\n').filter((line) => line.startsWith(file)), exitCode: status }
}

const words = (count: number) => Array.from({ length: count }, () => 'so').join(' ')

test('a page without a fault passes', () => {
  const page = `# A page\n\n${words(15)}.\n${words(15)}.\n\n- See [the page](page.md#a-page) and \`server/main.ts\`.\n`
  expect(check(page)).toEqual({ faults: [], exitCode: 0 })
})

test.each([
  ['a sentence of 31 words', `${words(15)}\n${words(16)}.`, 'over 30 words'],
  ['a long sentence in a list', `- ${words(31)}.`, 'over 30 words'],
  ['a long sentence in a table', `| ${words(31)} |`, 'over 30 words'],
  ['a line of 121 characters', `${'x'.repeat(120)}.`, '121 characters'],
  ['a banned word', 'The customer pays.', 'banned'],
  ['a link to a page that is not there', '[Page](nowhere.md)', 'nowhere.md'],
  ['a link to a heading that is not there', '# Here\n\n[There](#there)', '#there'],
  ['a picture that is not there', '<img src="nowhere.webp" alt="">', 'nowhere.webp'],
  ['a message that the program does not say', '**`The shelf is … empty`**', 'is no message'],
  ['a message made of halves of two', '**`Setup stopped. … is yours and was not changed.`**', 'is no message'],
  ['a file of the project that is not there', 'See `server/nowhere.ts`.', 'server/nowhere.ts'],
])('%s is found', (_, text, fault) => {
  const { faults, exitCode } = check(`${text}\n`)
  expect(faults).toEqual([expect.stringContaining(fault)])
  expect(exitCode).toBe(1)
})

test('code is not prose', () => {
  const code = `the customer ${'x'.repeat(120)} ${words(31)}`
  expect(check(`Code:\n\n    ${code}\n\n\`\`\`sh\n${code}\n\`\`\`\n`).faults).toEqual([])
})

const sources = execFileSync('git', ['ls-files'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(ts|tsx|mjs|sql)$/.test(file) && existsSync(file))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }))

test('every page that a source names is there', () => {
  const named = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/docs\/[\w./-]+\.md/g)].map(([page]) => ({ file, page })),
  )
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter(({ page }) => !existsSync(page))).toEqual([])
})
