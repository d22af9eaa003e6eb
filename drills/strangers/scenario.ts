import type { DrillOptions } from '../drill.ts'
import type { Furnished } from '../furnish.ts'
import type { StoreProcess } from '../store-process.ts'

/** A measured value beside its goal. The drill fails above the goal. */
export interface Figure {
  what: string
  value: number
  goal: number
  unit: 'ms' | 's' | 'MB' | 'times' | ''
}

export interface Setting extends DrillOptions {
  /** The built store with its pages, shared by all scenarios. No rate limit helps it. */
  store: StoreProcess
  shop: Furnished
}

/** Does what a stranger might do to the store, and measures what honest people notice of it. */
export type Scenario = (setting: Setting) => Promise<Figure[]>
