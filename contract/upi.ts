/** UPI deep links (NPCI linking specification 1.6) for payments to a seller's own VPA. */
import * as z from 'zod/mini'
import { DEFAULT_WEBSITE_NAME, UPI_NOTE } from './limits.ts'

const VPA = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9])?@[A-Za-z][A-Za-z0-9]{1,63}$/

/** Whether a text is a UPI address. An e-mail, with a dot after the @, is not. */
export function isVpa(text: string): boolean {
  return text.length <= 255 && VPA.test(text)
}

/** A UPI address to be saved; empty switches the QR and the link off. */
export const UpiId = z.string({ error: 'Enter a UPI ID like name@bank' }).check(
  z.trim(),
  z.refine((text) => text === '' || isVpa(text), { error: 'Enter a UPI ID like name@bank' }),
)

/**
 * The link that a payer app opens and that the QR holds, letter for letter.
 * @param amount decimal rupees with two places, "499.00"
 * @param code a short request code behind the note, so that the seller can tell payments apart
 */
export function upiLink(vpa: string, payee: string, amount: string, code?: string): string {
  // Marks belong to letters: without them a name in Devanagari loses its vowels
  const name = shorten(payee.replaceAll(/[^\p{L}\p{M}\p{N} ]/gu, '')) || DEFAULT_WEBSITE_NAME
  const note = shorten(code ? `${UPI_NOTE} ${code}` : UPI_NOTE)
  // encodeURIComponent and not URLSearchParams: payer apps read "+" literally and want the @ of the address as it is
  const address = encodeURIComponent(vpa).replace('%40', '@')
  return `upi://pay?pa=${address}&pn=${encodeURIComponent(name)}&am=${amount}&cu=INR&tn=${encodeURIComponent(note)}`
}

/** At most 50 characters, never half of one: a lone surrogate cannot be encoded. */
function shorten(text: string): string {
  return Array.from(text.trim()).slice(0, 50).join('').trim()
}
