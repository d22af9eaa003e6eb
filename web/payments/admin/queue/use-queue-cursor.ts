import { startTransition, useEffect, useRef, useState } from 'react'
import type { Payment } from '../../../../contract/payments.ts'
import type { PaymentList } from './use-payment-list.ts'

/** Keeps the row that the keyboard is in, and moves the focus from row to row. */
export function useQueueCursor({ rows, isOpen }: Pick<PaymentList, 'rows' | 'isOpen'>) {
  const [currentId, showCurrent] = useState<string>()
  // A key decides about the row that has the focus now, which is drawn a moment later
  const marked = useRef(currentId)
  const latest = useRef({ rows, isOpen })
  useEffect(() => {
    latest.current = { rows, isOpen }
  })
  const setCurrentId = (id: string) => {
    marked.current = id
    startTransition(() => showCurrent(id))
  }
  const go = (payment: Payment | undefined) => {
    if (!payment) return
    setCurrentId(payment._id)
    focusRow(payment._id)
  }
  return {
    currentId,
    setCurrentId,
    current: () => rows?.find((payment) => payment._id === marked.current),
    move: (by: 1 | -1) => {
      if (!rows) return
      const at = rows.findIndex((payment) => payment._id === marked.current)
      go(at < 0 ? rows[0] : rows[at + by])
    },
    /** Goes to the next request that can be decided by now, because a dialog may have been open. */
    goOn: (from: Payment) => {
      const now = latest.current
      const at = now.rows?.findIndex((payment) => payment._id === from._id) ?? -1
      const next = now.rows?.find((payment, index) => index > at && now.isOpen(payment))
      if (next) go(next)
      else focusQueue()
    },
  }
}

/** Waits until the row has been drawn as the current one. */
export function focusRow(id: string): void {
  requestAnimationFrame(() => {
    const row = document.querySelector<HTMLElement>(`[data-row="${id}"]`)
    row?.scrollIntoView({ block: 'nearest' })
    const target = row?.querySelector<HTMLElement>('[data-approve]') ?? row?.querySelector<HTMLElement>('button')
    target?.focus({ preventScroll: true })
  })
}

export function focusQueue(): void {
  document.querySelector<HTMLElement>('[data-queue]')?.focus({ preventScroll: true })
}
