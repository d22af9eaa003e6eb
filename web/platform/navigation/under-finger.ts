/**
 * Takes no tap for what came under the finger. The second of two quick taps was meant for what was there before: so a
 * control that decides about money, keys or deletion does nothing where another one was tapped less than a second ago.
 * Times are those of the finger: a slow phone draws between two taps, and hears of the second one late.
 * Such controls have `data-decides` or `data-weighty`.
 */
const REST_MS = 1_000
/** After an Undo, longer: what comes into its place would do again what the taps took back. */
const UNDO_REST_MS = 2_000
/** A finger does not come down twice on the same point. In px. */
const NEAR_PX = 16

const CONTROLS = 'a, button, input, label, select, summary'
const DECIDES = '[data-decides], [data-weighty]'
const UNDO = '[data-undo]'

interface Tap {
  at: number
  x: number
  y: number
  control: Element | null
  /** A control that is drawn again may mean another thing. */
  name: string | null | undefined
  restMs: number
}

let taps: Tap[] = []

export function guardTaps(): void {
  document.addEventListener('click', onClick, true)
}

function onClick(event: MouseEvent): void {
  const { target, detail, clientX: x, clientY: y, timeStamp: at } = event
  // A click by a key has no count
  if (detail === 0 || !(target instanceof Element)) return
  const control = target.closest(CONTROLS)
  const restMs = control?.matches(UNDO) ? UNDO_REST_MS : REST_MS
  const tap: Tap = { at, x, y, control, name: control?.ariaLabel ?? control?.textContent, restMs }
  taps = taps.filter((each) => at - each.at < each.restMs)
  if (control?.matches(DECIDES) && taps.some((each) => isInItsPlace(each, tap))) {
    event.preventDefault()
    event.stopImmediatePropagation()
    return
  }
  taps.push(tap)
}

/** True if the earlier tap met another control where this one's is now. */
function isInItsPlace(earlier: Tap, { x, y, control, name }: Tap): boolean {
  if (!control || (earlier.control === control && earlier.name === name)) return false
  const { left, right, top, bottom } = control.getBoundingClientRect()
  const isWithin = earlier.x >= left && earlier.x <= right && earlier.y >= top && earlier.y <= bottom
  return isWithin || Math.hypot(earlier.x - x, earlier.y - y) < NEAR_PX
}
