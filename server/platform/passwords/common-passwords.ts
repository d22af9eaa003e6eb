/**
 * Loads the most used passwords of eight characters and more, in lower case, one per line. They are the first 5,000 of
 * that length in the list of @zxcvbn-ts/language-common 4.1.3, ranked by their number in public leaks, and those common
 * in India and with stores. That list is © 2021 zxcvbn-ts and its contributors, under the MIT licence: it may be used,
 * copied and changed by anyone who keeps this notice, and comes without warranty.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** Next to this file, and next to the bundle that the build makes. Read once, when the store starts. */
const FILE = path.join(path.dirname(fileURLToPath(import.meta.url)), 'common-passwords.txt')

export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(readFileSync(FILE, 'utf8').trim().split('\n'))
