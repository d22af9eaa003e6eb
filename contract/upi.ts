/** UPI deep links (NPCI linking specification 1.6) for payments to an owner's VPA. */
import * as z from 'zod/mini'
import { DEFAULT_WEBSITE_NAME, UPI_NOTE } from './limits.ts'

const VPA = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9])?@[A-Za-z][A-Za-z0-9]{1,63}$/

export const UPI_ID_LENGTH_MAX = 255

/** True if a text is a UPI address. An e-mail, with a dot after the @, is not. */
export function isVpa(text: string): boolean {
  return text.length <= UPI_ID_LENGTH_MAX && VPA.test(text)
}

/** A UPI address to save. Empty switches the QR and the link off. */
export const UpiId = z.string({ error: 'Enter a UPI ID like name@bank' }).check(
  z.trim(),
  z.refine((text) => text === '' || isVpa(text), { error: 'Enter a UPI ID like name@bank' }),
)

export const PAYEE_LENGTH_MAX = 50
/** What banks write in names, with a letter. Phones type a curly apostrophe, and scripts of India need joiners. */
export const PAYEE = /^(?:(?=.*\p{L})[\p{L}\p{M}\p{N}\p{Join_Control} .,'’&/()_-]*)?$/u

/** UPI apps tell no capital letters apart. */
export const isSameUpi = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** The UPI ID that a buyer saw, and its name then, if it was known. */
export const PaidTo = z.object({ upiId: z.string(), name: z.optional(z.string()) })
export type PaidTo = z.output<typeof PaidTo>

/**
 * Returns the link that a payer app opens. The QR holds the same text.
 * @param amount decimal rupees with two places, "499.00"
 * @param code a short request code after the note, so that the owner can tell payments apart
 */
export function upiLink(vpa: string, payee: string, amount: string, code?: string): string {
  // Keeps marks, because a name in Devanagari loses its vowels without them
  const plain = payee.replaceAll(/['’\p{Join_Control}]/gu, '').replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
  const name = shorten(plain) || DEFAULT_WEBSITE_NAME
  const note = shorten(code ? `${UPI_NOTE} ${code}` : UPI_NOTE)
  // encodeURIComponent, not URLSearchParams, because payer apps read "+" literally and want a plain @
  const address = encodeURIComponent(vpa).replace('%40', '@')
  return `upi://pay?pa=${address}&pn=${encodeURIComponent(name)}&am=${amount}&cu=INR&tn=${encodeURIComponent(note)}`
}

/** Cuts to 50 characters, never through one, because a lone surrogate cannot be encoded. */
function shorten(text: string): string {
  return Array.from(text.trim()).slice(0, 50).join('').trim()
}
