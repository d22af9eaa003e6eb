/**
 * UTRs: a bank's number for one transfer. People type the same one in many ways, so it is compared in one normal
 * form. Forms by rail: UPI and IMPS 12 digits (RRN); NEFT "N" and 15 digits, or a bank code and digits; RTGS 22
 * characters.
 */
import * as z from 'zod/mini'
import { plainDigits } from './digits.ts'

/** The forms that Indian banks write. They have at least six digits, or a sentence without spaces would match. */
const USUAL = [/^\d{12}$/, /^(?!X{2})(?=(?:[A-Z]*\d){6})[A-Z]{4}[A-Z0-9]{11,18}$/, /^N\d{15}$/]

/** Words that are copied along with the number, also in a row: "UPI Ref No". */
const WORD = '(?:UPI|UTR|RRN|REFERENCE|REF|TRANSACTION|TXN|IMPS|NEFT|RTGS)'
const LABEL = new RegExp(`^(?:${WORD}(?:NUMBER|NO|ID)?)+`)
/**
 * Keeps an "ID" after them that may be a bank's own letters: "UTR IDIB…" of Indian Bank, "NEFT IDFB…" of IDFC
 * First.
 */
const LABEL_BEFORE_ID = new RegExp(`^(?:${WORD}(?:NUMBER|NO|ID)?)*?${WORD}(?=ID)`)

/** A longer text is refused unread. */
const WRITTEN_LENGTH_MAX = 100

/**
 * Returns the normal form, always text. A leading zero belongs to it, except the four that some banks put before an
 * RRN. Only letters and digits count, and digits of any script count as their value. So marks, dashes and invisible
 * characters make no other number of it.
 */
export function normaliseUtr(written: string): string {
  const bare = plainDigits(written)
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
  const utr = withoutZeros(bare.replace(LABEL, ''))
  const withId = bare.replace(LABEL_BEFORE_ID, '')
  return !isUsual(utr) && isUsual(withId) ? withId : utr
}

const withoutZeros = (bare: string): string => (/^0000\d{12}$/.test(bare) ? bare.slice(4) : bare)
const isUsual = (utr: string): boolean => USUAL.some((form) => form.test(utr))

/** True if a normal form isn't one of the known ones. Admins look at such a UTR more closely. */
export const isUnusualUtr = (utr: string): boolean => !isUsual(utr)

const NO_UTR = 'This isn’t a valid UTR. Copy the 12-digit number from your UPI app.'

/** The form that any bank's reference could have. */
const POSSIBLE = /^(?=.*\d)[A-Z0-9]{8,35}$/

/** An account or a telephone, as banks print it: XXXXXXXX00347582, **2222, 9XXXXXX499. */
const MASK = /^\W*(?:(?:a\/?c(?:ct)?|account)\W*(?:no\W*)?)?\d{0,6}(?:[X*•]{2,}|\*)[X*•\d -]*$/iu
/** A balance or a sum. */
const AMOUNT = /^\s*(?:Rs\.?|INR|₹)?\s*\d[\d,]*\.\d{1,2}\s*$/i

/**
 * Returns the fault of a UTR, in words that say where to find the right number; undefined if it can be one. Only a
 * text that is surely no reference is refused, because a buyer whose bank has its own form has still paid.
 */
export function utrFault(written: string): string | undefined {
  if (written.length > WRITTEN_LENGTH_MAX) return NO_UTR
  if (written.trim() === '') return 'UTR is required'
  const utr = normaliseUtr(written)
  if (utr.startsWith('CIC')) return 'That’s Google Pay’s own ID. Copy the 12-digit “UPI transaction ID” instead.'
  if (/^T\d{20,}$/.test(utr)) return 'That’s PhonePe’s own ID. Copy the 12-digit “UTR” instead.'
  if (/^[\w.-]+@[A-Za-z]\w+$/.test(written.trim())) return 'That’s a UPI ID. Copy the payment’s 12-digit UTR instead.'
  if (/^[6-9]\d{9}$/.test(utr) || (/^\s*\+/.test(written) && /^91[6-9]\d{9}$/.test(utr)))
    return 'That looks like a phone number. A UTR has 12 digits.'
  if (MASK.test(written)) return 'That’s an account number. Copy the payment’s 12-digit UTR instead.'
  if (POSSIBLE.test(utr) && !AMOUNT.test(written)) return undefined
  return /^\d+$/.test(utr) ? digitsText(utr) : NO_UTR
}

/** Returns a hint about a UTR in its normal form that is taken and likely mistyped; undefined for the known forms. */
export function utrWarning(utr: string): string | undefined {
  if (isUsual(utr)) return undefined
  return /^\d+$/.test(utr) ? `${digitsText(utr)} Please check.` : 'This isn’t a usual UTR. Please check.'
}

/** A longer text is cut before it is searched. */
const MESSAGE_LENGTH_MAX = 1_000
/** "+91…" is a phone number. A label may stand right before the number: "Refno4123…". */
const ALONE = /(?:^|[^\p{L}\p{N}+*])(\d{12}|[A-Z]{4}[A-Z0-9]{11,18}|N\d{15})(?![\p{L}\p{N}*])/giu
const GLUED_LABEL = /(ref|no|id|utr|rrn|txn)(?=\d{12}(?!\d))/gi

/** @returns the references in a copied message, each once, in their normal form */
export function referencesIn(message: string): string[] {
  const text = plainDigits(message.slice(0, MESSAGE_LENGTH_MAX)).normalize('NFKC').replaceAll(GLUED_LABEL, '$1 ')
  const found = [...text.matchAll(ALONE)].map(([, written = '']) => normaliseUtr(written)).filter(isUsual)
  return [...new Set(found)]
}

/** @returns the reference in what was written, if a text around it holds only this one; else the text itself */
export function pickUtr(written: string): string {
  if (isUsual(normaliseUtr(written))) return written
  const [only, ...others] = referencesIn(written)
  return only !== undefined && others.length === 0 ? only : written
}

const digitsText = (utr: string): string => `A UTR has 12 digits. This one has ${utr.length}.`

export const Utr = z.pipe(
  z
    .union([z.string(), z.number()], { error: 'UTR is required' })
    .check(z.describe('12 digits for UPI, or a NEFT or RTGS form; other 8 to 35 letters and digits are taken too')),
  z.transform((written, ctx): string => {
    const picked = pickUtr(String(written))
    const fault = referencesIn(picked).length > 1 ? NO_UTR : utrFault(picked)
    if (fault === undefined) return normaliseUtr(picked)
    ctx.issues.push({ code: 'custom', message: fault, input: written })
    return ''
  }),
)
