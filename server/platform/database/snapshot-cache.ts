/**
 * What was read, kept in memory for as long as the database has not changed.
 *
 * Whether it has is asked of the database before every answer: a snapshot says which transactions can be seen, so
 * while it is the same, the same query gives the same rows. Nothing has to be told to anyone, no node can know less
 * than another, and whoever reads sees every change that was committed before. The question costs no table, and all
 * who ask at the same time share it.
 */
import * as z from 'zod/mini'
import { sql, type Queries } from './database.ts'
import { coalesce } from '../coalesce.ts'

export interface SnapshotCache {
  /** @returns what one call sees: it asks once, at its first read, whether anything has changed */
  view(): CachedReads
}

export interface CachedReads {
  /**
   * @param key names what is read, with all that it depends on
   * @param read asks the database and nothing else: neither the clock nor anything that is not in the key
   * @returns what `read` would give now, or would have when this view began; it is shared by all who ask, so it cannot
   *   be changed
   */
  read<Value>(key: string, read: () => Promise<Value>): Promise<Value>
  /** To be called after a change of one's own: the next read asks anew. */
  renew(): void
}

/** Values, the longest-kept of which goes first; the largest are some 50 kB, nearly all less than 15. */
const KEPT_MAX = 1_000

const Snapshot = z.object({ now: z.string() })

export function createSnapshotCache(db: Queries): SnapshotCache {
  let snapshot = ''
  /** What was read at that snapshot, or after it: then the next question finds another one. */
  let kept = new Map<string, Promise<unknown>>()

  const look = coalesce<void, typeof kept>(async (questions) => {
    // Another server, after a failover or a restored backup, counts its transactions anew: so its start is named too
    const { now } = await db.one(
      Snapshot,
      sql`select pg_current_snapshot()::text || ' ' || pg_postmaster_start_time()::text as now`,
    )
    if (now !== snapshot) {
      snapshot = now
      kept = new Map()
    }
    return questions.map(() => kept)
  })

  const view = (): CachedReads => {
    let asked: Promise<typeof kept> | undefined
    const read = async <Value>(key: string, read: () => Promise<Value>): Promise<Value> => {
      const shelf = await (asked ??= look())
      const found = shelf.get(key)
      if (found) return found as Promise<Value>
      const value = read().then(freeze)
      shelf.set(key, value)
      // An error is nobody's answer but theirs who share it
      value.catch(() => shelf.delete(key))
      const [oldest] = shelf.size > KEPT_MAX ? shelf.keys() : []
      if (oldest !== undefined) shelf.delete(oldest)
      return value
    }
    return { read, renew: () => (asked = undefined) }
  }
  return { view }
}

/** Freezes it and all that is in it: a frozen answer is written and compressed once (responses.ts). */
export function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
    Object.values(value).forEach(freeze)
    Object.freeze(value)
  }
  return value
}
