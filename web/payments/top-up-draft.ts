/**
 * What has been typed into the payment form, kept for this tab: people leave it for their UPI app, and a phone may
 * drop the page meanwhile. It holds a phone number, so it goes neither to localStorage nor to the next person.
 */
import type { AddMoneyRequest } from './open-add-money.ts'

export interface TopUpDraft {
  amount: string
  utr: string
  /** Undefined until typed: the one of the last request stands in. */
  phone?: string
  agreed: boolean
}

interface Kept {
  userId: string
  /** A reference belongs to one payment; it must not turn up in the form for another. */
  purpose: string
  draft: TopUpDraft
}

const KEY = 'add-money-draft'

export function readDraft(userId: string, request: AddMoneyRequest): TopUpDraft {
  const kept = read()
  if (kept && kept.userId === userId && kept.purpose === purposeOf(request)) return kept.draft
  const amount = request.plan?.amount ?? request.amountRupees
  return { amount: amount === undefined ? '' : String(amount), utr: '', agreed: false }
}

export function keepDraft(userId: string, request: AddMoneyRequest, draft: TopUpDraft): void {
  try {
    const kept: Kept = { userId, purpose: purposeOf(request), draft }
    sessionStorage.setItem(KEY, JSON.stringify(kept))
  } catch {
    // Without storage a reload starts over.
  }
}

export function dropDraft(): void {
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // There is none, then.
  }
}

function purposeOf({ plan, amountRupees }: AddMoneyRequest): string {
  return plan ? `plan ${plan._id} ${plan.amount}` : `amount ${amountRupees ?? ''}`
}

function read(): Kept | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Kept | null
  } catch {
    return null
  }
}
