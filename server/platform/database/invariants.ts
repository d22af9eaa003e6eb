/** Runs the invariants of invariants.sql. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { prepared, type Queries } from './database.ts'

interface Broken {
  /** The line that names the invariant. */
  invariant: string
  /** The ids of the first rows that break it. */
  rows: string[]
}

const SHOWN_MAX = 10

/** @param directory holds invariants.sql */
export async function findBroken(db: Queries, directory: string): Promise<Broken[]> {
  const text = await readFile(path.join(directory, 'invariants.sql'), 'utf8')
  const broken: Broken[] = []
  for (const { name, query } of readInvariants(text)) {
    const rows = await db.texts(prepared(query))
    if (rows.length > 0) broken.push({ invariant: name, rows: rows.slice(0, SHOWN_MAX) })
  }
  return broken
}

function readInvariants(text: string): { name: string; query: string }[] {
  // A comment's semicolon ends no query
  const rules = text.matchAll(/^-- (I\d+\w? .+)\n((?:--.*\n)*[^;]+);/gm)
  return [...rules].map(([, name = '', query = '']) => ({ name, query }))
}
