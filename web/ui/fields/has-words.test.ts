import { expect, test } from 'vitest'
import { hasWords } from './has-words.ts'

test.each([
  ['फ्री', 'फ़्री पास'],
  ['फ़्री', 'फ्री पास'],
  ['हिंदी', 'हिन्दी गेम'],
  ['हिन्दी', 'हिंदी गेम'],
  ['चांद', 'चाँद पास'],
  ['लंबा', 'लम्बा पास'],
  ['क्ष', 'क्\u200dष पास'],
  ['ड़', 'ड\u200d़ पास'],
  ['jose', 'José Pass'],
  ['PASS sky', 'Skyforge Season Pass'],
  ['', 'anything'],
])('“%s” finds “%s”', (typed, name) => {
  expect(hasWords(typed, name)).toBe(true)
})

test('a word may be of any name of the thing, and every word must be found', () => {
  expect(hasWords('स्काई', 'Skyforge', 'स्काईफोर्ज')).toBe(true)
  expect(hasWords('sky moon', 'Skyforge', undefined)).toBe(false)
  expect(hasWords('की', 'कि')).toBe(false)
})
