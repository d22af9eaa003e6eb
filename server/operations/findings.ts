/** What checks of the store find, in English for the command line and with its values for the panel. */
import type { Said } from '../../contract/words.ts'
import { wordsIn } from '../platform/words.ts'
import type { Examination } from '../reports/health-report.ts'

/** `broken` makes the exit code 1. A warning is for a person to read. */
export interface Finding {
  level: 'ok' | 'warning' | 'broken'
  /** For the command line. */
  text: string
  /** For the panel, whose reader may have a phone only. */
  say?: Said
  /** For the person who looks after the server. The panel folds it. */
  how?: Said
  /** Of a broken invariant. */
  marks?: readonly string[]
}

export const found = (level: Finding['level'], ...say: Said): Finding => ({
  level,
  text: wordsIn('en')(...say),
  ...(say[1] && { say }),
})

/**
 * Says what to do on the server, too.
 * @param how with commands among the values, because a package has others
 */
export const withHow = (finding: Finding, how: Said): Finding => ({
  ...finding,
  text: `${finding.text} ${wordsIn('en')(...how)}`,
  say: finding.say ?? [finding.text],
  how,
})

/** @param text of the command line, which no catalogue has. The panel says the finding, and folds it */
export const foundRaw = (text: string, finding: Finding): Finding => ({
  ...finding,
  text,
  say: [finding.text],
  how: ['{text}', { text }],
})

/** Keeps the faults. Those with values are kept with them, too, so that the panel can say them in other languages. */
export function examinationOf(findings: readonly Finding[]): Examination {
  const texts = (wanted: Finding['level']) => findings.flatMap(({ level, text }) => (level === wanted ? [text] : []))
  const faults = findings.filter(({ level }) => level !== 'ok')
  const said = (part: 'say' | 'how') =>
    Object.fromEntries(
      faults.flatMap(({ text, [part]: words }) => (words ? [[text, [words[0], words[1] ?? {}]]] : [])),
    ) as NonNullable<Examination['says']>
  const marks = faults.flatMap((fault) => fault.marks ?? [])
  return { broken: texts('broken'), warnings: texts('warning'), says: said('say'), hows: said('how'), marks }
}
