/**
 * Random rounds of commands at the same moment against the in-memory model. `npm run model -- --minutes 20` does
 * it for longer, and `npm run planted-bugs` shows that it finds what it is there to find.
 */
import { expect, inject, test } from 'vitest'
import { replayed, runModel } from './run-stories.ts'

const RUNS = Number(process.env.MODEL_RUNS ?? 80)
/** On a busy machine there are fewer stories rather than a longer wait. */
const SECONDS_MAX = Number(process.env.MODEL_SECONDS ?? 75)
/** Stories under way then run to their end, and a failing story is made shorter. */
const TIMEOUT_MS = 150_000

test(
  'every round of a small shop has an order of its commands that explains it',
  async () => {
    const { failure, operations, summary } = await runModel(inject('engine'), {
      runs: RUNS,
      seconds: SECONDS_MAX,
      ...replayed(process.env),
    })
    console.log(`Model: ${summary}`)

    expect(failure).toBeUndefined()
    expect(operations).toBeGreaterThan(0)
  },
  TIMEOUT_MS,
)
