const ENDING_LENGTH = 4
/** Shorter keys show nothing, because the ending would be too much of them. */
const SHOWN_FROM_LENGTH = 12

/** Returns the last characters of a key, to identify it; none of a short one. */
export function endingOf(key: string): string {
  return key.length < SHOWN_FROM_LENGTH ? '' : key.slice(-ENDING_LENGTH)
}
