/**
 * Reads a PDF with text by pdf.js, in a worker that is ended when it has taken too long. It and this file are fetched
 * when somebody has chosen a PDF. The password is used here and goes no further.
 */
// oxlint-disable-next-line import/default -- Vite makes it the address of the built worker
import address from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?worker&url'
import type { DocumentInitParameters } from 'pdfjs-dist/types/src/display/api'
import { STATEMENT_BYTES_MAX, STATEMENT_LINES_MAX } from '../../../../contract/limits.ts'
import { t } from '../../../platform/i18n.ts'
import { trusted } from '../../../platform/trusted-address.ts'
import { FileFault, PasswordFault } from '../../../platform/files/file-fault.ts'
import { READING_MAX_MS } from '../../../platform/files/in-worker.ts'
import { tableOf } from './pdf-table.ts'
import { linesOf, type Line, type PageText } from './pdf-words.ts'
import { CELL_MAX } from '../../../platform/files/csv.ts'
import { tooLarge, tooManyLines } from '../files/sheet-rows.ts'

const PAGES_MAX = 300
const PAGES_AT_ONCE = 16
const PARTS_OF_PAGE_MAX = 20_000
/** A file with fewer words on all pages is a scan. */
const WORDS_MIN = 12
const WRONG_PASSWORD = 2

/** As much of pdf.js as is used. */
export interface PdfLibrary {
  getDocument: (options: DocumentInitParameters) => {
    promise: Promise<{
      numPages: number
      getPage: (number: number) => Promise<{
        getViewport: (options: { scale: number }) => { transform: number[] }
        streamTextContent: () => ReadableStream<{ items: readonly object[] }>
      }>
    }>
    destroy: () => Promise<void>
  }
}

/** @throws PasswordFault when it opens with a password; FileFault, with a text for the person who chose it */
export async function readPdf(bytes: Uint8Array<ArrayBuffer>, password: string | undefined): Promise<string> {
  // It takes longest to start, and needs nothing of what else is fetched
  const port = new Worker(trusted('pdf-worker', address), { type: 'module' })
  try {
    const library = await import('pdfjs-dist/legacy/build/pdf.mjs')
    const worker = library.PDFWorker.create({ port, verbosity: 0 })
    return await readPdfBy(library, bytes, { password, worker })
  } finally {
    port.terminate()
  }
}

/** @param options for pdf.js, with the worker that it shall use */
export async function readPdfBy(
  library: PdfLibrary,
  bytes: Uint8Array<ArrayBuffer>,
  { password, ...options }: DocumentInitParameters,
): Promise<string> {
  const task = library.getDocument({
    ...options,
    data: bytes,
    ...(password !== undefined && { password }),
    // Nothing is drawn, and nothing is compiled or fetched
    useWasm: false,
    useWorkerFetch: false,
    useSystemFonts: false,
    disableFontFace: true,
    isImageDecoderSupported: false,
    isOffscreenCanvasSupported: false,
    enableXfa: false,
    verbosity: 0,
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    const fault = new FileFault(t('This PDF takes too long to read. Choose a shorter period, or CSV.'))
    timer = setTimeout(() => reject(fault), READING_MAX_MS)
  })
  try {
    return tableOf(await Promise.race([task.promise.then(pagesOf), late]))
  } catch (error) {
    throw faultOf(error)
  } finally {
    clearTimeout(timer)
    // A worker that is busy does not answer
    void task.destroy()
  }
}

type PdfFile = Awaited<ReturnType<PdfLibrary['getDocument']>['promise']>

async function pagesOf(file: PdfFile): Promise<Line[][]> {
  if (file.numPages > PAGES_MAX)
    throw new FileFault(t('This PDF has more than {count} pages. Choose a shorter period.', { count: PAGES_MAX }))
  const pages: Line[][] = []
  let [lines, words, letters] = [0, 0, 0]
  while (pages.length < file.numPages) {
    const count = Math.min(PAGES_AT_ONCE, file.numPages - pages.length)
    // The worker reads on while lines are made of what it has read
    const found = await Promise.all(Array.from({ length: count }, (_, at) => pageOf(file, pages.length + at + 1)))
    for (const page of found) {
      lines += page.length
      words += page.reduce((sum, line) => sum + line.words.length, 0)
      for (const line of page) for (const { text } of line.words) letters += text.length
    }
    if (lines > STATEMENT_LINES_MAX * 4) throw tooManyLines()
    if (letters > STATEMENT_BYTES_MAX) throw tooLarge()
    pages.push(...found)
  }
  if (words < WORDS_MIN) throw new FileFault(t('This PDF is a picture, without text. Choose CSV or Excel instead.'))
  return pages
}

async function pageOf(file: PdfFile, number: number): Promise<Line[]> {
  const page = await file.getPage(number)
  const items = await partsOf(page.streamTextContent())
  return linesOf(items.filter(isText), page.getViewport({ scale: 1 }).transform)
}

/** By a reader, because WebKit has no `for await` over a stream. */
async function partsOf(stream: ReadableStream<{ items: readonly object[] }>): Promise<object[]> {
  const reader = stream.getReader()
  const parts: object[] = []
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return parts
    parts.push(...value.items.map((item) => (isText(item) ? { ...item, str: item.str.slice(0, CELL_MAX) } : item)))
    if (parts.length > PARTS_OF_PAGE_MAX) throw tooManyLines()
  }
}

const isText = (item: object): item is PageText => 'str' in item && 'transform' in item

function faultOf(error: unknown): Error {
  if (error instanceof FileFault) return error
  if (error instanceof Error && error.name === 'PasswordException')
    return 'code' in error && error.code === WRONG_PASSWORD
      ? new PasswordFault(t('This password doesn’t open the file.'), true)
      : new PasswordFault(t('This PDF opens with a password.'), false)
  return new FileFault(t('This PDF can’t be read. Download it again, or choose CSV or Excel.'))
}
