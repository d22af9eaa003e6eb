/** Data that a page is delivered with, so that it can be drawn without another call. */
import type { RefusalCode } from './errors.ts'
import type { AnswerTo } from './panel-pages.ts'
import type { User } from './users.ts'

/** A query that a page begins with. */
export type PageQuery = readonly [key: readonly (string | object)[], data: unknown]

/** Further data of a screen. */
export interface ScreenData {
  /** A list is absent when it is too long. */
  queries: readonly PageQuery[]
  /** True in the panel if this browser has put off the reminder of two-step verification. */
  isPutOff?: boolean
}

export interface PageData extends Partial<ScreenData> {
  user: User | null
  admin: AnswerTo<'sessions', 'adminCheck'> | null
  /** Why the buyer's session ended, when the account is in use on another device. */
  refusal?: RefusalCode
  site: AnswerTo<'settings', 'site'>
  settingsVersion: number
  notice: AnswerTo<'settings', 'notice'>
  upi: AnswerTo<'settings', 'upi'>
  /** With the prices that this caller pays. */
  products: AnswerTo<'catalogue', 'list'>
  /** The same as in `site`. */
  supportUrl: string
  /** The server's time, ISO 8601. */
  now: string
  /** The IANA time zone of the dates in a page drawn for a signed-in person. */
  zone?: string
}
