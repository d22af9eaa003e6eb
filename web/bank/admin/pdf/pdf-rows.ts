/**
 * Puts the lines of a PDF's pages together into rows. Each has one date, which stands at its top, in its middle or at
 * its bottom. Where the white between lines does not tell rows apart, the ends of the pages say which it is. Pure.
 */
import type { Line } from './pdf-words.ts'

/** A line below the headings. */
export interface BodyLine extends Line {
  isDated: boolean
  hasMoney: boolean
}

export interface BodyRow {
  /** From top to bottom. */
  lines: BodyLine[]
  /** The one with its amounts. */
  money: BodyLine | undefined
}

/** Parts of the letters' height, and of the smallest distance. */
const [NEAR, APART] = [1.8, 1.15]
/** The share of rows that may be laid out unlike the rest. */
const FEW = 0.2

type Place = 'top' | 'middle' | 'bottom'

/** @returns undefined when it isn't certain which lines belong to which row */
export function rowsOf(pages: readonly (readonly BodyLine[])[]): BodyRow[] | undefined {
  const segments = pages.flatMap((lines) => segmentsOf(lines))
  const place = placeOf(segments)
  if (!place) return undefined
  const rows: BodyLine[][] = []
  const dates: BodyLine[] = []
  for (const segment of segments) {
    const { one, between, next } = segment
    const split = one && next ? splitOf(segment, place) : next && place !== 'top' ? 0 : between.length
    if (split === undefined) return undefined
    const [before, after] = [between.slice(0, split), between.slice(split)]
    // Lines at the top of a page belong to the page before, or to the row that follows
    rows.at(-1)?.push(...(one ? reaching(before, one) : next ? reaching(before.toReversed(), next).toReversed() : []))
    if (!next) continue
    rows.push([...reaching(after.toReversed(), next).toReversed(), next])
    dates.push(next)
  }
  return rows.map((lines, at) => withOneAmount(lines, dates[at]))
}

/** What lies before the first date of a page, between two, and behind the last. */
interface Segment {
  one?: BodyLine
  between: BodyLine[]
  next?: BodyLine
}

function segmentsOf(lines: readonly BodyLine[]): Segment[] {
  const segments: Segment[] = [{ between: [] }]
  for (const line of lines) {
    const last = segments.at(-1)
    if (!last) break
    if (line.isDated) {
      last.next = line
      segments.push({ one: line, between: [] })
    } else last.between.push(line)
  }
  return segments
}

/** @returns how many lines stand above the widest gap between two dates; undefined if no gap is clearly widest */
function widestOf({ one, between, next }: Segment): number | undefined {
  const lines = [one, ...between, next].filter((line) => line !== undefined)
  const gaps = lines.slice(1).map(({ y }, at) => y - (lines[at]?.y ?? 0))
  const widest = Math.max(...gaps)
  return widest > APART * Math.min(...gaps) ? gaps.indexOf(widest) : undefined
}

/** How many of the lines between two dates are of the first one's row. */
function splitOf(segment: Segment, place: Place): number | undefined {
  const { between } = segment
  if (between.length === 0) return 0
  return place === 'middle' ? widestOf(segment) : place === 'top' ? between.length : 0
}

/**
 * Where in its row a date stands, in the whole file: a taller line here and there must not give one row's lines to
 * another.
 */
function placeOf(segments: readonly Segment[]): Place | undefined {
  const between = segments.filter((segment) => segment.one && segment.next && segment.between.length > 0)
  const splits = between.map((segment) => ({ split: widestOf(segment), count: segment.between.length }))
  const few = FEW * splits.length
  const starts = segments.filter(({ one }) => one === undefined).map(hasAbove)
  const ends = segments.filter(({ next }) => next === undefined).map(hasBelow)
  // Only between two pages can a row be cut
  const above = starts[0] || splits.filter(({ split, count }) => split !== undefined && split < count).length > few
  const below = ends.at(-1) || splits.filter(({ split }) => split !== undefined && split > 0).length > few
  if (above && below) return 'middle'
  if (above || below) return above ? 'bottom' : 'top'
  return starts.includes(true) ? (ends.includes(true) ? undefined : 'bottom') : 'top'
}

const isText = ({ hasMoney }: BodyLine): boolean => !hasMoney
const hasAbove = ({ between, next }: Segment): boolean =>
  next !== undefined && reaching(between.toReversed(), next).slice(0, 1).some(isText)
const hasBelow = ({ one, between }: Segment): boolean =>
  one !== undefined && reaching(between, one).slice(0, 1).some(isText)

/** Lines one after another, up to the first that is too far away. */
function reaching(lines: readonly BodyLine[], from: BodyLine): BodyLine[] {
  const end = lines.findIndex((line, at) => Math.abs(line.y - (lines[at - 1] ?? from).y) > NEAR * line.size)
  return end < 0 ? [...lines] : lines.slice(0, end)
}

/** The amounts nearest to the date are its own. Others, as a page's total, end the row. */
function withOneAmount(lines: readonly BodyLine[], date: BodyLine | undefined): BodyRow {
  const at = date ? lines.indexOf(date) : 0
  const distance = ({ y }: BodyLine) => Math.abs(y - (date?.y ?? 0))
  const money = lines.filter(({ hasMoney }) => hasMoney).toSorted((a, b) => distance(a) - distance(b))[0]
  const isOther = (line: BodyLine) => line.hasMoney && line !== money
  const start = lines.findLastIndex((line, index) => index < at && isOther(line)) + 1
  const stop = lines.findIndex((line, index) => index > at && isOther(line))
  return { lines: lines.slice(start, stop < 0 ? lines.length : stop), money }
}
