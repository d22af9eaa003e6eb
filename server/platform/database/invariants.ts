/** Runs the invariants of invariants.sql. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { prepared, type Queries } from './database.ts'

interface Broken {
  /** The line that names the invariant, without its marks. */
  invariant: string
  /** `bank` and `recount`, as the head of invariants.sql has them. */
  marks: string[]
  /** The ids of the first rows that break it. */
  rows: string[]
}

const SHOWN_MAX = 10

/** @param directory holds invariants.sql */
export async function findBroken(db: Queries, directory: string): Promise<Broken[]> {
  const text = await readFile(path.join(directory, 'invariants.sql'), 'utf8')
  const broken: Broken[] = []
  for (const { name, marks, query } of readInvariants(text)) {
    const rows = await db.texts(prepared(query))
    if (rows.length > 0) broken.push({ invariant: name, marks, rows: rows.slice(0, SHOWN_MAX) })
  }
  return broken
}

function readInvariants(text: string) {
  // A comment's semicolon ends no query
  const rules = text.matchAll(/^-- (I\d+\w? .+?)((?: \[\w+\])*)\n((?:--.*\n)*[^;]+);/gm)
  return [...rules].map(([, name = '', marks = '', query = '']) => ({ name, marks: marks.match(/\w+/g) ?? [], query }))
}
