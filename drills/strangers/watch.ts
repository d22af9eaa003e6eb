/** The effects of strangers, as an honest caller and the kernel see them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { residentMb } from '../process-figures.ts'
import { send } from '../send.ts'
import type { StoreProcess } from '../store-process.ts'

const HEALTH_EVERY_MS = 50
const MEMORY_EVERY_MS = 20

export interface Noticed {
  /** The slowest answer of /api/health. An answer that never came counts with its waiting time. */
  slowestHealthMs: number
  /** The growth of memory, at its largest. */
  grownMb: number
}

/** Watches until `work` has ended and every question asked by then is answered. */
export async function watch({ port, pid }: StoreProcess, work: () => Promise<void>): Promise<Noticed> {
  const before = residentMb(pid)
  let most = before
  let slowestHealthMs = 0
  const over = new AbortController()
  const memory = setInterval(() => (most = Math.max(most, residentMb(pid))), MEMORY_EVERY_MS)
  const asking = (async () => {
    while (!over.signal.aborted) {
      const began = performance.now()
      const answer = await send({ port, method: 'GET', path: '/api/health' }).catch((error: Error) => error)
      const tookMs = performance.now() - began
      if (answer instanceof Error || answer.status !== 200) slowestHealthMs = Math.max(slowestHealthMs, 15_000)
      slowestHealthMs = Math.max(slowestHealthMs, tookMs)
      await sleep(HEALTH_EVERY_MS)
    }
  })()
  try {
    await work()
  } finally {
    over.abort()
    await asking
    clearInterval(memory)
  }
  return { slowestHealthMs, grownMb: most - before }
}
