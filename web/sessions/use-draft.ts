import { useState, useSyncExternalStore } from 'react'

/**
 * Text of a form that survives a reload of this tab; never for passwords.
 * @param key unlike any other form's
 */
export function useDraft(key: string, initial = ''): [text: string, change: (text: string) => void] {
  const [typed, setTyped] = useState<string>()
  // Not there on the server, and so neither in the first drawing of a page that came drawn from there.
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
    // There are none, then.
  }
}

function readDraft(key: string): string | null {
  try {
    return sessionStorage.getItem(`draft-${key}`)
  } catch {
    return null
  }
}
