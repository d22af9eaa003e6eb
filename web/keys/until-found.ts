import type { OwnedKey } from '../../contract/keys.ts'

/** False for older browsers. They would remove the element with its height, so its content is left out instead. */
const isSupported = typeof document !== 'undefined' && 'onbeforematch' in document.documentElement

/**
 * Hides an element's content, but lets "find in page" search and reveal it. A script sets this, because React knows the
 * attribute only as true or false.
 */
export function hideUntilFound(element: HTMLElement | null): void {
  if (isSupported) element?.setAttribute('hidden', 'until-found')
}

/** Returns the text that "find in page" searches. */
export function findable(text: () => string): string | undefined {
  return isSupported ? text() : undefined
}

export function textOf(keys: readonly OwnedKey[]): string {
  return keys.map(({ key }) => key).join(' ')
}
