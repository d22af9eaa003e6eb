/** Words of a PDF's page by their places, and the lines that they make. Pure. */

/** A text as pdf.js gives it: `transform` places it, `width` is in the page's units. */
export interface PageText {
  str: string
  transform: readonly number[]
  width: number
}

export interface Word {
  text: string
  left: number
  right: number
  /** Of its baseline, from the top of the page. */
  y: number
  /** Height of its letters. */
  size: number
}

export interface Line {
  y: number
  size: number
  /** From left to right. */
  words: Word[]
}

/** Parts of the letters' height. */
const [SAME_LINE, SAME_WORD, SAME_DATE] = [0.3, 0.12, 1]
const DATE = new RegExp(
  [
    String.raw`^(?:\d{1,2}[-/. ]?(?:\d{1,2}|[A-Za-z]{3,9})[-/., '‘’]+\d{2,4}`,
    String.raw`|\d{4}-\d{2}-\d{2}|[A-Z][a-z]{2,8} ?\d{1,2}, ?\d{4})`,
    // Some banks print the day of its value below, in brackets
    String.raw`(?:,? \d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp]\.?[Mm]\.?)?)?(?: ?\(.*\))?$`,
  ].join(''),
)
/** Its year stands in the next line. */
export const DATE_PART = /^\d{1,2}[-/. ](?:[A-Za-z]{3,9}|\d{1,2})[-/.,]?$/
const DATE_START = /^(?:\d{1,2}(?:$|[-/. ])|[A-Z][a-z]{2,8}(?:\d{1,2},)?$)/
const DATE_WORDS_MAX = 5

/** @param view of the page, which turns it upright and counts from its top */
export function linesOf(texts: readonly PageText[], view: readonly number[]): Line[] {
  const words = texts.flatMap((text) => wordsIn(text, view)).toSorted((a, b) => a.y - b.y || a.left - b.left)
  const lines: Line[] = []
  for (const word of words) {
    const line = lines.at(-1)
    if (line && Math.abs(word.y - line.y) <= SAME_LINE * Math.min(line.size, word.size)) line.words.push(word)
    else lines.push({ y: word.y, size: word.size, words: [word] })
  }
  return lines.map((line) => ({ ...line, words: withDates(withWholeWords(line.words)) }))
}

/** Text that stands on its side, as marks across a page do, doesn’t count. */
function wordsIn({ str, transform, width }: PageText, view: readonly number[]): Word[] {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = view
  const [ta = 0, tb = 0, , , te = 0, tf = 0] = transform
  const across = { x: a * ta + c * tb, y: b * ta + d * tb }
  const size = Math.hypot(transform[2] ?? 0, transform[3] ?? 0)
  if (across.x <= 0 || Math.abs(across.y) > across.x / 100 || size === 0) return []
  const [start, y] = [a * te + c * tf + e, b * te + d * tf + f]
  const scale = width / Math.max(weightOf(str), 1)
  const words: Word[] = []
  let at = start
  for (const [text] of str.matchAll(/\s+|\S+/g)) {
    const right = at + weightOf(text) * scale
    if (text.trim() !== '') words.push({ text, left: at, right, y, size })
    at = right
  }
  return words
}

/** About how wide a text is. A usual letter counts 10. */
function weightOf(text: string): number {
  let sum = 0
  for (const letter of text) sum += /[\s.,:;'|!ijlIt()[\]/-]/.test(letter) ? 5 : /[A-Z@%mw&]/.test(letter) ? 13 : 10
  return sum
}

/** Programs that place each letter cut words into pieces. */
function withWholeWords(words: readonly Word[]): Word[] {
  const whole: Word[] = []
  for (const word of words.toSorted((a, b) => a.left - b.left)) {
    const last = whole.at(-1)
    if (last && word.left - last.right <= SAME_WORD * word.size && word.left > last.left)
      whole[whole.length - 1] = { ...last, text: last.text + word.text, right: Math.max(last.right, word.right) }
    else whole.push(word)
  }
  return whole
}

/** "17 Nov 2026 06:15 PM" is one word, and so is "17 Nov" in a narrow column. */
function withDates(words: readonly Word[]): Word[] {
  const joined: Word[] = []
  for (let at = 0; at < words.length; at++) {
    const first = words[at]
    if (!first) break
    let run = DATE_START.test(first.text) ? runFrom(words, at) : [first]
    while (run.length > 1 && !isDate(textOf(run)) && !DATE_PART.test(textOf(run))) run = run.slice(0, -1)
    joined.push({ ...first, text: textOf(run), right: run.at(-1)?.right ?? first.right })
    at += run.length - 1
  }
  return joined
}

function runFrom(words: readonly Word[], start: number): Word[] {
  const run = words.slice(start, start + DATE_WORDS_MAX)
  const gap = run.findIndex((word, at) => at > 0 && word.left - (run[at - 1]?.right ?? 0) > SAME_DATE * word.size)
  return gap < 0 ? run : run.slice(0, gap)
}

const textOf = (words: readonly Word[]): string => words.map(({ text }) => text).join(' ')

export const isDate = (text: string): boolean => DATE.test(text)
