/** Live updates, as `GET /events` sends them to open pages. Each one only says what to ask for again. */
import type { Api } from './api.ts'

/** Every event, with what it carries. A page works without it. Money is in rupees. */
export interface LiveData {
  balance: { balance: number }
  stock: { productId: string }
  /** Statements, alerts, alarms or rules have changed. */
  bank: object
  payment: { id: string; status?: 'pending' | 'approved' | 'rejected' }
  /** A claim was opened or answered. */
  claim: object
  settings: { settingsVersion: number }
  'session-ended': object
}

export type LiveEvent = keyof LiveData

/** The features whose answers an event makes stale. */
export const STALE: Record<LiveEvent, readonly (keyof Api)[]> = {
  balance: ['wallet', 'keys'],
  stock: ['catalogue', 'keys', 'orders', 'reports', 'books', 'users', 'waiting', 'forecast', 'supply'],
  bank: ['bank', 'payments'],
  payment: ['payments', 'bank', 'wallet', 'reports', 'books', 'users'],
  claim: ['claims', 'keys', 'orders', 'books'],
  settings: ['settings'],
  'session-ended': [],
}

/** The features whose answers a call of this feature makes stale in the page that made it. Absent: only its own. */
export const STALE_AFTER: Partial<Record<keyof Api, readonly (keyof Api)[]>> = {
  admins: ['admins', 'settings', 'reports'],
  backup: ['reports'],
  bank: ['bank', 'payments', 'reports', 'users'],
  claims: ['claims', 'keys', 'orders', 'catalogue'],
  keys: ['keys', 'catalogue', 'books'],
  orders: ['wallet', 'keys', 'catalogue', 'payments'],
  payments: ['payments', 'reports', 'users'],
  proofs: ['payments', 'reports', 'users', 'books'],
  settings: ['settings', 'reports'],
  supply: ['supply', 'keys', 'catalogue'],
  users: ['users', 'groups', 'payments', 'reports'],
  // A refusal often means that keys have just come
  waiting: ['waiting', 'catalogue', 'settings'],
}

export type CallName = { [F in keyof Api]: `${F}.${keyof Api[F] & string}` }[keyof Api]

/** Calls that change nothing that a page shows. */
export const MAKE_NOTHING_STALE: ReadonlySet<CallName> = new Set<CallName>([
  'admins.enrol',
  'admins.stepUp',
  'bank.invite',
  'bank.preview',
  'messages.linkTelegram',
  'messages.testChannel',
  'sessions.forgotPassword',
  'sessions.proveEmail',
  'settings.refreshVersion',
  'supply.check',
  'supply.try',
  'users.issueResetLink',
])

/** A page listens for each of them. */
export const LIVE_EVENTS = Object.keys(STALE) as LiveEvent[]

/** Sent to a page that may have missed some, because asking again is always safe. */
export const NEWS = LIVE_EVENTS.filter((name) => name !== 'session-ended')
