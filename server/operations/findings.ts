/** What checks of the store find, in English for the command line and with its values for the panel. */
import type { Said } from '../../contract/words.ts'
import { wordsIn } from '../platform/words.ts'
import type { Examination } from '../reports/health-report.ts'

/** `broken` makes the exit code 1. A warning is for a person to read. */
export interface Finding {
  level: 'ok' | 'warning' | 'broken'
  text: string
  /** Where it has values. */
  say?: Said
}

/** @param say with commands among the values, because a package has others */
export const found = (level: Finding['level'], ...say: Said): Finding => ({
  level,
  text: wordsIn('en')(...say),
  ...(say[1] && { say }),
})

/** Keeps the faults. Those with values are kept with them, too, so that the panel can say them in other languages. */
export function examinationOf(findings: readonly Finding[]): Examination {
  const texts = (wanted: Finding['level']) => findings.flatMap(({ level, text }) => (level === wanted ? [text] : []))
  const said = findings.flatMap(({ level, text, say }) => (level !== 'ok' && say ? [[text, say] as const] : []))
  const says = Object.fromEntries(said) as NonNullable<Examination['says']>
  return { broken: texts('broken'), warnings: texts('warning'), ...(said.length > 0 && { says }) }
}
