/**
 * Wordings of banks: data, each with a sample, and the month in which all of a bank's were seen. A wording is its
 * words with slots, and holds the whole text, so that a note which imitates a second alert fits none. What the payer
 * writes has no spaces (VPA), few marks (name), or is looked at again (note).
 */
import * as z from 'zod/mini'
import { DAYS, RS, SUM, TIME } from './slots.ts'
import apps from './wordings/apps.json' with { type: 'json' }
import * as files from './wordings/of-banks.ts'

/** Apps whose notifications are forwarded, by their package. */
export const APPS: Readonly<Record<string, string>> = apps

const NAME = String.raw`[\p{L}\p{M}\d .&'’]{0,50}?`

/** What fits each slot. `words` may stand twice. The last five mean nothing. */
const SLOTS: Record<string, string> = {
  sum: `(?:${RS})?(?<sum>${SUM})`,
  tail: String.raw`(?:\d{0,4}[X*.]{1,20}-?)?(?<tail>\d{2,8})`,
  ref: String.raw`(?<ref>\d{12}|[A-Z0-9]{15,22})`,
  when: `(?<when>(?:${DAYS})(?:${TIME})?)`,
  vpa: String.raw`(?<vpa>[^\s()]{3,80}?)`,
  name: `(?<name>${NAME})`,
  words: `(?<words>${NAME})`,
  note: '(?<note>.{0,80}?)',
  bal: `(?:${RS})?-?${SUM}(?: ?CR)?`,
  bank: '[A-Z]{3,4}',
  ifsc: '[A-Z]{4}0[A-Z0-9]{6}',
  code: '[A-Z0-9]{4,12}',
  n: String.raw`[\dX*/-]{1,24}`,
}

export interface Wording {
  bank: string
  form: RegExp
  sample: string
  tellsReference: boolean
}

const File = z.strictObject({
  bank: z.string(),
  seen: z.string().check(z.regex(/^\d{4}-\d{2}$/)),
  /** Each with its sample. */
  wordings: z.record(z.string(), z.string()),
})

/** By the bank’s key. */
export const WORDINGS: ReadonlyMap<string, readonly Wording[]> = new Map(
  Object.values(files).map((file) => {
    const { bank, wordings } = z.parse(File, file)
    return [
      bank,
      Object.entries(wordings).map(([form, sample]) => {
        return { bank, form: expressionOf(form), sample, tellsReference: form.includes('{ref}') }
      }),
    ]
  }),
)

/** @returns what fits the whole of a text on one line, with a group for each slot that is read */
function expressionOf(wording: string): RegExp {
  const parts = wording.split(/\{(\w+)\}/)
  const source = parts.map((part, at) => {
    if (at % 2 === 0) return literal(part, at === parts.length - 1)
    const slot = SLOTS[part]
    if (slot === undefined) throw new Error(`No slot is called ${part}`)
    return parts.indexOf(part) < at ? slot.replace('(?<words>', '(?<more>') : slot
  })
  return new RegExp(`^${source.join('')}$`, 'iu')
}

/** Blanks around marks come and go, and so does the last full stop. */
function literal(text: string, isLast: boolean): string {
  const bare = text.replace(isLast ? /[ .]+$/ : /[ :]+$/, '')
  const source = bare
    .replaceAll(/[\\^$*+?()[\]{}|]/g, String.raw`\$&`)
    .replaceAll(/ ?([.:,;!]) ?/g, (_, mark: string) => ` ?[${mark}] ?`)
  if (isLast) return `${source}[ .]*`
  return source + (bare === text ? '' : bare === '' ? '[ :]{1,3}' : '[ :]{0,3}')
}
