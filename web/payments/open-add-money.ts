/** Opens the payment dialog. Small enough for any screen, because the dialog itself is fetched on demand. */
import { getSession } from '../platform/session/session.ts'
import { createStore } from '../platform/store.ts'
import { keepTab, readTab } from '../platform/tab-storage.ts'

interface Wanted {
  productId: string
  productName: string
  duration: string
  quantity: number
  /** The price of one key, in rupees. */
  expectedPrice: number
  /** The sum that the wallet lacks for it, in rupees. */
  missing: number
}

export interface AddMoneyRequest {
  /** Amount to start with, in rupees. The buyer may change it. */
  amountRupees?: number
  /** A top-up plan, which fixes the amount. */
  plan?: { _id: string; amount: number; bonus: number }
  /** What to buy as soon as it is approved. */
  wish?: Wanted
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
  addMoneyRequest.set(readTab(OPEN_KEY) as Opened | null)
}

/** `openAddMoney()`, `openAddMoney({ amountRupees: shortfall })`, `openAddMoney({ plan })` */
export function openAddMoney(request: AddMoneyRequest = {}): void {
  const { user } = getSession()
  if (!user) return
  const opened = { ...request, path: location.pathname, userId: user.id }
  addMoneyRequest.set(opened)
  keepTab(OPEN_KEY, opened)
}

export function closeAddMoney(): void {
  addMoneyRequest.set(null)
  keepTab(OPEN_KEY, null)
}
