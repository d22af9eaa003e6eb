/** The texts of redeem codes. Only their hashes are kept: 80 bits at random are too many to guess, so none is slow. */
import { hash, randomBytes } from 'node:crypto'

/** Crockford's 32 letters, which no reader takes for each other. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 16
const CODE = new RegExp(`^[${LETTERS}]{${LENGTH}}$`)

/** @returns a new code as people read it: K7QM-2XRD-94HW-TB5N */
export function newCode(): string {
  const letters = [...randomBytes(LENGTH)].map((byte) => LETTERS[byte % LETTERS.length])
  return letters.join('').replaceAll(/.{4}(?=.)/g, '$&-')
}

/** @param code in its normal form (`normaliseRedeemCode`). @returns undefined if no code can look like this */
export const hashOfCode = (code: string): Buffer | undefined =>
  CODE.test(code) ? hash('sha256', code, 'buffer') : undefined
