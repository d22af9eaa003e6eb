/** Reads all files but PDFs, by their content and not by their names. */
import { STATEMENT_LINES_MAX } from '../../../../contract/limits.ts'
import { FileFault, PasswordFault } from '../../../platform/files/file-fault.ts'
import { t } from '../../../platform/i18n.ts'
import { OLE_MARK, openOle } from './ole.ts'
import { isPage, readPage } from './read-page.ts'
import { readXls } from './read-xls.ts'
import { readXlsx } from './read-xlsx.ts'
import { CELL_MAX } from '../../../platform/files/csv.ts'
import { tooManyLines } from './sheet-rows.ts'
import { isLocked, unlockXlsx } from './unlock-xlsx.ts'

const ZIP = [0x50, 0x4b]
const CELLS = /[^,\t;|\n"]+/g

export interface GivenFile {
  bytes: Uint8Array<ArrayBuffer>
  password: string | undefined
}

/** @throws PasswordFault or FileFault, with a text for the person who chose it */
export async function readText({ bytes, password }: GivenFile): Promise<string> {
  const starts = (mark: readonly number[]) => mark.every((byte, index) => bytes[index] === byte)
  const text = starts(OLE_MARK) ? await textOfOle(bytes, password) : starts(ZIP) ? await readXlsx(bytes) : plain(bytes)
  if (text.trim() === '') throw new FileFault(t('This file is empty.'))
  if (text.split('\n', STATEMENT_LINES_MAX + 2).length > STATEMENT_LINES_MAX + 1) throw tooManyLines()
  return text
}

async function textOfOle(bytes: Uint8Array<ArrayBuffer>, password: string | undefined): Promise<string> {
  const streams = openOle(bytes)
  if (!isLocked(streams)) return readXls(streams)
  if (password === undefined) throw new PasswordFault(t('This file opens with a password.'), false)
  return readXlsx(await unlockXlsx(streams, password))
}

function plain(bytes: Uint8Array): string {
  const text = decode(bytes)
  if (text.includes('\0')) throw new FileFault(t('This file isn’t a statement. Choose a CSV, TSV, Excel or PDF file.'))
  return isPage(text) ? readPage(text) : text.replaceAll(CELLS, (cell) => cell.slice(0, CELL_MAX))
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
