/**
 * The most used passwords of eight characters and more, in small letters, one a line: the first 5,000 of that length in the
 * list of @zxcvbn-ts/language-common 4.1.3, which is ranked by how often they were found in public leaks, and those that are
 * common in India and with stores. That list is © 2021 zxcvbn-ts and its contributors, under the MIT licence: it may be
 * used, copied and changed by anyone who keeps this notice, and comes without warranty.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** Beside this file, and beside the one that the build makes of all of them. Read once, when the store starts. */
const FILE = path.join(path.dirname(fileURLToPath(import.meta.url)), 'common-passwords.txt')

export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(readFileSync(FILE, 'utf8').trim().split('\n'))
