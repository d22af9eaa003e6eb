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
import { READING_MAX_MS, whenStarted } from '../../../platform/files/in-worker.ts'
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
/** Of all pages together. */
const ALL_MAX_MS = 120_000

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
    const [library] = await Promise.all([import('pdfjs-dist/legacy/build/pdf.mjs'), whenStarted(port)])
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
  const patience = patienceOf()
  try {
    return tableOf(await Promise.race([task.promise.then((file) => pagesOf(file, patience.renew)), patience.late]))
  } catch (error) {
    throw faultOf(error)
  } finally {
    patience.end()
    // A worker that is busy does not answer
    void task.destroy()
  }
}

/** Ends when no page has come for a while, or when all of them take longer than anybody waits. */
function patienceOf() {
  let fail = () => {}
  const late = new Promise<never>((_, reject) => {
    fail = () => reject(new FileFault(t('This PDF takes too long to read. Choose a shorter period, or CSV.')))
  })
  const all = setTimeout(fail, ALL_MAX_MS)
  let next = setTimeout(fail, READING_MAX_MS)
  const renew = () => {
    clearTimeout(next)
    next = setTimeout(fail, READING_MAX_MS)
  }
  const end = () => {
    clearTimeout(all)
    clearTimeout(next)
  }
  return { late, renew, end }
}

type PdfFile = Awaited<ReturnType<PdfLibrary['getDocument']>['promise']>

/** @param onPage called for each page that has come */
async function pagesOf(file: PdfFile, onPage: () => void): Promise<Line[][]> {
  if (file.numPages > PAGES_MAX)
    throw new FileFault(t('This PDF has more than {count} pages. Choose a shorter period.', { count: PAGES_MAX }))
  const pages: Line[][] = []
  let [lines, words, letters] = [0, 0, 0]
  while (pages.length < file.numPages) {
    const count = Math.min(PAGES_AT_ONCE, file.numPages - pages.length)
    // The worker reads on while lines are made of what it has read
    const found = await Promise.all(
      Array.from({ length: count }, async (_, at) => {
        const page = await pageOf(file, pages.length + at + 1)
        onPage()
        return page
      }),
    )
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
