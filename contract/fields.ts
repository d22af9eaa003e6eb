/** Field schemas that several features share. */
import * as z from 'zod/mini'
import {
  EMAIL_LENGTH_MAX,
  PAGE_SIZE_MAX,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  PHONE_DIGITS,
  TERMS_VERSION,
  TERMS_VERSIONS,
  USERNAME_LENGTH_MAX,
  USERNAME_LENGTH_MIN,
} from './limits.ts'
import { namesInOthers, type InOthers } from './owner-texts.ts'
import { barePhone } from './pasted.ts'
import { hostIn } from './links-in.ts'

/** Any UUID, of any version. It is put into small letters, because ids are compared as text too. */
export const Id = z.guid({ error: 'This is not a valid id' }).check(z.toLowerCase())

/** ISO-8601 in UTC, with milliseconds: a row's `Date` becomes this text. */
export const Moment = z
  .codec(z.date(), z.string(), { decode: (at) => at.toISOString(), encode: (text) => new Date(text) })
  .check(z.describe('ISO-8601, UTC'))

/** A calendar day in India, as YYYY-MM-DD. */
export const Day = z.string().check(z.refine(isDay, { error: 'Enter a date like 2026-11-20' }))

function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`)
  // Compares with the text, because Date reads the 31st of February as the 3rd of March
  return /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

/** Control characters forge log lines and hide text, so no field takes them. Line breaks pass where asked for. */
const CONTROL = /[\p{Cc}\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u
const CONTROL_BUT_BREAKS = /(?![\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069\ufeff]/u

/** Characters that show nothing: soft hyphens, joiners, fillers, selectors. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u

/**
 * Text in NFC. A letter takes at most 30 marks, as UAX #15, 13 says, because normalising takes time with their
 * square (100 kB of marks held the whole store for ten seconds).
 */
const unicode = (label: string) => [
  z.refine<string>((text) => !/\p{M}{31}/u.test(text), {
    error: `${label} has characters that aren’t allowed`,
    abort: true,
  }),
  z.normalize('NFC'),
]

/**
 * Allows the joiners U+200C and U+200D only where a script needs them. One place is next to the sign that removes a
 * consonant's vowel, inside a word (RFC 5892, appendix A.1 and A.2; Bengali also puts one before the sign, and half
 * letters of Malayalam can end a word). The other is between the pictures of one emoji (UTS #51, 1.4.6). Elsewhere
 * they show nothing, and two names would look alike.
 */
const VOWEL_KILLER = '[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]'
const INDIC_LETTER = '(?=[\u0900-\u0dff])\\p{L}'
const PICTURE = '\\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?'
const JOINED = new RegExp(
  [
    `${VOWEL_KILLER}[\u200c\u200d](?=${INDIC_LETTER})`,
    `${INDIC_LETTER}\u200d(?=${VOWEL_KILLER})`,
    '[കണനരലള]\u0d4d\u200d',
    `${PICTURE}(?:\u200d${PICTURE})+`,
  ].join('|'),
  'gu',
)

/** One line of text: trimmed, in NFC, `least` to `most` characters. */
export function line(label: string, least: number, most: number) {
  return oneLine(label, least, most, (text) => CONTROL.test(text.replaceAll(JOINED, '')))
}

/** Like `line`, without invisible characters, because it is compared letter by letter. */
export function exactLine(label: string, least: number, most: number) {
  return oneLine(label, least, most, (text) => CONTROL.test(text) || INVISIBLE.test(text))
}

function oneLine(label: string, least: number, most: number, isRefused: (text: string) => boolean) {
  const message =
    least === 0 ? `${label} can have up to ${most} characters` : `${label} must be ${least} to ${most} characters`
  return z.string({ error: `${label} is required` }).check(
    ...unicode(label),
    z.trim(),
    z.minLength(least, { error: least === 1 ? `${label} is required` : message }),
    z.maxLength(most, { error: message }),
    z.refine((text) => !isRefused(text), { error: `${label} has characters that aren’t allowed` }),
  )
}

/** Text of several lines: trimmed, in NFC, at most `most` characters. */
export function paragraphs(label: string, most: number) {
  return z.string({ error: `${label} is required` }).check(
    ...unicode(label),
    z.trim(),
    z.maxLength(most, { error: `${label} can have up to ${most} characters` }),
    z.refine((text) => !CONTROL_BUT_BREAKS.test(text), { error: `${label} has characters that aren’t allowed` }),
  )
}

/** A link that a browser opens over TLS, or nothing: at most `most` characters. */
export function httpsLink(most: number) {
  const error = 'Enter a link that starts with https://'
  return z.string({ error }).check(
    z.trim(),
    z.maxLength(most, { error: `A link can have up to ${most} characters` }),
    z.refine((text) => text === '' || (/^https:\/\/[^\s<>"']+$/.test(text) && hostIn(text) !== undefined), { error }),
    z.refine((text) => !CONTROL.test(text) && !INVISIBLE.test(text), {
      error: 'The link has characters that aren’t allowed',
    }),
  )
}

/** A whole number, or a numeric string ("5"). Anything else is refused, never rounded. */
export function wholeNumber(least: number, most: number, message: string) {
  return z.codec(
    z.union([z.number(), z.string()], { error: message }).check(z.describe(`Whole number, ${least} to ${most}`)),
    z.number(),
    {
      decode(written, ctx) {
        const value =
          typeof written === 'number' ? written : /^-?\d{1,15}$/.test(written.trim()) ? Number(written) : Number.NaN
        if (Number.isInteger(value) && value >= least && value <= most) return value
        ctx.issues.push({ code: 'custom', message, input: written })
        return least
      },
      encode: (value) => value,
    },
  )
}

/** An on/off value; takes "true" and "false" too. */
export const Flag = z.codec(
  z.union([z.boolean(), z.enum(['true', 'false'])], { error: 'Choose on or off' }),
  z.boolean(),
  { decode: (value) => value === true || value === 'true', encode: (value) => value },
)

/**
 * True if readers can tell a name from every other one. It has no second way to write a plain character (full-width
 * letters). It mixes Latin letters with no other script and no loose marks (UTS 39, 5). Names that look alike in
 * one script (l, I) are refused in server/sessions/register.ts.
 */
function isPlain(name: string): boolean {
  // Long names are refused already, and letters that unfold into marks take time with their square
  if (name.length > USERNAME_LENGTH_MAX) return true
  if (name.normalize('NFKC') !== name) return false
  return !/\p{Script=Latin}/u.test(name) || !/(?!\p{Script=Latin})\p{L}|\p{M}/u.test(name)
}

export const Username = exactLine('Username', USERNAME_LENGTH_MIN, USERNAME_LENGTH_MAX).check(
  z.refine((name) => !/[\s@]/.test(name), { error: 'Username can’t have spaces or @' }),
  z.refine(isPlain, { error: 'Username has characters that aren’t allowed' }),
)

/** RFC 5322's dot-atom, with letters of any script (RFC 6531): no quotes, no comments, no angle brackets. */
const ATOM = String.raw`[\p{L}\p{M}\p{N}!#$%&'*+/=?^_\x60{|}~-]+`
const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}_-]*[\p{L}\p{M}\p{N}])?`
const ADDRESS = new RegExp(String.raw`^${ATOM}(?:\.${ATOM})*@${LABEL}(?:\.${LABEL})+$`, 'u')

/** An address that mail programs read as one address, and as no other. */
export const Email = exactLine('Email', 1, EMAIL_LENGTH_MAX).check(
  z.refine((email) => ADDRESS.test(email), { error: 'Enter a valid email address' }),
)

/** An address of an account, which may be from before a new one had to be so plain. */
export const KnownEmail = exactLine('Email', 1, EMAIL_LENGTH_MAX).check(
  z.refine((email) => /^[^\s@]+@[^\s@]+$/.test(email), { error: 'Enter a valid email address' }),
)

/** A new password: never trimmed, never shortened. The server refuses the common ones. */
export const newPassword = (lengthMin: number) =>
  z
    .string({ error: 'Password is required' })
    .check(
      z.minLength(lengthMin, { error: `Password must have at least ${lengthMin} characters` }),
      z.maxLength(PASSWORD_LENGTH_MAX, { error: `Password can have up to ${PASSWORD_LENGTH_MAX} characters` }),
    )
export const NewPassword = newPassword(PASSWORD_LENGTH_MIN)

/** A password typed to log in: any text that can be compared. */
export const Password = z
  .string({ error: 'Password is required' })
  .check(
    z.minLength(1, { error: 'Password is required' }),
    z.maxLength(1_024, { error: 'Incorrect username or password.' }),
  )

/** A name typed to log in: a username or an e-mail. */
export const LoginName = z
  .string({ error: 'Username is required' })
  .check(
    ...unicode('Username'),
    z.trim(),
    z.minLength(1, { error: 'Username is required' }),
    z.maxLength(EMAIL_LENGTH_MAX, { error: 'Incorrect username or password.' }),
  )

/**
 * An Indian mobile number. Drops "+91", a leading 0 and what phone books write between, and reads digits of any
 * script as 0 to 9. Ten digits stay (specification, section 5).
 */
export const Phone = z.pipe(
  z.union([z.string(), z.number()], { error: 'Enter a 10-digit phone number' }),
  z.transform((written, ctx): string => {
    const digits = normalisePhone(String(written))
    if (digits !== undefined) return digits
    ctx.issues.push({ code: 'custom', message: 'Enter a 10-digit phone number', input: written })
    return ''
  }),
)

export function normalisePhone(written: string): string | undefined {
  const bare = barePhone(written).replace(/^(?:\+|00)91(?=\d{10}$)|^91(?=\d{10}$)|^0(?=\d{10}$)/, '')
  return new RegExp(`^\\d{${PHONE_DIGITS}}$`).test(bare) ? bare : undefined
}

const SKIP_MAX = 10_000_000

/** The largest number of rows wanted. A number above `most` is cut to it. */
export function limitUpTo(most: number) {
  return z.pipe(
    wholeNumber(1, 1_000_000_000, 'limit must be a whole number above 0'),
    z.transform((limit) => Math.min(limit, most)),
  )
}

/** Paging by position, as in the specification's lists. A larger `limit` is cut to the largest page. */
export const Paging = {
  limit: z.optional(limitUpTo(PAGE_SIZE_MAX)),
  skip: z.optional(wholeNumber(0, SKIP_MAX, 'skip must be a whole number from 0')),
  search: z.optional(
    z
      .string()
      .check(
        ...unicode('The search'),
        z.trim(),
        z.maxLength(200, { error: 'Search text can have up to 200 characters' }),
      ),
  ),
}

/** The length of a list. For a search with very many matches it is an estimate. */
export const Total = {
  total: z.number(),
  totalIsEstimate: z.optional(z.boolean().check(z.describe('True above 1,000 matches, where `total` is an estimate'))),
}

/**
 * Fields for the owner's texts in other languages: `{ nameHi }` for `{ name }`. In a form, an absent one stays, and an
 * empty one goes.
 */
export function inOtherLanguages<Shape extends Record<string, z.ZodMiniType<string, string>>>(shape: Shape) {
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, schema]) => namesInOthers(name).map((each) => [each, z.optional(schema)])),
  ) as { [Name in InOthers<keyof Shape & string>]: z.ZodMiniOptional<z.ZodMiniType<string, string>> }
}

/** Texts of other languages in an answer. */
export function saidInOthers<Name extends string>(...names: Name[]) {
  const text = z.string().check(z.describe('In this language; absent where it stays in English'))
  return inOtherLanguages(Object.fromEntries(names.map((name) => [name, text])) as Record<Name, typeof text>)
}

/** Texts of other languages that are outdated, in an answer for admins. */
export const outdatedInOthers = <Name extends string>(...names: Name[]) =>
  z
    .optional(z.object(saidInOthers(...names)))
    .check(z.describe('Texts in other languages whose English text has changed since. Buyers get the English one.'))

/** The terms that a form showed; today's when a client doesn't say. */
export const TermsVersion = z._default(
  z.optional(z.enum(TERMS_VERSIONS, { error: 'Our terms have changed. Reload the page to read and accept them.' })),
  TERMS_VERSION,
)

export const Nothing = z.object({})
export const Message = z.object({ message: z.string() })

/** The parts of a call that does something to one thing, and answers that it is done. */
export const aboutOne = { input: z.object({ id: Id }), output: Message, refusals: ['NOT_FOUND'] } as const
