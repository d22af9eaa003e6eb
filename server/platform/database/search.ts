/**
 * What lists have in common: a text is found anywhere in a column, literally; a search's total is exact up to a
 * bound and estimated above it; and what takes long to count is kept for a moment.
 */
import * as z from 'zod/mini'
import { literal, planned, sql, type Database, type Queries, type Sql } from './database.ts'

/**
 * Whether the column, in lower case, has the text somewhere; % and _ mean themselves. A trigram index on exactly
 * this column finds it; plan such a statement with `planned`.
 * @param column as it is indexed, such as sql`lower(username)`
 */
export function contains(column: Sql, text: string): Sql {
  return sql`${column} like lower(${`%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`})`
}

export function unionAll(parts: readonly Sql[]): Sql {
  return parts.reduce((all, next) => sql`${all} union all ${next}`)
}

export function anyOf(conditions: readonly Sql[]): Sql {
  return conditions.reduce((all, next) => sql`${all} or ${next}`)
}

export interface Total {
  total: number
  /** Only where it is: the true total is above the bound, and this is the database's guess. */
  totalIsEstimate?: true
}

/** Up to here the total of a search is exact. */
export const EXACT_TOTAL_MAX = 1_000

/** How many rows the statements find together; none of them needs to be read to its end. */
export async function countFound(db: Queries, statements: readonly Sql[]): Promise<Total> {
  const lines = unionAll(statements)
  const { total } = await db.one(
    z.object({ total: z.number() }),
    planned(sql`select count(*) as total from (${lines} limit ${literal(EXACT_TOTAL_MAX + 1)}) found`),
  )
  if (total <= EXACT_TOTAL_MAX) return { total }
  const [plan] = await db.rows(Explained, planned(sql`explain (format json) ${lines}`))
  const guess = Math.round(plan?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0)
  return { total: Math.max(total, guess), totalIsEstimate: true }
}

const Explained = z.object({ 'QUERY PLAN': z.array(z.object({ Plan: z.object({ 'Plan Rows': z.number() }) })) })

/** What comes of so few rows is counted for each call: 10,000 take a millisecond or two. */
const COUNTED_EACH_TIME_MAX = 10_000
/** So old, a figure is counted again while the old one is answered. */
const FRESH_MS = 5_000
/** So old, it is not answered any more. */
const KEPT_MAX_MS = 60_000
const KEPT_MAX = 500

interface Kept {
  value: unknown
  countedAtMs: number
  recount: Promise<unknown> | undefined
}

const keptBy = new WeakMap<Database, Map<string, Kept>>()

/**
 * The figure that `count` makes; when it was made of many rows it is kept under the key, so that it is seconds
 * old at times, and nobody but the first has to wait for it. Only ever for figures on a screen: what decides
 * something is counted in its own transaction. A node keeps its own, and needs to hear of nobody else's.
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

/** The key of a figure that a statement makes. */
export function keyOf(statement: Sql): string {
  return `${statement.text} ${JSON.stringify(statement.values)}`
}
