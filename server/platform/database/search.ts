/**
 * Pieces that lists share. A search finds its text anywhere in a column, literally. Its total is exact up to a bound
 * and estimated above it. Slow counts are kept for a moment.
 */
import * as z from 'zod/mini'
import { PHONE_DIGITS } from '../../../contract/limits.ts'
import { plainDigits } from '../../../contract/digits.ts'
import { literal, planned, sql, type Database, type Queries, type Sql } from './database.ts'

/**
 * True if the column, in lower case, contains the text; % and _ mean themselves. A trigram index on exactly this
 * column finds it. Plan such a statement with `planned`.
 * @param column as it is indexed, such as sql`lower(username)`
 */
export function contains(column: Sql, text: string): Sql {
  return sql`${column} like lower(${`%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`})`
}

/** The digits of what may be part of a phone, as phones are stored: without +91 or 0. Undefined for other texts. */
export function phonePart(written: string): string | undefined {
  const plain = plainDigits(written)
  if (!/^\+?[\d\s()-]+$/.test(plain)) return undefined
  const digits = plain.replaceAll(/\D/g, '')
  return plain.startsWith('+') || digits.length > PHONE_DIGITS ? digits.replace(/^(?:91|0)/, '') : digits
}

export function unionAll(parts: readonly Sql[]): Sql {
  return parts.reduce((all, next) => sql`${all} union all ${next}`)
}

export function anyOf(conditions: readonly Sql[]): Sql {
  return conditions.reduce((all, next) => sql`${all} or ${next}`)
}

export interface Total {
  total: number
  /** Set if the true total is above the bound. Then `total` is the database's estimate. */
  totalIsEstimate?: true
}

/** Up to this number the total of a search is exact. */
const EXACT_TOTAL_MAX = 1_000

/** Counts the rows that the statements find together, without reading any of them to its end. */
export async function countFound(db: Queries, statements: readonly Sql[]): Promise<Total> {
  const lines = unionAll(statements)
  const total = await db.count(
    planned(sql`
    select count(*) from (${lines} limit ${literal(EXACT_TOTAL_MAX + 1)}) found`),
  )
  if (total <= EXACT_TOTAL_MAX) return { total }
  const [plan] = await db.rows(planned(sql(Explained)`explain (format json) ${lines}`))
  const guess = Math.round(plan?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0)
  return { total: Math.max(total, guess), totalIsEstimate: true }
}

const Explained = z.object({ 'QUERY PLAN': z.array(z.object({ Plan: z.object({ 'Plan Rows': z.number() }) })) })

/** Up to this many rows are counted for each call (10,000 take a millisecond or two). */
const COUNTED_EACH_TIME_MAX = 10_000
/** From this age on, a figure is counted again while callers still get the old one. */
const FRESH_MS = 5_000
/** From this age on, callers wait for the new figure. */
const KEPT_MAX_MS = 60_000
const KEPT_MAX = 500

interface Kept {
  value: unknown
  countedAtMs: number
  recount: Promise<unknown> | undefined
}

const keptBy = new WeakMap<Database, Map<string, Kept>>()

/**
 * Returns the figure that `count` makes. A figure of many rows is kept under the key, so it may be seconds old, and
 * only the first caller waits. Use it only for figures on a screen. A figure that decides something is counted in its
 * own transaction. Each node keeps its own figures.
 */
export async function keep<T>(db: Database, key: string, count: () => Promise<{ value: T; rows: number }>): Promise<T> {
  const all = keptBy.get(db) ?? new Map<string, Kept>()
  keptBy.set(db, all)
  const kept = all.get(key)
  const ageMs = kept ? performance.now() - kept.countedAtMs : Infinity
  if (kept && ageMs < FRESH_MS) return kept.value as T

  const recount =
    (kept?.recount as Promise<T> | undefined) ??
    count().then(({ value, rows }) => {
      all.delete(key)
      if (rows > COUNTED_EACH_TIME_MAX) {
        all.set(key, { value, countedAtMs: performance.now(), recount: undefined })
        const [oldest] = all.keys()
        if (all.size > KEPT_MAX && oldest !== undefined) all.delete(oldest)
      }
      return value
    })
  if (!kept || ageMs > KEPT_MAX_MS) return recount
  kept.recount = recount
  recount.catch(() => {
    kept.recount = undefined
  })
  return kept.value as T
}

/** Keeps figures of few rows as well, for up to a minute. */
export const keepAnyway = <T>(db: Database, key: string, read: () => Promise<T>): Promise<T> =>
  keep(db, key, async () => ({ value: await read(), rows: Infinity }))

/** Returns the key of a figure that a statement makes. */
export function keyOf(statement: Sql): string {
  return `${statement.text} ${JSON.stringify(statement.values)}`
}
