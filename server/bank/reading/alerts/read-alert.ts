/**
 * Reads one message that a phone forwards. Pure. It counts as an alert only if its sender is the bank's, its account
 * is one of the phone's, and its whole text is one that the bank writes. A text that only has the parts of an alert is
 * proposed to a person. Any other message leaves no trace.
 */
import { parseRupees } from '../../../../contract/money.ts'
import { formOf } from './form-of.ts'
import { APPS, WORDINGS } from './wordings.ts'
import { BANKS, bankKey } from '../../../../contract/banks.ts'
import { dayOf } from '../../../../contract/india.ts'
import { HOUR_MS } from '../../../../contract/time.ts'
import {
  CAME,
  isCode,
  isDebit,
  isOwnTransfer,
  isSameTail,
  isToAnother,
  printedAccount,
  readDebit,
  readParts,
  sumIn,
  withoutVpas,
  type AlertAccount,
} from './read-parts.ts'
import { anyOf, isIncome, isPayout, saysItCameBack } from '../no-payment.ts'
import { upiNumber, wireForm } from '../reference-forms.ts'
import type { LeftMoney, Transfer } from '../references.ts'
import { oneLine } from '../cells.ts'
import { readDate } from '../values.ts'
import PHRASES from '../phrases.json' with { type: 'json' }

export interface AlertMessage {
  text: string
  sender: string
  /** When the phone got it, by its own clock. */
  stampedAt: Date | null
}

/** A sender that an admin added, as a message of it is read. */
export interface AddedSender {
  id: string
  header: string
  accountId: string
  isProven: boolean
}

/** Money that a message reports. A hint has no reference, and perhaps no account. */
export interface AlertedCredit extends Omit<Transfer, 'kind'> {
  bank: string
  accountId: string | null
  amountPaise: number
  day: string
  at: Date | null
}

export type AlertReading =
  /** `left` if money left an account of the phone. */
  | { outcome: 'ignored'; why: string; left?: LeftMoney | undefined }
  /** `accountId` where an unknown sender names an account of the phone. */
  | { outcome: 'refused'; why: 'sender' | 'account'; accountId?: string | undefined }
  | { outcome: 'unread'; why: string; accountId: string | null; amountPaise: number | null }
  | {
      outcome: 'credit' | 'hint' | 'proposed'
      why?: string | null
      credit: AlertedCredit
      senderId?: string
      /** Of a message that no known wording fits. */
      form?: UnknownForm
    }
  /** From a sender on trial. Only this is shown of it. */
  | { outcome: 'trial'; why: 'trial'; senderId: string; said: AlertedCredit | undefined; form?: UnknownForm }

/** A wording that only the store itself may come to know. */
interface UnknownForm {
  text: string
  /** When the money came, by the text if it says so. Undefined for a date that cannot be. */
  moment: { day: string; at: Date | null } | undefined
}

const TEXT_MAX = 2_000
/** Skips the receiver of money, who is not its sender: "from beneficiary RAVI", ". Beneficiary: RAVI". */
const NO_PAYMENT = anyOf([...PHRASES.noPayment, ...PHRASES.toCome])
const isNoPayment = (text: string): boolean =>
  [NO_PAYMENT.test(text), saysItCameBack(text), isIncome(text), isPayout(text)].includes(true)
/** An account and a reference, without a word of direction; or a reference in another of India's scripts. */
const LOOKS_LIKE_MONEY = /(?:(?:a\/?c|account)\b|[\u0900-\u0D7F]).*(?<!\d)\d{12}(?!\d)/i
/** What the shop itself has paid, or keeps elsewhere. */
const ELSEWHERE = anyOf(PHRASES.elsewhere)
/** Android 15 and later, in place of a notification's text. */
const HIDDEN = /sensitive notification content hidden/i
const IMITATES = /credited|debited|\ba\/?c\b|\bref\b|Rs\.|\bINR\b|₹|\d{6}/i
const STAMP_COUNTS_MS = 48 * HOUR_MS

/** @param added senders that the owner has added to these accounts */
export function readAlert(
  message: AlertMessage,
  accounts: readonly AlertAccount[],
  now: Date,
  added: readonly AddedSender[] = [],
): AlertReading {
  const text = oneLine(message.text).slice(0, TEXT_MAX)
  if (HIDDEN.test(text)) return { outcome: 'ignored', why: 'hidden' }
  if (isCode(text) || isNoPayment(withoutVpas(text))) return { outcome: 'ignored', why: 'not an alert' }
  const bank = bankOf(message.sender)
  const found = groupsOf(text, bank)
  const says = CAME.test(text)
  if (!found && !says && !LOOKS_LIKE_MONEY.test(text)) return { outcome: 'ignored', why: 'not an alert' }
  if (isDebit(text, accounts)) {
    const debit = readDebit(
      text,
      accounts.filter((account) => bankKey(account.bank) === bank),
    )
    return { outcome: 'ignored', why: 'debit', left: debit && { ...debit, day: clockOf(message, now).day } }
  }
  const sender = bank === undefined ? addedSender(message.sender, added) : undefined
  if (bank === undefined && !sender)
    return { outcome: 'refused', why: 'sender', accountId: printedAccount(text, accounts) }
  if (ELSEWHERE.test(withoutVpas(text))) return { outcome: 'ignored', why: 'not an alert' }
  if (isOwnTransfer(text, accounts)) return { outcome: 'ignored', why: 'between own accounts' }
  if (sender) return ofAdded(text, sender, { message, accounts, now })
  if (bank === undefined) return { outcome: 'refused', why: 'sender' }
  if (found) return creditOf(found, { bank, message, accounts, now })
  if (Object.hasOwn(APPS, message.sender.trim())) return ofApp(text, bank, message, now)
  if (isToAnother(text)) return { outcome: 'ignored', why: 'not an alert' }
  const own = accounts.filter((account) => bankKey(account.bank) === bank)
  return byParts(text, own, { bank, message, now })
}

/** The sender is the owner's word, so only what the text itself says counts. */
function ofAdded(
  text: string,
  sender: AddedSender,
  { message, accounts, now }: Omit<Circumstances, 'bank'>,
): AlertReading {
  const own = accounts.filter(({ id }) => id === sender.accountId)
  const reading = byParts(text, own, { bank: own[0]?.bank ?? '', message, now })
  if (sender.isProven) return 'credit' in reading ? { ...reading, senderId: sender.id } : reading
  if (reading.outcome === 'refused') return reading
  const { credit: said, form } = reading.outcome === 'proposed' ? reading : {}
  return { outcome: 'trial', why: 'trial', senderId: sender.id, said, ...(form && { form }) }
}

function byParts(
  text: string,
  own: readonly AlertAccount[],
  { bank, message, now }: Omit<Circumstances, 'accounts'>,
): AlertReading {
  const read = readParts(text, own)
  if ('refused' in read) return { outcome: 'refused', why: read.refused }
  if ('unread' in read)
    return { outcome: 'unread', why: read.unread, accountId: read.accountId, amountPaise: read.amountPaise }
  const { accountId, amountPaise, ref, namesNoAccount } = read.parts
  if (!CAME.test(text)) return { outcome: 'unread', why: 'no template', accountId, amountPaise }
  const why = namesNoAccount ? 'names no account' : null
  const credit = { bank, accountId, amountPaise, refs: [ref].flatMap((one) => one ?? []), ...clockOf(message, now) }
  if (ref === undefined) return { outcome: 'hint', why, credit: { ...credit, ...NOBODY } }
  const tail = own.find(({ id }) => id === accountId)?.tail ?? ''
  const { form, when } = formOf(text, { amountPaise, ref, tail })
  const moment = momentOf(when, message.stampedAt, now)
  return { outcome: 'proposed', why, credit: { ...credit, ...NOBODY }, form: { text: form, moment } }
}

/** What a payer writes is read by templates only. */
const NOBODY = { payerName: '', payerVpa: null, note: '' }

/** A payment app’s message that no known wording fits tells its sum alone. */
function ofApp(text: string, bank: string, message: AlertMessage, now: Date): AlertReading {
  const amountPaise = sumIn(text)
  if (amountPaise === undefined) return { outcome: 'unread', why: 'amount', accountId: null, amountPaise: null }
  const credit = { bank, accountId: null, amountPaise, refs: [], ...clockOf(message, now), ...NOBODY }
  return { outcome: 'hint', credit }
}

/** The sender's bank; undefined for people's numbers, for advertisers ("-P"), and for names that are not exact. */
export function bankOf(sender: string): string | undefined {
  const app = sender.trim()
  if (Object.hasOwn(APPS, app)) return APPS[app]
  const name = nameOf(sender)
  return BANKS.find(({ senders }) => senders.includes(name))?.key
}

const nameOf = (sender: string): string =>
  /^(?:[A-Z]{2}-)?([A-Z]{6})(?:-[STG])?$/.exec(sender.trim().toUpperCase())?.[1] ?? ''

const addedSender = (sender: string, added: readonly AddedSender[]): AddedSender | undefined =>
  added.find(({ header }) => header === nameOf(sender))

interface Circumstances {
  bank: string
  message: AlertMessage
  accounts: readonly AlertAccount[]
  now: Date
}

function groupsOf(text: string, bank = ''): Record<string, string> | undefined {
  for (const { form } of WORDINGS.get(bank) ?? []) {
    const groups = form.exec(text)?.groups
    if (groups) return groups
  }
  return undefined
}

function creditOf(found: Record<string, string>, { bank, message, accounts, now }: Circumstances): AlertReading {
  const { sum = '', tail, ref, when, name = '', words = '', more = '', vpa, note = '' } = found
  const amountPaise = parseRupees(sum)
  const account = tail === undefined ? onlyOf(accounts) : accountOf(tail, bank, accounts)
  const unread = (why: string): AlertReading => ({
    outcome: 'unread',
    why,
    accountId: (tail !== undefined && account?.id) || null,
    amountPaise: amountPaise ?? null,
  })
  if (tail !== undefined && !account) return { outcome: 'refused', why: 'account' }
  if (amountPaise === undefined || amountPaise <= 0) return unread('amount')
  if ([name, words, more, note].some((text) => IMITATES.test(text))) return unread('note')
  const reference = ref === undefined ? undefined : (upiNumber(ref) ?? wireForm(ref))
  if (ref !== undefined && reference === undefined) return unread('reference')
  const moment = momentOf(when, message.stampedAt, now)
  if (!moment) return unread('date')
  // A payment app names no account
  const isApp = tail === undefined
  const isHint = reference === undefined || !account
  return {
    outcome: isHint ? 'hint' : isApp ? 'proposed' : 'credit',
    ...(isApp && !isHint && { why: 'names no account' }),
    credit: {
      bank,
      accountId: isApp && isHint ? null : (account?.id ?? null),
      amountPaise,
      refs: isHint ? [] : [reference],
      ...moment,
      payerName: name.trim(),
      payerVpa: vpa !== undefined && /^[\w.-]+@[a-z][\w.]*$/i.test(vpa) ? vpa.toLowerCase() : null,
      note: note.trim(),
    },
  }
}

const onlyOf = ([only, other]: readonly AlertAccount[]): AlertAccount | undefined => (other ? undefined : only)

/** The one account of this bank with this tail; a tail of two digits that fits two is of neither. */
function accountOf(tail: string, bank: string, accounts: readonly AlertAccount[]): AlertAccount | undefined {
  const [only, second] = accounts.filter((account) => isSameTail(tail, account.tail) && bankKey(account.bank) === bank)
  return second ? undefined : only
}

/** Some programs write the month first, without zeros before a figure: 12/1/2026 8:13:57 PM. */
const MONTH_FIRST = /^(?:[1-9]|1[0-2])\/[1-9]\d?\/\d{4} (?:[1-9]|1[0-2]):\d\d:\d\d ?[AP]\.?M\.?$/i

/** The message's own time, else the phone's when its clock is right, else the server's. Undefined for a day to come. */
function momentOf(
  when: string | undefined,
  stampedAt: Date | null,
  now: Date,
): { day: string; at: Date | null } | undefined {
  const { day, at: clock } = clockOf({ stampedAt }, now)
  if (when === undefined || MONTH_FIRST.test(when)) return { day, at: clock }
  const written = readDate(when.toUpperCase().replace(' AT ', ' '))
  if (written === undefined || written === 'impossible') return undefined
  if (written.day > dayOf(now)) return undefined
  return { day: written.day, at: written.at ?? (written.day === day ? clock : null) }
}

function clockOf({ stampedAt }: Pick<AlertMessage, 'stampedAt'>, now: Date): { day: string; at: Date } {
  const isRight = stampedAt !== null && Math.abs(stampedAt.getTime() - now.getTime()) < STAMP_COUNTS_MS
  const at = isRight ? stampedAt : now
  return { day: dayOf(at), at }
}
