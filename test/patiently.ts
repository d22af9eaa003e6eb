import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../contract/errors.ts'

const PATIENCE = 5

/** The store's own code gives up on a database that a busy machine keeps silent. A test has time. */
export async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === PATIENCE || !(error instanceof Refusal && error.code === 'SERVICE_UNAVAILABLE')) throw error
      await sleep(1_000)
    }
  }
}
