/** Reads the dates and amounts that statements write. What is not surely a value is left out. */
import { atTime, dayOf as dayIn } from '../../../contract/india.ts'
import { parseRupees } from '../../../contract/money.ts'
import { latinDigits } from './cells.ts'

interface DateCell {
  /** In India, as YYYY-MM-DD. */
  day: string
  /** The moment, where the cell has a time. */
  at: Date | null
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const CLOCK = String.raw`(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:\.\d+)?)?\s*([AaPp])?\.?(?:[Mm]\.?)?`
const ZONE = String.raw`(?: IST| ?[+]05:?30| ?(?:Z|UTC|GMT)| ?(?:UTC|GMT)?[+]00:?00)?`
const TIME = String.raw`(?:,?[ T-]+${CLOCK}(${ZONE}))?`
const WORD = '([A-Za-z]{3,9})'
const FORMS = [
  { form: new RegExp(String.raw`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})${TIME}$`), order: 'ymd' },
  { form: new RegExp(String.raw`^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})${TIME}$`), order: 'dmy' },
  { form: new RegExp(String.raw`^(\d{1,2})[snrt]?[tdh]?[-/. ]?${WORD}[-/., '‘’]*(\d{4}|\d{2})${TIME}$`), order: 'dmy' },
  { form: new RegExp(String.raw`^${WORD}[-/. ]*(\d{1,2})(?:,| |-|/)+(\d{4}|\d{2})${TIME}$`), order: 'mdy' },
] as const

/** A longer cell is no date, and searching it for brackets would take long. */
const DATE_LENGTH_MAX = 80

/** Returns `impossible` for a date that doesn't exist when days come first, as banks in India write them. */
export function readDate(cell: string): DateCell | 'impossible' | undefined {
  if (cell.length > DATE_LENGTH_MAX) return undefined
  const written = latinDigits(cell).replaceAll(/^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? | ?\([^)]*\)$/gi, '')
  if (written.length > 40) return undefined
  for (const { form, order } of FORMS) {
    const match = form.exec(written)
    if (!match) continue
    const [, a = '', b = '', c = '', hours, minutes = '', seconds = '0', half, zone = ''] = match
    const [year, month, date] = order === 'ymd' ? [a, b, c] : order === 'dmy' ? [c, b, a] : [c, a, b]
    const monthNumber = /^\d/.test(month) ? Number(month) : MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1
    if (monthNumber === 0) return undefined
    const day = dayOf(year.length === 2 ? 2000 + Number(year) : Number(year), monthNumber, Number(date))
    if (!day) return 'impossible'
    if (hours === undefined) return { day, at: null }
    const at = momentOf(day, Number(hours), `${minutes}:${seconds.padStart(2, '0')}`, { half, zone })
    return zone === '' ? { day, at } : at ? { day: dayIn(at), at } : undefined
  }
  return undefined
}

function dayOf(year: number, month: number, date: number): string | undefined {
  const day = new Date(Date.UTC(year, month - 1, date))
  const isReal = day.getUTCMonth() === month - 1 && day.getUTCDate() === date && year >= 2000
  return isReal ? day.toISOString().slice(0, 10) : undefined
}

function momentOf(
  day: string,
  hours: number,
  rest: string,
  { half, zone }: { half: string | undefined; zone: string },
) {
  const hour = half === undefined ? hours : (hours % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  const time = `${String(hour).padStart(2, '0')}:${rest}`
  const at = /^$|IST|30/.test(zone) ? atTime(day, time) : new Date(`${day}T${time}Z`)
  return Number.isNaN(at.getTime()) ? null : at
}

export interface AmountCell {
  /** Zero or above. */
  paise: number
  /** The direction that its sign, or the letters behind it, give. */
  sign: '+' | '-' | 'CR' | 'DR' | undefined
}

const EMPTY = /^[-–—.*\s]*$|^(?:na|n\/a|nil)$/i

/** Returns undefined for a text that is no amount, and null for an empty cell. */
export function readAmount(cell: string): AmountCell | undefined | null {
  if (EMPTY.test(cell)) return null
  let text = latinDigits(cell)
    .replaceAll('−', '-')
    .replace(/^([-+(]?)\s*(?:INR|Rs\.?|₹)\s*/i, '$1')
    .trim()
  const letters = /\s*\(?\b(CR|DR)\b\.?\)?$/i.exec(text.replace(/(\d)(CR|DR)/i, '$1 $2'))
  let sign: AmountCell['sign'] = letters?.[1]?.toUpperCase() as 'CR' | 'DR' | undefined
  if (letters) text = text.replace(/\s*\(?(?:CR|DR)\.?\)?$/i, '')
  const minus = /^-(.*)$/.exec(text)?.[1] ?? /^(.*)-$/.exec(text)?.[1] ?? /^\((.*)\)$/.exec(text)?.[1]
  const plus = /^\+(.*)$/.exec(text)?.[1]
  if (minus !== undefined || plus !== undefined) {
    // "-5 CR" contradicts itself
    if (sign !== undefined) return undefined
    sign = minus === undefined ? '+' : '-'
  }
  const bare = (minus ?? plus ?? text).trim().replace(/^(?:INR|Rs\.?|₹)\s*/i, '')
  if (/^[-+]/.test(bare)) return undefined
  const paise = parseRupees(bare.replace(/(\.\d\d)0+$/, '$1').replace(/^\./, '0.'))
  return paise === undefined ? undefined : { paise, sign }
}

/** A balance in paise; below zero when it is owed to the bank. */
export function readBalance(cell: string, letters = ''): number | undefined | null {
  const amount = readAmount(letters === '' ? cell : `${cell} ${letters}`)
  if (!amount) return amount
  return amount.sign === '-' || amount.sign === 'DR' ? 0 - amount.paise : amount.paise
}
