/** Reads a file in a worker of its own, which is ended when it has taken too long. */
import type { Said } from '../../../contract/words.ts'
import { t } from '../i18n.ts'
import { FileFault, PasswordFault } from './file-fault.ts'

export const READING_MAX_MS = 20_000
/** A worker is fetched first, also on slow lines. */
export const START_MAX_MS = 120_000

/** Waits for the first word of a worker. @throws FileFault when it can't be fetched, and Error when it can't run */
export function whenStarted(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    // Only a fault of the script has a message
    const fail = (message?: string) => {
      clearTimeout(timer)
      const lost = () => new FileFault(t('The store can’t be reached. Check your connection and try again.'))
      reject(message ? new Error(message) : lost())
    }
    const timer = setTimeout(fail, START_MAX_MS)
    worker.addEventListener('error', ({ message }) => fail(message), { once: true })
    worker.addEventListener(
      'message',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}

/** What comes back (answer-work.ts). A fault is said here, in the reader's language. */
export type Answer<T> = { read: T } | { fault: Said; password?: 'none' | 'wrong' } | { error: string }

const takesTooLong = () => new FileFault(t('This file takes too long to read. Choose a shorter period, or CSV.'))

/** @throws FileFault or PasswordFault as the reader does, and FileFault when it takes too long */
export async function readInWorker<T>(worker: Worker, given: unknown, late = takesTooLong): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    await whenStarted(worker)
    const answer = await new Promise<Answer<T>>((resolve, reject) => {
      timer = setTimeout(() => reject(late()), READING_MAX_MS)
      worker.addEventListener('message', ({ data }: MessageEvent<Answer<T>>) => resolve(data))
      worker.addEventListener('error', ({ message }) => reject(new Error(message)))
      worker.postMessage(given, [])
    })
    if ('read' in answer) return answer.read
    if ('error' in answer) throw new Error(answer.error)
    const words = t(...answer.fault)
    throw answer.password ? new PasswordFault(words, answer.password === 'wrong') : new FileFault(words)
  } finally {
    clearTimeout(timer)
    worker.terminate()
  }
}
