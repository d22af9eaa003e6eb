/** The way into the payment dialog, small enough for any screen; the dialog itself comes when it is asked for. */
import { getSession } from '../platform/session.ts'
import { createStore } from '../platform/store.ts'

export interface AddMoneyRequest {
  /** What to begin with, in rupees; the person may change it. */
  amountRupees?: number
  /** A top-up plan; its amount is fixed. */
  plan?: { _id: string; amount: number; bonus: number }
}

interface Opened extends AddMoneyRequest {
  /** On which page, and by whom: elsewhere, and for others, it is not shown. */
  path: string
  userId: string
}

const OPEN_KEY = 'add-money-open'

/** The mutation that sends the request. */
export const ADD_MONEY_CALL = ['payments', 'add-money']

/** What the dialog is open for; null while it is closed. */
export const addMoneyRequest = createStore<Opened | null>(null)

/** A payer's phone may drop the page while it is in the UPI app, so the dialog opens again after a reload. */
export function reopenAddMoney(): void {
  addMoneyRequest.set(readOpened())
}

/** `openAddMoney()`, `openAddMoney({ amountRupees: shortfall })`, `openAddMoney({ plan })` */
export function openAddMoney(request: AddMoneyRequest = {}): void {
  const { user } = getSession()
  if (!user) return
  const opened = { ...request, path: location.pathname, userId: user.id }
  addMoneyRequest.set(opened)
  keep(opened)
}

export function closeAddMoney(): void {
  addMoneyRequest.set(null)
  keep(null)
}

function keep(opened: Opened | null): void {
  try {
    if (opened) sessionStorage.setItem(OPEN_KEY, JSON.stringify(opened))
    else sessionStorage.removeItem(OPEN_KEY)
  } catch {
    // Without storage it is closed after a reload.
  }
}

function readOpened(): Opened | null {
  try {
    return JSON.parse(sessionStorage.getItem(OPEN_KEY) ?? 'null') as Opened | null
  } catch {
    return null
  }
}
