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

/** The screens of the panel that the server draws. Each names its data in server/panel-data.ts. */
export const PANEL_PAGES = [
  '/admin',
  '/admin/dashboard',
  '/admin/product-manager',
  '/admin/user-manager',
  '/admin/key-manager',
  '/admin/payment-manager',
  '/admin/bank',
  '/admin/purchases',
  '/admin/claims',
  '/admin/topup-plan-manager',
  '/admin/referral-manager',
  '/admin/audit',
] as const
export type PanelPage = (typeof PANEL_PAGES)[number]

/** The data of the browser's queries, by the first parts of their keys. */
interface Queries {
  'bank accounts': Answer<'bank', 'accounts'>
  'bank alarms': Answer<'bank', 'alarms'>
  'bank credits': Answer<'bank', 'credits'>
  'bank devices': Answer<'bank', 'devices'>
  'bank rules': Answer<'bank', 'rules'>
  'bank unclaimed-count': Answer<'bank', 'credits'>
  'catalogue admin': Answer<'catalogue', 'list'>
  'claims list': Answer<'claims', 'list'>
  'claims mine': Answer<'claims', 'mine'>
  'claims open-count': Answer<'claims', 'list'>
  'forecast read': Answer<'forecast', 'read'>
  'keys mine': Answer<'keys', 'mine'>
  'orders purchases': Answer<'orders', 'purchases'>
  'payments list': Answer<'payments', 'list'>
  'payments list confirmed': Answer<'payments', 'list'>
  'payments mine': Answer<'payments', 'mine'>
  'payments next': Answer<'payments', 'list'>
  'payments pending-count': Answer<'payments', 'list'>
  'payments plans active': Answer<'payments', 'activePlans'>
  'payments plans all': Answer<'payments', 'plans'>
  'referrals list': Answer<'referrals', 'list'>
  'referrals stats': Answer<'referrals', 'stats'>
  'reports audit': { pages: [Answer<'reports', 'audit'>]; pageParams: [''] }
  'reports health': Answer<'reports', 'healthReport'>
  'reports overview': Answer<'reports', 'overview'>
  'reports overview guide': Answer<'reports', 'guide'>
  'reports stats': Answer<'reports', 'stats'>
  'users list': Answer<'users', 'list'>
  'waiting demand': Answer<'waiting', 'demand'>
  'wallet history': { pages: [Answer<'wallet', 'history'>]; pageParams: [''] }
}
/** A query that a page begins with. `asked` is the end of its key, where it has one. */
export type PageQuery<Words extends keyof Queries = keyof Queries> = {
  [W in Words]: [words: W, data: Queries[W], ...asked: object[]]
}[Words]

/** Further data of a screen. */
export interface ScreenData {
  /** A list is absent when it is too long. */
  queries: readonly PageQuery[]
  /** True in the panel if the browser does not look like a phone's. The server then draws tables instead of cards. */
  isWide?: boolean
  /** True in the panel if this browser has put off the reminder of two-step verification. */
  isPutOff?: boolean
}

export interface PageData extends Partial<ScreenData> {
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
