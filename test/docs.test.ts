/** `npm run check` reads every page with scripts/check-docs.mjs. These tests plant faults for it to find. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from './contract/endpoints.ts'
import { CHANNELS, kindOf, KIND_NAMES } from '../contract/message-kinds.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'chaabi-docs-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Checks a page for each text, all in one run. @returns the faults of each page, and the exit code */
function check(...texts: string[]): { faults: string[][]; exitCode: number | null } {
  const files = texts.map((text, nth) => {
    const file = path.join(folder, `page-${nth}.md`)
    writeFileSync(file, text)
    return file
  })
  const { stderr, status } = spawnSync(process.execPath, ['scripts/check-docs.mjs', ...files], { encoding: 'utf8' })
  const lines = stderr.split('\n')
  return { faults: files.map((file) => lines.filter((line) => line.startsWith(file))), exitCode: status }
}

const words = (count: number) => Array.from({ length: count }, () => 'so').join(' ')

test('a page without a fault passes, and code is no prose', () => {
  const links = '- See [the page](page-0.md#a-page) and `server/main.ts`.'
  const page = `# A page\n\n${words(15)}.\n${words(15)}.\n\n${links}\n`
  const code = `the customer ${'x'.repeat(120)} ${words(31)}`
  const codePage = `Code:\n\n    ${code}\n\n\`\`\`sh\n${code}\n\`\`\`\n`
  expect(check(page, codePage)).toEqual({ faults: [[], []], exitCode: 0 })
})

const FAULTY = [
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
  ['a place in the panel in another spelling', 'See Settings > Messages.', 'in bold'],
  ['a file of the project that is not there', 'See `server/nowhere.ts`.', 'server/nowhere.ts'],
] as const

describe('of pages with one fault each', () => {
  let checked: ReturnType<typeof check>
  beforeAll(() => {
    checked = check(...FAULTY.map(([, text]) => `${text}\n`))
  })

  test('the check fails', () => expect(checked.exitCode).toBe(1))

  test.each(FAULTY.map(([name, , fault], nth) => ({ name, fault, nth })))('$name is found', ({ fault, nth }) => {
    expect(checked.faults[nth]).toEqual([expect.stringContaining(fault)])
  })
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

test('the package that a page names is the one that this version makes and publishes', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const pages = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).trim().split('\n')
  const named = pages.flatMap((page) => readFileSync(page, 'utf8').match(/chaabi_\d[\w.]*\.deb/g) ?? [])
  expect([...new Set(named)]).toEqual([`chaabi_${version}_amd64.deb`])
  expect(readFileSync('README.md', 'utf8')).toMatch(/^2\. Download `chaabi_\d\S+\.deb` from the releases/m)
  const makes = readFileSync('scripts/release.mjs', 'utf8')
  const published = readFileSync('.github/workflows/release.yml', 'utf8').match(/\.cache\/release\/\S+/g) ?? []
  // The checksums are named twice: what signs where the files come from reads them, too
  expect(published.map((file) => path.basename(file).replace('*', ''))).toEqual([
    'SHA256SUMS',
    '.deb',
    '.tar.xz',
    '.cdx.json',
    'SHA256SUMS',
  ])
  for (const file of published) expect(makes).toContain(path.basename(file).replace('*', ''))
})

test('the page about privacy names every channel that carries messages', () => {
  const [, section = ''] = /^## Who else gets data\n([^#]+)/m.exec(readFileSync('docs/privacy.md', 'utf8')) ?? []
  const names = { email: 'Your mail server', telegram: 'Telegram', push: 'The push service' }
  expect(Object.keys(names).toSorted()).toEqual([...CHANNELS].toSorted())
  for (const name of CHANNELS) expect(section).toContain(`- **${names[name]}`)
})

test('the page of messages lists every kind with its channels, and no other', () => {
  const NAMES = { push: 'Phone', telegram: 'Telegram', email: 'e-mail' }
  const page = readFileSync('docs/messages.md', 'utf8')
  const rows = page.split('\n').flatMap((line) => {
    const [, event = '', , channels = ''] = line.split('|').map((cell) => cell.trim())
    return event === '' || event === 'Event' || event.startsWith('---') ? [] : [`${event}: ${channels.toLowerCase()}`]
  })
  const kinds = KIND_NAMES.map(kindOf).map(({ label, channels }) => {
    const named = (['push', 'telegram', 'email'] as const).flatMap((each) =>
      channels.includes(each) ? [NAMES[each]] : [],
    )
    return `${label}: ${named.join(', ').toLowerCase()}`
  })
  expect(rows.toSorted()).toEqual(kinds.toSorted())
})

test('nginx passes what the largest call takes', () => {
  const largest = Math.max(...endpoints.map(({ endpoint }) => endpoint.bodyLimitBytes ?? 0))
  for (const file of ['deploy/nginx.conf', 'docs/reverse-proxy.md']) {
    const [, megabytes] = /client_max_body_size (\d+)m;/.exec(readFileSync(file, 'utf8')) ?? []
    expect(Number(megabytes) * 1024 * 1024, file).toBeGreaterThanOrEqual(largest)
  }
})
