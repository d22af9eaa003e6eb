const ENDING_LENGTH = 4
/** Shorter keys show nothing, because the ending would give away too much. */
const SHOWN_FROM_LENGTH = 12

/** Returns the last characters of a key, which identify it. A short key has none. */
export function endingOf(key: string): string {
  return key.length < SHOWN_FROM_LENGTH ? '' : key.slice(-ENDING_LENGTH)
}
