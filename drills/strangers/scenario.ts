import type { DrillOptions } from '../drill.ts'
import type { StoreProcess } from '../store-process.ts'

/** A measured value with its goal. The drill fails above the goal. */
export interface Figure {
  what: string
  value: number
  goal: number
  unit: 'ms' | 's' | 'MB' | 'times' | ''
}

export interface Setting extends DrillOptions {
  /**
   * The built store with its pages, shared by all scenarios. Its rate limits are far above the usual, so that none
   * helps it.
   */
  store: StoreProcess
}

/** Does a stranger's attack on the store, and measures its effects on honest people. */
export type Scenario = (setting: Setting) => Promise<Figure[]>
