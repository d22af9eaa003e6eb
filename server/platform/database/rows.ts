import type pg from 'pg'
import { camelCase } from './names.ts'

/** @returns an answer's rows as objects, with the names of their columns in camel case */
export function rowsOf({ fields, rows }: pg.QueryArrayResult): Record<string, unknown>[] {
  const keys = fields.map(({ name }) => camelCase(name))
  return rows.map((values: unknown[]) => {
    const row: Record<string, unknown> = {}
    for (const [index, key] of keys.entries()) row[key] = values[index]
    return row
  })
}
