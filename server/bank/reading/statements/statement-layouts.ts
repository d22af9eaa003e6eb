/** The layouts that are known by their headings, and what else a file says about itself. */
import type { Stated } from './statement-balances.ts'
import type { Statement } from './statement.ts'
import { wordsOf } from '../../../../contract/statement-headings.ts'
import type { Row } from '../cells.ts'
import { readAmount, readBalance, readDate } from '../values.ts'
import { PAYEE, PAYEE_LENGTH_MAX } from '../../../../contract/upi.ts'
import { BANKS } from '../../../../contract/banks.ts'

interface Layout {
  layout: string
  bank: string
  /** Headings, in the words of `wordsOf`; all must be there. */
  has: readonly string[]
}

const LAYOUTS: readonly Layout[] = [
  { layout: 'hdfc-delimited', bank: 'HDFC', has: ['narration', 'value dat', 'debit amount', 'chq ref number'] },
  { layout: 'hdfc', bank: 'HDFC', has: ['narration', 'chq ref no', 'withdrawal amt', 'deposit amt'] },
  {
    layout: 'icici-savings',
    bank: 'ICICI',
    has: ['transaction remarks', 'withdrawal amount inr', 'deposit amount inr'],
  },
  { layout: 'icici-corporate', bank: 'ICICI', has: ['transaction id', 'txn posted date', 'transaction amount inr'] },
  { layout: 'sbi', bank: 'SBI', has: ['txn date', 'ref no cheque no', 'debit', 'credit'] },
  { layout: 'axis', bank: 'Axis', has: ['tran date', 'particulars', 'dr', 'cr', 'bal', 'sol'] },
  { layout: 'kotak', bank: 'Kotak', has: ['chq ref no', 'amount', 'dr cr', 'sl no'] },
  { layout: 'kotak-signed', bank: 'Kotak', has: ['transaction details', 'chq ref no', 'debit credit inr'] },
  { layout: 'kotak-columns', bank: 'Kotak', has: ['sl no', 'description', 'chq ref no', 'debit', 'credit', 'dr cr'] },
  { layout: 'yes', bank: 'Yes', has: ['transaction date', 'description', 'withdrawals', 'deposits', 'balance'] },
  { layout: 'idfc', bank: 'IDFC', has: ['transaction date', 'particulars', 'cheque no', 'debit', 'credit'] },
  { layout: 'union', bank: 'Union', has: ['remarks', 'amount rs', 'balance rs'] },
  { layout: 'federal', bank: 'Federal', has: ['particulars', 'tran type', 'tran id', 'cheque details', 'withdrawals'] },
  { layout: 'kvb', bank: 'Karur Vysya', has: ['particulars', 'ref no', 'debit', 'credit', 'running balance'] },
  { layout: 'bandhan', bank: 'Bandhan', has: ['transaction date', 'description', 'amount', 'dr cr', 'balance'] },
]

export function layoutOf(headings: readonly string[], about: readonly Row[]): { layout: string; bank: string | null } {
  const names = new Set(headings.map(wordsOf))
  const known = LAYOUTS.find(({ has }) => has.every((name) => names.has(name)))
  const told = bankNamedIn(about.map(({ cells }) => cells.join(' ')).join('\n'))
  // Several banks share the plainest headings, so the bank that the file names counts more
  if (known && (told === undefined || told === known.bank || known.has.length > 5)) return known
  return { layout: 'other', bank: told ?? known?.bank ?? null }
}

const ACCOUNT = new RegExp(
  [
    String.raw`(?:\b(?:account|a ?\/ ?c|acct|acc|ac)\b[ .]*(?:number|num|no\b\.?|#)|खाता (?:संख्या|नंबर|क्रमांक))`,
    String.raw`[^\dxX*]{0,25}([\dxX*][\dxX* -]{1,25}\d)`,
  ].join(''),
  'i',
)
const HOLDER = new RegExp(
  [
    String.raw`^\W*(?:(?:account|a ?\/ ?c|cust\w+)(?: holder(?:[’']?s)?)? name|account holder|name`,
    String.raw`|खाता ?धारक(?: का नाम)?|नाम)`,
    String.raw`\s*[:|][-:| ]*(?:(?:mr|mrs|ms|shri|smt)\b\.* *)?([^:|]+)(?=\||$)`,
  ].join(''),
  'i',
)

/** Whose account it is, as the bank writes it. */
export function holderOf(about: readonly Row[]): string | null {
  for (const { cells } of about) {
    const name = HOLDER.exec(cells.filter((cell) => cell.trim() !== '').join(' | '))?.[1]?.trim() ?? ''
    if (name !== '' && PAYEE.test(name) && name.length <= PAYEE_LENGTH_MAX) return name
  }
  return null
}

const ACCOUNT_ALONE = /\b(?:transactions list\b.*?|(?:account|a\/c)[ :|]{1,4})\b((?=[x*\d]{9,18}\b)[x*]*\d{3,18})\b/i

/** What a column of accounts says, if all its rows say the same. A single row may name the payer's. */
export function accountIn({ line, cells: names }: Row, below: readonly Row[]): Row[] {
  const at = names.findIndex((name) => /^(?:cod )?(?:account|acct|ac|a c)(?: no| num| number)?$/.test(wordsOf(name)))
  const said = below.map(({ cells }) => cells[at] ?? '').filter((cell) => cell !== '')
  return said.length > 1 && new Set(said).size === 1 ? [{ line, cells: ['Account number', said[0] ?? ''] }] : []
}

/** The last four digits of the account that the file names. */
export function tailOf(about: readonly Row[]): string | null {
  for (const pattern of [ACCOUNT, ACCOUNT_ALONE]) {
    for (const { cells } of about) {
      // A mark between cells, so that a number does not run on into the next one
      const written = pattern.exec(cells.filter((cell) => cell !== '').join(' | '))?.[1]
      const digits = /(\d+)$/.exec(written?.replaceAll(/[ -]/g, '') ?? '')?.[1]
      if (digits && digits.length >= 3) return digits.slice(-4)
    }
  }
  return null
}

const DAY = [
  String.raw`(\d{1,2}[-/. ]\d{1,2}[-/. ]\d{2,4}|\d{4}-\d{2}-\d{2}`,
  String.raw`\d{1,2}[- ]?[A-Za-z]{3,9}[-, ]*\d{2,4}|[A-Za-z]{3,9} ?\d{1,2}, ?\d{4})`,
].join('|')
const PERIOD = new RegExp(String.raw`${DAY}[\s,:;)]*(?:to\b|till\b|upto\b|-|–|से)[\s:,;(]*${DAY}`, 'i')
const START = new RegExp(String.raw`\b(?:start|from) date[\s:]*${DAY}`, 'i')
const STOP = new RegExp(String.raw`\b(?:end|to) date[\s:]*${DAY}`, 'i')

/** The period that the file states, if every row lies in it; else the days of its rows. */
export function coveredBy(about: readonly Row[], dated: readonly { day: string }[]): Statement['covers'] {
  const texts = about.map(({ cells }) =>
    cells
      .filter((cell) => cell !== '')
      .join(' ')
      .slice(0, 300),
  )
  const sorted = dated.map(({ day }) => day).toSorted()
  const [first, last] = [sorted[0], sorted.at(-1)]
  const found = texts.map((text) => PERIOD.exec(text)).find((match) => match !== null)
  const pair = [
    found?.[1] ?? texts.map((text) => START.exec(text)?.[1]).find((day) => day !== undefined),
    found?.[2] ?? texts.map((text) => STOP.exec(text)?.[1]).find((day) => day !== undefined),
  ].map((written) => dayIn(written))
  const [from, to] = pair
  const isStated = from !== undefined && to !== undefined && from <= to
  if (isStated && (first === undefined || last === undefined || (from <= first && last <= to))) return { from, to }
  return first !== undefined && last !== undefined ? { from: first, to: last } : null
}

function dayIn(written: string | undefined): string | undefined {
  const read = written === undefined ? undefined : readDate(written.trim())
  return read === undefined || read === 'impossible' ? undefined : read.day
}

const OPENING = /^(?:opening bal(?:ance)?|balance (?:b f|brought forward)|b f|brought forward|प्रारंभिक शेष)\b/
const CLOSING = /^(?:closing bal(?:ance)?|balance (?:c f|carried forward)|c f|carried forward|total)\b/
const CLOSING_BALANCE = /^closing bal(?:ance)?\b/
const BALANCE_AS_ON = /^balance as on\b/

export const isOpening = (narration: string): boolean => OPENING.test(wordsOf(narration))
export const isClosing = (narration: string): boolean => CLOSING.test(wordsOf(narration))

/** Balances in rows outside the list. `perhaps` holds those that may be of another day than the last. */
export function statedBalances(about: readonly Row[]): Stated {
  let opening: number | undefined
  const [perhaps, closings]: [number[], number[]] = [[], []]
  for (const [at, { cells, line }] of about.entries()) {
    for (const [index, cell] of cells.entries()) {
      const words = wordsOf(cell.slice(0, 80))
      const form = [OPENING, CLOSING_BALANCE, BALANCE_AS_ON].find((each) => each.test(words))
      if (!form) continue
      const next = about[at + 1]
      const below = next?.cells[index] ?? ''
      // A heading may have this name, too, and another row below it
      const isBelow = form !== CLOSING_BALANCE || (next?.line === line + 1 && !next.cells.some(isOpening))
      const behind = balanceBehind(cell, cells.slice(index + 1))
      const amount = behind ?? (below === '' || !isBelow ? undefined : readBalance(below))
      if (amount === undefined || amount === null) continue
      if (form === OPENING) opening ??= amount
      else if (form === BALANCE_AS_ON) perhaps.push(amount)
      // Sums may stand before it
      else closings.push(amount, ...cells.slice(index + 1).flatMap((each) => readBalance(each) ?? []))
    }
  }
  return { opening, perhaps, closings }
}

function balanceBehind(label: string, cells: readonly string[]): number | undefined {
  const inside = /(?::|\s)\s*((?:INR |Rs\.? ?|₹ ?)?[-\d][\d,]*\.\d{2}(?: ?(?:CR|DR))?)(?=\s|$)/i.exec(label)?.[1]
  if (inside !== undefined) return readBalance(inside) ?? undefined
  // A file without quotes has split 1,900.00 at its comma
  if (/:\s*(?:INR |Rs\.? ?|₹ ?)?-?\d{1,3}$/i.test(label)) return undefined
  const rest = cells.filter((cell) => cell !== '' && cell !== ':')
  const [amount = '', side = ''] = rest
  if (!readAmount(amount)) return undefined
  return readBalance(amount, /^(?:CR|DR)$/i.test(side) ? side : '') ?? undefined
}

/** The bank that a file names, by the IFSC of a branch or by its full name. */
const IFSC = /(?<![a-z\d])[a-z]{4}(?=0[a-z\d]{6}(?![a-z\d]))/gi
const NAMES = BANKS.map(({ key, name }) => {
  const words = name.replaceAll(' ', String.raw`\s+`).replace('&', '(?:&|and)')
  return { key, form: new RegExp(String.raw`\b${words}\b`, 'i') }
})

/** An address may name another bank. @returns its key */
function bankNamedIn(text: string): string | undefined {
  const codes = text.match(IFSC)?.map((code) => code.toUpperCase()) ?? []
  const [branch] = codes.flatMap((code) => BANKS.find(({ ifsc }) => ifsc === code) ?? [])
  return branch?.key ?? NAMES.find(({ form }) => form.test(text))?.key
}
