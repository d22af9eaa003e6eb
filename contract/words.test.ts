import { expect, test } from 'vitest'
import { sayDuration } from './duration-words.ts'
import { localeOf } from './languages.ts'
import { formatCount, formatRupees } from './money.ts'
import { translator } from './words.ts'

const HINDI = new Map([
  ['Buy', 'खरीदें'],
  ['Open¦verb', 'खोलें'],
  ['{count, plural, one {# key} other {# keys}} of {name}', '{name} की {count, plural, one {# की} other {# कीज़}}'],
  ['Ask, or {help}', 'पूछें, या {help}'],
  ['write to {link}', '{link} पर लिखें'],
  ['{count} Days', '{count} दिन'],
])
const [en, hi] = [translator('en'), translator('hi', HINDI)]

test('a text is said in the language, and in English where no catalogue has it', () => {
  expect([en('Buy'), hi('Buy'), hi('Sell')]).toEqual(['Buy', 'खरीदें', 'Sell'])
  expect(hi('toString')).toBe('toString')
})

test('a context tells two meanings apart, and no English reader sees it', () => {
  const open = (context: string) => ['Open', { context }] as const
  expect([en(...open('verb')), hi(...open('verb')), hi(...open('state'))]).toEqual(['Open', 'खोलें', 'Open'])
})

test('what people wrote stays whole, whatever its end looks like', () => {
  for (const written of ['Paid twice ¦verb', 'Sold¦plan', 'a {brace} and a #', 'Open¦state'])
    expect([en(written), hi(written)]).toEqual([written, written])
  expect(hi('Ask, or {help}', { help: 'Sold¦plan' })).toBe('पूछें, या Sold¦plan')
})

test('in Hindi none is one, as one is', () => {
  const keys = (count: number) => hi('{count, plural, one {# key} other {# keys}} of {name}', { count, name: 'X' })
  expect([0, 1, 2].map(keys)).toEqual(['X की 0 की', 'X की 1 की', 'X की 2 कीज़'])
})

test('a text within a text is in the same language', () => {
  const help = ['write to {link}', { link: 'wa.me' }] as const
  expect([en('Ask, or {help}', { help }), hi('Ask, or {help}', { help })]).toEqual([
    'Ask, or write to wa.me',
    'पूछें, या wa.me पर लिखें',
  ])
})

test('durations follow the language, and what is in no known form stays', () => {
  expect([sayDuration(en, '10 Days'), sayDuration(hi, '10 Days'), sayDuration(hi, 'Forever')]).toEqual([
    '10 Days',
    '10 दिन',
    'Forever',
  ])
})

test('amounts are the same in both languages, in digits that every reader knows', () => {
  const format = new Intl.NumberFormat(localeOf('hi'))
  expect([format.format(1_23_456), formatCount(1_23_456), formatRupees(1_23_456)]).toEqual([
    '1,23,456',
    '1,23,456',
    '₹1,23,456',
  ])
})
