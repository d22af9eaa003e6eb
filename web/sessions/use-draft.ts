import { useState, useSyncExternalStore } from 'react'
import { keepTab, readTab } from '../platform/tab-storage.ts'

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

export const keepDraft = (key: string, text: string): void => keepTab(`draft-${key}`, text)

export function dropDrafts(...keys: readonly string[]): void {
  for (const key of keys) keepTab(`draft-${key}`, null)
}

function readDraft(key: string): string | null {
  const kept = readTab(`draft-${key}`)
  return typeof kept === 'string' ? kept : null
}
