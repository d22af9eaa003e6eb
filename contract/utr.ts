/**
 * UTRs: the reference that a bank gives to one transfer. The same transfer can be typed in many
 * disguises, so it is compared in one normal form. Forms by rail: UPI and IMPS 12 digits (RRN);
 * NEFT "N" and 15 digits, or a bank code and digits; RTGS 22 characters.
 */
import * as z from 'zod/mini'

/** The forms that Indian banks write; six digits at the least, or a sentence without its spaces would do. */
const USUAL = [/^\d{12}$/, /^(?=(?:[A-Z]*\d){6})[A-Z]{4}[A-Z0-9]{12,18}$/, /^N\d{15}$/]

/** Words that are copied along with the number, and may stand together: "UPI Ref No". */
const WORD = '(?:UPI|UTR|RRN|REFERENCE|REF|TRANSACTION|TXN|IMPS|NEFT|RTGS)'
const LABEL = new RegExp(`^(?:${WORD}(?:NUMBER|NO|ID)?)+`)
/** An "ID" behind them may be a bank's own letters: "UTR IDIB…" of Indian Bank, "NEFT IDFB…" of IDFC First. */
const LABEL_BEFORE_ID = new RegExp(`^(?:${WORD}(?:NUMBER|NO|ID)?)*?${WORD}(?=ID)`)

/** What is written beyond this is no reference, and is not looked at. */
const WRITTEN_LENGTH_MAX = 100

/**
 * The normal form, always text: a leading zero belongs to it, except the four that some banks put before an
 * RRN. Only letters and digits count, digits of any script as their value, so that a mark, a dash or an
 * invisible character makes no other number of it.
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

/** Whether a UTR in its normal form is none of the known ones. An admin looks at such a claim more closely. */
export const isUnusualUtr = (utr: string): boolean => !isUsual(utr)

/** The text with the digits of every script as 0 to 9: Indian keyboards give those of their script. */
export function plainDigits(written: string): string {
  return written.replaceAll(/(?!\d)\p{Nd}/gu, digitValue)
}

/** The digits of a script stand in rows from zero to nine, and before the first zero there is none. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let before = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before++
  return String(before % 10)
}

const NO_UTR = 'This isn’t a valid UTR. Copy the 12-digit number from your UPI app.'

/** What any bank's reference could be. */
const POSSIBLE = /^(?=.*\d)[A-Z0-9]{8,35}$/

/**
 * What is wrong with a UTR, in words that say where the right number stands; undefined when it can be one. A buyer whose
 * bank has a form of its own has paid all the same: only what is surely no reference is refused.
 */
export function utrFault(written: string): string | undefined {
  if (written.length > WRITTEN_LENGTH_MAX) return NO_UTR
  if (written.trim() === '') return 'UTR is required'
  const utr = normaliseUtr(written)
  if (utr.startsWith('CIC')) return 'That’s Google Pay’s own ID. Copy the 12-digit “UPI transaction ID” instead.'
  if (/^T\d{20,}$/.test(utr)) return 'That’s PhonePe’s own ID. Copy the 12-digit “UTR” instead.'
  if (/^[\w.-]+@[A-Za-z]\w+$/.test(written.trim())) return 'That’s a UPI ID. Copy the payment’s 12-digit UTR instead.'
  if (/^[6-9]\d{9}$/.test(utr)) return 'That looks like a phone number. A UTR has 12 digits.'
  if (POSSIBLE.test(utr)) return undefined
  return /^\d+$/.test(utr) ? digitsText(utr) : NO_UTR
}

/** What to say of a UTR in its normal form that is taken, and likely mistyped; undefined for the known forms. */
export function utrDoubt(utr: string): string | undefined {
  if (isUsual(utr)) return undefined
  return /^\d+$/.test(utr) ? `${digitsText(utr)} Please check.` : 'This isn’t a usual UTR. Please check.'
}

const digitsText = (utr: string): string => `A UTR has 12 digits. This one has ${utr.length}.`

export const Utr = z.pipe(
  z
    .union([z.string(), z.number()], { error: 'UTR is required' })
    .check(z.describe('12 digits for UPI, or a NEFT or RTGS form; other 8 to 35 letters and digits are taken too')),
  z.transform((written, ctx): string => {
    const fault = utrFault(String(written))
    if (fault === undefined) return normaliseUtr(String(written))
    ctx.issues.push({ code: 'custom', message: fault, input: written })
    return ''
  }),
)
