/**
 * Keeps the payment form's text for this tab, because buyers leave for their UPI app and a phone may drop the page. It
 * holds a phone number, so it never goes to localStorage or to the next buyer.
 */
import { TERMS_VERSION } from '../../../contract/limits.ts'
import { keepTab, readTab } from '../../platform/tab-storage.ts'
import type { AddMoneyRequest } from '../open-add-money.ts'

export interface TopUpDraft {
  amount: string
  utr: string
  /** Undefined until something is typed. Until then the last request's number is used. */
  phone?: string
  agreed: boolean
  /** True if the buyer wants this amount without the plan for it. */
  withoutOffer?: boolean
}

interface Kept {
  userId: string
  /** A UTR belongs to one payment, so it must not appear in the form for another. */
  purpose: string
  draft: TopUpDraft
}

const KEY = 'add-money-draft'

export function readDraft(userId: string, request: AddMoneyRequest): TopUpDraft {
  const kept = readTab(KEY) as Kept | null
  if (kept && kept.userId === userId && kept.purpose === purposeOf(request)) return kept.draft
  const amount = request.plan?.amount ?? request.amountRupees
  return { amount: amount === undefined ? '' : String(amount), utr: '', agreed: hasAgreed(userId) }
}

export function keepDraft(userId: string, request: AddMoneyRequest, draft: TopUpDraft): void {
  keepTab(KEY, { userId, purpose: purposeOf(request), draft } satisfies Kept)
}

export function dropDraft(): void {
  keepTab(KEY, null)
}

const AGREED_KEY = 'add-money-terms'
const consentOf = (userId: string) => `${userId} ${TERMS_VERSION}`

/** Keeps the box ticked for a buyer's next request, until the terms change. Each request records its own consent. */
export function keepAgreed(userId: string): void {
  try {
    localStorage.setItem(AGREED_KEY, consentOf(userId))
  } catch {
    // Without storage the buyer ticks it again.
  }
}

function hasAgreed(userId: string): boolean {
  try {
    return localStorage.getItem(AGREED_KEY) === consentOf(userId)
  } catch {
    return false
  }
}

function purposeOf({ plan, amountRupees }: AddMoneyRequest): string {
  return plan ? `plan ${plan._id} ${plan.amount}` : `amount ${amountRupees ?? ''}`
}
