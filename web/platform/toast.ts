import { createStore, useStore } from './store.ts'

export interface Toast {
  id: number
  text: string
  tone: 'ok' | 'bad' | 'info'
  /** A button on the toast, such as Undo. */
  action?: { label: string; run: () => void }
  durationMs: number
}

const DURATION_MS = 4_000
/** Long enough to read the text and reach the button. */
const ACTION_DURATION_MS = 8_000

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
  const durationMs = options.durationMs ?? (options.action ? ACTION_DURATION_MS : DURATION_MS)
  // The same words twice in a row are one message.
  const others = toasts.get().filter((shown) => shown.text !== text)
  toasts.set([...others.slice(-2), { tone: 'ok', ...options, id, text, durationMs }])
  return id
}

export function dismissToast(id: number): void {
  toasts.set(toasts.get().filter((shown) => shown.id !== id))
}

export function useToasts(): readonly Toast[] {
  return useStore(toasts)
}
