/** Says which column a word of a PDF's row stands in: money by its right edge, text by its left. Pure. */
import { overlap, type Column } from './pdf-heading.ts'
import type { Line, Word } from './pdf-words.ts'

const MONEY = /^(?:INR|Rs\.?|₹)? ?[-+(]?(?:INR|Rs\.?|₹)? ?(?:\d[\d,]*\.\d{2}|\.\d{2})\)?-?(?: ?\(?(?:CR|DR)\.?\)?)?$/i
const WHOLE_RUPEES = /^₹ ?\d[\d,]*$/
const BEFORE_MONEY = /^(?:INR|Rs\.?|₹|[-+])$/i
/** Some banks print it for “nothing”. */
const NOTHING = /^[-–—]+$/
const AFTER_MONEY = /^\(?(?:CR|DR)\.?\)?$/i
/** Parts of the letters' height. */
const [BESIDE, SIGNED] = [1, 0.4]
/** Both in points. */
const [SAME_EDGE, RIVER_MIN] = [2, 1]

export const isMoneyColumn = ({ role }: Column): boolean =>
  role === 'debit' || role === 'credit' || role === 'amount' || role === 'balance'
export const isMoney = ({ text }: Word): boolean => MONEY.test(text) || WHOLE_RUPEES.test(text)

/** "INR 500.00 Cr" is one word, unless a column of its own says the direction. */
export function withMoney(words: readonly Word[], columns: readonly Column[]): Word[] {
  const joined: Word[] = []
  for (const word of words) {
    const last = joined.at(-1)
    const isNear = last && word.left - last.right <= (NOTHING.test(last.text) ? SIGNED : BESIDE) * word.size
    const isOwn = columns.some((column) => column.role === 'other' && overlap(word, column) > 0)
    const isPart =
      last &&
      isNear &&
      ((BEFORE_MONEY.test(last.text) && MONEY.test(word.text)) ||
        (MONEY.test(last.text) && AFTER_MONEY.test(word.text) && !isOwn))
    if (isPart) joined[joined.length - 1] = { ...last, text: `${last.text} ${word.text}`, right: word.right }
    else joined.push(word)
  }
  // Right of the last narration, a dash belongs to no text
  const texts = columns.flatMap(({ role }, at) => (role === 'narration' || role === 'reference' ? [at] : []))
  const from = columns[Math.max(...texts) + 1]?.left ?? Infinity
  return joined.filter(({ text, left }) => !NOTHING.test(text) || left < from)
}

export interface Places {
  /** The column of a word; undefined for money whose column is not certain. */
  columnOf: (word: Word) => number | undefined
  /** False if a narration may reach into the column of references. */
  hasReferences: boolean
}

/** @param lines with rows, which show where the columns leave white between them */
export function placesIn(columns: readonly Column[], lines: readonly Line[]): Places {
  const words = lines.flatMap((line) => line.words)
  const whites = whitesBetween(words)
  const edges = columns.slice(1).map((column, at) => edgeBetween(columns[at] ?? column, column, whites))
  const byLeft = ({ left }: Word): number => {
    const at = edges.findIndex(({ x }) => left < x)
    return at < 0 ? edges.length : at
  }
  const isText = (word: Word) => {
    const role = columns[byLeft(word)]?.role
    return role === 'narration' || role === 'reference' || role === 'date'
  }
  const money = moneyColumns(
    columns,
    words.filter((word) => isMoney(word) && !isText(word)),
  )
  const isBeside = (at: number) => columns[at]?.role === 'narration' || columns[at + 1]?.role === 'narration'
  return {
    columnOf: (word) => (isMoney(word) && !isText(word) ? money(word) : byLeft(word)),
    hasReferences: edges.every(({ isWhite }, at) => isWhite || !isBeside(at)),
  }
}

interface Range {
  left: number
  right: number
}

/** The places where every row is white. */
function whitesBetween(words: readonly Word[]): Range[] {
  const whites: Range[] = []
  let reached: number | undefined
  for (const { left, right } of words.toSorted((a, b) => a.left - b.left)) {
    if (reached !== undefined && left - reached >= RIVER_MIN) whites.push({ left: reached, right: left })
    reached = Math.max(reached ?? right, right)
  }
  return whites
}

const middle = ({ left, right }: Range): number => (left + right) / 2

/**
 * The white between two headings' middles. Beside a narration, what stands under the other heading is that column's,
 * and all else is the narration's: nothing that a payer wrote gets into another column.
 */
function edgeBetween(one: Column, next: Column, whites: readonly Range[]): { x: number; isWhite: boolean } {
  const between = { left: middle(one), right: middle(next) }
  const found = whites.filter((white) => overlap(white, between) > 0)
  const isUnder = (at: number, column: Column): boolean => {
    const [before, after] = [found[at], found[at + 1]]
    return before !== undefined && after !== undefined && overlap({ left: before.right, right: after.left }, column) > 0
  }
  let at = 0
  if (one.role === 'narration') {
    at = found.length - 1
    while (isUnder(at - 1, next)) at -= 1
  } else if (next.role === 'narration') while (isUnder(at, one)) at += 1
  else at = found.indexOf(found.toSorted((a, b) => overlap(b, between) - overlap(a, between))[0] ?? between)
  const white = found[at]
  if (white) return { x: middle(white), isWhite: true }
  const x = one.role === 'narration' ? next.left : next.role === 'narration' ? one.right : (one.right + next.left) / 2
  return { x, isWhite: false }
}

/** Amounts that end at the same place stand in one column: the one whose heading any of them lies under. */
function moneyColumns(columns: readonly Column[], words: readonly Word[]): (word: Word) => number | undefined {
  const money = columns.flatMap((column, at) => (isMoneyColumn(column) ? [at] : []))
  const clusters: (Range & { words: Word[] })[] = []
  for (const word of words.toSorted((a, b) => a.right - b.right)) {
    const last = clusters.at(-1)
    if (last && word.right - last.right <= SAME_EDGE) {
      last.words.push(word)
      last.left = Math.min(last.left, word.left)
    } else clusters.push({ left: word.left, right: word.right, words: [word] })
  }
  const isLeft = beginTogether(words, 'left') && !beginTogether(words, 'right')
  const column = (at: number): Range => columns[at] ?? { left: 0, right: 0 }
  const found = clusters.map((cluster): number | undefined => {
    const under = new Set<number>()
    for (const word of cluster.words) {
      const over = money.filter((at) => overlap(word, column(at)) > 0)
      if (over.length === 1 && over[0] !== undefined) under.add(over[0])
    }
    if (under.size > 0) return under.size === 1 ? [...under][0] : undefined
    // Amounts end at their column's right edge, so the heading before them is theirs
    return isLeft ? undefined : (money.findLast((at) => column(at).right <= cluster.left) ?? money[0])
  })
  // In their order, or one of them is not where it seems
  const isOrdered = found.every((at, index) => (at ?? 0) >= (found[index - 1] ?? 0))
  const placed = new Map(
    clusters.flatMap((cluster, index) => cluster.words.map((word) => [word, found[index]] as const)),
  )
  return (word) => (isOrdered ? placed.get(word) : undefined)
}

/** True if amounts of different lengths have one edge in common. */
function beginTogether(words: readonly Word[], edge: 'left' | 'right'): boolean {
  const other = edge === 'left' ? 'right' : 'left'
  const sorted = words.toSorted((a, b) => a[edge] - b[edge])
  return sorted.some((word, at) => {
    const last = sorted[at - 1]
    return last && word[edge] - last[edge] <= SAME_EDGE && Math.abs(word[other] - last[other]) > SAME_EDGE
  })
}
