/** The places where somebody else may see what is a buyer's: by the roles that need it for their work. */
import type { AdminRole } from '../../contract/endpoint.ts'
import type { Kind } from './canary.ts'

type Roles = readonly AdminRole[]
type Places = Partial<Record<Kind, Roles>>

/** Who answers buyers' questions, or looks at their payments. */
const DESK: Roles = ['owner', 'payments', 'support', 'read-only']
const CASHIERS: Roles = ['owner', 'payments']
const STOCK: Roles = ['owner', 'stock']
const AUDITORS: Roles = ['owner', 'read-only']
const SUPPORT: Roles = ['owner', 'support', 'read-only']

const nameFor = (roles: Roles): Places => ({ username: roles, 'e-mail': roles })
const PAYMENTS: Places = { ...nameFor(DESK), phone: DESK, UTR: DESK, address: DESK }
const KEYS: Places = { ...nameFor(STOCK), 'sold key': STOCK, 'unsold key': STOCK }
/** The log's subjects are named, and a change of prices is told with the prices. */
const LOG: Places = { username: AUDITORS, 'own price': AUDITORS }
const DECISION: Places = { ...nameFor(CASHIERS), phone: CASHIERS, address: CASHIERS }

/**
 * What is in no row is to be seen by no one but the person it belongs to, and a password, a token, a seed or a code in no
 * answer at all. Each row is tried: one that shows nothing to a role that it names is out of date, and fails.
 */
export const DECLARED: Record<string, Places> = {
  'GET /admin/users': { ...nameFor(DESK), phone: DESK, 'own price': DESK },
  'GET /admin/users/{id}/sessions': { address: SUPPORT, browser: SUPPORT },
  'PUT /admin/users/{id}/custom-prices': { ...nameFor(CASHIERS), phone: CASHIERS, 'own price': CASHIERS },
  'GET /payments': PAYMENTS,
  'GET /payments/user/{userId}': PAYMENTS,
  'PUT /payments/{id}/approve': DECISION,
  'PUT /payments/{id}/reject': DECISION,
  'GET /payments/purchases': nameFor(DESK),
  'GET /payments/purchases/export': nameFor(DESK),
  'GET /keys': KEYS,
  'POST /keys/export': KEYS,
  // A top-up is named by its buyer and its UTR, a buyer by name and e-mail: these roles see both among the payments
  'GET /admin/audit': { ...LOG, 'e-mail': AUDITORS, UTR: AUDITORS },
  'GET /admin/audit/export': LOG,
}
