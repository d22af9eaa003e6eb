import type { Translate } from '../../../../contract/words.ts'

const NAMED = 3

/** "A, B, C, and 2 more" */
export function namedFirst(t: Translate, names: readonly string[]): string {
  const first = names.slice(0, NAMED).join(', ')
  return names.length > NAMED ? t('{names}, and {count} more', { names: first, count: names.length - NAMED }) : first
}
