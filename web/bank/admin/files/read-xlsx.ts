/**
 * Turns a sheet of an Excel file into CSV: the first that has a statement's headings, else the first. It reads values,
 * shared texts and dates, and nothing else: no formulas are run, no links are followed, and an XML file with
 * declarations of its own is refused.
 */
import { t } from '../../../platform/i18n.ts'
import { FileFault } from '../../../platform/files/file-fault.ts'
import { COLUMNS_MAX } from '../../../platform/files/csv.ts'
import { isDateFormat, numberText, SheetRows, unescaped } from './sheet-rows.ts'
import { openZip } from './unzip.ts'

const SPOKEN_TEXT_MAX = 10_000

/** @throws FileFault with a text for the person who chose it */
export async function readXlsx(file: Uint8Array<ArrayBuffer>): Promise<string> {
  const unzip = openZip(file)
  const part = async (name: string) => {
    const xml = await unzip(name)
    if (xml !== undefined && /<!(?:DOCTYPE|ENTITY)/i.test(xml)) throw unreadable()
    return xml === undefined ? '' : withoutPrefix(xml)
  }
  const workbook = await part('xl/workbook.xml')
  const links = await part('xl/_rels/workbook.xml.rels')
  const texts = textsIn(await part('xl/sharedStrings.xml'))
  const dates = dateStyles(await part('xl/styles.xml'))
  const isMac = /<workbookPr\b[^<>]*\bdate1904="(?:1|true)"/.test(workbook)
  let first: SheetRows | undefined
  for (const path of sheetPaths(workbook, links)) {
    const sheet = await part(path)
    if (sheet === '') throw unreadable()
    const rows = rowsOf(sheet, { texts, dates, isMac })
    if (rows.hasHeadings) return rows.text()
    first ??= rows
  }
  return first?.text() ?? ''
}

const unreadable = () => new FileFault(t('This Excel file can’t be read. Open it and save it as CSV.'))

/** Some programs write `<x:row>` for `<row>`. */
function withoutPrefix(xml: string): string {
  const prefix = /<(\w+):(?:worksheet|sst|styleSheet|workbook|Relationships)\b/.exec(xml.slice(0, 2_000))?.[1]
  return prefix === undefined ? xml : xml.replaceAll(`<${prefix}:`, '<').replaceAll(`</${prefix}:`, '</')
}

const patterns = new Map<string, RegExp>()

function attribute(tag: string, name: string): string | undefined {
  let pattern = patterns.get(name)
  if (!pattern) patterns.set(name, (pattern = new RegExp(String.raw`\s${name}="([^"]*)"`)))
  return pattern.exec(tag)?.[1]
}

/** Of the sheets that Excel shows. */
function* sheetPaths(workbook: string, links: string): Generator<string> {
  const relations = [...links.matchAll(/<Relationship\b[^<>]*>/g)].map(([tag]) => tag)
  const shown = workbook.match(/<sheet\b(?![^<>]*\sstate="(?:very)?hidden")[^<>]*>/gi) ?? ['']
  for (const sheet of shown) {
    const id = attribute(sheet, String.raw`\w+:id`)
    const link = relations.find((tag) => attribute(tag, 'Id') === id)
    const target = (link && attribute(link, 'Target')) ?? 'worksheets/sheet1.xml'
    yield target.startsWith('/') ? target.slice(1) : `xl/${target}`
  }
}

/** Finds each piece between two tags in one pass, because an unclosed tag must not start the search again. */
function* elements(xml: string, name: string): Generator<{ tag: string; inner: string }> {
  const [open, close] = [`<${name}`, `</${name}>`]
  let at = 0
  for (;;) {
    at = xml.indexOf(open, at)
    if (at < 0) return
    const end = xml.indexOf('>', at)
    if (end < 0) throw unreadable()
    const after = xml[at + open.length]
    const tag = xml.slice(at, end + 1)
    at = end + 1
    if (after === '/' || tag.endsWith('/>')) {
      if (after === '/' || after === ' ') yield { tag, inner: '' }
      continue
    }
    if (after !== ' ' && after !== '>' && after !== '\n' && after !== '\r' && after !== '\t') continue
    const stop = xml.indexOf(close, at)
    if (stop < 0) throw unreadable()
    yield { tag, inner: xml.slice(at, stop) }
    at = stop + close.length
  }
}

function textOf(inner: string): string {
  // Leaves out the pronunciation, which Japanese files write beside a text
  const spoken =
    inner.length < SPOKEN_TEXT_MAX && inner.includes('<rPh') ? inner.replaceAll(/<rPh\b[^<>]*>.*?<\/rPh>/gs, '') : inner
  return unescaped([...elements(spoken, 't')].map(({ inner }) => inner).join(''))
}

const textsIn = (xml: string): string[] => Array.from(elements(xml, 'si'), ({ inner }) => textOf(inner))

/** Indexes of styles that show a number as a date. */
function dateStyles(xml: string): Set<number> {
  const own = new Map<string | undefined, string>()
  for (const [tag] of xml.matchAll(/<numFmt\b[^<>]*>/g))
    own.set(attribute(tag, 'numFmtId'), unescaped(attribute(tag, 'formatCode') ?? ''))
  const dates = new Set<number>()
  const styles = [...elements(xml, 'cellXfs')][0]?.inner ?? ''
  for (const [index, [tag]] of [...styles.matchAll(/<xf\b[^<>]*>/g)].entries()) {
    const format = attribute(tag, 'numFmtId')
    if (isDateFormat(Number(format), own.get(format))) dates.add(index)
  }
  return dates
}

interface Book {
  texts: readonly string[]
  dates: ReadonlySet<number>
  isMac: boolean
}

function rowsOf(sheet: string, book: Book): SheetRows {
  const rows = new SheetRows()
  for (const row of elements(sheet, 'row')) {
    const cells: string[] = []
    for (const { tag, inner } of elements(row.inner, 'c')) {
      const column = columnOf(attribute(tag, 'r')) ?? cells.length
      if (column < COLUMNS_MAX) cells[column] = valueOf(tag, inner, book)
    }
    rows.add(Number(attribute(row.tag, 'r') ?? rows.next), cells)
  }
  return rows
}

/** "B7" → 1. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0]
  if (letters === undefined) return undefined
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function valueOf(tag: string, inner: string, { texts, dates, isMac }: Book): string {
  const type = attribute(tag, 't')
  if (type === 'inlineStr') return textOf(inner)
  const written = unescaped([...elements(inner, 'v')][0]?.inner ?? '')
  if (type === 's') return texts[Number(written)] ?? ''
  if (type === 'e') return ''
  if (type === 'str' || type === 'b' || type === 'd' || written === '') return written
  const value = Number(written)
  return Number.isFinite(value) ? numberText(value, dates.has(Number(attribute(tag, 's') ?? -1)), isMac) : written
}
