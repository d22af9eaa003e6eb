/** Turns a chosen file into text, by its content and not by its name: the server reads text only. */
import { STATEMENT_BYTES_MAX, STATEMENT_LINES_MAX } from '../../../../contract/limits.ts'
import { t } from '../../../platform/i18n.ts'
import { FileFault } from './file-fault.ts'
import { readXlsx } from './read-xlsx.ts'

const OLD_EXCEL = [0xd0, 0xcf, 0x11, 0xe0]
const PDF = [0x25, 0x50, 0x44, 0x46]
const ZIP = [0x50, 0x4b]

/** @throws FileFault with a text for the person who chose it */
export async function textOfFile(file: Blob): Promise<string> {
  if (file.size > STATEMENT_BYTES_MAX) throw new FileFault(t('This file is larger than 5 MB. Choose a shorter period.'))
  const bytes = new Uint8Array(await file.arrayBuffer())
  const starts = (mark: readonly number[]) => mark.every((byte, index) => bytes[index] === byte)
  if (starts(OLD_EXCEL)) throw new FileFault(t('This is an old Excel file. Open it and save it as CSV.'))
  if (starts(PDF)) throw new FileFault(t('This is a PDF file. Open it, select all, copy, and paste here.'))
  const text = starts(ZIP) ? await readXlsx(bytes) : decode(bytes)
  if (text.trim() === '') throw new FileFault(t('This file is empty.'))
  if (text.includes('\0')) throw new FileFault(t('This file isn’t a statement. Choose a CSV, TSV or Excel file.'))
  if (text.split('\n', STATEMENT_LINES_MAX + 2).length > STATEMENT_LINES_MAX + 1)
    throw new FileFault(
      t('This file has more than {count} lines. Choose a shorter period.', { count: STATEMENT_LINES_MAX }),
    )
  return text
}

/** Banks give UTF-8, UTF-16 (SBI) and Windows-1252. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  // Without a mark: every other byte of Latin text is zero
  if (first !== 0 && second === 0 && bytes[3] === 0) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0 && second !== 0 && bytes[2] === 0) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
