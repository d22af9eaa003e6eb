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
  stock: ['catalogue', 'keys', 'orders', 'reports', 'books', 'users', 'waiting', 'forecast'],
  bank: ['bank', 'payments'],
  payment: ['payments', 'bank', 'wallet', 'reports', 'books', 'users'],
  claim: ['claims', 'keys', 'orders', 'books'],
  settings: ['settings'],
  'session-ended': [],
}

/** A page listens for each of them. */
export const LIVE_EVENTS = Object.keys(STALE) as LiveEvent[]

/** Sent to a page that may have missed some, because asking again is always safe. */
export const NEWS = LIVE_EVENTS.filter((name) => name !== 'session-ended')
