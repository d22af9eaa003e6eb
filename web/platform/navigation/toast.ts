import { errorMessage } from '../calls/api-error.ts'
import { shown } from './navigation.ts'
import { createStore, useStore } from '../store.ts'

export interface Toast {
  id: number
  text: string
  tone: 'ok' | 'bad' | 'info'
  /** A button on the toast. With Undo it stays until it is used or dismissed, or the page closes. */
  action?: { label: string; run: () => void }
  durationMs: number
}

const DURATION_MS = 4_000
/** Time to retry a failed change, in ms. It ends, because another change may replace the failed one. */
const RETRY_DURATION_MS = 8_000
/** Maximum on screen. More would cover the page. */
const SHOWN_MAX = 3

const toasts = createStore<readonly Toast[]>([])
let lastId = 0

/**
 * Shows a short message at the edge of the screen.
 *
 *   toast(t('Plan deleted'), { action: { label: t('Undo'), run: restore } })
 */
export function toast(text: string, options: Partial<Omit<Toast, 'id' | 'text'>> = {}): number {
  const id = ++lastId
  const lasting = options.tone === 'bad' ? RETRY_DURATION_MS : Infinity
  const durationMs = options.durationMs ?? (options.action ? lasting : DURATION_MS)
  // Repeated text shows once, but two deletions need an Undo each.
  const others = toasts.get().filter((each) => each.text !== text || (each.action && each.tone === 'ok'))
  // A toast without a button never removes one with a button.
  const left = [
    ...others.filter(({ action }) => !action).slice(1 - SHOWN_MAX),
    ...others.filter(({ action }) => action).slice(1 - SHOWN_MAX),
  ]
  toasts.set([...others.filter((each) => left.includes(each)), { tone: 'ok', ...options, id, text, durationMs }])
  if (options.action) dismissOnLeaving(id)
  return id
}

/** Says what went wrong: `onError: toastError` */
export const toastError = (error: unknown): number => toast(errorMessage(error), { tone: 'bad' })

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

/** Returns the newest message with a button. */
export function lastAction(): number | undefined {
  return toasts.get().findLast(({ action }) => action)?.id
}

export const useToasts = (): readonly Toast[] => useStore(toasts)
