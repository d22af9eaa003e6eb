import { useState, useSyncExternalStore } from 'react'

/** Keeps a form's text over a reload of this tab. Never for passwords. @param key unique among all forms */
export function useDraft(key: string, initial = ''): [text: string, change: (text: string) => void] {
  const [typed, setTyped] = useState<string>()
  // Empty on the server, and so in the first drawing of a page that the server drew.
  const kept = useSyncExternalStore(
    watchNothing,
    () => readDraft(key),
    () => null,
  )
  const change = (next: string) => {
    setTyped(next)
    keepDraft(key, next)
  }
  return [typed ?? kept ?? initial, change]
}

const watchNothing = () => () => undefined

export function keepDraft(key: string, text: string): void {
  try {
    sessionStorage.setItem(`draft-${key}`, text)
  } catch {
    // Without storage a reload starts over.
  }
}

export function dropDrafts(...keys: readonly string[]): void {
  try {
    for (const key of keys) sessionStorage.removeItem(`draft-${key}`)
  } catch {
    // Without storage there are no drafts.
  }
}

function readDraft(key: string): string | null {
  try {
    return sessionStorage.getItem(`draft-${key}`)
  } catch {
    return null
  }
}
