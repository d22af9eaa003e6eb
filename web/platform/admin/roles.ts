/** Calls that the admin's role allows. The server decides; a button only says so before it is pressed. */
import type { Api } from '../../../contract/api.ts'
import type { AdminEndpoints } from '../../../contract/client.ts'
import { mayCall, type AdminRole, type Endpoint } from '../../../contract/endpoint.ts'
import { t } from '../i18n.ts'
import { getSession } from '../session/session.ts'

declare const __ADMIN_ENDPOINTS__: AdminEndpoints<Api>

/** The admins' calls, to be asked about: `denied(calls.users.remove)`. */
export const calls = __ADMIN_ENDPOINTS__

type AdminCall = Pick<Endpoint, 'method' | 'roles'>

/**
 * Returns why the admin may not make a call, or undefined if they may. Call it while drawing, because the router draws
 * the screen again when the session changes.
 *
 *   <Button denied={denied(calls.users.remove)} …>
 */
export function denied(call: AdminCall): string | undefined {
  const role = getSession().admin?.role
  return role === undefined || mayCall(call, role)
    ? undefined
    : t('Your role ({role}) can’t do this. Ask the store owner.', { role: roleName(role) })
}

export function roleName(role: AdminRole): string {
  return {
    owner: t('Owner'),
    payments: t('Payments'),
    stock: t('Stock'),
    support: t('Support'),
    'read-only': t('View only'),
  }[role]
}

/** Describes the role in one line. */
export function roleDescription(role: AdminRole): string {
  return {
    owner: t('Full access, including settings and other admins.'),
    payments: t('Approves or rejects top-ups. Edits wallets and custom prices.'),
    stock: t('Manages products and keys.'),
    support: t('Helps buyers: resets device locks, creates password links, edits the notice.'),
    'read-only': t('Can view, but can’t change anything.'),
  }[role]
}
