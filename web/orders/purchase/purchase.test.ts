import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { User } from '../../../contract/users.ts'

const USER = { id: 'u1' } as User
const WANTED = {
  userId: USER.id,
  productId: 'p1',
  productName: 'Orbit',
  duration: '1 Day',
  quantity: 1,
  expectedPrice: 10,
}
const FAULT = { status: 500, body: { code: 'INTERNAL', message: 'The store hiccuped.' } }
const REFUSAL = { status: 409, body: { code: 'OUT_OF_STOCK', message: 'OUT OF STOCK' } }
const KEYS = { status: 200, body: { message: 'Bought', keys: [{ _id: 'k1', key: 'AAAA' }], order: {} } }
/** After this many faults the buttons show, and the next wait is a slow one. */
const FAULTS_UNTIL_BUTTONS = 4
const WAIT_MS = 5_000
const WAITS_UNTIL_SILENT = 70

interface SentOrder {
  key: string | null
  answer: (what: typeof FAULT | typeof KEYS) => Promise<void>
}

/** Calls, oldest first. Each is in flight until the test answers it. */
let sent: SentOrder[] = []

function fakeFetch(url: string, { headers }: RequestInit): Promise<Response> {
  return new Promise((resolve) => {
    if (url !== '/api/keys/buy') return
    const answer = async ({ status, body }: typeof FAULT | typeof KEYS) => {
      resolve(Response.json(body, { status }))
      await vi.advanceTimersByTimeAsync(0)
    }
    sent.push({ key: new Headers(headers).get('idempotency-key'), answer })
  })
}

/** Loads the page's modules, which read a browser's globals. */
async function page() {
  const [orders, pending, session, toasts] = await Promise.all([
    import('./purchase.ts'),
    import('./pending-purchase.ts'),
    import('../../platform/session/session.ts'),
    import('../../platform/navigation/toast.ts'),
  ])
  return { ...orders, ...pending, ...session, ...toasts }
}

/** Returns the value that a component gets from a store's hook. */
function read<T>(hook: () => T): T {
  let value: T | undefined
  renderToString(
    createElement(() => {
      value = hook()
      return null
    }),
  )
  return value as T
}

const step = async () => read((await page()).usePurchase).step
const toldOf = async () => read((await page()).useToasts).map(({ text }) => text)

/** Gives an order that offers "Ask again now" and "Stop asking", with its next call in flight. */
async function givenOpenOrderInFlight(): Promise<SentOrder> {
  const { startPurchase } = await page()
  startPurchase(WANTED)
  for (let faults = 0; faults < FAULTS_UNTIL_BUTTONS; faults++) {
    await sent.at(-1)?.answer(FAULT)
    await vi.advanceTimersByTimeAsync(WAIT_MS)
  }
  expect(sent).toHaveLength(FAULTS_UNTIL_BUTTONS + 1)
  expect(read((await page()).usePurchase)).toMatchObject({ step: 'open', failure: expect.any(String) })
  return sent.at(-1) as SentOrder
}

beforeEach(async () => {
  sent = []
  // Other tests loaded these modules with their own browser globals.
  vi.resetModules()
  vi.useFakeTimers()
  vi.stubGlobal('__ENDPOINTS__', { orders: { place: ['POST', '/keys/buy'] }, sessions: { me: ['GET', '/auth/me'] } })
  vi.stubGlobal('location', { pathname: '/buy', search: '?product=Orbit' })
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('removeEventListener', () => {})
  vi.stubGlobal('fetch', fakeFetch)
  const { drawFor } = await page()
  drawFor(USER, null)
})

afterEach(async () => {
  const { clearOutcome, dismissToast, drawFor, giveUp, useToasts } = await page()
  giveUp()
  clearOutcome()
  for (const { id } of read(useToasts)) dismissToast(id)
  drawFor(null, null)
  await vi.runOnlyPendingTimersAsync()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('an open order is not called failed, because it may have gone through', async () => {
  await givenOpenOrderInFlight()

  expect(read((await page()).usePurchase)).toMatchObject({ failure: FAULT.body.message })
})

test('an order that is stopped during its call is asked for no more', async () => {
  const { giveUp } = await page()
  const inFlight = await givenOpenOrderInFlight()

  giveUp()
  await inFlight.answer(FAULT)
  await vi.advanceTimersByTimeAsync(WAIT_MS * 2)

  expect(await step()).toBe('none')
  expect((await page()).keptPurchase(USER.id)).toBeUndefined()
  expect(sent).toHaveLength(FAULTS_UNTIL_BUTTONS + 1)
})

test.each([
  ['fault', FAULT],
  ['refusal', REFUSAL],
  ['success', KEYS],
])('the %s of a stopped order leaves the one after it as it is', async (_, late) => {
  const { giveUp, startPurchase } = await page()
  const inFlight = await givenOpenOrderInFlight()
  giveUp()
  startPurchase(WANTED)
  const next = sent.at(-1)
  expect(next?.key).not.toBe(inFlight.key)

  await inFlight.answer(late)

  expect(await step()).toBe('placing')
  expect((await page()).keptPurchase(USER.id)?.idempotencyKey).toBe(next?.key)
  await next?.answer(KEYS)
  expect(await step()).toBe('bought')
})

test('keys that come after the stop are told of', async () => {
  const { giveUp } = await page()
  const inFlight = await givenOpenOrderInFlight()
  giveUp()

  await inFlight.answer(KEYS)

  expect(await toldOf()).toEqual(['Your key is in My Key'])
  expect(await step()).toBe('none')
})

test('but not to somebody who has logged in meanwhile', async () => {
  const { drawFor, giveUp } = await page()
  const inFlight = await givenOpenOrderInFlight()
  giveUp()
  drawFor({ ...USER, id: 'u2' }, null)

  await inFlight.answer(KEYS)

  expect(await toldOf()).toEqual([])
})

test('asking again during a call sends no second one, in a wait it ends the wait', async () => {
  const { askAgain } = await page()
  const inFlight = await givenOpenOrderInFlight()

  askAgain()
  expect(sent).toHaveLength(FAULTS_UNTIL_BUTTONS + 1)

  await inFlight.answer(FAULT)
  askAgain()
  await vi.advanceTimersByTimeAsync(0)
  expect(sent).toHaveLength(FAULTS_UNTIL_BUTTONS + 2)
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
})

test('where it has stopped asking by itself, asking again begins anew, once', async () => {
  const { askAgain, usePurchase } = await page()
  await givenOpenOrderInFlight()
  for (let waits = 0; waits < WAITS_UNTIL_SILENT; waits++) {
    await sent.at(-1)?.answer(FAULT)
    await vi.advanceTimersByTimeAsync(WAIT_MS)
  }
  expect(read(usePurchase)).toMatchObject({ step: 'open', asksByItself: false })
  const before = sent.length

  askAgain()
  askAgain()

  expect(sent).toHaveLength(before + 1)
})

test('a stop that is answered after the keys have come leaves them on the screen', async () => {
  const { giveUp } = await page()
  const inFlight = await givenOpenOrderInFlight()
  await inFlight.answer(KEYS)

  giveUp()

  expect(await step()).toBe('bought')
})

async function givenReloadAfterPurchase(): Promise<void> {
  const tab = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => tab.get(key) ?? null,
    setItem: (key: string, value: string) => tab.set(key, value),
    removeItem: (key: string) => tab.delete(key),
  })
  const before = await page()
  before.startPurchase(WANTED)
  await sent.at(-1)?.answer(KEYS)
  expect(await step()).toBe('bought')
  vi.clearAllTimers()
  vi.resetModules()
  vi.stubGlobal('location', { pathname: '/buy', search: '?product=Orbit' })
  const { drawFor } = await page()
  drawFor(USER, null)
}

test('a reload just after a purchase shows its keys again', async () => {
  await givenReloadAfterPurchase()
  const { resumePurchase } = await page()

  resumePurchase(USER.id)
  await sent.at(-1)?.answer(KEYS)

  expect(await step()).toBe('bought')
})

test.each([
  ['on the page of another product', '?product=Galaxy', 0],
  ['eleven seconds later', '?product=Orbit', 11_000],
])('the keys of a purchase are not shown again %s', async (_, search, laterMs) => {
  await givenReloadAfterPurchase()
  vi.stubGlobal('location', { pathname: '/buy', search })
  vi.setSystemTime(Date.now() + laterMs)
  const { resumePurchase, keptPurchase } = await page()
  const before = sent.length

  resumePurchase(USER.id)

  expect(await step()).toBe('none')
  expect(sent).toHaveLength(before)
  expect(keptPurchase(USER.id)).toBeUndefined()
})

test('the answer to an open order does not take the page of another product', async () => {
  const inFlight = await givenOpenOrderInFlight()
  vi.stubGlobal('location', { pathname: '/buy', search: '?product=Galaxy' })

  await inFlight.answer(KEYS)

  expect(await step()).toBe('none')
  expect(await toldOf()).toEqual(['Your key is in My Key'])
})
