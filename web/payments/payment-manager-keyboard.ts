import { useEffect, useRef } from 'react'

interface QueueKeys {
  move: (by: 1 | -1) => void
  approve: () => void
  reject: () => void
}

/** j/k or the arrows, a, r: only while nothing is being typed and no dialog is open. */
export function useQueueKeys(keys: QueueKeys): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isBusyElsewhere(event)) return
      const { move, approve, reject } = latest.current
      const action = {
        j: () => move(1),
        ArrowDown: () => move(1),
        k: () => move(-1),
        ArrowUp: () => move(-1),
        a: approve,
        r: reject,
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

function isBusyElsewhere({ target, key }: KeyboardEvent): boolean {
  if (document.querySelector('dialog:modal')) return true
  if (!(target instanceof HTMLElement)) return false
  if (target.matches('input:not([type=checkbox]), textarea, select, [contenteditable]')) return true
  // Outside of the list the arrows scroll, as everywhere.
  return key.startsWith('Arrow') && target.closest('[data-queue]') === null
}
