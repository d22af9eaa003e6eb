import { describe, expect, test } from 'vitest'
import { exactLine, line, Username } from './fields.ts'
import { KeyText } from './keys.ts'

const Name = line('Name', 1, 80)
const takes = (schema: { safeParse(text: string): { success: boolean } }, text: string) =>
  schema.safeParse(text).success

describe('the joiners that cannot be seen (U+200C, U+200D) in one line of text', () => {
  test.each([
    ['a Hindi half form', 'क्\u200dष'],
    ['a Hindi stop that is shown', 'क्\u200cष'],
    ['the Marathi eyelash ra', 'दर्\u200dया'],
    ['Bengali ra with a ya behind it', 'র\u200d্যাম'],
    ['a Malayalam half letter inside a word', 'അവന്\u200dറെ'],
    ['a Kannada word among English ones', 'The ರಾಜ್\u200cಕುಮಾರ್ pack'],
    ['a family', '👨\u200d👩\u200d👧 pack'],
    ['a runner with a colour', '🏃🏽\u200d♀️'],
    ['a rainbow flag', '🏳️\u200d🌈'],
  ])('are taken in %s', (_, text) => {
    expect(takes(Name, text)).toBe(true)
    expect(Name.parse(text), 'unchanged').toBe(text)
  })

  test.each([
    ['at the end', 'क्\u200d'],
    ['at the beginning', '\u200dक्ष'],
    ['before a space', 'क्\u200d ष'],
    ['doubled', 'क्\u200d\u200dष'],
    ['doubled as one of each', 'क्\u200c\u200dष'],
    ['where they change no letter', 'क\u200dमल'],
    ['between Latin letters', 'Val\u200dorant'],
    ['after a killer, before Latin', 'क्\u200dx'],
    ['at the end of an emoji', '👨\u200d'],
    ['doubled in an emoji', '👨\u200d\u200d👩'],
    ['between an emoji and a letter', '👨\u200da'],
  ])('are refused %s', (_, text) => {
    expect(takes(Name, text)).toBe(false)
  })

  test('other characters that cannot be seen are refused next to those that are taken', () => {
    for (const hidden of ['\u200b', '\u200e', '\u202e', '\ufeff', '\u0007'])
      expect(takes(Name, `क्\u200dष${hidden}a`)).toBe(false)
  })

  test('what is compared letter by letter has none: usernames and keys', () => {
    for (const schema of [Username, KeyText, exactLine('Code', 1, 80)]) {
      expect(takes(schema, 'क्षकमल')).toBe(true)
      expect(takes(schema, 'क्\u200dषकमल')).toBe(false)
      expect(takes(schema, 'abc👨\u200d👩')).toBe(false)
    }
  })
})
