/**
 * Checks a statement by its own balances. A row is proven by its own step alone: the balance before it, and its
 * amount, make the balance behind it. Labels count as printed. Only a bank that is known to swap them has swapped them,
 * when none fits and every one fits swapped: money that is owed, printed without a sign, adds up just so.
 */
interface Step {
  line: number
  day: string
  /** Above zero for money that came. */
  paise: number
  balance: number | null
}

export interface Checked {
  balances: 'proven' | 'broken' | 'none'
  /** The first line, as printed, whose balance does not add up. */
  brokenAt: number | null
  swapped: boolean
  newestFirst: boolean
  /** For each row as printed. */
  proven: boolean[]
  opening: number | null
  closing: number | null
}

/** Balances that the file states outside its rows. */
export interface Stated {
  /** The one before its first row. */
  opening?: number | undefined
  /** Balances that prove the first row if they fit. If not, they prove nothing. */
  perhaps: readonly number[]
  /** Closing balances. The last row has one of them, or rows behind it are lost. */
  closings: readonly number[]
}

interface Known extends Stated {
  /** True for a bank that is known to swap its labels. */
  swaps: boolean
}

/** Fewer rows than these may fit by chance. */
const STEPS_FOR_SWAPPED = 3

export function checkBalances(steps: readonly Step[], known: Known): Checked {
  const newestFirst = descends(steps) && !ascends(steps)
  const nothing = { swapped: false, newestFirst, proven: steps.map(() => false), opening: null, closing: null }
  if (steps.every(({ balance }) => balance === null)) return { balances: 'none', brokenAt: null, ...nothing }
  const gap = steps.find(({ balance }) => balance === null)
  if (gap) return { balances: 'broken', brokenAt: gap.line, ...nothing }

  const readings = [false, true].map((newest) => reading(steps, newest, 1, known))
  const possible = readings.filter(({ failures, daysRefuse }) => failures.length === 0 && !daysRefuse)
  // Balances that go up and down by one amount fit in both orders. Then the days decide
  const agreeing = possible.filter(({ daysAgree }) => daysAgree)
  const fitting = agreeing.length > 0 ? agreeing : possible
  if (fitting.length > 0) return provenBy(fitting, steps)

  const turned = swappedReading(steps, readings, known)
  if (turned) return provenBy([turned], steps)
  const [closest] = readings
    .filter(({ failures }) => failures.length > 0)
    .toSorted((a, b) => Number(a.daysRefuse) - Number(b.daysRefuse) || a.failures.length - b.failures.length)
  return {
    balances: 'broken',
    ...nothing,
    newestFirst: closest?.newestFirst ?? false,
    brokenAt: closest ? Math.min(...closest.failures) : (steps[0]?.line ?? null),
  }
}

interface Reading {
  newestFirst: boolean
  swapped: boolean
  /** Lines whose step does not fit. */
  failures: number[]
  /** Lines whose step fits; those without an amount are left out. */
  fits: Set<number>
  /** True if the days come in this order. */
  daysAgree: boolean
  /** True if they come in the other one. */
  daysRefuse: boolean
  opening: number
  closing: number
}

function reading(steps: readonly Step[], newestFirst: boolean, sign: 1 | -1, known: Known): Reading {
  const inTime = newestFirst ? steps.toReversed() : steps
  const opening = (inTime[0]?.balance ?? 0) - sign * (inTime[0]?.paise ?? 0)
  const start = known.opening ?? (known.perhaps.includes(opening) ? opening : undefined)
  const failures: number[] = []
  const fits = new Set<number>()
  let before = start
  for (const { line, paise, balance } of inTime) {
    if (before !== undefined) {
      if (before + sign * paise !== balance) failures.push(line)
      else if (paise !== 0) fits.add(line)
    }
    before = balance ?? undefined
  }
  const last = inTime.at(-1)
  if (last && before !== undefined && !mayClose(known, before)) failures.push(last.line)
  const [falls, rises] = [descends(steps), ascends(steps)]
  const daysAgree = newestFirst ? falls : rises
  const daysRefuse = !daysAgree && (newestFirst ? rises : falls)
  return { newestFirst, swapped: sign === -1, failures, fits, daysAgree, daysRefuse, opening, closing: before ?? 0 }
}

/** Few files write the side of an overdrawn balance beside a stated one. */
export const mayClose = ({ closings }: Stated, balance: number): boolean =>
  closings.length === 0 || closings.some((stated) => Math.abs(stated) === Math.abs(balance))

function swappedReading(steps: readonly Step[], printed: readonly Reading[], known: Known): Reading | undefined {
  if (!known.swaps || printed.some(({ fits }) => fits.size > 0)) return undefined
  return [false, true]
    .map((newest) => reading(steps, newest, -1, known))
    .find(({ failures, fits, daysAgree }) => failures.length === 0 && fits.size >= STEPS_FOR_SWAPPED && daysAgree)
}

/** What is true in every reading that is still possible. */
function provenBy(readings: readonly Reading[], steps: readonly Step[]): Checked {
  const [first] = readings
  if (!first) throw new Error('There is no reading')
  const proven = steps.map(({ line }) => readings.every(({ fits }) => fits.has(line)))
  const { newestFirst, swapped, opening, closing } = first
  const isProven = readings.every(({ fits }) => fits.size > 0)
  // A single row has the same balances in either order
  const isCertain = isProven && readings.every((one) => one.opening === opening && one.closing === closing)
  return {
    balances: isProven ? 'proven' : 'none',
    brokenAt: null,
    swapped,
    newestFirst,
    proven,
    opening: isCertain ? opening : null,
    closing: isCertain ? closing : null,
  }
}

type Dated = readonly Pick<Step, 'day'>[]
export const ascends = (steps: Dated): boolean =>
  steps.every(({ day }, index) => index === 0 || (steps[index - 1]?.day ?? day) <= day)
export const descends = (steps: Dated): boolean => ascends(steps.toReversed())
