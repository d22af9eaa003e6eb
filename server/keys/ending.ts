const ENDING_LENGTH = 4
/** Of a shorter key the ending would be too much of it. */
const SHOWN_FROM_LENGTH = 12

/** The last characters of a key, to know it by; none of a short one. */
export function endingOf(key: string): string {
  return key.length < SHOWN_FROM_LENGTH ? '' : key.slice(-ENDING_LENGTH)
}
