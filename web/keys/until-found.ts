import type { OwnedKey } from '../../contract/keys.ts'

/** Older browsers would take the element away altogether, and its height with it; there it stays empty. */
const isSupported = typeof document !== 'undefined' && 'onbeforematch' in document.documentElement

/**
 * Neither draws nor lays out what is in an element, but lets "find in page" look into it, which then shows it. Set by
 * script, because React knows the attribute only as true or false.
 */
export function hideUntilFound(element: HTMLElement | null): void {
  if (isSupported) element?.setAttribute('hidden', 'until-found')
}

/** What "find in page" is to find of them. */
export function findable(text: () => string): string | undefined {
  return isSupported ? text() : undefined
}

export function textOf(keys: readonly OwnedKey[]): string {
  return keys.map(({ key }) => key).join(' ')
}
