import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long the sealing or opening of many keys may keep everyone else waiting. */
const TURN_MS = 8
const ITEMS_PER_LOOK_AT_THE_CLOCK = 16

/** `items.map(work)` that lets other requests in between. */
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
