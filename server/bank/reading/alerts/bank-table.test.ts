import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BANKS, type Bank } from '../../../../contract/banks.ts'
import { WORDINGS } from './wordings.ts'

const HEAD = ['Bank', 'Its SMS', 'Note']

function rowOf({ key, name, smsAbove, tellsNoReference }: Bank): string[] {
  const isRead = WORDINGS.get(key)?.some(({ tellsReference }) => tellsReference)
  const sms = isRead ? 'read' : tellsNoReference ? 'hint' : 'proposed'
  return [name, sms, smsAbove === undefined ? '' : `only above ₹${smsAbove}`]
}

/** As the formatter leaves it. */
function tableOf(rows: readonly string[][]): string {
  const widths = HEAD.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = rows
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n')
}

test('docs/bank.md says of each bank what its SMS do', () => {
  const rows = BANKS.toSorted((one, other) => one.name.localeCompare(other.name)).map(rowOf)
  expect(readFileSync('docs/bank.md', 'utf8')).toContain(tableOf([HEAD, ...rows]))
})
