/** An import of keys before it is sent: where the lines come from, and what is to be said about them. */
import { KeyText } from '../../contract/keys.ts'
import { t } from '../platform/i18n.ts'
import { parseCsv } from '../platform/csv.ts'

/** The largest file that is read; 50,000 keys of the longest kind are half of it. */
const FILE_BYTES_MAX = 30 * 1024 * 1024
const KEY_COLUMN = /^\s*(licen[cs]e[\s_-]*)?(keys?|codes?|serials?)\s*$/i

export interface FaultyLine {
  /** From 1. */
  line: number
  text: string
  fault: string
}

export interface ImportCheck {
  /** What will be sent: each text once. */
  keys: string[]
  blank: number
  /** Lines that repeat an earlier one. */
  repeated: number
  faulty: FaultyLine[]
}

export function toLines(text: string): string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/)
}

/** Sorts the lines as the server would: blank ones are dropped, repeated ones sent once, impossible ones left out. */
export function checkLines(lines: readonly string[]): ImportCheck {
  const keys = new Set<string>()
  const check = { blank: 0, repeated: 0, faulty: [] as FaultyLine[] }
  let blank = 0
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') {
      blank += 1
      continue
    }
    // Those at the end are no lines, but how a file ends.
    check.blank += blank
    blank = 0
    const read = KeyText.safeParse(line)
    if (!read.success) {
      const fault = read.error.issues[0]?.message ?? t('This cannot be a key')
      check.faulty.push({ line: index + 1, text: line.trim(), fault })
    } else if (keys.has(read.data)) check.repeated += 1
    else keys.add(read.data)
  }
  return { keys: [...keys], ...check }
}

/** @throws Error with words for a person, when the file is too large or no text. */
export async function readKeyFile(file: File): Promise<string[]> {
  if (file.size > FILE_BYTES_MAX)
    throw new Error(t('{name} is too large. Split it into smaller files.', { name: file.name }))
  const text = decode(await file.arrayBuffer())
  if (text.includes('\0')) {
    throw new Error(t('{name} is not a text file. Save it as TXT or CSV first.', { name: file.name }))
  }
  return /\.csv$/i.test(file.name) ? keysOfCsv(text) : toLines(text)
}

/** Spreadsheets on Windows also write UTF-16, and say so in the first two bytes. */
function decode(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes.slice(0, 2))
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}

/** The column whose head says that it holds keys, else the first. */
export function keysOfCsv(text: string): string[] {
  const rows = parseCsv(text)
  const column = rows[0]?.findIndex((cell) => KEY_COLUMN.test(cell)) ?? -1
  return column === -1 ? rows.map((row) => row[0] ?? '') : rows.slice(1).map((row) => row[column] ?? '')
}

export interface ImportProgress {
  /** Keys that the server has answered for. */
  done: number
  added: number
  duplicates: number
}

export const NOTHING_DONE: ImportProgress = { done: 0, added: 0, duplicates: 0 }

/** One call is quick to answer and short to repeat. */
const KEYS_PER_CALL = 10_000

/**
 * Sends the keys that are not done yet, one part after the other, until `isStopped` between two parts.
 * @throws what `send` throws; what was done before stands in the last `onProgress`.
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
