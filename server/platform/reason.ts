/** Says in one line why something failed, for the person who runs the store. */
import { readDisk } from './disk.ts'

/** Of a full disk: from the system, and from PostgreSQL. */
const DISK_FULL = /\bENOSPC\b|No space left on device|\b53100\b/
/** Why a place can hold no data, by the system's code for it. */
const PLACE_FAULTS: Record<string, string> = {
  ENOTDIR: 'a file is in its way',
  EEXIST: 'a file is in its way',
  EROFS: 'its disk can only be read',
  ENAMETOOLONG: 'that name is too long',
  ELOOP: 'its links lead in a circle',
}
/** What an operator can do about a code of the system or of PostgreSQL. */
const ADVICE: readonly (readonly [string, RegExp, string])[] = [
  ['EADDRINUSE', /./, 'Another program listens there, or the store runs already. Stop it, or set another PORT.'],
  ['42501', /schema/, 'The user in DATABASE_URL may not create tables. Make it the owner: ALTER DATABASE … OWNER TO …'],
]
/** With less, a program whose log is on the same disk can't even say so. */
const BYTES_MIN = 1_000_000

/**
 * @param place where the data is
 * @returns the reason, and never nothing
 */
export async function reasonOf(error: unknown, place: string): Promise<string> {
  const said = wordsOf(error)
  const fault = PLACE_FAULTS[codeOf(error)]
  if (fault !== undefined && said.includes(place))
    return `No data can be in ${place}: ${fault}. Set DATA_DIR to a folder that the store may write to. (${said})`
  const [, , advice] = ADVICE.find(([code, words]) => code === codeOf(error) && words.test(said)) ?? []
  if (advice !== undefined) return `${advice} (${said})`
  return DISK_FULL.test(said) || DISK_FULL.test(codeOf(error)) || (await isFull(place))
    ? `The disk is full at ${place}. Free some room, then run this again. (${said})`
    : said
}

const isFull = (place: string): Promise<boolean> =>
  readDisk(place).then(
    ({ bytes }) => bytes < BYTES_MIN,
    () => false,
  )

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** A name with several addresses fails with an error for each, and without words of its own. */
function wordsOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(wordsOf).join(', ')
  if (error instanceof Error && error.message !== '') return error.message
  return codeOf(error) || String(error)
}
