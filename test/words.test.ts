import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findBannedWords } from '../scripts/banned-words.mjs'
import { faultsIn, faultsOfComments, faultsOfStops } from '../scripts/check-words.mjs'

const found = (file: string, source: string) =>
  faultsIn(file, source).map((fault) => [fault.line, fault.found, fault.use])

test('a banned word in a text on a screen is found, with its line and the word to use', () => {
  const source = "const name = 'shop'\nreturn isOpen ? t('The shop is open') : t('Login', { shop: name })"
  expect(found('web/shell/root.tsx', source)).toEqual([[2, 'shop', 'store']])
})

test('either side of a choice, and a message with elements in it, are texts too', () => {
  expect(found('web/a.tsx', "t(isAll ? 'Take anew' : 'Keys')")).toEqual([[1, 'anew', 'again']])
  expect(found('web/a.tsx', "textWith('{money} lapses on {date}', {})")).toEqual([[1, 'lapses', 'expire']])
})

test('messages of the server and of the command line are read, and SQL and comments are not', () => {
  const source =
    'say(`sealed anew: ${rows} rows`)\nsql`select sealed from meanwhile` // for good\nsql(Row)`select sealed`'
  expect(found('server/operations/rotate-keys.ts', source)).toEqual([
    [1, 'sealed', 'encrypt'],
    [1, 'anew', 'again'],
  ])
  expect(found('scripts/run.mjs', "fail('Kindly run: npm ci')")).toEqual([[1, 'Kindly', 'please']])
})

test('the text between the tags of a page is read', () => {
  expect(found('web/public/offline.html', '<p class="shop">\n<b>Sign in</b> again</p>')).toEqual([
    [2, 'Sign in', 'log in, log out'],
  ])
})

test('a word that is fine in the API is banned on screens alone', () => {
  expect(findBannedWords('Ends the session', 'screen').map((fault) => fault.use)).toEqual(['device'])
  expect(findBannedWords('Ends the session', 'server')).toEqual([])
})

test('texts that the specification fixes are let through, and nothing else with the same word', () => {
  expect(findBannedWords('Wallet Recharge', 'screen')).toEqual([])
  expect(findBannedWords('Register failed with status {status}', 'screen')).toEqual([])
  expect(findBannedWords('Recharge your wallet', 'screen').map((fault) => fault.found)).toEqual(['Recharge'])
})

test.each([
  ['web/a.tsx', "t('If you paid, write to the seller.')", 'seller'],
  ['contract/api.ts', "const a = 'The waiting list for sold-out durations'", 'sold-out'],
  ['web/a.tsx', "t('What you are told')", 'told'],
  ['web/a.tsx', "t('The store has heard this phone.')", 'heard'],
  ['contract/errors.ts', "const a = 'The store does not buy by itself.'", 'by itself'],
  ['web/a.tsx', "t('No word from {names}')", 'No word'],
  ['web/a.tsx', "t('Its labels are swapped, and were put right.')", 'put right'],
  ['web/a.tsx', "t('{most} unproven', { unproven })", 'unproven'],
  ['web/a.tsx', "t('Nobody claimed')", 'Nobody claimed'],
  ['web/a.tsx', "t('Welcome back.')", 'Welcome back'],
  ['contract/message-kinds.ts', "const kinds = { label: 'Sold-out' }", 'Sold-out'],
])('an old text of %s is found: %s', (file, source, word) => {
  expect(found(file, source).map(([, said]) => said)).toEqual([word])
})

test('the names of values in a text are code', () => {
  expect(found('web/a.tsx', "t('{unproven} of {told} are not in a statement', {})")).toEqual([])
})

test('paths, addresses and parts of words are not words', () => {
  expect(findBannedWords('See server/shop.ts, https://shop.example and “signing” of workshops', 'screen')).toEqual([])
})

test.each([
  ['/** Told at once. */', 'Told'],
  [' * A line that is read anew', 'anew'],
  ['const a = 1 // Whoever asks', 'Whoever'],
  ['{/* sold out */}', 'sold out'],
  ['// One that is none', 'is none'],
])('a comment is read, too: %s', (source, word) => {
  expect(faultsOfComments('test/a.test.ts', source).map(({ found }) => found)).toEqual([word])
})

test('code, names and words that are fine in comments are not', () => {
  const source = "heard('meanwhile') // Sends `told` if there is none, at once and in the shop"
  expect(faultsOfComments('server/a.ts', source)).toEqual([])
})

/** Only shown of two or more. */
const NEVER_ONE = ['{count} keys of {product}', 'Show all {count} keys']

test('no text says “1 keys”: a count that can be one has a plural', () => {
  const files = readdirSync('web', { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))
  const found = /'([^'\n]*\{count\} (?:keys|lines|requests|credits|minutes)\b[^'\n]*)'/g
  const texts = files.flatMap((file) =>
    [...readFileSync(`web/${file}`, 'utf8').matchAll(found)].map(([, text = '']) => text),
  )
  expect(texts.filter((text) => !text.includes('more than') && !NEVER_ONE.includes(text))).toEqual([])
  expect(texts).toEqual(expect.arrayContaining(NEVER_ONE))
})

test.each([
  ['t("Log out")', 'Log out'],
  ['t("You can login here")', 'can login'],
  ['t("You typed {amount}")', 'typed'],
  ['t("Get messages on this phone")', 'Get messages'],
  ['t("Unclaimed money")', 'Unclaimed'],
])('a second word for the same thing is found: %s', (source, word) => {
  expect(found('web/a.tsx', source).map(([, said]) => said)).toContain(word)
})

test('the server’s texts keep the words of the screens, because all stand in a catalogue', () => {
  const texts = ['hi', 'hi-panel'].flatMap((name) =>
    Object.keys(JSON.parse(readFileSync(`web/words/${name}.json`, 'utf8')) as object),
  )
  expect(texts.filter((text) => /typed|unclaimed|claimed by|phone messages?|^log (in|out)$/i.test(text))).toEqual([])
})

test('buyers report a key, and claims are for admins', () => {
  const buyers = Object.keys(JSON.parse(readFileSync('web/words/hi.json', 'utf8')) as object)
  expect(buyers.filter((text) => /claim(?!er)/i.test(text))).toEqual([])
})

test('a hint that is a sentence ends with a full stop, and a fragment has none', () => {
  const says = (source: string) => faultsOfStops('web/a.tsx', source).map(({ text }) => text)
  expect(says("<Field hint={t('Leave empty for unlimited')} />")).toEqual(['Leave empty for unlimited'])
  expect(says("<Field hint={isNew ? t('Per request.') : t('Per request')} />")).toEqual(['Per request.'])
  expect(says("const row = { description: t('Where money comes in.') }")).toEqual(['Where money comes in.'])
  expect(says("<Field hint={t('For each key, enter a price.')} label={t('You pay')} />")).toEqual([])
  expect(says('<Field hint={t("{email}")} body={t("Per request.")} />')).toEqual([])
})
