/** Turns a chosen file into text, by its content and not by its name: the server reads text only. */
import { STATEMENT_BYTES_MAX, STATEMENT_LINES_MAX } from '../../../../contract/limits.ts'
import { t } from '../../../platform/i18n.ts'
import { FileFault, PasswordFault } from '../files/file-fault.ts'
import { OLE_MARK, openOle } from '../files/ole.ts'
import { isPage, readPage } from '../files/read-page.ts'
import { readXls } from '../files/read-xls.ts'
import { readXlsx } from '../files/read-xlsx.ts'
import { tooManyLines } from '../files/sheet-rows.ts'
import { isLocked, unlockXlsx } from '../files/unlock-xlsx.ts'

const PDF_BYTES_MAX = 10_485_760
const PDF = [0x25, 0x50, 0x44, 0x46]
const ZIP = [0x50, 0x4b]

export interface FileText {
  text: string
  /** Of a PDF, whose columns were found by their places. */
  source?: 'pdf'
}

/**
 * @param password that opens the file; it goes no further
 * @throws PasswordFault when the file asks for one; FileFault, with a text for the person who chose it
 */
export async function textOfFile(file: Blob, password?: string): Promise<FileText> {
  const isLarge = file.size > STATEMENT_BYTES_MAX
  if (file.size > PDF_BYTES_MAX) throw new FileFault(t('This file is larger than 10 MB. Choose a shorter period.'))
  const bytes = new Uint8Array(await file.arrayBuffer())
  const starts = (mark: readonly number[]) => mark.every((byte, index) => bytes[index] === byte)
  if (starts(PDF)) {
    const { readPdf } = await import('../pdf/read-pdf.ts')
    return { text: await readPdf(bytes, password), source: 'pdf' }
  }
  if (isLarge) throw new FileFault(t('This file is larger than 5 MB. Choose a shorter period.'))
  const text = starts(OLE_MARK) ? await textOfOle(bytes, password) : starts(ZIP) ? await readXlsx(bytes) : plain(bytes)
  if (text.trim() === '') throw new FileFault(t('This file is empty.'))
  if (text.split('\n', STATEMENT_LINES_MAX + 2).length > STATEMENT_LINES_MAX + 1) throw tooManyLines()
  return { text }
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
  return isPage(text) ? readPage(text) : text
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
