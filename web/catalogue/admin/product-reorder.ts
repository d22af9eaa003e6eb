import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { inOrder, moved } from './product-order.ts'

/** Keys pressed one after the other are one change. */
const SAVE_AFTER_MS = 700
/** A finger is never quite still: less than this is a tap. */
const DRAG_FROM_PX = 4
const EDGE_PX = 90
const SCROLL_STEP_PX = 14

interface ReorderOptions {
  /** In the order on the server. */
  ids: readonly string[]
  /** Saves; settles when `ids` are up to date again. */
  save: (ids: string[]) => Promise<unknown>
  /** A tap on a handle, or Enter: asks for the position in a dialog, because not everybody can drag. */
  onAsk: (id: string) => void
  /** Says where something is now, to screen readers. */
  onMoved: (id: string, place: number) => void
}

/**
 * Puts rows into another order: by dragging a handle, with mouse or finger, or with the arrow keys while a handle has
 * the focus. Rows are found by their `data-row`, handles by `data-handle`.
 */
export function useReorder({ onAsk, ...options }: ReorderOptions) {
  const [dragged, setDragged] = useState<string>()
  /** The product whose place it would take. */
  const [target, setTarget] = useState<string>()
  const { order, place } = useOrder(options)
  const refocus = useRef<string>(undefined)
  const hasDragged = useRef(false)
  const stopDrag = useRef<() => void>(undefined)
  useEffect(() => () => stopDrag.current?.(), [])

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

  const onPointerDown = (id: string) => (down: PointerEvent) => {
    const stop = startDrag(down, {
      onOver: (landing) => {
        hasDragged.current = true
        setDragged(id)
        setTarget(landing)
      },
      onEnd: (landing) => {
        stopDrag.current = undefined
        setDragged(undefined)
        setTarget(undefined)
        if (landing !== undefined) place(id, order.indexOf(landing), 0)
      },
    })
    if (!stop) return
    hasDragged.current = false
    stopDrag.current = stop
  }

  return {
    order,
    /** Puts one at another place, counted from 0, and saves. */
    place: (id: string, to: number) => place(id, to, 0),
    /** Returns the classes of a row. The dragged row is pale, and the row at its target is lit. */
    rowClassName: (id: string): string | undefined => {
      if (id === dragged) return 'opacity-60'
      return id === target ? 'bg-brand-bg' : undefined
    },
    handleProps: (id: string) => ({
      'data-handle': id,
      onKeyDown: onKeyDown(id),
      onPointerDown: onPointerDown(id),
      onClick: () => {
        if (!hasDragged.current) onAsk(id)
        hasDragged.current = false
      },
    }),
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

  const place = (id: string, to: number, afterMs: number) => {
    const next = moved(order, id, to)
    if (next.join() === order.join()) return
    setChosen(next)
    unsaved.current = next
    onMoved(id, next.indexOf(id))
    clearTimeout(timer.current)
    timer.current = setTimeout(() => commit.current(), afterMs)
  }

  return { order, place }
}

interface Drag {
  /** The row under the finger, or the last one; undefined before the first. */
  onOver: (landing: string | undefined) => void
  /** The row on which it was dropped; undefined if it was given up. */
  onEnd: (landing: string | undefined) => void
}

/**
 * Follows a finger or a mouse until it is lifted. Escape gives up.
 * @returns a function that gives up; undefined for a button or finger that starts nothing
 */
function startDrag(
  { button, isPrimary, pointerId, clientX, clientY }: PointerEvent,
  { onOver, onEnd }: Drag,
): (() => void) | undefined {
  if (button !== 0 || !isPrimary) return undefined
  let isDragging = false
  let landing: string | undefined
  const onMove = (move: globalThis.PointerEvent) => {
    if (move.pointerId !== pointerId) return
    const distance = Math.hypot(move.clientX - clientX, move.clientY - clientY)
    if (!isDragging && distance < DRAG_FROM_PX) return
    isDragging = true
    if (move.clientY < EDGE_PX) scrollBy(0, -SCROLL_STEP_PX)
    if (move.clientY > innerHeight - EDGE_PX) scrollBy(0, SCROLL_STEP_PX)
    const row = document.elementFromPoint(move.clientX, move.clientY)?.closest<HTMLElement>('[data-row]')
    if (row) landing = row.dataset['row']
    onOver(landing)
  }
  const end = (dropped: string | undefined) => {
    removeEventListener('pointermove', onMove)
    removeEventListener('pointerup', onUp)
    removeEventListener('pointercancel', onCancel)
    removeEventListener('keydown', onEscape, true)
    onEnd(dropped)
  }
  const onUp = (up: globalThis.PointerEvent) => {
    if (up.pointerId === pointerId) end(landing)
  }
  const onCancel = () => end(undefined)
  const onEscape = (key: globalThis.KeyboardEvent) => {
    if (key.key !== 'Escape') return
    key.preventDefault()
    key.stopPropagation()
    end(undefined)
  }
  addEventListener('pointermove', onMove)
  addEventListener('pointerup', onUp)
  addEventListener('pointercancel', onCancel)
  addEventListener('keydown', onEscape, true)
  return onCancel
}
