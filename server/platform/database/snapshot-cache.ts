/**
 * Keeps query results in memory for as long as the database has not changed.
 *
 * Before every answer it asks the database for its snapshot. A snapshot lists the visible transactions. While it is the
 * same, a query gives the same rows. No invalidation is needed. Every node sees every change committed before the read.
 * The question reads no table, and concurrent callers share it.
 */
import { sql, type Queries } from './database.ts'
import { coalesce } from '../load/coalesce.ts'

export interface SnapshotCache {
  /** @returns the reads of one call, which asks for changes once, at its first read */
  view(): CachedReads
}

export interface CachedReads {
  /**
   * @param key names the result and everything that it depends on
   * @param read asks the database and nothing else: no clock, nothing that is not in the key
   * @returns the result of `read` now, or when this view began. It is frozen, because callers share it
   */
  read<Value>(key: string, read: () => Promise<Value>): Promise<Value>
  /** The same for one row of less than 2 kB, as each of thousands of buyers has: many more of these are kept. */
  readRow: CachedReads['read']
  /** Makes the next read ask again. Call it after a change. */
  renew(): void
}

/** The oldest value is dropped first. The largest are some 50 kB, nearly all less than 15. */
const KEPT_MAX = 1_000
const ROWS_KEPT_MAX = 10_000

type Shelf = Map<string, Promise<unknown>>
const emptyShelves = () => ({ values: new Map() as Shelf, rows: new Map() as Shelf })

export function createSnapshotCache(db: Queries): SnapshotCache {
  let snapshot: string | undefined
  /** Results read at that snapshot or after it. After it, the next question finds another snapshot. */
  let kept = emptyShelves()

  const look = coalesce<void, typeof kept>(async (questions) => {
    // Includes the server's start, because another server (failover, restored backup) counts transactions differently
    const now = await db.text(sql`select pg_current_snapshot()::text || ' ' || pg_postmaster_start_time()::text`)
    if (now !== snapshot) {
      snapshot = now
      kept = emptyShelves()
    }
    return questions.map(() => kept)
  })

  const view = (): CachedReads => {
    let asked: Promise<typeof kept> | undefined
    const from = async <Value>(which: keyof typeof kept, key: string, read: () => Promise<Value>): Promise<Value> => {
      const { [which]: shelf } = await (asked ??= look())
      const found = shelf.get(key)
      if (found) return found as Promise<Value>
      const value = read().then(freeze)
      shelf.set(key, value)
      // Only the callers that share an error get it. The next one tries again
      value.catch(() => shelf.delete(key))
      const [oldest] = shelf.size > (which === 'rows' ? ROWS_KEPT_MAX : KEPT_MAX) ? shelf.keys() : []
      if (oldest !== undefined) shelf.delete(oldest)
      return value
    }
    return {
      read: (key, read) => from('values', key, read),
      readRow: (key, read) => from('rows', key, read),
      renew: () => (asked = undefined),
    }
  }
  return { view }
}

/** Freezes a value deeply, because responses.ts writes and compresses a frozen answer only once. */
export function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
    Object.values(value).forEach(freeze)
    Object.freeze(value)
  }
  return value
}
