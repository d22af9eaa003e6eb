/** Columns have names in snake case, and what the program reads or writes there has the same ones in camel case. */
import type pg from 'pg'

export type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name

const names = new Map<string, string>()

/** `user_id` as `userId`, `_id` as it is. Keeps the names, of which there are as many as in the program's SQL. */
export function camelCase(column: string): string {
  let name = names.get(column)
  if (name === undefined)
    names.set(column, (name = column.replaceAll(/(?<=.)_([a-z\d])/g, (_, letter: string) => letter.toUpperCase())))
  return name
}

/** @returns an answer's rows as objects, with the names of their columns in camel case */
export function rowsOf({ fields, rows }: pg.QueryArrayResult): Record<string, unknown>[] {
  const keys = fields.map(({ name }) => camelCase(name))
  return rows.map((values: unknown[]) => {
    const row: Record<string, unknown> = {}
    for (const [index, key] of keys.entries()) row[key] = values[index]
    return row
  })
}

type WithoutNulls<Row> = { [Name in keyof Row as null extends Row[Name] ? never : Name]: Row[Name] } & {
  [Name in keyof Row as null extends Row[Name] ? Name : never]?: Exclude<Row[Name], null>
}

/** A row as the contract shows it, where what is null is absent. */
export function withoutNulls<Row extends object>(row: Row): WithoutNulls<Row> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as WithoutNulls<Row>
}
