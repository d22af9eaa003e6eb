/**
 * Decides whether a bank credit pays for a request, and whether the store may decide that. The rules are looked at in
 * one order, and the first that fails names the verdict. Less evidence never makes a better verdict.
 */
import type { CreditKind, Proof } from '../../../contract/bank-shapes.ts'
import { formatPaise } from '../../../contract/money.ts'
import type { BankVerdict } from '../../../contract/payment-signs.ts'
import { HOUR_MS } from '../../../contract/time.ts'
import { dayAfter, dayOf } from '../../../contract/india.ts'
import type { Automation, BuyerRecord } from './match-facts.ts'

export interface MatchRequest {
  /** Pending, in the lists, and its buyer's account is open. */
  isOpen: boolean
  utr: string
  /** What the buyer paid. */
  amountPaise: number
  /** What approval credits; a plan's bonus included. */
  creditPaise: number
  createdAt: Date
  /** Somebody else has claimed the transfer too, or a request for it was rejected before. */
  isContested: boolean
}

export interface MatchCredit {
  refs: readonly string[]
  amountPaise: number
  /** In India, as YYYY-MM-DD. */
  day: string
  at: Date | null
  kind: CreditKind
  proof: Proof
  /** The credit's sources disagree. */
  differs: boolean
  /** It was read from the parts of a message, because no template fits. */
  isProposed: boolean
  /** It pays for a request already, or was set aside. */
  isTaken: boolean
  /** Its account is open, and money there may pay for top-ups. */
  feedsStore: boolean
  /** Its payer has paid for another buyer before. */
  isOfAnother: boolean
  firstSeenAt: Date
}

interface Judged {
  verdict: BankVerdict
  /** Explains the verdict to a person. */
  why?: string
}

/** Money may come this long before the request, or after it. */
const BEFORE_MS = 24 * HOUR_MS
const AFTER_MS = 72 * HOUR_MS
const DAYS_BEFORE = 1
const DAYS_AFTER = 3

export function judge(request: MatchRequest, credit: MatchCredit): Judged {
  if (!request.isOpen || credit.isTaken) return { verdict: 'unseen' }
  if (credit.kind !== 'payment') return { verdict: 'unseen', why: 'The bank shows a reversal or money of your own' }
  if (!credit.feedsStore) return { verdict: 'unseen', why: 'It came to another account' }
  if (!credit.refs.includes(request.utr))
    return { verdict: 'hint', why: credit.refs.length > 0 ? 'The UTR is slightly different' : 'No reference' }
  if (credit.differs) return { verdict: 'differs' }
  if (credit.amountPaise !== request.amountPaise)
    return credit.isProposed ? { verdict: 'unseen', why: 'A message names another amount' } : { verdict: 'amount' }
  if (!isInTime(request.createdAt, credit)) return { verdict: 'late' }
  if (request.isContested) return { verdict: 'rivals' }
  if (credit.isOfAnother) return { verdict: 'payer' }
  if (credit.isProposed) return { verdict: 'proposed', why: `reference …${request.utr.slice(-3)}` }
  if (credit.proof === 'none')
    return { verdict: 'hint', why: 'The balances in the statement don’t add up at this line' }
  return { verdict: credit.proof === 'alert' ? 'alert' : 'confirmed' }
}

export function isInTime(createdAt: Date, { at, day }: Pick<MatchCredit, 'at' | 'day'>): boolean {
  if (at) {
    const lateMs = at.getTime() - createdAt.getTime()
    return lateMs >= -BEFORE_MS && lateMs <= AFTER_MS
  }
  const asked = dayOf(createdAt)
  return day >= dayAfter(asked, -DAYS_BEFORE) && day <= dayAfter(asked, DAYS_AFTER)
}

const MISSES_MAX = 3
const UNCLAIMED_MS = HOUR_MS

/** @returns why a person must decide; undefined when the store may approve the request */
export function whyHeld(
  request: MatchRequest,
  credit: MatchCredit,
  { rules, buyer }: { rules: Automation; buyer: BuyerRecord },
): string | undefined {
  const { verdict } = judge(request, credit)
  const amount = request.creditPaise
  if (rules.mode === 'propose') return 'The store only proposes'
  if (verdict !== 'confirmed' && verdict !== 'alert') return 'The bank does not confirm it'
  if (verdict === 'alert' && rules.trusts !== 'phone') return 'Only an alert says so'
  if (verdict === 'alert' && request.amountPaise >= (rules.carefulAbove ?? Infinity)) return 'Only an alert says so'
  if (amount > rules.perRequest) return 'Above the limit for one request'
  if (buyer.today + amount > rules.perBuyerDay) return 'Above the limit for one buyer and day'
  if (rules.today + amount > rules.perDay) return 'Above the limit for one day'
  if (buyer.misses >= MISSES_MAX) return 'Too many requests without money'
  if (buyer.claimedOthers) return 'This buyer has claimed another’s money before'
  if (rules.mode === 'auto-known' && !buyer.isKnown) return 'No earlier payment of this buyer is proven'
  const hasLain = request.createdAt.getTime() - credit.firstSeenAt.getTime() > UNCLAIMED_MS
  if (rules.mode === 'auto' && (buyer.isFirst || !buyer.knowsPayer) && hasLain)
    return 'A new payer, and the money was unclaimed for over an hour'
  if (verdict === 'alert' && rules.unproven + amount > rules.unprovenMax)
    return `Upload a statement: ${formatPaise(rules.unproven)} is waiting to be proven.`
  return undefined
}
