/**
 * Reads a message that fits no template by its parts: direction, sum, account, reference. Pure. What it finds is only
 * proposed: a person compares it with the text. A payer may imitate any part in a name or a remark. So a part that
 * stands there twice, with two values, counts as missing.
 */
import { parseRupees } from '../../../../contract/money.ts'
import { upiNumber, wireForm } from '../reference-forms.ts'
import PHRASES from '../phrases.json' with { type: 'json' }
import { anyOf } from '../no-payment.ts'

export interface AlertAccount {
  id: string
  bank: string
  tail: string
}

interface Parts {
  accountId: string
  amountPaise: number
  /** Undefined if the message has none. */
  ref: string | undefined
  namesNoAccount: boolean
}

type PartsReading =
  | { parts: Parts }
  | { refused: 'account' }
  | { unread: string; accountId: string | null; amountPaise: number | null }

/** @returns the sum that a payment app tells, in paise; it names no account and no reference */
export function sumIn(text: string): number | undefined {
  const sums = sumsIn(withoutVpaEnds(text))
  return sums.length === 1 ? sums[0] : undefined
}

/**
 * @param text on one line; it says that money came
 * @param own accounts of the sender's bank
 */
export function readParts(text: string, own: readonly AlertAccount[]): PartsReading {
  const bare = withoutVpaEnds(text)
  const sums = sumsIn(bare)
  const [amountPaise = null] = sums.length === 1 ? sums : []
  const account = accountIn(bare, own)
  const accountId = typeof account === 'string' ? null : account.id
  const unread = (why: string): PartsReading => ({ unread: why, accountId, amountPaise })
  if (amountPaise === null) return unread('amount')
  if (account === 'foreign') return { refused: 'account' }
  if (accountId === null) return unread('account')
  const refs = SILENT.test(bare) ? [] : referencesIn(bare)
  if (refs.length > 1) return unread('two references')
  // A number joined to a VPA by a mark may be the bank's own, or part of the VPA
  const [ref] = referencesIn(withoutVpas(text)).filter((one) => refs.includes(one))
  return { parts: { accountId, amountPaise, ref, namesNoAccount: printedAccounts(bare).length === 0 } }
}

const VPA = /[\w.-]{2,80}@[a-z][\w.]{1,30}/gi
/** Without what a mark joins to it, which may be the bank's number. */
const END_OF_VPA = /[\w.]{1,80}@[a-z][\w.]{1,30}/gi
/** For a search of words. */
export const withoutVpas = (text: string): string => text.replaceAll(VPA, '@')
/** For a search of numbers. */
const withoutVpaEnds = (text: string): string => text.replaceAll(END_OF_VPA, '@')

const SHARES = new RegExp(PHRASES.warnings.join('|'), 'gi')
const CODE_WORD = String.raw`(?:\botps?\b|one[ -]?time|pass ?code|verification code|password|\bcvv\b)`
const CALLS = new RegExp(
  [
    String.raw`\b(?:call|dial|helpline|help)\b[-: ]{0,3}\d[\d/-]{3,25}`,
    String.raw`\bsms\b(?:(?!${CODE_WORD})[^.;]){0,20}?\bto \d{4,15}`,
  ].join('|'),
  'gi',
)
const DIGITS = String.raw`(?<!\d)\d{4,8}(?!\d)`
const CODE = new RegExp(`${CODE_WORD}[^]{0,40}?${DIGITS}|${DIGITS}[^]{0,40}?${CODE_WORD}`, 'i')
const HAS_CODE_WORD = new RegExp(CODE_WORD, 'i')

/** True for a text that holds a one-time code. "Never share OTP" below an alert holds none. */
export function isCode(text: string): boolean {
  const plain = withoutVpas(text).replaceAll(CALLS, ' ')
  if ((plain.match(SHARES) ?? []).some((warning) => CODE.test(warning))) return true
  const bare = plain.replaceAll(SHARES, ' ')
  return CODE.test(bare) || (HAS_CODE_WORD.test(bare) && !CAME.test(bare))
}

/** In India's languages past tenses alone: their future has the same root. */
export const CAME = anyOf([...PHRASES.came, ...PHRASES.cameToUs])
const WENT = anyOf(PHRASES.went)
/** Not “You have sent Rs 500 to your a/c”, which is a debit. */
const CAME_TO_US = new RegExp(PHRASES.cameToUs.join('|'), 'gi')

/**
 * "A/c … debited; SHOP credited" is a debit, and so is "SHOP has received Rs 500 from your A/c". Behind our account a
 * debit is the payer's: "Your a/c … credited and debited from a/c …".
 */
export function isDebit(text: string, accounts: readonly AlertAccount[]): boolean {
  const bare = withoutVpaEnds(text)
  const came = bare.search(CAME)
  const went = bare.replaceAll(CAME_TO_US, (came) => '#'.repeat(came.length)).search(WENT)
  if (/\bfrom your\b(?! registered)/i.test(bare.slice(0, ownAccountAt(bare, accounts) ?? bare.length))) return true
  if (went < 0) return false
  if (came < 0 || went < came) return true
  const printed = printedAccounts(bare)
  const own = printed.find(({ tail }) => accounts.some((account) => isSameTail(tail, account.tail))) ?? printed[0]
  return own !== undefined && (own.at > went || SUBJECT.test(bare.slice(own.at + own.length, went)))
}

/** "Credited to RAVI", "Deposited~INR 500~To RAVI": the bank says that the shop's own transfer has arrived. */
const TO_ANOTHER = new RegExp(
  String.raw`\b(?:credited|deposited|cr\.?)[ ~]+(?:(?:rs|inr|₹)[. ]{0,2}[\d,.]+[ ~]+)?to +(?!(?:your?|my)\b)`,
  'i',
)

/** @returns true if a text that names no account says that the money went to somebody by name, or to a VPA */
export function isToAnother(text: string): boolean {
  const bare = withoutVpaEnds(text)
  return printedAccounts(bare).length === 0 && TO_ANOTHER.test(bare)
}

/** Between an account and the verb that it is the subject of. */
const SUBJECT = /^\W*(?:(?:is|was|has been|been) )?$/i

const NUMBER = String.raw`(\d(?:[\d,]*\d)?(?:\.\d{1,2})?)(?![\d,]*\d)`
const RUPEES = String.raw`(?<![\u0900-\u0D7F])${PHRASES.india.rupees}[\u0900-\u0D7F]{0,8}`
const SUM = new RegExp(
  String.raw`(?:\b(?:Rs|Re|INR|rupees)(?![a-z])[.:]?|₹|${RUPEES}[.:]?)(?: ?(?:Rs|INR)\.?)?[ :]{0,2}` +
    String.raw`(?!\d{1,2}[-/]\d)${NUMBER}`,
  'gi',
)
const SUM_BEFORE = new RegExp(
  String.raw`(?<![\dX*.,:/-])${NUMBER} ?(?:${PHRASES.india.rupeesBehind}|rupees\b|(?:inr|rs)\b(?![.: ]{0,3}\d))`,
  'gi',
)
const BARE_SUM = new RegExp(String.raw`\b(?:credited (?:by|with|for)|of amt) (?!\d{9})${NUMBER}(?![-/:])`, 'gi')
const BALANCE_WITHIN = 60
/** Between it and its sum an account or a date may stand. */
const BALANCE = new RegExp(
  String.raw`(?:${PHRASES.ofBalance.join('|')})[^\d]{0,24}(?:[\d/:. -]{2,20}(?:hrs )?(?:is|was|[:=])[: ]{0,2})?$`,
  'i',
)
const BALANCE_BEHIND = /^(?:\/-)? (?:is|as|was) (?:your |the )?(?:[a-z]+ )?bal/i

/** The different sums of a text, in paise, without balances and limits. */
function sumsIn(text: string): number[] {
  const all = [SUM, SUM_BEFORE, BARE_SUM]
    .flatMap((form) => [...text.matchAll(form)])
    .filter(({ index }) => !BALANCE.test(text.slice(Math.max(0, index - BALANCE_WITHIN), index)))
    .filter(({ index, 0: whole }) => !BALANCE_BEHIND.test(text.slice(index + whole.length)))
  return [...new Set(all.map(([, written = '']) => parseRupees(written) ?? 0))].filter((sum) => sum > 0)
}

const ENDING = '(?:(?:ending|with last) (?:in |with |(?:4|four) digits )?)?'
const NUMBERED = String.raw`(?: ?(?:no|number)\b| संख्या| क्र)?[.: ]{0,3}${ENDING}`
const LABEL = String.raw`(?:(?<![a-z])(?:a ?\/ ?c|acc?|acct|account)\b|${PHRASES.india.account}[\u0900-\u0D7F]{0,6})`
const LABELLED = String.raw`${LABEL}\.?${NUMBERED}\d{0,12}?[X*.n…•●#-]{0,20}`
const MASKED = new RegExp(
  String.raw`(?:${LABELLED}|(?<![a-z\d/])\d{0,4}[X*]{2,20}-?|a\/c[X*]{1,20})(\d{2,8})(?!\d|-?\d*[X*]{2}|-?\d*[X*]\d)`,
  'gi',
)
/** What stands before an account, or a telephone, of the payer. */
const OF_PAYER = anyOf(PHRASES.beforePayersAccount)
/** The bank may be ours, so this is said of no account of ours. */
const OF_ANOTHER_BANK = /\b(?:from|by|sender)(?: (?!(?:in|into|to|on|your?|ur)\b)[a-z.&',]+){0,6} bank *$/i
const BEFORE_ACCOUNT = 60

/** Behind a payer's account in the bank's own line of a statement: "for XXXX0461-TPT-RENT". */
const IN_NARRATION = /^-[A-Z]{3,4}-/

interface Printed {
  tail: string
  at: number
  length: number
  isPayers: boolean
}

const before = (text: string, at: number): string => text.slice(Math.max(0, at - BEFORE_ACCOUNT), at)

function printedAccounts(text: string): Printed[] {
  return Array.from(text.matchAll(MASKED), ({ 0: whole, 1: tail = '', index }) => ({
    tail,
    at: index,
    length: whole.length,
    isPayers: OF_PAYER.test(before(text, index)) || IN_NARRATION.test(text.slice(index + whole.length)),
  }))
}

/** Banks print two to eight digits, and the store may know more or fewer. */
export const isSameTail = (one: string, other: string): boolean => one.endsWith(other) || other.endsWith(one)

const ownAccountAt = (text: string, accounts: readonly AlertAccount[]): number | undefined =>
  printedAccounts(text).find(({ tail }) => accounts.some((own) => isSameTail(tail, own.tail)))?.at

/** The account that money came to. Each one that the text names must be it, but for the payer's. */
function accountIn(text: string, own: readonly AlertAccount[]): AlertAccount | 'foreign' | 'unclear' {
  const printed = printedAccounts(text)
  const [only, other] = own
  if (printed.length === 0) return only && !other ? only : 'unclear'
  const named = printed
    .filter(({ isPayers }) => !isPayers)
    .map(({ tail, at }) => ({ at, fitting: own.filter((account) => isSameTail(tail, account.tail)) }))
    .filter(({ at, fitting }) => fitting.length > 0 || !OF_ANOTHER_BANK.test(before(text, at)))
    .map(({ fitting }) => fitting)
  if (named.flat().length === 0) return 'foreign'
  const [[account] = []] = named
  const isOne = named.every((fitting) => fitting.length === 1 && fitting[0] === account)
  return account && isOne ? account : 'unclear'
}

/** @returns the only account that a text prints */
export function printedAccount(text: string, accounts: readonly AlertAccount[]): string | undefined {
  const bare = withoutVpaEnds(text)
  const account = printedAccounts(bare).length > 0 ? accountIn(bare, accounts) : 'unclear'
  return typeof account === 'string' ? undefined : account.id
}

/** @returns whose money went, and its only reference */
export function readDebit(text: string, own: readonly AlertAccount[]): { accountId: string; ref: string } | undefined {
  const bare = withoutVpaEnds(text)
  const [from] = printedAccounts(bare).flatMap(({ tail }) => own.filter((account) => isSameTail(tail, account.tail)))
  const [ref, other] = referencesIn(bare)
  return from && ref !== undefined && other === undefined ? { accountId: from.id, ref } : undefined
}

/** Names two accounts of the store: money moves between them. */
export function isOwnTransfer(text: string, accounts: readonly AlertAccount[]): boolean {
  const named = printedAccounts(withoutVpaEnds(text)).flatMap(
    ({ tail }) => accounts.find((account) => isSameTail(tail, account.tail))?.id ?? [],
  )
  return new Set(named).size > 1
}

const IN_INDIA = String.raw`${PHRASES.india.reference}[\u0900-\u0D7F]{0,8}[. ]{0,2}[\u0900-\u0D7F]{0,8}`
const NAMED =
  String.raw`(?:(?:ref(?:erence)?|rrn|utr|t(?:r?x|ra)n(?:s(?:action)?)?)[. ]{0,2}(?:no|id|num|number|nbr|सं|संख्या)?` +
  String.raw`|${IN_INDIA})(?: ?\((?:upi|imps|rrn|utr)\))?(?:[. ]{1,2}(?:is|was))?[\s.:#/()-]{0,4}`
const ON_RAIL = PHRASES.rail.join('|')
/** Bandhan writes a letter before a number on the rail. One of a wire is “N”, and no RRN. */
const REFERENCE = new RegExp(
  String.raw`(?<![a-z](?<!info|upi|imps|bank))(?:${NAMED}|${ON_RAIL}[a-z]?)(?:0000)?(\d{12})(?!\d)`,
  'gi',
)
/** The name may stand before the number, so that both could be the payer’s. Then the number must be the only one. */
const BEHIND_NAME =
  /(?<![a-z](?<!info))(?:upi|imps)(?: ?[/*-] ?[a-z@][\w .@&]{0,40}?){1,4} ?[/*-] ?((?!000)\d{12})(?!\d)/gi
/**
 * Long messages come in two, and the second is lost. Then another number in it is the payer's. "If you have not done
 * this transaction." is whole.
 */
const CUT = new RegExp(String.raw`(?<![a-z])(?!transaction[.)]+$)${NAMED}\d{0,11}$`, 'i')
const WIRE_RAIL = /\b(?:NEFT|RTGS|UTR)/i
const WIRE = String.raw`(?:(?:NEFT|RTGS|UTR)(?=[A-Z0-9]{15}))?([A-Z0-9]{15,22})(?![A-Z0-9])`
const WIRES = new RegExp(`(?<![A-Z0-9])${WIRE}`, 'gi')
const NAMED_WIRES = new RegExp(`(?<![A-Z])${NAMED}${WIRE}`, 'gi')

/** Wordings without a reference, before the payer's name. A number in the name counts for nothing. */
const SILENT = /\bit was sent by\b|\bhas credit for \w+ transaction\b|\bNEFT\/[A-Z]{4}0\w{6}\//i

/** Accounts, also masked ones, and telephones. */
const NO_REFERENCE = new RegExp(
  [
    String.raw`${LABEL}\.?${NUMBERED}[X*\d]{4,24}(?![A-Z\d])`,
    String.raw`(?<![A-Z\d])\d{0,6}[X*]{2,20}[X*\d]{0,12}`,
    String.raw`\+?91[- ]?\d{10}(?!\d)`,
  ].join('|'),
  'gi',
)

/**
 * The different numbers that stand behind a label, and those of the form of a wire. One that another ends with is the
 * same, written shorter.
 */
function referencesIn(written: string): string[] {
  const text = written.replaceAll(NO_REFERENCE, ' # ')
  if (CUT.test(text)) return []
  const labelled = Array.from(text.matchAll(REFERENCE), ([, digits = '']) => upiNumber(digits))
  const wires = Array.from(text.matchAll(WIRE_RAIL.test(text) ? WIRES : NAMED_WIRES), ([, token = '']) =>
    wireForm(token),
  )
  const refs = [...new Set([...labelled, ...wires])].filter((ref) => ref !== undefined)
  if (refs.length === 0 && text.match(/(?<!\d)\d{12}(?!\d)/g)?.length === 1)
    return Array.from(text.matchAll(BEHIND_NAME), ([, digits = '']) => digits)
  return refs.filter((ref) => !refs.some((longer) => longer !== ref && longer.endsWith(ref)))
}
