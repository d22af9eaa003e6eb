/** Live updates, as `GET /events` sends them to open pages. Each one only says what to ask for again. */

/** Told to a page that may have missed some, because asking again is always right. */
export const NEWS = ['balance', 'stock', 'payment', 'settings'] as const

/** Every event. A page listens for each of them. */
export const LIVE_EVENTS = [...NEWS, 'session-ended'] as const

export type LiveEvent = (typeof LIVE_EVENTS)[number]

/** What an event carries. A page works without it. Money is in rupees. */
export interface LiveData {
  balance: { balance: number }
  stock: { productId: string }
  payment: { id: string; status?: 'pending' | 'approved' | 'rejected' }
  settings: { settingsVersion: number }
  'session-ended': object
}
