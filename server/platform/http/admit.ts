/** Decides who may call an endpoint, and which account a call counts against. */
import { mayCall, type Endpoint } from '../../../contract/endpoint.ts'
import { Refusal, type RefusalCode } from '../../../contract/errors.ts'
import type { CachedReads } from '../database/snapshot-cache.ts'
import type { AuthenticatedAdmin, Caller } from './call.ts'
import type { Cookies } from './cookies.ts'
import type { HttpOptions, ShownToken } from './http-options.ts'

interface Seen {
  cookies: Cookies
  now: Date
  active: boolean
  cached?: CachedReads
  /** The token in the Authorization header. */
  token?: string | undefined
}

export async function admit(
  endpoint: Pick<Endpoint, 'access' | 'method' | 'roles' | 'beforeEnrolment'>,
  { cookies, now, active, cached, token }: Seen,
  { authenticate, findDevice }: HttpOptions,
): Promise<Caller> {
  const { access } = endpoint
  if (access === 'public' || access === 'operator') return { user: null, admin: null }
  if (access === 'device') {
    const device = token === undefined ? undefined : await findDevice?.(token)
    if (!device) throw new Refusal('DEVICE_TOKEN_INVALID')
    return { user: null, admin: null, device }
  }
  const { user, admin } = await authenticate(cookies, now, active, cached)
  const who = {
    user: typeof user === 'string' ? null : user,
    refusal: typeof user === 'string' ? user : undefined,
    admin: typeof admin === 'string' || (admin?.isReplaced && endpoint.method !== 'GET') ? null : admin,
  }
  if (access === 'anyone') return who
  if (access === 'user' && !who.user) throw new Refusal(typeof user === 'string' ? user : 'NO_SESSION')
  if (access === 'admin' && !who.admin) {
    if (who.user) throw new Refusal('ADMIN_REQUIRED')
    throw new Refusal(typeof admin === 'string' ? admin : 'NO_SESSION')
  }
  if (access === 'admin' && who.admin) refuseByRole(endpoint, who.admin)
  if (access === 'user-or-admin' && !who.user && !who.admin)
    throw new Refusal(typeof user === 'string' ? user : 'NO_SESSION')
  if (access === 'user-or-admin' && endpoint.roles && who.admin) {
    if (!who.user) refuseByRole(endpoint, who.admin)
    else if (roleRefusal(endpoint, who.admin)) return { ...who, admin: null }
  }
  return who
}

/**
 * Admits a program by its token, for the calls that name a scope and no others.
 * @throws Refusal TOKEN_REFUSED for a call that is not for it, known or not, or TOKEN_INVALID for all other reasons
 */
export async function admitToken(
  { scope }: Pick<Endpoint, 'scope'>,
  shown: ShownToken,
  { findToken }: HttpOptions,
): Promise<Caller> {
  if (scope === undefined) throw new Refusal('TOKEN_REFUSED')
  const found = await findToken?.(shown)
  if (!found) throw new Refusal('TOKEN_INVALID')
  if (scope === 'buy' && !found.canBuy) throw new Refusal('TOKEN_REFUSED')
  // It has no session that a call could end or keep
  const user = { id: found.userId, username: found.username, sessionHash: Buffer.alloc(0) }
  return { user, admin: null, token: found }
}

type RightOf = 'role' | 'hasSecondFactor' | 'secondFactorRequired'

export function refuseByRole(asked: Asked, admin: Pick<AuthenticatedAdmin, RightOf>): void {
  const refusal = roleRefusal(asked, admin)
  if (refusal) throw new Refusal(refusal)
}

type Asked = Pick<Endpoint, 'method' | 'roles' | 'beforeEnrolment'>

function roleRefusal(
  endpoint: Asked,
  { role, hasSecondFactor, secondFactorRequired }: Pick<AuthenticatedAdmin, RightOf>,
): RefusalCode | undefined {
  if (!mayCall(endpoint, role)) return 'FORBIDDEN_ROLE'
  return secondFactorRequired && !hasSecondFactor && !endpoint.beforeEnrolment ? 'ENROLMENT_REQUIRED' : undefined
}

/**
 * Returns the account that a limited call counts against: the session's, or the typed username or e-mail. Admin calls
 * count against the admin. Otherwise a new buyer session would reset the limit.
 */
export function accountOf({ access }: Endpoint, input: Record<string, unknown>, caller: Caller): string | undefined {
  const session = access === 'admin' ? caller.admin : (caller.user ?? caller.admin ?? caller.device)
  if (session) return session.id
  const named = input.username ?? input.email
  return typeof named === 'string' ? named.toLowerCase() : undefined
}
