/** Previews an admin's wallet change, in words: the new balance, and the effect of its expiry. */
import { add, formatRupees, negate, parseRupees, toRupees, ZERO, type Paise } from '../../../contract/money.ts'
import { DAY_MS } from '../../../contract/time.ts'
import { formatDate } from '../../platform/dates.ts'
import { t } from '../../platform/i18n.ts'

type Direction = 'add' | 'deduct'

export interface WalletDraft {
  direction: Direction
  /** As typed; empty for no change. */
  amount: string
  /** Days until it expires; undefined for never. */
  days: number | undefined
  /** Typed without an amount, it asks for one. */
  reason?: string
}

/** The signed change in paise; zero where nothing, or nothing valid, is typed. */
export function changeOf({ direction, amount }: Pick<WalletDraft, 'direction' | 'amount'>): Paise {
  const typed = parseRupees(amount) ?? ZERO
  return direction === 'add' ? typed : negate(typed)
}

/** Returns the error of the amount; undefined if it can be sent. */
export function amountFault(draft: WalletDraft, balance: number): string | undefined {
  if (draft.amount.trim() === '' && !draft.reason) return undefined
  const amount = parseRupees(draft.amount)
  if (amount === undefined || amount <= 0) return t('Enter an amount in ₹, like 250 or 99.50')
  if (draft.direction === 'deduct' && toRupees(amount) > balance) {
    return t('You can deduct up to {amount}. The balance can’t go below ₹0.', { amount: formatRupees(balance) })
  }
  return undefined
}

interface Preview {
  before: number
  after: number
  /** Says in words what the expiry will do. */
  end: string
}

/** Undefined while there is nothing to preview. `now` in milliseconds. */
export function previewOf(draft: WalletDraft, balance: number, now: number): Preview | undefined {
  const change = changeOf(draft)
  if (change === 0 || amountFault(draft, balance)) return undefined
  const before = parseRupees(balance) ?? ZERO
  return { before: balance, after: toRupees(add(before, change)), end: endOf(draft, now) }
}

function endOf({ direction, amount, days }: WalletDraft, now: number): string {
  const words = {
    amount: formatRupees(toRupees(parseRupees(amount) ?? ZERO)),
    date: days === undefined ? '' : formatDate(now + days * DAY_MS),
  }
  if (direction === 'add') {
    if (days === undefined) return t('The {amount} will not expire.', words)
    return t('Any of the {amount} left unspent expires on {date}.', words)
  }
  if (days === undefined) return t('This deduction is permanent. The {amount} will not be returned.', words)
  return t('On {date}, {amount} returns to the wallet, except any part that would have expired by then.', words)
}
