/**
 * Strangers without an account who try to stop the store. Those who guess passwords and codes are in the tests
 * lock-out and login-storm (test/security).
 */
import type { Drill } from './drill.ts'
import { askCostly } from './strangers/costs.ts'
import { openStore } from './strangers/open-store.ts'
import { pipeline } from './strangers/pipelining.ts'
import type { Figure, Scenario } from './strangers/scenario.ts'
import { leaveUnread } from './strangers/unread.ts'

/** In this order, on one store: memory that was once taken would hide how much more it grows. */
const SCENARIOS: Record<string, Scenario> = {
  'unread requests': pipeline,
  'unread answers': leaveUnread,
  'costly answers': askCostly,
}

export const drill: Drill = async (options) => {
  const store = await openStore(options.directories)
  const figures: string[] = []
  let missed = 0
  for (const [name, scenario] of Object.entries(SCENARIOS)) {
    for (const figure of await scenario({ ...options, store })) {
      const isMet = figure.value <= figure.goal
      if (!isMet) missed++
      figures.push(`${name}: ${inWords(figure)}${isMet ? '' : ' MISSED'}`)
    }
  }
  const lived = store.alive
  await store.stop()
  return {
    passed: missed === 0 && lived,
    figures: [...figures, `the server process ${lived ? 'lived on' : 'DIED'}`],
    proved: 'none of these ways to stop the shop works from one machine.',
    cannotProve: 'what thousands of machines at once can do, or a way that it does not think of.',
  }
}

function inWords({ what, value, goal, unit }: Figure): string {
  const shown = value >= 10 ? value.toFixed(0) : value.toFixed(1)
  return `${what} ${shown} ${unit} (at most ${goal})`
}
