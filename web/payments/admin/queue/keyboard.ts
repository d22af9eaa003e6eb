import { useEffect, useRef } from 'react'

interface QueueKeys {
  move: (by: 1 | -1) => void
  approve: () => void
  reject: () => void
  undo: () => void
}

/** j/k or the arrows, a, r, u: only while the focus is in the list, nothing is being typed and no dialog is open. */
export function useQueueKeys(keys: QueueKeys): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (isHeldEnter(event)) event.preventDefault()
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isBusyElsewhere(event)) return
      const { move, approve, reject, undo } = latest.current
      const action = {
        j: () => move(1),
        ArrowDown: () => move(1),
        k: () => move(-1),
        ArrowUp: () => move(-1),
        a: approve,
        r: reject,
        u: undo,
      }[event.key]
      if (!action) return
      event.preventDefault()
      // A key held down is one decision and not ten.
      if (!event.repeat || event.key.startsWith('Arrow')) action()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** It would press what gets the focus next: the button of the next request, or the answer to a question just asked. */
function isHeldEnter({ key, repeat, target }: KeyboardEvent): boolean {
  return key === 'Enter' && repeat && !(target instanceof HTMLTextAreaElement)
}

function isBusyElsewhere({ target }: KeyboardEvent): boolean {
  if (document.querySelector('dialog[open]') || !(target instanceof HTMLElement)) return true
  if (target.matches('input:not([type=checkbox]), textarea, select, [contenteditable]')) return true
  // Elsewhere a letter decides nothing, because fingers slip and dictation types letters.
  return target.closest('[data-queue]') === null
}
