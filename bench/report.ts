/**
 * The result of a benchmark: each line with the lowest, the middle and the highest of its runs, beside its yardstick,
 * and whether the goal was met. Printed as a Markdown table, ready for docs/performance.md.
 */
import { availableParallelism, cpus, loadavg } from 'node:os'

export interface BenchOptions {
  runs: number
  /** The length of each single measurement. */
  seconds: number
  /** The bench's own options. */
  own: Record<string, string | undefined>
}

export interface Bench {
  title: string
  /** The length of each single measurement, unless the command names another. */
  seconds: number
  /** Names of its own options. */
  own?: readonly string[]
  measure(options: BenchOptions, report: Report): Promise<void>
}

export interface Finding {
  what: string
  unit: string
  /** One for each run. */
  values: readonly number[]
  /** The yardstick of the same run. */
  yardstick?: { what: string; values: readonly number[] }
  /** For the middle one of the ratios where there is a yardstick, else of the values. */
  goal?: { atLeast: number } | { atMost: number }
}

export interface Report {
  /** Prints each line when it is known, because people watch. */
  add(finding: Finding): void
  /** A line that is no figure: "The books are in order." */
  note(line: string): void
  /** Prints the table, and whether the goals were met; @returns whether all were */
  finish(): boolean
}

export function openReport(title: string): Report {
  const rows: string[][] = []
  const notes: string[] = []
  const missed: string[] = []
  let judged = 0
  const loadBefore = loadavg()[0] ?? 0

  return {
    add(finding) {
      const ratios = ratiosOf(finding)
      const deciding = median(ratios ?? finding.values)
      const met = finding.goal && meets(deciding, finding.goal)
      if (met !== undefined) judged++
      if (met === false) missed.push(finding.what)
      const row = [
        finding.what,
        spell(finding.values, finding.unit),
        finding.yardstick ? `${finding.yardstick.what}: ${spell(finding.yardstick.values, finding.unit)}` : '',
        ratios ? ratios.map((ratio) => ratio.toFixed(2)).join(' / ') : '',
        finding.goal ? `${spellGoal(finding.goal)}${ratios ? ' ×' : ` ${finding.unit}`}` : '',
        met === undefined ? '' : met ? 'met' : '**missed**',
      ]
      rows.push(row)
      console.log(`  ${row.filter((cell) => cell !== '').join(' · ')}`)
    },
    note(line) {
      notes.push(line)
      console.log(`  ${line}`)
    },
    finish() {
      const heading = ['what', 'min / median / max', 'yardstick', 'ratio', 'goal', '']
      const processor = cpus()[0]?.model.trim() ?? 'unknown'
      const machine = `${availableParallelism()} × ${processor}, Node ${process.versions.node}`
      console.log(`\n### ${title}, ${new Date().toISOString().slice(0, 10)}\n`)
      console.log(`${machine}; load of the machine before: ${loadBefore.toFixed(1)}\n`)
      for (const row of [heading, heading.map(() => '---'), ...rows]) console.log(`| ${row.join(' | ')} |`)
      if (notes.length > 0) console.log(`\n${notes.join(' ')}`)
      if (judged > 0)
        console.log(
          missed.length === 0
            ? `\ngoal met: ${judged} of ${judged}`
            : `\ngoal missed: ${judged - missed.length} of ${judged} met; missed: ${missed.join('; ')}`,
        )
      return missed.length === 0
    },
  }
}

/** The lowest and the highest of three runs say how far to trust the middle one. */
function spell(values: readonly number[], unit: string): string {
  const digits = Math.abs(median(values)) < 100 ? 1 : 0
  const [low, middle, high] = [Math.min(...values), median(values), Math.max(...values)].map((value) =>
    value.toFixed(digits),
  )
  return values.length === 1 ? `${middle} ${unit}` : `${low} / ${middle} / ${high} ${unit}`
}

/** Run by run, so that what else the machine does falls on both alike; from low to high. */
function ratiosOf({ values, yardstick }: Finding): number[] | undefined {
  return yardstick?.values
    .map((value, run) => (values[run] ?? Number.NaN) / value)
    .filter((ratio) => !Number.isNaN(ratio))
    .toSorted((a, b) => a - b)
}

function meets(value: number, goal: NonNullable<Finding['goal']>): boolean {
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost
}

function spellGoal(goal: NonNullable<Finding['goal']>): string {
  return 'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
