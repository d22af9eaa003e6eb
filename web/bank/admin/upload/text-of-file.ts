/** Turns a chosen file into text, by its content and not by its name: the server reads text only. */
// oxlint-disable-next-line import/default -- Vite makes it the address of the built worker
import address from '../files/file-reader.ts?worker&url'
import { STATEMENT_BYTES_MAX } from '../../../../contract/limits.ts'
import { FileFault } from '../../../platform/files/file-fault.ts'
import { readInWorker } from '../../../platform/files/in-worker.ts'
import { t } from '../../../platform/i18n.ts'
import { trusted } from '../../../platform/trusted-address.ts'
import type { GivenFile } from '../files/read-text.ts'

const PDF_BYTES_MAX = 10_485_760
const PDF = [0x25, 0x50, 0x44, 0x46]

export interface FileText {
  text: string
  /** Set for a PDF, whose columns were found by their places. */
  source?: 'pdf'
}

const inWorker = (given: GivenFile) =>
  readInWorker<string>(new Worker(trusted('file-reader', address), { type: 'module' }), given)

/**
 * @param password that opens the file; it goes no further
 * @param readText reads all but PDFs
 * @throws PasswordFault when the file asks for one; FileFault, with a text for the person who chose it
 */
export async function textOfFile(file: Blob, password?: string, readText = inWorker): Promise<FileText> {
  if (file.size > PDF_BYTES_MAX) throw new FileFault(t('This file is larger than 10 MB. Choose a shorter period.'))
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (PDF.every((byte, index) => bytes[index] === byte)) {
    const { readPdf } = await import('../pdf/read-pdf.ts')
    return { text: await readPdf(bytes, password), source: 'pdf' }
  }
  if (file.size > STATEMENT_BYTES_MAX) throw new FileFault(t('This file is larger than 5 MB. Choose a shorter period.'))
  return { text: await readText({ bytes, password }) }
}
