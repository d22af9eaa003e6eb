import { useState } from 'react'

/**
 * Text of a form that survives a reload of this tab; never for passwords.
 * @param key unlike any other form's
 */
export function useDraft(key: string, initial = ''): [text: string, change: (text: string) => void] {
  const [text, setText] = useState(() => readDraft(key) ?? initial)
  const change = (next: string) => {
    setText(next)
    keepDraft(key, next)
  }
  return [text, change]
}

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
