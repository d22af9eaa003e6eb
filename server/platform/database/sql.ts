/** SQL written by hand in tagged templates. Statements are named, because unnamed ones run at 0.65 of the speed. */
import { createHash } from 'node:crypto'
import type * as z from 'zod/mini'
import { camelCase, type SnakeCase } from './rows.ts'

/** A statement and its parameters. Made by `sql`, and may be nested in another one. */
export interface Sql {
  readonly text: string
  readonly values: readonly unknown[]
  /** Runs unnamed. */
  readonly isPlannedAnew?: true
}

/** A statement with the schema that its rows are read by. */
export interface Query<Row extends z.ZodMiniType> extends Sql {
  readonly row: Row
}

const SQL_PART = Symbol('sql')
const names = new Map<string, string>()
/**
 * Dynamic lists make a few dozen texts. Thousands mean that a value got into a text. Such statements run unnamed. That
 * is slower, but a client cannot fill the memory of the engine or the store.
 */
const NAMES_MAX = 2_000

/** Names a statement when it runs, because a statement spliced into another one needs no name. */
export function nameOf({ text, isPlannedAnew }: Sql): string | undefined {
  if (isPlannedAnew) return undefined
  let name = names.get(text)
  if (name === undefined) {
    if (names.size >= NAMES_MAX) return undefined
    name = createHash('sha256').update(text).digest('base64url').slice(0, 24)
    names.set(text, name)
  }
  return name
}

/** The schema of a statement's place in the code. Making one takes as long as reading a hundred rows by it. */
const made = new WeakMap<TemplateStringsArray, z.ZodMiniType>()

/**
 * sql`delete … where id = ${id}`: a value becomes a parameter, another sql`…` is spliced in. `sql(Row)` makes a
 * statement with rows: db.rows(sql(Row)`select … where id = ${id}`). `sql(() => z.object({ … }))` is for a Row that
 * nothing else needs. It is made once, so it may not depend on what a function was given.
 */
export function sql<Row extends z.ZodMiniType>(
  row: Row | (() => Row),
): (strings: TemplateStringsArray, ...parts: readonly unknown[]) => Query<Row>
export function sql(strings: TemplateStringsArray, ...parts: readonly unknown[]): Sql
export function sql(first: TemplateStringsArray | z.ZodMiniType | (() => z.ZodMiniType), ...parts: readonly unknown[]) {
  if ('raw' in first) return join(first, parts)
  return (strings: TemplateStringsArray, ...inner: readonly unknown[]) => {
    if (typeof first !== 'function') return { ...join(strings, inner), row: first }
    const row = made.get(strings) ?? first()
    made.set(strings, row)
    return { ...join(strings, inner), row }
  }
}

function join(strings: TemplateStringsArray, parts: readonly unknown[]): Sql {
  const values: unknown[] = []
  let text = strings[0] ?? ''
  parts.forEach((part, index) => {
    if (isSql(part)) {
      text += part.text.replaceAll(/\$(\d+)/g, (_, n: string) => `$${Number(n) + values.length}`)
      values.push(...part.values)
    } else {
      values.push(part)
      text += `$${values.length}`
    }
    text += strings[index + 1] ?? ''
  })
  return { text, values, [SQL_PART]: true } as Sql
}

/**
 * Writes a whole number into the text. Use it for `limit`, because the planner guesses a tenth of the table for a
 * parameter there. The caller bounds the count of different numbers.
 */
export function literal(value: number): Sql {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} cannot be written into SQL`)
  return { text: String(value), values: [], [SQL_PART]: true } as Sql
}

/**
 * Makes a statement that is planned for each call. A prepared one soon gets one plan for all values. A search needs
 * two: an index for a text that few rows match, a scan for one that most rows match.
 */
export function planned<Statement extends Sql>(statement: Statement): Statement {
  return { ...statement, isPlannedAnew: true }
}

/** Makes a statement of a text from a file. */
export function prepared(text: string): Sql {
  return { text, values: [], [SQL_PART]: true } as Sql
}

type ColumnType = 'bigint' | 'boolean' | 'bytea' | 'date' | 'float8' | 'int' | 'jsonb' | 'text' | 'timestamptz' | 'uuid'

/** The names in `user_id uuid, amount bigint`. */
type NamesIn<Text extends string> = Text extends `${infer First},${infer Rest}`
  ? NamesIn<First> | NamesIn<Rest>
  : Text extends ` ${infer Rest}` | `\n${infer Rest}`
    ? NamesIn<Rest>
    : Text extends `${infer Name} ${ColumnType}`
      ? Name
      : { unknownType: Text }

/**
 * Writes rows as a table with one parameter for each column: `from ${columns(rows, 'user_id uuid, amount bigint')} as
 * line` has each row's `userId` in `line.user_id`. What a row lacks is null.
 */
export function columns<Row extends object, Text extends string>(
  rows: readonly Row[],
  text: NamesIn<Text> extends SnakeCase<keyof Row & string> ? Text : never,
): Sql {
  const given = text.split(',').map((column) => column.trim().split(' '))
  const casts = given.map(([, type], index) => `$${index + 1}::${type}[]`)
  return {
    text: `(select * from unnest(${casts.join(', ')}) as given (${given.map(([name]) => name).join(', ')}))`,
    values: given.map(([name = '']) => rows.map((row) => row[camelCase(name) as keyof Row] ?? null)),
    [SQL_PART]: true,
  } as Sql
}

/** Joins conditions with `and`; true when there are none. */
export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.reduce((all, next) => sql`${all} and ${next}`, sql`true`)
}

function isSql(part: unknown): part is Sql {
  return typeof part === 'object' && part !== null && SQL_PART in part
}
