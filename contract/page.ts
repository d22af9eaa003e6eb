/** Data that a page is delivered with, so that it can be drawn without another call. */
import type * as z from 'zod/mini'
import type { Api } from './api.ts'
import type { RefusalCode } from './errors.ts'
import type { User } from './users.ts'

type Answer<Feature extends keyof Api, Call extends keyof Api[Feature]> = Api[Feature][Call] extends {
  output: infer Output extends z.ZodMiniType
}
  ? z.output<Output>
  : never

/** The lists that a screen needs first. A list is absent when it is too long or the screen doesn't show it. */
export interface PageLists {
  keys?: Answer<'keys', 'mine'> | undefined
  requests?: Answer<'payments', 'mine'> | undefined
  history?: Answer<'wallet', 'history'> | undefined
  plans?: Answer<'payments', 'activePlans'> | undefined
}

/** The figures that the panel's dashboard shows first. */
export interface PageFigures {
  overview?: Answer<'reports', 'overview'>
  stats?: Answer<'reports', 'stats'>
  health?: Answer<'reports', 'healthReport'>
}

export interface PageData extends PageLists, PageFigures {
  user: User | null
  admin: Answer<'sessions', 'adminCheck'> | null
  /** Why the buyer's session ended, when the account is in use on another device. */
  refusal?: RefusalCode
  site: Answer<'settings', 'site'>
  settingsVersion: number
  notice: string
  upi: Answer<'settings', 'upi'>
  /** With the prices that this caller pays. */
  products: Answer<'catalogue', 'list'>
  /** The same as in `site`. */
  supportUrl: string
  /** The server's time, ISO 8601. */
  now: string
  /** The IANA time zone of the dates in a page drawn for a signed-in person. */
  zone?: string
}
