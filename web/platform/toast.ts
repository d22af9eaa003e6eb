import { shown } from './navigation.ts'
import { createStore, useStore } from './store.ts'

export interface Toast {
  id: number
  text: string
  tone: 'ok' | 'bad' | 'info'
  /** A button on the toast, such as Undo. It stays until it is used or dismissed, or the page is left. */
  action?: { label: string; run: () => void }
  durationMs: number
}

const DURATION_MS = 4_000

const toasts = createStore<readonly Toast[]>([])
let lastId = 0

/**
 * Shows a short message at the edge of the screen.
 *
 *   toast(t('Plan deleted'), { action: { label: t('Undo'), run: restore } })
 *   toast(errorMessage(error), { tone: 'bad' })
 */
export function toast(text: string, options: Partial<Omit<Toast, 'id' | 'text'>> = {}): number {
  const id = ++lastId
  const durationMs = options.durationMs ?? (options.action ? Infinity : DURATION_MS)
  // The same words twice in a row are one message; but two deletions are undone one by one.
  const others = toasts.get().filter((each) => each.text !== text || (each.action && each.tone === 'ok'))
  const passing = others.filter(({ action }) => !action).slice(-2)
  const staying = others.filter((each) => each.action || passing.includes(each))
  toasts.set([...staying, { tone: 'ok', ...options, id, text, durationMs }])
  if (options.action) dismissOnLeaving(id)
  return id
}

export function dismissToast(id: number): void {
  toasts.set(toasts.get().filter((each) => each.id !== id))
}

function dismissOnLeaving(id: number): void {
  const { pathname } = location
  const stop = shown.subscribe(() => {
    if (location.pathname === pathname) return
    stop()
    dismissToast(id)
  })
}

/** The newest message that has a button. */
export function lastAction(): number | undefined {
  return toasts.get().findLast(({ action }) => action)?.id
}

export function useToasts(): readonly Toast[] {
  return useStore(toasts)
}
