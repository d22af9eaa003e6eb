/**
 * Rows that stay where they are while somebody works through them. The queue is newest first, so each request that
 * arrives would push the others down, just as a thumb comes down on Approve. New ones therefore wait behind a button,
 * and decided ones keep their place, with what became of them, until the list is drawn anew.
 */
import { useState } from 'react'
import type { Payment } from '../../contract/payments.ts'

export interface Steady {
  rows: readonly Payment[]
  /** How many came after the newest that is shown. */
  arrivals: number
  /** Shown as pending, and not among the pending ones any more: decided or deleted by somebody else. */
  gone: ReadonlySet<string>
}

interface Slice {
  isFirstPage: boolean
  pageSize: number
}

/** What to show of `held`, given what the server says now. */
export function steady(held: readonly Payment[], fresh: readonly Payment[], { isFirstPage, pageSize }: Slice): Steady {
  const now = new Map(fresh.map((payment) => [payment._id, payment]))
  const rows = held.map((payment) => now.get(payment._id) ?? payment)
  if (!isFirstPage) return { rows, arrivals: 0, gone: new Set() }

  const shown = new Set(held.map((payment) => payment._id))
  const newest = held[0]?.createdAt ?? ''
  const arrivals = fresh.filter((payment) => !shown.has(payment._id) && payment.createdAt > newest).length
  // A missing row may have been pushed to the next page, unless one that stood behind it is still here.
  const lastPresent = held.findLastIndex((payment) => now.has(payment._id))
  const isWhole = fresh.length < pageSize
  const gone = held.filter((payment, index) => !now.has(payment._id) && (isWhole || index < lastPresent))
  return { rows, arrivals, gone: new Set(gone.map((payment) => payment._id)) }
}

interface SteadyRows extends Partial<Steady> {
  /** Draws the list anew from what the server says. */
  renew: () => void
  /** Takes a row out. */
  drop: (id: string) => void
}

/**
 * @param key what is listed: search, filter and page; another key begins with another list
 * @param fresh undefined while it is on its way; the rows before stay meanwhile
 */
export function useSteadyRows(key: string, fresh: readonly Payment[] | undefined, slice: Slice): SteadyRows {
  const [held, setHeld] = useState<{ key: string; rows: readonly Payment[] }>()
  const isOther = held?.key !== key || held.rows.length === 0
  if (fresh && isOther && held?.rows !== fresh) setHeld({ key, rows: fresh })
  const actions = {
    renew: () => fresh && setHeld({ key, rows: fresh }),
    drop: (id: string) => held && setHeld({ ...held, rows: held.rows.filter((payment) => payment._id !== id) }),
  }
  if (!held) return actions
  if (!fresh || held.key !== key) return { ...actions, rows: held.rows, arrivals: 0, gone: new Set() }
  return { ...actions, ...steady(held.rows, fresh, slice) }
}
