/**
 * Reads one message that a phone forwards. Pure. A message counts only if its sender is the bank's, its account is
 * one of the phone's, and its whole text is one that the bank writes. The amount, and the reference, are those of the
 * bank's words. Any other message leaves no trace.
 */
import { parseRupees } from '../../../contract/money.ts'
import { normaliseUtr } from '../../../contract/utr.ts'
import { APPS, TEMPLATES } from './alert-templates.ts'
import { BANKS, bankKey } from '../../../contract/banks.ts'
import { dayOf } from '../../../contract/india.ts'
import { oneLine } from '../statements/statement-cells.ts'
import { readDate } from '../statements/statement-values.ts'

export interface AlertMessage {
  text: string
  sender: string
  /** When the phone got it, by its own clock. */
  stampedAt: Date | null
}

export interface AlertAccount {
  id: string
  bank: string
  tail: string
}

/** Money that a message reports. A hint has no reference, and perhaps no account. */
export interface AlertedCredit {
  bank: string
  accountId: string | null
  amountPaise: number
  refs: string[]
  day: string
  at: Date | null
  payerName: string
  payerVpa: string | null
  note: string
}

export type AlertReading =
  | { outcome: 'ignored'; why: string }
  | { outcome: 'refused'; why: 'sender' | 'account' }
  | { outcome: 'unread'; why: string; accountId: string | null; amountPaise: number | null }
  | { outcome: 'credit' | 'hint'; credit: AlertedCredit }

const TEXT_MAX = 2_000
const OTP = /\botps?\b|one[ -]?time|pass ?code|verification code|do not share|\bcvv\b|password/i
const NO_PAYMENT = new RegExp(
  [
    String.raw`\brequest(?:ed|ing|s)?\b|\bwill be (?:debited|credited)|mandate|auto ?pay|\boffers?\b|cash ?back`,
    String.raw`pre-?approved|apply now|declined|\bfailed\b|revers(?:ed|al)|refund`,
  ].join('|'),
  'i',
)
const CAME = /\b(?:credited|received|deposited|credit alert)\b/i
const WENT = /\b(?:debited|withdrawn|spent|sent|paid|deducted|transferred)\b/i
const SUM = /(?:Rs\.?|INR|₹) ?(\d[\d,]*(?:\.\d{1,2})?)/i
const ACCOUNTS =
  /(?:\ba\/?c|\bacct|\baccount)(?: ?(?:no|number)\b\.?)? ?(?:ending(?: in| with)? ?)?[:.]? ?[x*]*(\d{2,6})(?!\d)/gi
const LOOKS_LIKE_REFERENCE = /(?<!\d)\d{12}(?!\d)/
const IMITATES = /credited|debited|\ba\/?c\b|\bref\b|Rs\.|\bINR\b|₹|\d{6}/i
const STAMP_COUNTS_MS = 48 * 3_600_000

export function readAlert(message: AlertMessage, accounts: readonly AlertAccount[], now: Date): AlertReading {
  const text = oneLine(message.text).slice(0, TEXT_MAX)
  if (OTP.test(text) || NO_PAYMENT.test(text)) return { outcome: 'ignored', why: 'not an alert' }
  const tails = Array.from(text.matchAll(ACCOUNTS), ([, tail = '']) => tail)
  const named = accounts.filter(({ tail }) => tails.some((printed) => isSameTail(printed, tail)))
  if (isDebit(text, tails, accounts)) return { outcome: 'ignored', why: 'debit' }
  const reference = LOOKS_LIKE_REFERENCE.test(text)
  if (!SUM.test(text) || !(CAME.test(text) || (reference && tails.length > 0)))
    return { outcome: 'ignored', why: 'not an alert' }
  const bank = bankOf(message.sender)
  if (bank === undefined) return { outcome: 'refused', why: 'sender' }
  if (tails.length > 0 && named.length === 0) return { outcome: 'refused', why: 'account' }
  if (tails.length > 1 && isOwnTransfer(tails, accounts)) return { outcome: 'ignored', why: 'between own accounts' }
  for (const { form } of TEMPLATES.filter((template) => template.bank === bank)) {
    const found = form.exec(text)?.groups
    if (found) return creditOf(found, { bank, message, accounts, now })
  }
  const [only] = named
  const amountPaise = parseRupees(SUM.exec(text)?.[1] ?? '') ?? null
  return { outcome: 'unread', why: 'no template', accountId: named.length === 1 && only ? only.id : null, amountPaise }
}

/** Banks print two to six digits, and the store may know more or fewer. */
export const isSameTail = (one: string, other: string): boolean => one.endsWith(other) || other.endsWith(one)

/** The sender's bank; undefined for people's numbers, for advertisers ("-P"), and for names that are not exact. */
export function bankOf(sender: string): string | undefined {
  const app = sender.trim()
  if (Object.hasOwn(APPS, app)) return APPS[app]
  const name = /^(?:[A-Z]{2}-)?([A-Z]{6})(?:-[STG])?$/.exec(sender.trim().toUpperCase())?.[1] ?? ''
  return BANKS.find(({ senders }) => senders.includes(name))?.key
}

/** "A/c … debited …; SHOP credited" is a debit: the verb of the clause with our account counts. */
function isDebit(text: string, tails: readonly string[], accounts: readonly AlertAccount[]): boolean {
  if (!WENT.test(text)) return false
  const clauses = text.split(/;|\b[Aa]nd\b|\. (?=[A-Z][a-z])/)
  const isOurs = (clause: string) =>
    Array.from(clause.matchAll(ACCOUNTS)).some(([, tail = '']) => accounts.some((own) => isSameTail(tail, own.tail)))
  const isAny = (clause: string) => Array.from(clause.matchAll(ACCOUNTS)).length > 0
  const clause = clauses.find(isOurs) ?? clauses.find(isAny) ?? (tails.length > 0 ? text : '')
  if (clause === '') return !CAME.test(text)
  const went = clause.search(WENT)
  const came = clause.search(CAME)
  return went >= 0 && (came < 0 || went < came)
}

/** A text that names two accounts of the store moves money between them. */
function isOwnTransfer(tails: readonly string[], accounts: readonly AlertAccount[]): boolean {
  const named = new Set(tails.flatMap((printed) => accounts.find(({ tail }) => isSameTail(printed, tail))?.id ?? []))
  return named.size > 1
}

interface Circumstances {
  bank: string
  message: AlertMessage
  accounts: readonly AlertAccount[]
  now: Date
}

function creditOf(found: Record<string, string>, { bank, message, accounts, now }: Circumstances): AlertReading {
  const { amount = '', tail, ref, when, name = '', vpa, note = '' } = found
  const amountPaise = parseRupees(amount)
  const account = tail === undefined ? undefined : accountOf(tail, bank, accounts)
  const unread = (why: string): AlertReading => ({
    outcome: 'unread',
    why,
    accountId: account?.id ?? null,
    amountPaise: amountPaise ?? null,
  })
  if (tail !== undefined && !account) return { outcome: 'refused', why: 'account' }
  if (amountPaise === undefined || amountPaise <= 0) return unread('amount')
  if ([name, note].some((text) => IMITATES.test(text))) return unread('note')
  const reference = ref === undefined ? undefined : normaliseUtr(ref)
  if (reference !== undefined && /^0+$/.test(reference)) return unread('reference')
  const moment = momentOf(when, message.stampedAt, now)
  if (!moment) return unread('date')
  return {
    outcome: reference === undefined ? 'hint' : 'credit',
    credit: {
      bank,
      accountId: account?.id ?? null,
      amountPaise,
      refs: reference === undefined ? [] : [reference],
      ...moment,
      payerName: name.trim(),
      payerVpa: vpa !== undefined && /^[\w.-]+@[a-z][\w.]*$/i.test(vpa) ? vpa.toLowerCase() : null,
      note: note.trim(),
    },
  }
}

/** The one account of this bank with this tail; a tail of two digits that fits two is of neither. */
function accountOf(tail: string, bank: string, accounts: readonly AlertAccount[]): AlertAccount | undefined {
  const [only, second] = accounts.filter((account) => isSameTail(tail, account.tail) && bankKey(account.bank) === bank)
  return second ? undefined : only
}

/** The message's own time, else the phone's when its clock is right, else the server's. Undefined for a day to come. */
function momentOf(
  when: string | undefined,
  stampedAt: Date | null,
  now: Date,
): { day: string; at: Date | null } | undefined {
  const isRight = stampedAt !== null && Math.abs(stampedAt.getTime() - now.getTime()) < STAMP_COUNTS_MS
  const clock = isRight ? stampedAt : now
  if (when === undefined) return { day: dayOf(clock), at: clock }
  const written = readDate(when.replace(' at ', ' '))
  if (written === undefined || written === 'impossible') return undefined
  if (written.day > dayOf(now)) return undefined
  return { day: written.day, at: written.at ?? (written.day === dayOf(clock) ? clock : null) }
}
