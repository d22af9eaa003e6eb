/**
 * Back closes what lies over the page, as it does in a phone's own apps.
 *
 * While anything lies over it, the history has one entry more, with the address and the key of the page's own. Going
 * back takes that entry away, and the top layer with it; a layer that closes in another way takes the entry along.
 */

interface State {
  key?: string
  isLayer?: true
}

const LEAVING_MAX_MS = 1_000

const layers: (() => void)[] = []
/** Set while the entry is being taken away, which the browser does in its own time. */
let leaving: { promise: Promise<void>; end: () => void } | undefined
let timer: ReturnType<typeof setTimeout> | undefined

/** @param close is called when the person goes back. @returns what to call once the layer has closed. */
export function openLayer(close: () => void): () => void {
  layers.push(close)
  settleLayers()
  return () => {
    layers.splice(layers.lastIndexOf(close), 1)
    settleLayers()
  }
}

/** The present entry is a layer's; a page that is gone to from here takes its place. */
export function isOnLayer(): boolean {
  return (history.state as State | null)?.isLayer === true
}

/** Undefined, or until the layer's entry has been taken away: a page that was added before would be taken instead. */
export function leavingLayer(): Promise<void> | undefined {
  return leaving?.promise
}

/**
 * Brings the history in line with what is open; not at once, because one dialog is often followed by another, or by a
 * change of page.
 */
export function settleLayers(): void {
  clearTimeout(timer)
  timer = setTimeout(() => {
    if (leaving) return
    if (layers.length > 0 && !isOnLayer()) history.pushState({ ...(history.state as State), isLayer: true }, '')
    if (layers.length === 0 && isOnLayer()) leave()
  })
}

/**
 * Looks at a step in the history first.
 * @param key of the page that is shown
 * @returns whether the step was between a page and its layers, and the page stays as it is
 */
export function isStepWithinPage(key: string | undefined): boolean {
  if (leaving) {
    leaving.end()
    return true
  }
  const state = history.state as State | null
  if ((state?.key ?? 'first') !== key || (layers.length === 0 && !state?.isLayer)) return false
  if (!isOnLayer()) layers.at(-1)?.()
  settleLayers()
  return true
}

function leave(): void {
  let end: () => void = () => undefined
  const promise = new Promise<void>((resolve) => {
    end = () => {
      clearTimeout(limit)
      leaving = undefined
      resolve()
      settleLayers()
    }
    const limit = setTimeout(end, LEAVING_MAX_MS)
  })
  leaving = { promise, end }
  history.back()
}
