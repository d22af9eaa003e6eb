import { createStore } from '../store.ts'

/** True while the page shows what this buyer is spending, so that no message needs to repeat it. */
export const isSpendingShown = createStore(false)
