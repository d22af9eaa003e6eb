/**
 * Lets Back close layers over the page, as in a phone's own apps.
 *
 * While a layer is open, the history has one more entry with the page's address and key. Going back removes that entry
 * and the top layer. A layer that closes in another way removes the entry too.
 */

interface State {
  key?: string
  isLayer?: true
}

/** A page waits no longer for the browser's step back. */
const LEAVING_MAX_MS = 1_000

interface Leaving {
  promise: Promise<void>
  end: () => void
  /** A page that waited no longer has taken the layer's entry. The step back leads away from it. */
  isTaken: boolean
}

const layers: (() => void)[] = []
/** Set while the browser removes the entry. A slow one takes seconds, and its step back is never asked for twice. */
let leaving: Leaving | undefined
let timer: ReturnType<typeof setTimeout> | undefined
/** Set while the page was reloaded with a layer, and none has opened again. */
let isLeftOver = false

/** @param close called on Back. @returns a function to call once the layer has closed. */
export function openLayer(close: () => void): () => void {
  layers.push(close)
  isLeftOver = false
  // At once: Back may be pressed as soon as the layer can be seen
  if (!leaving) addEntry()
  return () => {
    layers.splice(layers.lastIndexOf(close), 1)
    settleLayers()
  }
}

/** True if the current entry is a layer's. A page opened from here replaces it. */
export function isOnLayer(): boolean {
  return (history.state as State | null)?.isLayer === true
}

/**
 * Waits until the layer's entry is removed, because a page added earlier would be removed instead.
 * @returns undefined without a layer
 */
export function leavingLayer(): Promise<void> | undefined {
  return leaving?.promise
}

/**
 * Notes at the start whether a reload has left a layer's entry. The next layer reuses it, and Back passes over it. A
 * step back by the page itself would end what the person has tapped while it started.
 */
export function noteLeftOver(): void {
  isLeftOver = isOnLayer()
}

/** Notes that a page has replaced the current entry. */
export function noteTaken(): void {
  isLeftOver = false
  if (leaving) leaving.isTaken = true
}

/** Syncs the history with the open layers. Waits a moment, because another dialog or page often follows. */
export function settleLayers(): void {
  clearTimeout(timer)
  timer = setTimeout(() => {
    if (leaving) return
    if (layers.length > 0) addEntry()
    if (layers.length === 0 && isOnLayer() && !isLeftOver) leave()
  })
}

/**
 * Checks a step in the history first.
 * @param key of the shown page
 * @returns true if the step was between a page and its layers, so the page stays as it is
 */
export function isStepWithinPage(key: string | undefined): boolean {
  if (leaving?.isTaken) {
    leaving.isTaken = false
    history.forward()
    return true
  }
  if (leaving) {
    leaving.end()
    return true
  }
  const state = history.state as State | null
  const isPage = layers.length === 0 && !state?.isLayer
  if ((state?.key ?? 'first') !== key || (isPage && !isLeftOver)) return false
  isLeftOver = false
  if (isPage) history.back()
  else if (!isOnLayer()) layers.at(-1)?.()
  settleLayers()
  return true
}

function addEntry(): void {
  if (!isOnLayer()) history.pushState({ ...(history.state as State), isLayer: true }, '')
}

function leave(): void {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  const limit = setTimeout(resolve, LEAVING_MAX_MS)
  const end = () => {
    clearTimeout(limit)
    leaving = undefined
    resolve()
    settleLayers()
  }
  leaving = { promise, end, isTaken: false }
  history.back()
}
