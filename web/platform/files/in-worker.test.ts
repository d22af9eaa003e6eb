import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FileFault, PasswordFault } from './file-fault.ts'
import { READING_MAX_MS, readInWorker, START_MAX_MS, type Answer } from './in-worker.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A worker that starts and gives this answer; without one it is busy for ever. */
function workerOf(answer?: Answer<string>, { starts = true } = {}) {
  const target = new EventTarget()
  const terminate = vi.fn()
  const say = (data: unknown) => target.dispatchEvent(Object.assign(new Event('message'), { data }))
  const worker = Object.assign(target, { postMessage: () => answer && say(answer), terminate })
  if (starts) queueMicrotask(() => say('started'))
  return { worker: worker as unknown as Worker, say, terminate }
}

test('a file that is read for ever is given up, in words, and its worker is ended', async () => {
  const { worker, terminate } = workerOf()
  const reading = readInWorker(worker, 'a file').catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(READING_MAX_MS)
  expect(await reading).toEqual(new FileFault('This file takes too long to read. Choose a shorter period, or CSV.'))
  expect(terminate).toHaveBeenCalledOnce()
})

test('faults of the worker are said on the page, and passwords stay what they are', async () => {
  const fault = ['This file has more than {count} lines. Choose a shorter period.', { count: 20_000 }] as const
  await expect(readInWorker(workerOf({ fault }).worker, '')).rejects.toThrow('more than 20000 lines')
  const locked = workerOf({ fault: ['This file opens with a password.'], password: 'none' })
  await expect(readInWorker(locked.worker, '')).rejects.toBeInstanceOf(PasswordFault)
  expect(locked.terminate).toHaveBeenCalledOnce()
  expect(await readInWorker(workerOf({ read: 'a text' }).worker, '')).toBe('a text')
})

test('the time in which a worker is fetched doesn’t count, and one that never comes says why', async () => {
  const slow = workerOf({ read: 'a text' }, { starts: false })
  const reading = readInWorker(slow.worker, '')
  await vi.advanceTimersByTimeAsync(START_MAX_MS - 1)
  slow.say('started')
  expect(await reading).toBe('a text')

  const lost = workerOf(undefined, { starts: false })
  const failing = readInWorker(lost.worker, '').catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(START_MAX_MS)
  const fault = new FileFault('The store can’t be reached. Check your connection and try again.')
  expect(await failing).toEqual(fault)
  expect(lost.terminate).toHaveBeenCalledOnce()
  const broken = workerOf(undefined, { starts: false })
  queueMicrotask(() => broken.worker.dispatchEvent(new Event('error')))
  await expect(readInWorker(broken.worker, '')).rejects.toEqual(fault)
})

test('a worker that can’t run says so, and doesn’t blame the line', async () => {
  const message = 'SyntaxError: import declarations may only appear at top level of a module'
  const { worker, terminate } = workerOf(undefined, { starts: false })
  queueMicrotask(() => worker.dispatchEvent(Object.assign(new Event('error'), { message })))
  await expect(readInWorker(worker, '')).rejects.toEqual(new Error(message))
  expect(terminate).toHaveBeenCalledOnce()
  expect(vi.getTimerCount()).toBe(0)
})
