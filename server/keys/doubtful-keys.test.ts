import { expect, test } from 'vitest'
import { damageIn, likenessOf, spellingsOf } from './doubtful-keys.ts'

test.each([
  ['unreadable', 'ABCD\ufffdEFGH', 'ABCDâ€“EFGH', 'AB???CD', 'A&amp;B', 'A&#45;B', 'AÂ\u00a0B'],
  ['spreadsheet', '#REF!', '#N/A', '#NAME?', '#VALUE!', '#DIV/0!', '#####', '1.23457E+14', '1,23457E+14', '1E+10'],
  [
    'spreadsheet',
    '2.19E+26',
    '4,687E+11',
    '1914310000010100000',
    '89652900000000000000',
    '5-Dec',
    '12-May-26',
    'May-26',
    '2026-05-12 00:00:00',
    "'000777",
    '="000777"',
  ],
  ['cut', 'ABCD-EFGH-…', 'ABCD-EFGH-...', 'ABCD...GH'],
])('looks %s', (doubt, ...texts) => {
  for (const text of texts) expect(damageIn(text), text).toBe(doubt)
})

test('usual keys look whole', () => {
  for (const text of [
    '000777',
    '123456789012345678',
    '123456789012345600',
    '710E16',
    '1E10',
    '12-05',
    'AB#12',
    'XXXXX-XXXXX-XXXXX-XXXXX-XXXXX',
    'https://example.com/a?b=c&d=e#f',
    'user@example.com:pass?word',
    'MAY2026',
    'DEC-0F1E2',
    'a.b.c',
    '{"token":"x"}',
    'कुंजी-12',
  ])
    expect(damageIn(text), text).toBeUndefined()
})

test('a spelling of stock has the likeness of its key', () => {
  for (const text of ['AB-CD EF', 'AB\u2013CD\u00a0EF', 'ＡB-ϹD', 'Аbс'])
    for (const spelling of spellingsOf(text)) expect(likenessOf(spelling), spelling).toBe(likenessOf(text))
  expect(spellingsOf('ABCD1234')).toEqual([])
  expect(spellingsOf('AB\u2013CD')).toContain('AB-CD')
  expect(spellingsOf('AB-CD')).toContain('AB\u2013CD')
})
