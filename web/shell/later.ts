/** Starts what the first look does without. */
import { addCalls } from '../platform/calls/client.ts'
import { laterCalls } from '../platform/calls/later-calls.ts'
import { keepOfflinePage } from '../platform/calls/offline-page.ts'
import { guardTaps } from '../platform/navigation/under-finger.ts'

/** Time, in ms, for a screen to move the focus itself. */
const PATIENCE_MS = 100

export function startLater(): void {
  addCalls(laterCalls)
  guardTaps()
  keepFocus()
  keepOfflinePage()
}

/**
 * Moves the focus to what is left around a control that disappears after its press. Otherwise a screen reader would
 * start again at the top of the page.
 */
function keepFocus(): void {
  /** What had the focus last, and everything around it. */
  let path: HTMLElement[] = []
  const isLost = () => path[0]?.isConnected === false && document.activeElement === document.body
  const note = () => {
    path = []
    for (let each = document.activeElement as HTMLElement | null; each; each = each.parentElement) path.push(each)
  }
  const move = () => {
    const near = path.find((each) => each.isConnected)
    if (!near || !isLost()) return
    path = []
    const place = near.querySelector<HTMLElement>('#main') ?? near
    place.tabIndex = -1
    place.focus({ preventScroll: true })
  }
  const follow = () => {
    if (isLost()) setTimeout(move, PATIENCE_MS)
  }
  addEventListener('focusin', note)
  // Also of what has no focus, so that nothing moves for a person who has left the control
  addEventListener('click', note, true)
  new MutationObserver(follow).observe(document.body, { childList: true, subtree: true })
}
