import { setImmediate as nextTurn } from 'node:timers/promises'

/** Long work may hold up other requests this long. */
const TURN_MS = 8
const ITEMS_PER_LOOK_AT_THE_CLOCK = 16

/** Does `items.map(work)` and lets other requests run in between. */
export async function mapYielding<A, B>(items: readonly A[], work: (item: A, index: number) => B): Promise<B[]> {
  const results: B[] = []
  let turnEndsMs = performance.now() + TURN_MS
  for (const [index, item] of items.entries()) {
    results.push(work(item, index))
    if (index % ITEMS_PER_LOOK_AT_THE_CLOCK === 0 && performance.now() > turnEndsMs) {
      await nextTurn()
      turnEndsMs = performance.now() + TURN_MS
    }
  }
  return results
}

/** Returns what the work returns. It yields where other requests may run. */
export async function inTurns<Result>(work: Iterator<void, Result>): Promise<Result> {
  let turnEndsMs = performance.now() + TURN_MS
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    if (performance.now() > turnEndsMs) {
      await nextTurn()
      turnEndsMs = performance.now() + TURN_MS
    }
  }
}

/** Does such work in one go. */
export function atOnce<Result>(work: Iterator<void, Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}
