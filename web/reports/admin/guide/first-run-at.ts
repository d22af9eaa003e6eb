/** Where this tab is in the first run of a new store. */
import { FIRST_STEPS } from '../../../../contract/guide.ts'
import { createStore } from '../../../platform/store.ts'
import { keepTab, readTab } from '../../../platform/tab-storage.ts'

export type FirstStep = (typeof FIRST_STEPS)[number]
/** A step of the guide, or the way to share the store at its end. */
export type Card = FirstStep | 'share'

const KEY = 'first-run'
const isCard = (name: unknown): name is Card => name === 'share' || FIRST_STEPS.some((step) => step === name)

/** `left` once the person went to the dashboard. Kept in the tab, over a reload. */
export const firstRun = createStore(readTab(KEY), null)

export function goToCard(next: Card | 'left'): void {
  keepTab(KEY, next)
  firstRun.set(next)
}

type Steps = Record<FirstStep, boolean>

/** A store with nothing yet begins with the first card. */
export function cardOf(at: unknown, steps: Steps): Card | undefined {
  if (isCard(at)) return at
  return at === 'left' || FIRST_STEPS.some((step) => steps[step]) ? undefined : 'name'
}

/** The next open step after this one, the first open one without it, or the end. */
export const nextCard = (steps: Steps, after?: FirstStep): Card =>
  FIRST_STEPS.slice(after === undefined ? 0 : FIRST_STEPS.indexOf(after) + 1).find((step) => !steps[step]) ?? 'share'
