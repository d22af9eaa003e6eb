/** What people copy from messengers, phone books and banks. Browser and server clean it alike, before they cut it. */
import { plainDigits } from './digits.ts'

/** Marks that show nothing: messengers put them around a text, and phone books around a number. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu
const DASHES = /[\p{Pd}−]/gu

/** A longer text is cut before it is read. */
const PASTED_LENGTH_MAX = 1_000

const seen = (written: string): string =>
  written.slice(0, PASTED_LENGTH_MAX).normalize('NFKC').replaceAll(UNSEEN, '').replaceAll(DASHES, '-').trim()

/** @returns a one-time code, a token or a code of a link without what cannot be part of it */
export const bareCode = (written: string): string => seen(written).replaceAll(/\s/g, '')

const CODE_IN_LINK = /(?:^|[?&]|%3F|%26)ref(?:=|%3D)([\w-]+)/i
const CODE_IN_WORDS = /(?:\bcode\b|कोड)(?:\s+is)?[\s:=\-"“‘'*]*([\w-]{3,32})/iu

/** @returns a referral code in its normal form: that of a link, of "Code: WELCOME50", or the text itself */
export function normaliseReferralCode(written: string): string {
  const text = seen(written)
  const named = CODE_IN_LINK.exec(text) ?? (/[\s:=]/.test(text) ? CODE_IN_WORDS.exec(text) : null)
  return (named?.[1] ?? text.replaceAll(/[\s"“”‘’'.,;:*`()!]/g, '')).toUpperCase()
}

const AFTER_CODE = /(?:CODE|कोड)(?:\s+IS)?[^\p{L}\p{N}]*([\dA-Z]{4}(?:[\s-]*[\dA-Z]{4}){3})(?![\p{L}\p{N}])/u
const DASHED = /(?:^|[^\p{L}\p{N}])([\dA-Z]{4}(?:-[\dA-Z]{4}){3})(?![\p{L}\p{N}])/u

/**
 * @returns a redeem code as it is kept: that in a link or among other words, or the text itself. In capitals, without
 *   what people write between its letters. O is read as 0, and I and L as 1
 */
export function normaliseRedeemCode(written: string): string {
  const text = seen(written).toUpperCase()
  const code = (AFTER_CODE.exec(text) ?? DASHED.exec(text))?.[1] ?? text
  return code
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
}

const CURRENCY = /^(?:₹|(?:rs\.?|inr|rupees)(?![a-z]))\s*|\s*(?:\/-|₹|rs\.?|inr|rupees|only)$/gi

/** @returns an amount without what people write around it: 1500 for "Rs. 1500", "₹1500" and "Rs 1500/-" */
export const bareAmount = (written: string): string => plainDigits(seen(written)).replaceAll(CURRENCY, '').trim()

/** Brackets, dots and dashes as phone books write them. */
const BETWEEN = /[\s()./\p{Pd}]/gu

/** @returns a phone number as digits, with its "+" */
export const barePhone = (written: string): string =>
  plainDigits(seen(written)).replace(/^tel:/i, '').replaceAll(BETWEEN, '')
