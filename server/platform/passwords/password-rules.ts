/** Refuses passwords that others can guess. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Refusal } from '../../../contract/errors.ts'

/** Next to this file, and next to the bundle that the build makes. Read once, when the store starts. */
const FILE = path.join(path.dirname(fileURLToPath(import.meta.url)), 'common-passwords.txt')

/**
 * The most used passwords of eight characters and more, in lower case, one per line. They are the first 5,000 of
 * that length in the list of @zxcvbn-ts/language-common 4.1.3, ranked by their number in public leaks, and those common
 * in India and with stores. That list is © 2021 zxcvbn-ts and its contributors, under the MIT licence: it may be used,
 * copied and changed by anyone who keeps this notice, and comes without warranty.
 */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(readFileSync(FILE, 'utf8').trim().split('\n'))

/** Shorter names are in many good passwords by chance. */
const OWN_NAME_LENGTH_MIN = 5

/**
 * Refuses a password that others guess first: a very common one, or the name of its user or of the store,
 * also with digits and signs around it.
 * @throws Refusal INVALID_INPUT, with the reason for the field
 */
export function refuseGuessable(
  password: string,
  { field, names }: { field: 'password' | 'newPassword'; names: readonly string[] },
): void {
  const written = password.toLowerCase()
  const message = COMMON_PASSWORDS.has(written)
    ? 'This password is too common. Choose a different one.'
    : names.some((name) => isMadeOf(written, name.toLowerCase()))
      ? 'Don’t use your name or the store’s name in your password. Choose a different one.'
      : undefined
  if (message !== undefined) throw new Refusal('INVALID_INPUT', { message, fields: { [field]: message } })
}

function isMadeOf(password: string, name: string): boolean {
  if (password === name) return true
  const bare = lettersOf(name)
  return bare.length >= OWN_NAME_LENGTH_MIN && lettersOf(password) === bare
}

/** Drops the digits and signs at both ends: "1chaabi@123" → "chaabi". */
function lettersOf(text: string): string {
  return text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
}
