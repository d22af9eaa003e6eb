import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'

/** Keys pressed one after the other are one change. */
const SAVE_AFTER_MS = 700

interface ReorderOptions {
  /** In the order on the server. */
  ids: readonly string[]
  /** Saves; settles when `ids` are up to date again. */
  save: (ids: string[]) => Promise<unknown>
  /** A tap on a handle, or Enter: asks for the position in a dialog. */
  onAsk: (id: string) => void
  /** Says where something is now, to screen readers. */
  onMoved: (id: string, place: number) => void
}

/** Puts rows into another order with the arrow keys, while a handle has the focus. Handles have a `data-handle`. */
export function useReorder({ onAsk, ...options }: ReorderOptions) {
  const { order, put, place } = useOrder(options)
  const refocus = useRef<string>(undefined)

  // A moved row leaves the page for a moment, so its handle loses the focus.
  useLayoutEffect(() => {
    const id = refocus.current
    refocus.current = undefined
    if (id !== undefined) document.querySelector<HTMLElement>(`[data-handle="${CSS.escape(id)}"]`)?.focus()
  })

  const onKeyDown = (id: string) => (event: KeyboardEvent) => {
    const at = order.indexOf(id)
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: order.length - 1 }[event.key]
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    refocus.current = id
    place(id, to, SAVE_AFTER_MS)
  }

  return {
    order,
    /** Saves an order in which one product has moved. */
    put: (ids: string[], movedId: string) => put(ids, movedId, 0),
    handleProps: (id: string) => ({ 'data-handle': id, onKeyDown: onKeyDown(id), onClick: () => onAsk(id) }),
  }
}

/** The order as chosen here, until the server has it; the server's order again if it could not be saved. */
function useOrder({ ids, save, onMoved }: Omit<ReorderOptions, 'onAsk'>) {
  const [chosen, setChosen] = useState<string[]>()
  const order = inOrder(ids, chosen)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const unsaved = useRef<string[]>(undefined)

  const commit = useRef(() => {})
  useEffect(() => {
    commit.current = () => {
      clearTimeout(timer.current)
      const next = unsaved.current
      unsaved.current = undefined
      if (!next) return
      const settle = () => setChosen((present) => (present === next ? undefined : present))
      save(next).then(settle, settle)
    }
  })
  useEffect(
    () => () => {
      commit.current()
    },
    [],
  )

  const put = (next: string[], id: string, afterMs: number) => {
    setChosen(next)
    unsaved.current = next
    onMoved(id, next.indexOf(id))
    clearTimeout(timer.current)
    timer.current = setTimeout(() => commit.current(), afterMs)
  }
  const place = (id: string, to: number, afterMs: number) => {
    const next = moved(order, id, to)
    if (next.join() !== order.join()) put(next, id, afterMs)
  }

  return { order, put, place }
}

/** `ids` with one of them at another place, counted from 0. */
export function moved(ids: readonly string[], id: string, to: number): string[] {
  const others = ids.filter((each) => each !== id)
  const place = Math.max(0, Math.min(others.length, to))
  return [...others.slice(0, place), id, ...others.slice(place)]
}

/** `ids` as in `chosen`; those that it does not name follow, as they were. */
export function inOrder(ids: readonly string[], chosen: readonly string[] | undefined): readonly string[] {
  if (!chosen) return ids
  const place = new Map(chosen.map((id, index) => [id, index]))
  const placeOf = (id: string) => place.get(id) ?? chosen.length
  return ids.toSorted((one, other) => placeOf(one) - placeOf(other))
}
