/** What the admin's role allows. The server decides; here a button says so before it is pressed. */
import type { Api } from '../../contract/api.ts'
import type { AdminEndpoints } from '../../contract/client.ts'
import { mayCall, type AdminRole, type Endpoint } from '../../contract/endpoint.ts'
import { t } from './i18n.ts'
import { getSession } from './session.ts'

declare const __ADMIN_ENDPOINTS__: AdminEndpoints<Api>

/** The admins' calls, to be asked about: `denied(calls.users.remove)`. */
export const calls = __ADMIN_ENDPOINTS__

type AdminCall = Pick<Endpoint, 'method' | 'roles'>

/**
 * Why the admin may not make a call, or undefined when they may. Asked while drawing: the router draws its screen anew
 * when the session changes.
 *
 *   <Button denied={denied(calls.users.remove)} …>
 */
export function denied(call: AdminCall): string | undefined {
  const role = getSession().admin?.role
  return role === undefined || mayCall(call, role)
    ? undefined
    : t('Your role, {role}, does not allow this. Ask an owner of the store.', { role: roleName(role) })
}

export function roleName(role: AdminRole): string {
  return {
    owner: t('Owner'),
    payments: t('Payments'),
    stock: t('Stock'),
    support: t('Support'),
    'read-only': t('Read only'),
  }[role]
}

/** What the role is for, in a line. */
export function roleDescription(role: AdminRole): string {
  return {
    owner: t('May do everything, other admins’ accounts and the settings included.'),
    payments: t('Decides top-up requests, and changes buyers’ balances and prices.'),
    stock: t('Looks after the products and their keys.'),
    support: t('Helps buyers: device unlock, links for a new password, the notice.'),
    'read-only': t('Sees what all roles may see, and changes nothing.'),
  }[role]
}
