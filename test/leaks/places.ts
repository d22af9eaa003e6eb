/** Whom a buyer's data may be shown to: the roles that need it for their work. */
import type { AdminRole } from '../../contract/endpoint.ts'

export type Roles = readonly AdminRole[]
/** Places where an answer may show somebody else's secret, and to whom, by its kind (canary.ts, `plants`). */
export type Places = Record<string, Roles>

/** Roles that answer buyers' questions, or look at their payments. */
export const DESK: Roles = ['owner', 'payments', 'support', 'read-only']
export const CASHIERS: Roles = ['owner', 'payments']

export const nameFor = (roles: Roles): Places => ({ username: roles, 'e-mail': roles })
export const PAYMENTS: Places = { ...nameFor(DESK), phone: DESK, UTR: DESK, address: DESK }
