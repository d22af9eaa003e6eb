/** Prepares and sends an import of keys: finds the lines in a text or file, and the faults in them. */
import type { CheckedLine, KeyDoubt, LineStatus } from '../../../contract/keys.ts'
import { KEY_LENGTH_MAX } from '../../../contract/limits.ts'
import { durationText, t } from '../../platform/i18n.ts'
import { parseCsv } from '../../platform/files/csv.ts'
import { FileFault } from '../../platform/files/file-fault.ts'

/** The largest file that is read; 50,000 keys of the longest kind are half of it. */
const FILE_BYTES_MAX = 30 * 1024 * 1024
/** Twenty times as many as are added at once. More empty ones would fill the memory. */
const LINES_MAX = 1_000_000
const WHOSE =
  'product|activation|licen[cs]e|serial|cd|game|steam|voucher|redeem|redemption|gift|coupon|unlock|registration'
const KEY_COLUMN = new RegExp(
  `^\\s*(?:(?:(?:${WHOSE})[\\s_-]*)?(?:keys?|codes?)|serials?|serial[\\s_-]*(?:numbers?|nos?\\.?)|licen[cs]es?)\\s*$`,
  'i',
)
/** Titles may stand above the headings. */
const HEADING_ROWS_MAX = 10

export function toLines(text: string): string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/)
}

/** A line with something in it. */
export interface Line {
  /** From 1. Blank lines count. */
  number: number
  /** Trimmed. */
  text: string
}

/** Returns the lines to check, without blank ones. */
export function linesOf(lines: readonly string[]): Line[] {
  return lines.flatMap((line, index) => {
    const text = line.trim()
    return text === '' ? [] : [{ number: index + 1, text }]
  })
}

/** The dry run needs no more of a line, because a longer one is no key. */
const CHECKED_CHARS_MAX = KEY_LENGTH_MAX + 1
const CONTROL = '\u0007'

/** New lines that a person should look at are a group of their own. */
export type LineGroup = LineStatus | 'doubtful'

export interface CheckedText extends Line {
  group: LineGroup
  /** Why it is in this group; undefined when there is nothing to say. */
  reason: string | undefined
}

/** Brings what the server says of each line together with the line. */
export function withVerdicts(lines: readonly Line[], verdicts: readonly CheckedLine[]): CheckedText[] {
  return verdicts.flatMap(({ line, status, doubt, repeats, found, fault }): CheckedText[] => {
    const own = lines[line - 1]
    if (!own) return []
    const first = repeats === undefined ? undefined : lines[repeats - 1]?.number
    if (doubt) return [{ ...own, group: 'doubtful', reason: doubtOf(doubt, first, found) }]
    return [{ ...own, group: status, reason: fault === undefined ? reasonOf(status, first, found) : t(fault) }]
  })
}

function doubtOf(doubt: KeyDoubt, line: number | undefined, found: CheckedLine['found']): string {
  if (doubt === 'unreadable') return t('has characters that a program couldn’t read')
  if (doubt === 'spreadsheet') return t('looks changed by a spreadsheet')
  if (doubt === 'cut') return t('looks cut off')
  if (!found) return t('looks like line {line}', { line: line ?? '' })
  const values = { product: found.productName, duration: durationText(found.duration) }
  return found.sold
    ? t('looks like a sold key of {product}, {duration}', values)
    : t('looks like a key in stock of {product}, {duration}', values)
}

function reasonOf(status: LineStatus, first: number | undefined, found: CheckedLine['found']): string | undefined {
  if (first !== undefined) return t('same as line {line}', { line: first })
  if (!found) return undefined
  const { productName: product, sold } = found
  const duration = durationText(found.duration)
  if (status === 'new') return t('moved from the deleted product {product}, {duration}', { product, duration })
  if (status === 'duplicate-elsewhere')
    return sold
      ? t('already sold as {product}, {duration}', { product, duration })
      : t('already in stock as {product}, {duration}', { product, duration })
  return sold ? t('already sold, {duration}', { duration }) : t('already in stock, {duration}', { duration })
}

/** Returns the texts to add, in their order. */
export const textsToAdd = (checked: readonly CheckedText[], takesDoubtful: boolean): string[] =>
  checked.flatMap(({ group, text }) => (group === 'new' || (takesDoubtful && group === 'doubtful') ? [text] : []))

/** Returns the texts to send for checking. */
export function toChecked(lines: readonly Line[]): string[] {
  return lines.map(({ text }) => text.slice(0, CHECKED_CHARS_MAX).replaceAll(/[\0\p{Surrogate}]/gu, CONTROL))
}

/** @throws FileFault with words for a person, when the file is too large or no text. It runs in a worker. */
export async function readKeyFile(file: File): Promise<string[] | { rows: string[][] }> {
  const tooLarge = () => new FileFault(t('{name} is too large. Split it into smaller files.', { name: file.name }))
  if (file.size > FILE_BYTES_MAX) throw tooLarge()
  const text = decode(await file.arrayBuffer())
  if (text.includes('\0')) {
    throw new FileFault(t('{name} is not a text file. Save it as TXT or CSV first.', { name: file.name }))
  }
  if (hasManyLines(text)) throw tooLarge()
  return /\.csv$/i.test(file.name) ? keysOfCsv(text) : toLines(text)
}

function hasManyLines(text: string): boolean {
  let lines = 0
  for (const _ of text.matchAll(/[\n\r\u2028\u2029]/g)) if (++lines > LINES_MAX) return true
  return false
}

/** Spreadsheets on Windows also write UTF-16, and say so in the first two bytes. */
function decode(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes.slice(0, 2))
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}

/**
 * Finds the keys of a CSV by the heading of their column, which is no key itself.
 * @returns the rows where there are several columns and no known heading: then a person must say which it is
 */
export function keysOfCsv(text: string): string[] | { rows: string[][] } {
  const rows = parseCsv(text).filter((row) => row.some((cell) => cell.trim() !== ''))
  for (const [at, row] of rows.slice(0, HEADING_ROWS_MAX).entries()) {
    const column = row.findIndex((cell) => KEY_COLUMN.test(cell))
    if (column !== -1) return columnOf(rows.slice(at + 1), column)
  }
  return rows.some(({ length }) => length > 1) ? { rows } : columnOf(rows, 0)
}

/** How many columns the widest row has. A file may have more rows than a call takes arguments. */
export const widthOf = (rows: readonly string[][]): number =>
  rows.reduce((most, { length }) => Math.max(most, length), 0)

export const columnOf = (rows: readonly string[][], column: number): string[] => rows.map((row) => row[column] ?? '')

/** True for a first cell without a digit over cells that have some: most likely a heading. */
export const isHeading = ([first = '', ...rest]: readonly string[]): boolean =>
  !/\d/.test(first) && rest.some((cell) => /\d/.test(cell))

export interface ImportProgress {
  /** Keys that the server has answered for. */
  done: number
  added: number
  duplicates: number
}

export const NOTHING_DONE: ImportProgress = { done: 0, added: 0, duplicates: 0 }

/** Small enough for a quick answer, and for a cheap repeat. */
const KEYS_PER_CALL = 5_000

/**
 * Sends the keys that are not done yet, one part after the other, until `isStopped` between two parts.
 * @throws the errors of `send`. The last `onProgress` tells how much was done before.
 */
export async function sendKeys(
  keys: readonly string[],
  from: ImportProgress,
  send: (part: string[]) => Promise<{ added: number; duplicates: number }>,
  onProgress: (progress: ImportProgress) => void,
  isStopped: () => boolean = () => false,
): Promise<ImportProgress> {
  let progress = from
  while (progress.done < keys.length && !isStopped()) {
    const part = keys.slice(progress.done, progress.done + KEYS_PER_CALL)
    const { added, duplicates } = await send(part)
    progress = {
      done: progress.done + part.length,
      added: progress.added + added,
      duplicates: progress.duplicates + duplicates,
    }
    onProgress(progress)
  }
  return progress
}
