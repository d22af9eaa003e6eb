/** One feature writes a table: the table of owners in ARCHITECTURE.md, held against every SQL text of the server. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import ts from 'typescript-5'
import { expect, test } from 'vitest'

/** They write every table, under a name that is a value. A restore brings all rows, a rotation encrypts again. */
const WHOLE_STORE = ['server/backup/backup.ts', 'server/operations/rotate-keys.ts']
/** The place of a value or of a text that is spliced in. */
const SPLICED = '${}'
const TABLE = String.raw`("?[a-z_]+"?|\$\{\})`
const WRITES = [
  new RegExp(String.raw`\b(?:insert into|delete from|merge into|truncate(?: table)?) (?:only )?${TABLE}`, 'g'),
  new RegExp(String.raw`\bcopy ${TABLE}(?: \([^)]*\))? from\b`, 'g'),
  new RegExp(String.raw`\bupdate (?:only )?${TABLE}(?: (?:as )?[a-z_]+)? set\b`, 'g'),
]

interface Write {
  file: string
  table: string
}

const owners = readOwners(readFileSync('ARCHITECTURE.md', 'utf8'))
const sources = listFiles('server').filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))

test('the table of owners names every table of the store, once', () => {
  const made = [
    ...listFiles('server/migrations').filter((file) => file.endsWith('.sql')),
    'server/platform/database/migrations.ts',
  ]
    .flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/^\s*create (?:unlogged )?table (?:if not exists )?(\w+)/gm),
    ])
    .map(([, table = '']) => table)
  expect(owners.map(([table]) => table).toSorted()).toEqual(made.toSorted())
})

test('only the owner of a table writes it', () => {
  const ownerOf = new Map(owners)
  const writes = sources.flatMap((file) => writesIn(file, readFileSync(file, 'utf8')))
  const faults = writes
    .filter(({ file, table }) => !(table === SPLICED && WHOLE_STORE.includes(file)))
    .filter(({ file, table }) => ownerOf.get(table) !== featureOf(file))
    .map(({ file, table }) => `${file} writes ${table}, which is ${ownerOf.get(table) ?? 'nobody'}'s`)
  expect(faults).toEqual([])
  // A module that is in the table and writes nothing owns nothing
  expect(owners.filter(([table]) => !writes.some((write) => write.table === table))).toEqual([])
})

test.each([
  ['a statement', 'db.run(sql`insert into orders (id) values (${id})`)', ['orders']],
  ['a part of a statement', 'sql`with a as (${sql`delete from only users where id = ${id}`}) select`', ['users']],
  ['a name of its own', 'sql`update wallets as purse set balance_paise = 0`', ['wallets']],
  ['a text of two lines', 'prepared("truncate\\n  wallet_lots")', ['wallet_lots']],
  ['a table that only the program knows', 'sql`delete from ${table} where true`', [SPLICED]],
  ['what locks or waits', 'sql`select from users for update skip locked`', []],
  ['the other half of an insert', 'sql`insert into jobs (id) values (1) on conflict do update set id = 2`', ['jobs']],
])('a write is found in %s', (_, source, tables) => {
  expect(writesIn('server/x.ts', source).map(({ table }) => table)).toEqual(tables)
})

/** The rows "| `feature` | `table`, `table` |" below the heading; @returns pairs of a table and its owner */
function readOwners(text: string): [table: string, owner: string][] {
  const [, section = ''] = /^## Who writes which table\n([^]*?)^## /m.exec(text) ?? []
  return [...section.matchAll(/^\| `([^`]+)` +\| (.+?) +\|$/gm)].flatMap(([, owner = '', tables = '']) =>
    [...tables.matchAll(/`(\w+)`/g)].map(([, table = '']): [string, string] => [table, owner]),
  )
}

function listFiles(folder: string): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', folder])
  return listed.toString().split('\n').filter(Boolean)
}

/** "wallet" of server/wallet/ledger.ts. */
const featureOf = (file: string) => file.split('/')[1] ?? ''

/** Returns the tables that the texts of a source file insert into, update or delete from. */
function writesIn(file: string, source: string): Write[] {
  return textsIn(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)).flatMap((text) => {
    const flat = text.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ')
    return WRITES.flatMap((write) => [...flat.matchAll(write)]).map(([, table = '']) => ({
      file,
      table: table.replaceAll('"', ''),
    }))
  })
}

/** All that stands between quotes or backticks, each part of a text that is put together also alone. */
function textsIn(node: ts.Node): string[] {
  const texts: string[] = []
  if (ts.isStringLiteralLike(node)) texts.push(node.text)
  if (ts.isTemplateExpression(node))
    texts.push(node.head.text + node.templateSpans.map((span) => SPLICED + span.literal.text).join(''))
  ts.forEachChild(node, (child) => void texts.push(...textsIn(child)))
  return texts
}
