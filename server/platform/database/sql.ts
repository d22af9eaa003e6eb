/** SQL written by hand in tagged templates, every statement named: unnamed ones run at 0.65 of the speed. */
import { createHash } from 'node:crypto'

/** A statement and its parameters; made by `sql`, and may be nested in another one. */
export interface Sql {
  readonly text: string
  readonly values: readonly unknown[]
  /** Runs unnamed. */
  readonly isPlannedAnew?: true
}

const SQL_PART = Symbol('sql')
const names = new Map<string, string>()
/**
 * Dynamic lists make a few dozen texts; thousands mean that a value has got into a text. Such statements run
 * unnamed: slower, but neither the engine's memory nor the store depends on what a client asks for.
 */
const NAMES_MAX = 2_000

/** Named when it is run and not when it is written: what is spliced into another statement needs none. */
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

/** sql`select … where id = ${id}`: a value becomes a parameter, another sql`…` is spliced in. */
export function sql(strings: TemplateStringsArray, ...parts: readonly unknown[]): Sql {
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
 * A whole number written into the text. For `limit`: a parameter there makes the planner guess a tenth
 * of the table. The caller bounds how many different numbers there can be.
 */
export function literal(value: number): Sql {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} cannot be written into SQL`)
  return { text: String(value), values: [], [SQL_PART]: true } as Sql
}

/**
 * A statement that is planned anew for each call. A prepared one soon gets a plan for any value, and there is no
 * such plan for a search: what few rows match is best found by an index, what most match by reading along.
 */
export function planned(statement: Sql): Sql {
  return { ...statement, isPlannedAnew: true }
}

/** A statement that stands in a file. */
export function prepared(text: string): Sql {
  return { text, values: [], [SQL_PART]: true } as Sql
}

/** Joins conditions with `and`; true when there are none. */
export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.reduce((all, next) => sql`${all} and ${next}`, sql`true`)
}

function isSql(part: unknown): part is Sql {
  return typeof part === 'object' && part !== null && SQL_PART in part
}
