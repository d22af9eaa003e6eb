import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { readXlsx } from '../../web/bank/admin/files/read-xlsx.ts'
import { textOfFile } from '../worlds/statement-files.ts'
import { zip, type Part } from '../worlds/zip-files.ts'

const CORPUS = path.resolve(import.meta.dirname, 'statements')

const book = (sheet: string, more: Part[] = []): Part[] => [
  { name: 'xl/workbook.xml', text: '<workbook><sheets><sheet name="A" r:id="rId1"/></sheets></workbook>' },
  {
    name: 'xl/_rels/workbook.xml.rels',
    text: '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
  },
  { name: 'xl/worksheets/sheet1.xml', text: `<worksheet><sheetData>${sheet}</sheetData></worksheet>` },
  ...more,
]
const fault = (parts: readonly Part[]) =>
  readXlsx(zip(parts)).then(String, (error: Error) => `${error.name}: ${error.message}`)
const file = (...bytes: (string | Uint8Array<ArrayBuffer> | number[])[]) =>
  new Blob(bytes.map((part) => (Array.isArray(part) ? new Uint8Array(part) : part)))

describe('an Excel file', () => {
  test('of the corpus is read as its CSV', async () => {
    const { text } = await textOfFile(new Blob([readFileSync(path.join(CORPUS, 'idfc.xlsx'))]))

    expect(text.split('\r\n').slice(0, 4)).toEqual([
      'Customer Statement',
      'ACCOUNT NO,10100000009999',
      'Transaction Date,Value Date,Particulars,Cheque No.,Debit,Credit,Balance',
      '2026-04-02,02-Apr-2026,UPI/CR/610758747407/SOMEONE X/HDFC/12345/Payment,,,2000,4073.55',
    ])
  })

  test('is read from the sheet that has the rows, if another stands before it', async () => {
    const sheet = (...rows: string[][]) =>
      `<worksheet><sheetData>${rows
        .map((cells) => `<row>${cells.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`)
        .join('')}</sheetData></worksheet>`
    const tags = (made: (name: string) => string) => names.map((name) => `<${made(name)}/>`).join('')
    const names = ['summary', 'hidden', 'rows', 'more']
    const hidden = (name: string) => (name === 'hidden' ? 'state="hidden" ' : '')
    const parts = (first: string) => [
      {
        name: 'xl/workbook.xml',
        text: `<workbook>${tags((name) => `sheet name="x" ${hidden(name)}r:id="${name}"`)}</workbook>`,
      },
      {
        name: 'xl/_rels/workbook.xml.rels',
        text: `<Relationships>${tags((name) => `Relationship Id="${name}" Target="${name}.xml"`)}</Relationships>`,
      },
      { name: 'xl/summary.xml', text: first },
      ...names.slice(1).map((name) => ({ name: `xl/${name}.xml`, text: sheet(['Date', 'Amount', name]) })),
    ]

    expect(await readXlsx(zip(parts(sheet(['Statement for'], ['Total Money Received', 'Rs.5,500']))))).toBe(
      'Date,Amount,rows\r\n',
    )
    expect(await readXlsx(zip(parts(sheet(['Txn Date', 'Deposit', 'Balance']))))).toBe('Txn Date,Deposit,Balance\r\n')
  })

  test('keeps texts, numbers, dates, gaps and empty cells', async () => {
    const styles = [
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd\\/mm\\/yyyy"/></numFmts>',
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="22"/></cellXfs></styleSheet>',
    ].join('')
    const sheet = [
      '<row r="1"><c r="A1" t="s"><v>0</v></c>',
      '<c r="C1" t="inlineStr"><is><r><t>a &amp; </t></r><r><t>&#x20B9;5</t></r></is></c></row>',
      '<row r="3"><c r="A3" s="1"><v>46114</v></c><c r="B3" s="2"><v>46114.5</v></c>',
      '<c r="C3"><v>22827.519999999997</v></c></row>',
      '<row r="4"><c r="A4" t="str"><v>x,y</v></c><c r="B4"/><c r="C4"><v>6.32245101877E+11</v></c>',
      '<c r="D4" t="e"><v>#REF!</v></c></row>',
    ].join('')
    const shared = '<sst><si><t xml:space="preserve">first</t><rPh sb="0"><t>no</t></rPh></si></sst>'

    const csv = await readXlsx(
      zip(
        book(sheet, [
          { name: 'xl/styles.xml', text: styles },
          { name: 'xl/sharedStrings.xml', text: shared },
        ]),
      ),
    )

    expect(csv.split('\r\n')).toEqual([
      'first,,a & ₹5',
      '',
      '2026-04-02,2026-04-02 12:00:00,22827.52',
      '"x,y",,632245101877,',
      '',
    ])
  })

  test('is read from the first sheet that it shows', async () => {
    const [, , hidden] = book('<row r="1"><c r="A1"><v>1</v></c></row>')
    const [, , shown] = book('<row r="1"><c r="A1"><v>2</v></c></row>')
    const workbook =
      '<workbook><sheets><sheet state="veryHidden" r:id="rId1"/><sheet name="B" r:id="rId2"/></sheets></workbook>'
    const links = [1, 2].map((id) => `<Relationship Id="rId${id}" Target="worksheets/sheet${id}.xml"/>`)

    const csv = await readXlsx(
      zip([
        { name: 'xl/workbook.xml', text: workbook },
        { name: 'xl/_rels/workbook.xml.rels', text: `<Relationships>${links.join('')}</Relationships>` },
        hidden!,
        { ...shown!, name: 'xl/worksheets/sheet2.xml' },
      ]),
    )

    expect(csv).toBe('2\r\n')
  })

  test('written with prefixes is read too', async () => {
    const parts = book('').map((part) =>
      part.name.endsWith('sheet1.xml')
        ? {
            ...part,
            text: '<x:worksheet><x:sheetData><x:row><x:c><x:v>5</x:v></x:c></x:row></x:sheetData></x:worksheet>',
          }
        : part,
    )

    expect(await readXlsx(zip(parts))).toBe('5\r\n')
  })

  test('that unpacks to 300 MB is refused at once, whether it says so or lies', async () => {
    const bomb = Buffer.alloc(300 * 1024 * 1024, '<row>')
    const [, , sheet] = book('')
    const parts = (claims: number) => [...book('').slice(0, 2), { name: sheet!.name, text: bomb, claims }]
    for (const size of [bomb.length, 5_000]) {
      const packed = zip(parts(size))
      const started = performance.now()

      await expect(readXlsx(packed)).rejects.toThrow('is too large')
      // 0.2 s where nothing else runs
      expect(performance.now() - started).toBeLessThan(10_000)
    }
  })

  test('whose tags never close is refused or read without searching for ever', async () => {
    const started = performance.now()
    const [workbook, links, sheet] = book('<row r="1"><c r="A1"><v>1</v></c></row>')

    expect(await fault(book(`<row r="1">${'<c r="A1"><v>'.repeat(500_000)}</row>`))).toContain('FileFault')
    for (const tag of ['sheet', 'workbookPr'])
      expect(await fault([{ ...workbook!, text: `<${tag} `.repeat(200_000) }, links!, sheet!])).toBe('1\r\n')
    for (const tag of ['numFmt', 'cellXfs><xf'])
      expect(await fault([...book(''), { name: 'xl/styles.xml', text: `<${tag} `.repeat(200_000) }])).not.toBe('1')
    expect(await fault([workbook!, { ...links!, text: '<Relationship '.repeat(200_000) }, sheet!])).toBe('1\r\n')
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  test.each([
    ['201 parts', Array.from({ length: 201 }, (_, at) => ({ name: `p${at}`, text: '' })), 'is too large'],
    ['a password', book('<row/>').map((part) => ({ ...part, flags: 1 })), 'password'],
    ['sizes of ZIP64', book('<row/>').map((part) => ({ ...part, claims: 0xff_ff_ff_ff })), 'damaged'],
    ['two parts of one name', [...book('<row/>'), { name: 'xl/workbook.xml', text: '' }], 'damaged'],
    [
      'declarations',
      book('<row/>').map((part) => ({ ...part, text: `<!DOCTYPE x>${String(part.text)}` })),
      'can’t be read',
    ],
    ['no sheet', book('').slice(0, 2), 'can’t be read'],
    ['a path out of it', [{ name: '../../xl/workbook.xml', text: 'x' }], 'can’t be read'],
    ['too many rows', book('<row/>'.repeat(20_001)), '20000 lines'],
  ])('with %s is refused in words', async (_, parts: Part[], words) => {
    expect(await fault(parts)).toMatch(new RegExp(`^FileFault: .*${words}`))
  })

  test('that is cut anywhere is refused or read, and never throws anything else', async () => {
    const whole = zip(book('<row r="1"><c r="A1"><v>1</v></c></row>'))
    for (let length = 4; length < whole.length; length += 7) {
      const result = await readXlsx(whole.slice(0, length)).then(String, (error: Error) => error.name)
      expect(result).toBe('FileFault')
    }
  })
})

describe('a file', () => {
  test.each([
    ['old Excel that is cut', file([0xd0, 0xcf, 0x11, 0xe0]), 'damaged'],
    ['an empty one', file('  \n'), 'empty'],
    ['a picture', file('GIF89a', [0, 1, 7, 0, 0, 9]), 'isn’t a statement'],
    ['six megabytes', file('x'.repeat(6 * 1024 * 1024)), '5 MB'],
    ['eleven megabytes', file('%PDF', 'x'.repeat(11 * 1024 * 1024)), '10 MB'],
    ['too many lines', file('\n'.repeat(30_000), 'x'), '20000 lines'],
  ])('%s is refused in words', async (_, chosen, words) => {
    await expect(textOfFile(chosen)).rejects.toThrow(words)
  })

  test('is read as UTF-8, UTF-16 of both orders with and without a mark, or Windows-1252', async () => {
    const little = Buffer.from('Date\t₹5\n', 'utf16le')
    const big = Buffer.from(little).swap16()

    expect(await textOfFile(file('Date\t₹5\n'))).toEqual({ text: 'Date\t₹5\n' })
    expect(await textOfFile(file([0xff, 0xfe], [...little]))).toEqual({ text: 'Date\t₹5\n' })
    expect(await textOfFile(file([0xfe, 0xff], [...big]))).toEqual({ text: 'Date\t₹5\n' })
    expect(await textOfFile(file([...little]))).toEqual({ text: 'Date\t₹5\n' })
    expect(await textOfFile(file([...big]))).toEqual({ text: 'Date\t₹5\n' })
    expect(await textOfFile(file('Caf', [0xe9]))).toEqual({ text: 'Café' })
  })
})
