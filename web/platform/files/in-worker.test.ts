import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FileFault, PasswordFault } from './file-fault.ts'
import { READING_MAX_MS, readInWorker, type Answer } from './in-worker.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A worker that gives this answer; without one it is busy for ever. */
function workerOf(answer?: Answer<string>) {
  const ears = new Map<string, (event: unknown) => void>()
  const terminate = vi.fn()
  const worker = {
    addEventListener: (kind: string, ear: (event: unknown) => void) => ears.set(kind, ear),
    postMessage: () => answer && ears.get('message')?.({ data: answer }),
    terminate,
  }
  return { worker: worker as unknown as Worker, terminate }
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
