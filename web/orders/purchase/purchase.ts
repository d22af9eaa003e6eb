/**
 * Buys, from the press of the button to the keys in hand.
 *
 * The purchase lives outside the screen, because a sent order runs on wherever the buyer goes. One order runs at a
 * time: a second press does nothing.
 */
import { BUY_REDIRECT_MS } from '../../../contract/limits.ts'
import type { PlacedOrder } from '../../../contract/orders.ts'
import { ApiError } from '../../platform/calls/api-error.ts'
import { client } from '../../platform/calls/client.ts'
import { t } from '../../platform/i18n.ts'
import { randomUuid } from '../../platform/calls/random-uuid.ts'
import { isSpendingShown } from '../../platform/session/own-spending.ts'
import { queryClient } from '../../platform/calls/queries.ts'
import { getSession, refreshSession } from '../../platform/session/session.ts'
import { createStore, useStore } from '../../platform/store.ts'
import { toast } from '../../platform/navigation/toast.ts'
import {
  forgetPurchase,
  isOrderedHere,
  isOver,
  keepPurchase,
  keptPurchase,
  type PendingPurchase,
} from './pending-purchase.ts'
import { failureText, isForGood, isRefused, reasonText } from './purchase-outcome.ts'
import { forgetQuantity } from './quantity-draft.ts'

export type PurchaseState =
  | { step: 'none' }
  | { step: 'placing'; purchase: PendingPurchase }
  /** The answer was lost and is asked for again. `failure` is set if that has not helped for a while. */
  | { step: 'open'; purchase: PendingPurchase; failure: string | undefined; asksByItself: boolean }
  /** `isForGood`: the buyer can't have more of this duration. */
  | { step: 'refused'; failure: string; isForGood: boolean }
  | { step: 'bought'; placed: PlacedOrder }

/** Waits before asking again, in ms: three quick ones that the buyer hardly notices, then slow ones. */
const QUICK_WAITS_MS = [500, 1_000, 2_000] as const
const SLOW_WAIT_MS = 5_000
const SLOW_WAITS = 60

const state = createStore<PurchaseState>({ step: 'none' })
state.subscribe(() => isSpendingShown.set(isUnderWay(state.get()) || state.get().step === 'bought'))
/** The order whose keys this page showed last. */
let told: string | undefined
/** Number of the loop that may ask and report. A stopped loop still reports keys, but nothing else. */
let turn = 0
/** Ends the current wait: true asks right away, false gives up. */
let endWait: ((ask: boolean) => void) | undefined

export function usePurchase(): PurchaseState {
  return useStore(state)
}

export function isUnderWay({ step }: PurchaseState): boolean {
  return step === 'placing' || step === 'open'
}

/** Sends an order, unless one is running. */
export function startPurchase(wanted: Omit<PendingPurchase, 'idempotencyKey' | 'isOpen'>): void {
  if (isUnderWay(state.get())) return
  const purchase = { ...wanted, idempotencyKey: randomUuid(), isOpen: false }
  keepPurchase(purchase)
  void carryOut(purchase)
}

/** Resumes an order that a reload, or the end of a session, interrupted. */
export function resumePurchase(userId: string): void {
  const kept = keptPurchase(userId)
  if (kept && isOver(kept)) {
    forgetPurchase(kept.idempotencyKey)
    return
  }
  // A reload hides if the order was sent, so it counts as open.
  if (kept && kept.idempotencyKey !== told && !isUnderWay(state.get())) void carryOut({ ...kept, isOpen: true })
}

export function askAgain(): void {
  const present = state.get()
  if (endWait) endWait(true)
  // While it asks again without waiting, a call is already running.
  else if (present.step === 'open' && !present.asksByItself) void carryOut(present.purchase)
}

/** Stops asking. The list of keys then shows what became of the order. */
export function giveUp(): void {
  const present = state.get()
  // The answer may have arrived while the buyer was asked if they want to stop.
  if (present.step !== 'open') return
  turn++
  forgetPurchase(present.purchase.idempotencyKey)
  state.set({ step: 'none' })
  endWait?.(false)
}

/** Clears an outcome that the buyer has seen. */
export function clearOutcome(): void {
  if (!isUnderWay(state.get())) state.set({ step: 'none' })
}

async function carryOut(first: PendingPurchase): Promise<void> {
  const mine = ++turn
  let purchase = first
  state.set(purchase.isOpen ? open(purchase, undefined) : { step: 'placing', purchase })
  for (let tries = 0; ; tries++) {
    try {
      bought(await place(purchase), purchase, mine === turn)
      return
    } catch (error) {
      if (mine !== turn) return
      if (isRefused(error, purchase.isOpen)) {
        refused(error, purchase)
        return
      }
      purchase = { ...purchase, isOpen: true }
      keepPurchase(purchase)
      const isSlow = tries >= QUICK_WAITS_MS.length
      const goesOn = tries < QUICK_WAITS_MS.length + SLOW_WAITS
      state.set(open(purchase, isSlow ? reasonText(error) : undefined, goesOn))
      if (!goesOn) return
      const retryAfterMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0
      const asks = await wait(Math.max(retryAfterMs, QUICK_WAITS_MS[tries] ?? SLOW_WAIT_MS))
      if (!asks || mine !== turn) return
      if (getSession().user?.id !== purchase.userId) {
        // Kept until this buyer logs in again.
        state.set({ step: 'none' })
        return
      }
    }
  }
}

function place({ idempotencyKey, ...order }: PendingPurchase): Promise<PlacedOrder> {
  const { productId, duration, quantity, expectedPrice } = order
  return client.orders.place({ productId, duration, quantity, expectedPrice }, { idempotencyKey })
}

function open(purchase: PendingPurchase, failure: string | undefined, asksByItself = true): PurchaseState {
  return { step: 'open', purchase, failure, asksByItself }
}

/** @param isAskedFor false leaves the state alone, because the page may have another order by now */
function bought(placed: PlacedOrder, purchase: PendingPurchase, isAskedFor: boolean): void {
  const { idempotencyKey, userId, boughtAt = Date.now() } = purchase
  makeStale()
  const text = t('{count, plural, one {Your key is} other {Your # keys are}} in My Key', { count: placed.keys.length })
  if (!isAskedFor) {
    if (getSession().user?.id === userId) toast(text)
    return
  }
  // Waits until the keys could be seen. A reloading page takes answers to its last moment, and the next page would know
  // nothing of the order. It asks again and gets the same answer.
  told = idempotencyKey
  keepPurchase({ ...purchase, boughtAt })
  setTimeout(() => forgetPurchase(idempotencyKey), BUY_REDIRECT_MS)
  show(purchase, { step: 'bought', placed }, text)
  forgetQuantity()
}

function refused(error: unknown, purchase: PendingPurchase): void {
  forgetPurchase(purchase.idempotencyKey)
  const failure = failureText(error)
  show(purchase, { step: 'refused', failure, isForGood: isForGood(error) }, failure, { tone: 'bad' })
  // Price, stock or balance differ from this page.
  makeStale()
}

/** Shows the outcome on the page of the order's product, and as a message on any other. */
function show(purchase: PendingPurchase, outcome: PurchaseState, text: string, options?: { tone: 'bad' }): void {
  const isHere = isOrderedHere(purchase)
  if (!isHere) toast(text, options)
  state.set(isHere ? outcome : { step: 'none' })
}

function makeStale(): void {
  void refreshSession()
  for (const feature of ['wallet', 'keys', 'catalogue']) void queryClient.invalidateQueries({ queryKey: [feature] })
}

/** Waits, but less if the network comes back. */
function wait(ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (ask: boolean) => {
      clearTimeout(timer)
      removeEventListener('online', onOnline)
      endWait = undefined
      resolve(ask)
    }
    const onOnline = () => end(true)
    const timer = setTimeout(end, ms, true)
    addEventListener('online', onOnline)
    endWait = end
  })
}
