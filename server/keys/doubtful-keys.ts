/** Signs in a text that it is not the key that the supplier gave, or that it is one that is there already. */
import type { KeyDoubt } from '../../contract/keys.ts'

const DASHES = ['-', '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2015', '\u2212']
const SPACES = [' ', '\u00a0', '\u2009', '\u202f']
const ANY_DASH = /[-\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g
const ANY_SPACE = /\s/gu

/** Letters of other scripts that look like Latin ones. */
const ALIKE: Record<string, string> = Object.fromEntries(
  [
    ['АВЕЅІЈКМНОРСТУХаеорсухіѕј', 'ABESIJKMHOPCTYXaeopcyxisj'],
    ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο', 'ABEZHIKMNOPTYXo'],
  ].flatMap(([from = '', to = '']) => Array.from(from, (letter, n) => [letter, to[n] ?? letter] as const)),
)
const FOREIGN = /[\u0370-\u04ff]/g

/** Dashes, spaces, widths and letters as a keyboard writes them. How many spaces there are, and case, stay. */
const plainForm = (text: string): string =>
  text
    .replaceAll(ANY_DASH, '-')
    .normalize('NFKC')
    .replaceAll(ANY_SPACE, ' ')
    .replaceAll(FOREIGN, (letter) => ALIKE[letter] ?? letter)

/** Two keys that look alike to a reader have one likeness. */
export const likenessOf = (text: string): string => plainForm(text).replaceAll('O', '0').replaceAll(/[Il|]/g, '1')

/**
 * Spellings under which stock may hold the same key: as a keyboard writes it, and with one kind of dash and space
 * throughout, as word processors and messengers do.
 */
export function spellingsOf(text: string): string[] {
  const plain = plainForm(text)
  const dashes = plain.includes('-') ? DASHES : ['-']
  const spaces = plain.includes(' ') ? SPACES : [' ']
  const all = dashes.flatMap((dash) => spaces.map((space) => plain.replaceAll('-', dash).replaceAll(' ', space)))
  return all.filter((spelling) => spelling !== text)
}

const MONTH = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec'
const SIGNS: readonly [KeyDoubt, RegExp][] = [
  // A letter that a program could not read, or a text of UTF-8 that it read in another code page
  ['unreadable', /\ufffd|\?{3}|â€|Ã[\u0080-\u00bf]|Â[\u0080-\u00bf]|&(?:amp|nbsp|quot|#x?\w{2,4});/],
  ['spreadsheet', /^#(?:ref|n\/a|name\?|value|div\/0|null|num|spill|calc|error)/i],
  ['spreadsheet', /^#+$/],
  ['spreadsheet', /^[-+]?\d(?:[.,]\d+e[-+]?|e\+)\d+$/i],
  // A spreadsheet keeps 15 digits of a number
  ['spreadsheet', /^[1-9]\d{14}0{3,}$/],
  ['spreadsheet', new RegExp(`^(?:\\d{1,2}-(?:${MONTH})(?:-\\d{2,4})?|(?:${MONTH})-\\d{2,4})$`, 'i')],
  ['spreadsheet', /^\d{1,4}[-/]\d{1,2}[-/]\d{2,4} \d{1,2}:\d{2}/],
  ['spreadsheet', /^'|^="/],
  ['cut', /…|\.{3}/],
]

/** @returns what looks damaged; undefined if nothing does */
export const damageIn = (text: string): KeyDoubt | undefined => SIGNS.find(([, sign]) => sign.test(text))?.[0]
