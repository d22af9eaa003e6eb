import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const LONGEST_PAUSE_MS = 1_200
const ROUND_MS_MAX = 30_000

// Imported late, because it reads values that the build puts in.
const page = async () => ({
  ...(await import('./live-updates.tsx')),
  ...(await import('../platform/calls/queries.ts')),
})

let stop: (() => void)[]

beforeEach(() => {
  stop = []
  vi.resetModules()
  vi.useFakeTimers()
  vi.stubGlobal('__ENDPOINTS__', { orders: { place: ['POST', '/keys/buy'] }, sessions: { me: ['GET', '/auth/me'] } })
})

afterEach(async () => {
  for (const each of stop) each()
  await vi.advanceTimersByTimeAsync(ROUND_MS_MAX * 2)
  const { queryClient } = await page()
  queryClient.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Returns a query with data on the page. Each further fetch takes `ms`. */
async function givenShown(queryKey: string[], ms: number) {
  const { queryClient } = await page()
  const calls = { begun: 0, answered: 0, aborted: 0 }
  queryClient.setQueryData(queryKey, 0)
  const queryFn = async ({ signal }: { signal: AbortSignal }) => {
    calls.begun += 1
    signal.addEventListener('abort', () => (calls.aborted += 1))
    await new Promise((resolve) => setTimeout(resolve, ms))
    calls.answered += 1
    return calls.begun
  }
  stop.push(new QueryObserver(queryClient, { queryKey, queryFn, staleTime: Infinity }).subscribe(() => {}))
  return calls
}

test('events that come faster than the answers end no fetch, and the last of them is answered too', async () => {
  const { followUp } = await page()
  const products = await givenShown(['catalogue', 'products'], 3_000)

  for (let sale = 0; sale < 10; sale++) {
    followUp('stock')
    await vi.advanceTimersByTimeAsync(2_000)
  }
  const begunBefore = products.begun
  followUp('stock')
  await vi.advanceTimersByTimeAsync(2 * (3_000 + LONGEST_PAUSE_MS))

  expect(products.aborted).toBe(0)
  expect(products.begun).toBeGreaterThan(begunBefore)
  expect(products.answered).toBe(products.begun)
})

test('a round that hangs holds the next one up for a while only', async () => {
  const { followUp } = await page()
  const products = await givenShown(['catalogue', 'products'], 10 * ROUND_MS_MAX)
  followUp('stock')
  await vi.advanceTimersByTimeAsync(LONGEST_PAUSE_MS)
  followUp('stock')

  await vi.advanceTimersByTimeAsync(ROUND_MS_MAX + LONGEST_PAUSE_MS)

  expect(products.begun).toBe(2)
})

test('a sale renews the audit log, and does not ask for a person’s own keys', async () => {
  const { followUp } = await page()
  const log = await givenShown(['reports', 'audit'], 10)
  const own = await givenShown(['keys', 'mine'], 10)

  followUp('stock')
  await vi.advanceTimersByTimeAsync(2 * LONGEST_PAUSE_MS)

  expect([log.begun, log.aborted, own.begun]).toEqual([1, 0, 0])
})
