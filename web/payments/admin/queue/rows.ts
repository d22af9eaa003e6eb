/**
 * Rows stay in place while an admin works through them. Reviewed rows keep their place and show their result until the
 * list is renewed. The queue is oldest first, so new requests go to the end and move nothing. A list that is newest
 * first would push every row down, just as a thumb comes down on a button. There new requests wait behind a button.
 */
import { useState } from 'react'
import type { Payment } from '../../../../contract/payments.ts'

interface Steady {
  rows: readonly Payment[]
  /** The number of new requests above the first row. */
  arrivals: number
  /** Rows shown as pending that another admin has reviewed or deleted. */
  gone: ReadonlySet<string>
}

interface Slice {
  order: 'oldest' | 'newest'
  isFirstPage: boolean
  pageSize: number
}

const NOBODY: ReadonlySet<string> = new Set()

/** Returns the rows to show: those in `held`, updated with what the server has now. */
export function steady(held: readonly Payment[], fresh: readonly Payment[], slice: Slice): Steady {
  const { order, isFirstPage, pageSize } = slice
  const now = new Map(fresh.map((payment) => [payment._id, payment]))
  const rows = held.map((payment) => now.get(payment._id) ?? payment)
  if (!isFirstPage) return { rows, arrivals: 0, gone: NOBODY }
  const missing = held.filter((payment) => !now.has(payment._id))
  if (order === 'oldest') return { rows, arrivals: 0, gone: new Set(missing.map(({ _id }) => _id)) }

  const shown = new Set(held.map((payment) => payment._id))
  const newest = held[0]?.createdAt ?? ''
  const arrivals = fresh.filter((payment) => !shown.has(payment._id) && payment.createdAt > newest).length
  // A missing row may have been pushed to the next page, unless one that stood behind it is still here.
  const lastPresent = held.findLastIndex((payment) => now.has(payment._id))
  const isWhole = fresh.length < pageSize
  const gone = missing.filter((payment) => isWhole || held.indexOf(payment) < lastPresent)
  return { rows, arrivals, gone: new Set(gone.map((payment) => payment._id)) }
}

/** Returns the new requests, which are neither shown nor dropped. They come at the end of the queue. */
export function behind(held: readonly Payment[], fresh: readonly Payment[], dropped: ReadonlySet<string>): Payment[] {
  const shown = new Set(held.map((payment) => payment._id))
  return fresh.filter(({ _id }) => !shown.has(_id) && !dropped.has(_id))
}

interface SteadyRows extends Partial<Steady> {
  /**
   * Replaces the rows with the server's latest list. It may be older than the latest decision, so rows that are `over`
   * stay out.
   */
  renew: (over?: ReadonlySet<string>) => void
  /** Takes a row out. */
  drop: (id: string) => void
}

interface Held {
  key: string
  rows: readonly Payment[]
  dropped: ReadonlySet<string>
}

/**
 * @param key what is listed: search, filter and page; another key begins with another list
 * @param fresh undefined while it loads; the earlier rows stay until then
 */
export function useSteadyRows(key: string, fresh: readonly Payment[] | undefined, slice: Slice): SteadyRows {
  const [held, setHeld] = useState<Held>()
  const begin = (all: readonly Payment[], dropped = NOBODY) =>
    setHeld({ key, rows: all.filter(({ _id }) => !dropped.has(_id)), dropped })
  if (fresh) {
    if (held?.key !== key) begin(fresh)
    // An empty list has no rows to push away. Deleted rows stay in `fresh` until it is loaded again.
    else if (held.rows.length === 0 || (slice.order === 'oldest' && slice.isFirstPage)) {
      const more = behind(held.rows, fresh, held.dropped)
      if (more.length > 0) setHeld({ ...held, rows: [...held.rows, ...more] })
    }
  }
  const actions = {
    renew: (over?: ReadonlySet<string>) => fresh && begin(fresh, over),
    drop: (id: string) =>
      setHeld(
        (now) =>
          now && {
            ...now,
            rows: now.rows.filter((payment) => payment._id !== id),
            dropped: new Set(now.dropped).add(id),
          },
      ),
  }
  if (!held) return actions
  if (!fresh || held.key !== key) return { ...actions, rows: held.rows, arrivals: 0, gone: NOBODY }
  return { ...actions, ...steady(held.rows, fresh, slice) }
}
