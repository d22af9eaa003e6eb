/** The rules of the house that no linter holds. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { DRAWN_PANEL_PAGES, panelPages, queriesOf } from '../contract/panel-pages.ts'
import { plantedBugs } from './model/planted-bugs/bugs.ts'
import { plantIn } from './model/planted-bugs/plant.ts'

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && existsSync(file))
const sources = files.filter((file) => /^(contract|server|web|test|bench|drills|scripts)\/.*\.(ts|tsx|mjs)$/.test(file))
const read = (file: string) => readFileSync(file, 'utf8')
const those = (list: readonly string[], breaks: (file: string) => boolean) => list.filter(breaks)

test('no file or folder has a name that says nothing', () => {
  const empty = /(^|\/)(utils?|helpers?|common|misc|types|index)(\/|\.(ts|tsx)$)|\/services\//
  expect(those(sources, (file) => empty.test(file))).toEqual([])
})

test('only the configuration reads the environment', () => {
  const production = sources.filter((file) => file.startsWith('server/') && !file.endsWith('.test.ts'))
  const allowed = [
    'server/platform/config.ts',
    'server/main.ts',
    'server/platform/command-words.ts',
    // Sets HOME for the account that the process becomes
    'server/platform/engine/become-owner.ts',
    'server/platform/engine/postgres-identity.ts',
    'server/platform/engine/postgres-processes.ts',
  ]
  expect(those(production, (file) => read(file).includes('process.env') && !allowed.includes(file))).toEqual([])
})

test('no statement is put together from text: values become parameters', () => {
  const production = sources.filter((file) => file.startsWith('server/') && !file.endsWith('.test.ts'))
  const raw = /\.query\(\s*[`'"]/
  expect(
    those(production, (file) => raw.test(read(file)) && !/platform\/database\/(listen|migrations)\.ts$/.test(file)),
  ).toEqual([])
})

test('rules ask the clock that they are given', () => {
  const rules = sources.filter(
    (file) => /^server\/(?!platform\/|backup\/|main\.ts)/.test(file) && !file.endsWith('.test.ts'),
  )
  expect(those(rules, (file) => /\bDate\.now\(\)|\bnew Date\(\)/.test(read(file)))).toEqual([])
})

test('markup carries no style attributes and no raw HTML', () => {
  const screens = sources.filter((file) => file.endsWith('.tsx'))
  expect(those(screens, (file) => /dangerouslySetInnerHTML|\bstyle=["']/.test(read(file)))).toEqual([])
})

test('what scrolls holds what only screen readers get, which would scroll its dialog instead', () => {
  const screens = sources.filter((file) => /^web\/.*\.tsx$/.test(file))
  expect(those(screens, (file) => /\boverflow-y-(auto|scroll)\b/.test(read(file)))).toEqual([])
})

test('nothing shines through what stays over a page while it scrolls', () => {
  const clear = [...read('web/styles/tokens.css').matchAll(/--color-([\w-]+): [^;]* \/ /g)].map(([, name]) => name)
  expect(clear).toContain('hover')
  const bar = /\.bar,\s+\.bottom-bar \{\s+background: var\(--color-([\w-]+)\);\s+\}/.exec(
    read('web/styles/floating.css'),
  )
  expect(clear).not.toContain(bar?.[1] ?? 'hover')
  const screens = sources.filter((file) => /^web\/.*\.tsx$/.test(file))
  const over = screens.flatMap((file) =>
    [...read(file).matchAll(/className=(?:"[^"]*"|\{[^}]*\})/g)].filter(([text]) => /\b(sticky|fixed)\b/.test(text)),
  )
  expect(over.length).toBeGreaterThan(9)
  const grounds = over.flatMap(([text]) => [...text.matchAll(/\b(backdrop-blur|bg-([\w-]+)(\/\d+)?)/g)])
  expect(grounds.filter(([, , name, part]) => !name || part || clear.includes(name))).toEqual([])
})

test('an e-mail address in the panel breaks where it can be read on', () => {
  const panel = sources.filter((file) => /^web\/.*\badmin\/.*\.tsx$/.test(file))
  expect(those(panel, (file) => />\s*\{[\w.?]*\bemail\}/i.test(read(file)))).toEqual([])
  expect(those(panel, (file) => read(file).includes('<Email address=')).length).toBeGreaterThan(3)
})

test('a list to choose from is the kit’s, and not as each browser draws it', () => {
  const own = sources.filter((file) => /^web\/.*\.tsx$/.test(file) && /<(select|datalist)\b/.test(read(file)))
  expect(own).toEqual(['web/ui/admin/forms/select.tsx'])
  expect(read('web/styles/controls.css')).toMatch(/select\.control \{\s+appearance: none;/)
})

test('nothing personal is kept in the browser beyond the session', () => {
  const screens = sources.filter((file) => file.startsWith('web/') && /localStorage[.[]/.test(read(file)))
  expect(screens).toEqual([
    // The agreed terms. The phone number stays in the tab
    'web/payments/add-money/top-up-draft.ts',
    // The ids of promises whose end was seen
    'web/payments/ended-promises.tsx',
    'web/platform/session/session.ts',
  ])
})

test('what a page keeps over a reload is known, and whose it is', () => {
  const keeps = /sessionStorage|localStorage|\bkeepTab\(|\breadTab\(|caches\.open|history\.state|\buseDraft\(/
  const screens = files.filter((file) => /^web\/.*\.(tsx?|js)$/.test(file) && !file.endsWith('.test.ts'))
  const kept = {
    // Handed over once, within an hour, to an admin who says that it is theirs
    'web/bank/admin/upload/shared-statement.ts': /KEPT_MS/,
    // Which orders were shown, by their ids: of this tab, for ten minutes
    'web/orders/purchase/arrived-keys.ts': /KEPT_MS = 10 \* 60_000[^]+orderId/,
    // The only result: of this buyer and product, for ten seconds
    'web/orders/purchase/pending-purchase.ts': /RESULT_KEPT_MS = 10_000[^]+isOrderedHere/,
    'web/orders/purchase/quantity-draft.ts': /userId[^]+productId/,
    'web/payments/add-money/top-up-draft.ts': /userId[^]+purpose/,
    // Keeps the entry's own state when it takes a code out of the address
    'web/payments/codes/have-a-code.tsx': /replaceState\(history\.state/,
    'web/payments/ended-promises.tsx': /readSeen/,
    'web/payments/open-add-money.ts': /path[^]+userId/,
    // The scroll position of a page, and if a dialog is over it
    'web/platform/navigation/layers.ts': /isLayer/,
    'web/platform/navigation/navigation.ts': /RELOAD_KEY/,
    'web/platform/navigation/scroll-positions.ts': /SCROLL_KEY/,
    'web/platform/session/session.ts': /STORAGE_KEY/,
    'web/platform/tab-storage.ts': /keepTab/,
    'web/public/sw.js': /shared-statement/,
    // The steps that this tab is at
    'web/reports/admin/guide/first-run-at.ts': /isCard/,
    'web/reports/admin/guide/use-guide.ts': /AT_STEP/,
    // Names that are being typed, never results or passwords
    'web/sessions/admin-login-screen.tsx': /useDraft\('admin-username'\)/,
    'web/sessions/sign-up/use-signup.ts': /useDraft\('signup-email'\)/,
    'web/sessions/use-draft.ts': /`draft-/,
    'web/sessions/use-login.ts': /useDraft\('login-username'\)/,
  }
  expect(those(screens, (file) => keeps.test(read(file))).toSorted()).toEqual(Object.keys(kept))
  expect(Object.entries(kept).filter(([file, owner]) => !owner.test(read(file)))).toEqual([])
})

test('a button that moves money or deletes rests where it comes', () => {
  const screens = sources.filter((file) => file.startsWith('web/') && file.endsWith('.tsx'))
  const moves =
    /variant="danger"|\bdata-approve\b|calls\.(payments\.(approve|reject)|bank\.(creditTo|creditInstead|takeBack))\b/
  // A button that asks first may come anywhere, because the answer rests
  const asks = /confirm\(|\bask\(|onReject|\.show\(/
  const buttons = (file: string) => read(file).match(/<Button\b[^]*?<\/Button>/g) ?? []
  expect(those(screens, (file) => buttons(file).some((button) => moves.test(button) && !asks.test(button)))).toEqual([])
  // One owner of the rule; what asks knows that keys wait, too
  expect(those(screens, (file) => /\buseRest\(/.test(read(file)))).toEqual([
    'web/ui/buttons/weighty-button.tsx',
    'web/ui/overlays/confirm-dialog.tsx',
  ])
})

test('India’s day and the lengths of time are said in one place each', () => {
  const elsewhere = [
    // The name in SQL
    'server/platform/database/indian-day.ts',
    // A sample for the operator to type
    'server/backup/point-in-time.ts',
  ]
  const production = sources.filter(
    (file) =>
      /^(contract|server|web|drills\/bank)\//.test(file) && !/\.test\.tsx?$/.test(file) && !elsewhere.includes(file),
  )
  const india = /Asia\/Kolkata|\+05:30|5\.5 \* /
  const lengths = /^(export )?const (SECOND|MINUTE|HOUR|DAY)_MS\b/m
  expect(those(production, (file) => india.test(read(file)))).toEqual(['contract/india.ts'])
  expect(those(production, (file) => lengths.test(read(file)))).toEqual(['contract/time.ts'])
})

test('a time in a file for spreadsheets is India’s, and its heading says so', () => {
  const sheets = sources.filter((file) => /^server\/.*\/export-\w+\.ts$/.test(file))
  const times = sheets.flatMap((file) => read(file).match(/\['[^']+', \(\{ (?:\w*A|a)t \}\) => .*/g) ?? [])
  expect(times.length).toBeGreaterThan(9)
  expect(times.filter((line) => !/ \(India\)'.*\b(inIndia|sheetTime)\(/.test(line))).toEqual([])
})

test('a page of the panel, and each query that it begins with, is declared once', () => {
  const production = sources.filter((file) => /^(contract|server|web)\//.test(file) && !/\.test\.tsx?$/.test(file))
  const declares = (path: string) => (file: string) => read(file).includes(`'${path}': {`)
  const [contract, screens] = ['contract/panel-pages.ts', 'web/shell/admin/panel-screens.ts']
  for (const path of Object.keys(panelPages)) {
    expect([path, those(production, declares(path))]).toEqual([path, [contract, screens]])
  }
  const queries = DRAWN_PANEL_PAGES.flatMap((path) => queriesOf(path, {}, { now: Date.now() }) ?? [])
  const declared = new Set(queries.map(({ key }) => key.filter((part) => typeof part === 'string').join(' ')))
  const namesIn = (key: string) => [...key.matchAll(/'([\w-]+)'/g)].map(([, name]) => name).join(' ')
  const byHand = (file: string) => [...read(file).matchAll(/queryKey: \[([^\]]*)\],\s+queryFn/g)]
  expect(production.filter((file) => byHand(file).some(([, key = '']) => declared.has(namesIn(key))))).toEqual([])
})

test('migrations are numbered without a gap', () => {
  const numbers = files.flatMap((file) => /^server\/migrations\/(\d{4})_/.exec(file)?.[1] ?? []).map(Number)
  expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_, index) => index + 1))
})

test('the lock file holds no download addresses', () => {
  expect(/"resolved": *"http/.test(read('package-lock.json'))).toBe(false)
})

test.each(plantedBugs)('a planted bug still has its places in the sources: $name', ({ changes }) => {
  const sources = new Map(changes.map(({ file }) => [file, read(file)]))
  for (const change of changes) sources.set(change.file, plantIn(sources.get(change.file) ?? '', change))
  for (const [file, source] of sources) expect(source).not.toBe(read(file))
})

test('every decision is headed by the number of its file, and no two have the same', () => {
  const decisions = files.filter((file) => file.startsWith('docs/decisions/'))
  const numberOf = (file: string) => Number(path.basename(file).slice(0, 4))
  expect(those(decisions, (file) => !read(file).startsWith(`# ${numberOf(file)}. `))).toEqual([])
  expect(decisions.map(numberOf)).toEqual(decisions.map((_, index) => index + 1))
})

test('what unfolds shows it by a mark that turns', () => {
  const folds = sources
    .filter((file) => file.startsWith('web/') && file.endsWith('.tsx'))
    .flatMap((file) => (read(file).match(/<summary[\s\S]*?<\/summary>/g) ?? []).map((part) => ({ file, part })))
  expect(folds.length).toBeGreaterThan(10)
  expect(folds.filter(({ part }) => !part.includes('<Chevron')).map(({ file }) => file)).toEqual([])
})
