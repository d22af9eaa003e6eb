/** Opens the payment dialog. Small enough for any screen, because the dialog itself is fetched on demand. */
import { getSession } from '../platform/session.ts'
import { createStore } from '../platform/store.ts'

export interface AddMoneyRequest {
  /** Amount to start with, in rupees. The buyer may change it. */
  amountRupees?: number
  /** A top-up plan, which fixes the amount. */
  plan?: { _id: string; amount: number; bonus: number }
}

interface Opened extends AddMoneyRequest {
  /** The page and buyer that opened it. It shows for no others. */
  path: string
  userId: string
}

const OPEN_KEY = 'add-money-open'

/** Key of the mutation that sends the request. */
export const ADD_MONEY_CALL = ['payments', 'add-money']

/** The payment that the dialog is open for. Null while closed. */
export const addMoneyRequest = createStore<Opened | null>(null)

/** Stored, so that the dialog opens again if the phone drops the page while the UPI app is open. */
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
    // Without storage the dialog is closed after a reload.
  }
}

function readOpened(): Opened | null {
  try {
    return JSON.parse(sessionStorage.getItem(OPEN_KEY) ?? 'null') as Opened | null
  } catch {
    return null
  }
}
