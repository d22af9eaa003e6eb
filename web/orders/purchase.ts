/**
 * Buying, from the press of the button to the keys in hand.
 *
 * It lives outside of the screen, because an order that has been sent is under way wherever the person goes meanwhile.
 * One order at a time: a second press while one is under way does nothing.
 */
import { BUY_REDIRECT_MS } from '../../contract/limits.ts'
import type { PlacedOrder } from '../../contract/orders.ts'
import { ApiError } from '../platform/api-error.ts'
import { client } from '../platform/client.ts'
import { t } from '../platform/i18n.ts'
import { newIdempotencyKey } from '../platform/idempotency-key.ts'
import { queryClient } from '../platform/queries.ts'
import { getSession, refreshSession } from '../platform/session.ts'
import { createStore, useStore } from '../platform/store.ts'
import { toast } from '../platform/toast.ts'
import { forgetPurchase, keepPurchase, keptPurchase, type PendingPurchase } from './pending-purchase.ts'
import { failureText, isRefused } from './purchase-outcome.ts'
import { forgetQuantity } from './quantity-draft.ts'

export type PurchaseState =
  | { step: 'none' }
  | { step: 'placing'; purchase: PendingPurchase }
  /** The answer was lost, and is asked for again. `failure` is set once that has not helped for a while. */
  | { step: 'open'; purchase: PendingPurchase; failure: string | undefined; asksByItself: boolean }
  | { step: 'refused'; failure: string }
  | { step: 'bought'; placed: PlacedOrder }

/** Waits before asking again: three quick ones, which the person hardly notices, then the slow ones. */
const QUICK_WAITS_MS = [500, 1_000, 2_000] as const
const SLOW_WAIT_MS = 5_000
const SLOW_WAITS = 60

const state = createStore<PurchaseState>({ step: 'none' })
/** The order whose keys this page has shown last. */
let told: string | undefined
/** Of the loop that may ask and say what it learns. One that was stopped still tells of keys, and of nothing else. */
let turn = 0
/** Ends the present wait: true asks at once, false gives up. */
let endWait: ((ask: boolean) => void) | undefined

export function usePurchase(): PurchaseState {
  return useStore(state)
}

export function isUnderWay({ step }: PurchaseState): boolean {
  return step === 'placing' || step === 'open'
}

/** Sends an order, unless one is under way. */
export function startPurchase(wanted: Omit<PendingPurchase, 'idempotencyKey' | 'isOpen'>): void {
  if (isUnderWay(state.get())) return
  const purchase = { ...wanted, idempotencyKey: newIdempotencyKey(), isOpen: false }
  keepPurchase(purchase)
  void carryOut(purchase)
}

/** Goes on with an order that a reload, or the end of a session, has cut off. */
export function resumePurchase(userId: string): void {
  const kept = keptPurchase(userId)
  // Sent or not is unknown after a reload, so it counts as open.
  if (kept && kept.idempotencyKey !== told && !isUnderWay(state.get())) void carryOut({ ...kept, isOpen: true })
}

export function askAgain(): void {
  const present = state.get()
  if (endWait) endWait(true)
  // Where it asks by itself and does not wait, it is asking at this moment.
  else if (present.step === 'open' && !present.asksByItself) void carryOut(present.purchase)
}

/** Stops asking, for good. What the order came to, the list of keys tells. */
export function giveUp(): void {
  const present = state.get()
  // The answer may have come while the person was asked whether to stop.
  if (present.step !== 'open') return
  turn++
  forgetPurchase(present.purchase.idempotencyKey)
  state.set({ step: 'none' })
  endWait?.(false)
}

/** The outcome has been seen. */
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
      state.set(open(purchase, isSlow ? failureText(error) : undefined, goesOn))
      if (!goesOn) return
      const retryAfterMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0
      const asks = await wait(Math.max(retryAfterMs, QUICK_WAITS_MS[tries] ?? SLOW_WAIT_MS))
      if (!asks || mine !== turn) return
      if (getSession().user?.id !== purchase.userId) {
        // Kept for when this person logs in again.
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

/** @param isAskedFor if not, the page may have another order by now: that one stays as it is */
function bought(placed: PlacedOrder, { idempotencyKey, userId }: PendingPurchase, isAskedFor: boolean): void {
  makeStale()
  const text = t('{count, plural, one {Your key is} other {Your # keys are}} in My Key', { count: placed.keys.length })
  if (!isAskedFor) {
    if (getSession().user?.id === userId) toast(text)
    return
  }
  // Not before it could be seen: a page that is being reloaded takes in answers to its last moment, and the next one
  // would know nothing of the order. It asks again, and is told the same.
  told = idempotencyKey
  setTimeout(() => forgetPurchase(idempotencyKey), BUY_REDIRECT_MS)
  show({ step: 'bought', placed }, text)
  forgetQuantity()
}

function refused(error: unknown, { idempotencyKey }: PendingPurchase): void {
  forgetPurchase(idempotencyKey)
  const failure = failureText(error)
  show({ step: 'refused', failure }, failure, { tone: 'bad' })
  // Price, stock or balance are not what this page thought.
  makeStale()
}

/** On the page of the order, and as a message on any other. */
function show(outcome: PurchaseState, text: string, options?: { tone: 'bad' }): void {
  const isHere = location.pathname === '/buy'
  if (!isHere) toast(text, options)
  state.set(isHere ? outcome : { step: 'none' })
}

function makeStale(): void {
  void refreshSession()
  for (const feature of ['wallet', 'keys', 'catalogue']) void queryClient.invalidateQueries({ queryKey: [feature] })
}

/** Ends early when the network comes back. */
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
