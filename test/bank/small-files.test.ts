/** A small file that says much is bounded by what comes out of its reader, whichever reads it. */
import { expect, test } from 'vitest'
import { STATEMENT_BYTES_MAX } from '../../contract/limits.ts'
import { readKeyFile } from '../../web/keys/admin/key-import.ts'
import { readXls } from '../../web/bank/admin/files/read-xls.ts'
import { readPdfBy } from '../../web/bank/admin/pdf/read-pdf.ts'
import { textOfFile } from '../worlds/statement-files.ts'
import { zip } from '../worlds/zip-files.ts'
import { pdfOf } from './pdf-of.ts'

const CELL_MAX = 4_096
const LONG = 'x'.repeat(1_000_000)

/** Its cells name one shared text: 600 of a million letters in less than 2 kB. */
const xlsx = (rows: number, columns: number, format = 'dd-mm-yyyy') => {
  const row = `<row>${'<c t="s"><v>0</v></c>'.repeat(columns)}</row>`
  const parts = {
    'xl/workbook.xml': '<workbook/>',
    'xl/styles.xml':
      `<styleSheet><numFmt numFmtId="170" formatCode="${format.replaceAll('"', '&quot;')}"/>` +
      '<cellXfs><xf numFmtId="170"/></cellXfs></styleSheet>',
    'xl/sharedStrings.xml': `<sst><si><t>${LONG}</t></si></sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet>${row.repeat(rows)}</worksheet>`,
  }
  return Buffer.from(zip(Object.entries(parts).map(([name, text]) => ({ name, text }))))
}

function record(kind: number, ...numbers: [width: 1 | 2 | 4, value: number][]): Buffer {
  const body = Buffer.concat(
    numbers.map(([width, value]) => {
      const bytes = Buffer.alloc(width)
      bytes.writeUIntLE(value, 0, width)
      return bytes
    }),
  )
  const head = Buffer.alloc(4)
  head.writeUInt16LE(kind, 0)
  head.writeUInt16LE(body.length, 2)
  return Buffer.concat([head, body])
}

/** The stream of an old workbook whose 10,000 cells name a text of 60,000 letters. */
function oldSheet(): Uint8Array<ArrayBuffer> {
  const begin = record(0x08_09, [2, 0x06_00], [2, 5])
  const texts = Buffer.concat([Buffer.from([0xfc, 0, 0, 0]), Buffer.alloc(11), Buffer.alloc(60_000, 'x')])
  texts.writeUInt16LE(texts.length - 4, 2)
  texts.writeUInt32LE(1, 8)
  texts.writeUInt16LE(60_000, 12)
  const sheetAt = begin.length * 1 + 12 + texts.length + 4
  const sheet = record(0x85, [4, sheetAt], [1, 0], [1, 0], [2, 0])
  const cells = Array.from({ length: 10_000 }, (_, at) =>
    record(0xfd, [2, Math.floor(at / 10)], [2, at % 10], [2, 0], [4, 0]),
  )
  return new Uint8Array(Buffer.concat([begin, sheet, texts, record(0x0a), begin, ...cells, record(0x0a)]))
}

/** A page of a PDF with 600 pieces of a million letters. */
const library = pdfOf((sink) => {
  const items = Array.from({ length: 600 }, (_, at) => ({
    str: LONG,
    width: 20,
    height: 8,
    hasEOL: false,
    dir: 'ltr',
    fontName: 'f',
    transform: [8, 0, 0, 8, 20 + (at % 6) * 90, 780 - Math.floor(at / 6) * 7],
  }))
  sink.enqueue({ items })
  sink.close()
})

const file = (bytes: BlobPart) => textOfFile(new Blob([bytes])).then(({ text }) => text)
const keysIn = async (csv: string) =>
  [await readKeyFile(new File([csv], 'keys.csv'))]
    .flatMap((read) => (Array.isArray(read) ? read : read.rows.flat()))
    .join('\n')
const wide = `<table><tr>${'<td colspan="200">'.repeat(250_000)}</tr></table>`

test.each<[string, () => Promise<string>]>([
  ['an xlsx of less than 2 kB with 600 cells of a million letters', () => file(xlsx(12, 50))],
  ['an xlsx with one such cell', () => file(xlsx(1, 1))],
  [
    'an xls whose 10,000 cells have 60,000 letters',
    () => Promise.resolve().then(() => readXls((name) => (name === 'Workbook' ? oldSheet() : undefined))),
  ],
  ['a page with 250,000 cells of 200 columns', () => file(wide)],
  ['an xlsx with a date format of a million letters', () => file(xlsx(1, 1, `"[${'['.repeat(1_000_000)}`))],
  ['a page with a tag that never ends', () => file(`<table><tr><td>x</td></tr></table><${LONG}`)],
  ['a page with a cell of 4 million letters', () => file(`<table><tr><td>${LONG.repeat(4)}</td></tr></table>`)],
  ['a PDF with 600 pieces of a million letters', () => readPdfBy(library, new Uint8Array(), {})],
  ['a CSV with a cell of 4 million letters', () => file(`${LONG.repeat(4)},1`)],
  ['keys in a cell of 10 million letters', () => keysIn(`${LONG.repeat(10)},1`)],
  ['keys in a row of 10 million cells', () => keysIn(',,,,,,,,,,'.repeat(1_000_000))],
  ['keys in 10 million lines', () => keysIn('\n'.repeat(10_000_000))],
])('%s is refused in words, or comes out small', async (name, read) => {
  const before = process.memoryUsage().rss
  const cpu = process.cpuUsage()

  const outcome = await read().catch((error: Error) => error)

  // What it takes of the processor, because the machine may have other work
  const { user } = process.cpuUsage(cpu)
  const grown = process.memoryUsage().rss - before
  // `PRINT=1 npx vitest run test/bank/small-files.test.ts`
  if (process.env.PRINT) console.log(`${name}: ${Math.round(user / 1_000)} ms, ${Math.round(grown / 1_000_000)} MB`)
  expect(user).toBeLessThan(5_000_000)
  expect(grown).toBeLessThan(150_000_000)
  if (outcome instanceof Error) expect(outcome.name).toBe('FileFault')
  else expect(outcome.length).toBeLessThanOrEqual(STATEMENT_BYTES_MAX)
})

test('a cell has at most 4,096 letters', async () => {
  expect(xlsx(12, 50).length).toBeLessThan(2_300)
  expect((await file(xlsx(1, 1))).trim().length).toBe(CELL_MAX)
  expect(await file(`${LONG},1`)).toBe(`${LONG.slice(0, CELL_MAX)},1`)
  expect(await keysIn(`${LONG},1`)).toBe(`${LONG.slice(0, CELL_MAX)}\n1`)
})
