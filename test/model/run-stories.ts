/** Runs stories on a few stores in parallel, until the time or their number is up, or one is impossible. */
import fc from 'fast-check'
import type { Engine } from '../engine.ts'
import { bankStories, type BankStory } from './bank-commands.ts'
import { claimStories, type ClaimStory } from './claim-commands.ts'
import { stories, type Story } from './commands.ts'
import { growthStories, type GrowthStory } from './growth-commands.ts'
import { tellBankStory } from './tell-bank-story.ts'
import { tellClaimStory } from './tell-claim-story.ts'
import { fetchStories, tellFetchStory, type FetchStory } from './tell-fetch-story.ts'
import { tellGrowthStory } from './tell-growth-story.ts'
import { tellStory, type Told } from './tell-story.ts'
import { startTwoNodes, type TwoNodes } from './two-nodes.ts'

type AnyStory = Story | BankStory | ClaimStory | FetchStory | GrowthStory

export interface RunOptions {
  /** No new story begins after so long. */
  seconds?: number
  /** Stories at the most. */
  runs?: number
  seed?: number
  /** fast-check's path to one story of the seed. */
  path?: string
  /** True to make a failing story shorter. */
  shrinks?: boolean
  onProgress?: (line: string) => void
}

export interface Outcome {
  operations: number
  stories: number
  /** The fault, and how to see it again. */
  failure: string | undefined
  summary: string
}

/** The values of MODEL_SEED and MODEL_PATH, from a failure's last line. */
export function replayed({ MODEL_SEED, MODEL_PATH }: NodeJS.ProcessEnv): Pick<RunOptions, 'seed' | 'path'> {
  return {
    ...(MODEL_SEED === undefined ? {} : { seed: Number(MODEL_SEED) }),
    ...(MODEL_PATH === undefined ? {} : { path: MODEL_PATH }),
  }
}

/** While one store reads its database, another one works. */
const STORES = 4
const ROUNDS_MAX = 40
const BANK_ROUNDS_MAX = 12
const CLAIM_ROUNDS_MAX = 12
const FETCH_ROUNDS_MAX = 12
const GROWTH_ROUNDS_MAX = 16
/** The store is replaced after so many stories, because its nodes remember the earlier ones. */
const STORIES_PER_STORE = 150
const PROGRESS_EVERY_MS = 30_000
/** Looking for a shorter story that fails as well. A race does not fail each time, so this ends by the clock. */
const SHRINK_MS = 20_000
/** A story that runs again may come out well by chance. */
const REPLAYS = 25

export async function runModel(engine: Engine, options: RunOptions): Promise<Outcome> {
  const { seconds = Infinity, runs = Infinity, shrinks = true, onProgress = () => {} } = options
  const began = performance.now()
  const isOver = () => performance.now() - began >= seconds * 1_000
  const total = { operations: 0, rounds: 0, busyRounds: 0, stories: 0 }
  let failure: string | undefined
  let saidAt = began

  const figures = () => {
    const elapsed = (performance.now() - began) / 1_000
    const rate = Math.round(total.operations / elapsed)
    return (
      `${total.operations} operations in ${total.stories} stories and ${total.rounds} rounds, ` +
      `${elapsed.toFixed(0)} s, ${rate} operations/s, ${total.busyRounds} rounds too busy to judge`
    )
  }

  async function work(worker: number): Promise<void> {
    for (let shift = worker; failure === undefined && !isOver() && total.stories < runs; shift += STORES) {
      const store = await startTwoNodes(engine)
      try {
        await tellMany(store, options.seed === undefined ? undefined : options.seed + shift)
      } finally {
        await store.stop()
      }
      if (options.path !== undefined) return
    }
  }

  async function tellMany(store: TwoNodes, seed: number | undefined): Promise<void> {
    let failedAt: number | undefined
    const any: fc.Arbitrary<AnyStory> = fc.oneof(
      { weight: 2, arbitrary: stories(ROUNDS_MAX) },
      { weight: 1, arbitrary: bankStories(BANK_ROUNDS_MAX) },
      { weight: 1, arbitrary: claimStories(CLAIM_ROUNDS_MAX) },
      { weight: 1, arbitrary: fetchStories(FETCH_ROUNDS_MAX) },
      { weight: 1, arbitrary: growthStories(GROWTH_ROUNDS_MAX) },
    )
    const property = fc.asyncProperty(any, async (story) => {
      if (failedAt === undefined && (failure !== undefined || isOver() || total.stories >= runs)) return
      if (failedAt !== undefined && performance.now() - failedAt > SHRINK_MS) return
      const tries = options.path === undefined ? 1 : REPLAYS
      for (let attempt = 1; attempt <= tries; attempt++) {
        try {
          count(await tell(store, story))
        } catch (error) {
          failedAt ??= performance.now()
          throw error
        }
      }
    })
    const result = await fc.check(property, {
      numRuns: options.path === undefined ? STORIES_PER_STORE : 1,
      endOnFailure: !shrinks,
      ...(seed === undefined ? {} : { seed }),
      ...(options.path === undefined ? {} : { path: options.path }),
    })
    if (result.failed) failure ??= describe(result)
  }

  function count(told: { operations: number; rounds: number; busyRounds: number }): void {
    total.operations += told.operations
    total.rounds += told.rounds
    total.busyRounds += told.busyRounds
    total.stories += 1
    if (performance.now() - saidAt < PROGRESS_EVERY_MS) return
    saidAt = performance.now()
    onProgress(`${figures()}, ${failure === undefined ? 0 : 1} violations`)
  }

  await Promise.all(Array.from({ length: options.path === undefined ? STORES : 1 }, (_, worker) => work(worker)))
  return { operations: total.operations, stories: total.stories, failure, summary: figures() }
}

function tell(store: TwoNodes, story: AnyStory): Promise<Told> {
  if ('bankRounds' in story) return tellBankStory(store, story)
  if ('growthRounds' in story) return tellGrowthStory(store, story)
  if ('fetchRounds' in story) return tellFetchStory(store, story)
  return 'claimRounds' in story ? tellClaimStory(store, story) : tellStory(store, story)
}

function describe({ seed, counterexamplePath, counterexample, errorInstance }: fc.RunDetails<[AnyStory]>): string {
  return [
    errorInstance instanceof Error ? errorInstance.message : String(errorInstance),
    `The story: ${JSON.stringify(counterexample?.[0])}`,
    `Again: MODEL_SEED=${seed} MODEL_PATH=${counterexamplePath} npm run model`,
  ].join('\n')
}
