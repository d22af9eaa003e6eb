import { setImmediate as nextTurn } from 'node:timers/promises'

/** Encrypting or decrypting many keys may hold up other requests this long. */
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
