import { expect, test } from 'vitest'
import { findBannedWords } from '../scripts/banned-words.mjs'
import { faultsIn } from '../scripts/check-words.mjs'

const found = (file: string, source: string) =>
  faultsIn(file, source).map((fault) => [fault.line, fault.found, fault.use])

test('a banned word in a text on a screen is found, with its line and the word to use', () => {
  const source = "const name = 'shop'\nreturn isOpen ? t('The shop is open') : t('Log in', { shop: name })"
  expect(found('web/shell/root.tsx', source)).toEqual([[2, 'shop', 'store']])
})

test('either side of a choice, and a message with elements in it, are texts too', () => {
  expect(found('web/a.tsx', "t(isAll ? 'Take anew' : 'Keys')")).toEqual([[1, 'anew', 'again']])
  expect(found('web/a.tsx', "textWith('{money} lapses on {date}', {})")).toEqual([[1, 'lapses', 'expire']])
})

test('messages of the server and of the command line are read, and SQL and comments are not', () => {
  const source = 'say(`sealed anew: ${rows} rows`)\nsql`select sealed from meanwhile` // for good'
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

test('paths, addresses and parts of words are not words', () => {
  expect(findBannedWords('See server/shop.ts, https://shop.example and “signing” of workshops', 'screen')).toEqual([])
})
