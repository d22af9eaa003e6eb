import { describe, expect, test } from 'vitest'
import { isPage, readPage } from '../../web/bank/admin/files/read-page.ts'

const rowsOf = (page: string) => readPage(page).trim().split('\r\n')

describe('a web page that is called xls', () => {
  test('gives its rows, with texts as they are shown', () => {
    const page =
      '<html><!-- <tr><td>no</td></tr> --><style>td{}</style><TABLE class="x"><TR><TD>Date<TH colspan=2>A &amp; B<tr>' +
      '<td>1/2&nbsp;<b>x</b><br>y</td><td>&#8377;5</td><td>&#x41; &bogus;</td></table><script>"<td>run</td>"</script>'
    expect(isPage(page)).toBe(true)
    expect(rowsOf(page)).toEqual(['Date,A & B,', '1/2 x y,₹5,"A &bogus;"'])
  })

  test('gives the rows of inner tables, and not those around them', () => {
    const page =
      '<table><tr><td>outer<table><tr><td>inner</td><td>1</td></tr></table></td></tr><tr><td>last</td></tr></table>'
    expect(rowsOf(page)).toEqual(['inner,1', 'last'])
  })

  test.each(['<!--', '<script>', '<a '])('whose "%s" never end is read without searching for ever', (start) => {
    const started = performance.now()

    readPage(`<table><tr><td>x</td></tr>${start.repeat(300_000)}`)

    expect(performance.now() - started).toBeLessThan(10_000)
  })

  test.each([
    '<table>',
    '<table><tr><td>',
    '<',
    '<td>x</td>',
    '</table></tr><tr>',
    '<table><tr><td colspan="999999">x',
  ])('reads "%s" without a fault', (page) => expect(() => readPage(page)).not.toThrow())
})
