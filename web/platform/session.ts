/**
 * Who is signed in, in this browser.
 *
 * A person is signed out by the server's 401 and by nothing else: a passing fault (no network, a busy server) leaves
 * the session as it is, because the cookie still counts.
 */
import { replaceEqualDeep } from '@tanstack/react-query'
import type { AdminRole } from '../../contract/endpoint.ts'
import type { User } from '../../contract/users.ts'
import { ApiError } from './api-error.ts'
import { client } from './client.ts'
import { askWhenReached } from './connection.ts'
import { t } from './i18n.ts'
import { clearPendingLogout, isLogoutPending, logOut } from './pending-logouts.ts'
import { queryClient } from './queries.ts'
import { createStore, useStore } from './store.ts'
import { getTheme } from './theme.ts'

export interface Admin {
  id: string
  username: string
  role: AdminRole
  hasSecondFactor: boolean
  /** The store, or another admin, has chosen the password. */
  hasGivenPassword: boolean
  /** The store asks for a second factor, and until there is one the server refuses everything else. */
  mustEnrol: boolean
}

/** The server's answer about an admin session. */
export interface AdminCheck {
  admin: Omit<Admin, 'mustEnrol'>
  secondFactorRequired: boolean
}

interface Session {
  user: User | null
  admin: Admin | null
  /** Set when the server ended the session; the text, where there is one, is shown to the person. */
  ended: { message: string | null } | null
}

export const STORAGE_KEY = 'user'
const ADMIN_FRESH_MS = 60_000

export const session = createStore<Session>({ user: null, admin: null, ended: null })

let adminConfirmedAt = 0

/** The server has confirmed the admin session a moment ago, by a call or by what the page came with. */
export function isAdminFresh(): boolean {
  return session.get().admin !== null && Date.now() - adminConfirmedAt < ADMIN_FRESH_MS
}

export function useSession(): Session {
  return useStore(session)
}

/** For guards and other code outside of components. */
export function getSession(): Session {
  return session.get()
}

/**
 * Takes over what the page was delivered with.
 * @param refusal why the cookie counts no more; told once to whoever was signed in when this browser was last here
 */
export function startSession(user: User | null, check: AdminCheck | null, refusal?: string): void {
  if (check) adminConfirmedAt = Date.now()
  drawFor(user, check)
  if (!user && refusal !== undefined && isRemembered()) {
    // Where nobody has to be signed in, least of all with a reset link in hand, it waits for a page of the store
    if (NOT_OF_BUYERS.test(location.pathname)) return
    session.set({ ...session.get(), ended: { message: elsewhereText() } })
  }
  remember(user)
}

/** For drawing on the server: these people, or nobody. */
export function drawFor(user: User | null, check: AdminCheck | null): void {
  session.set({ user, admin: check && adminOf(check), ended: null })
}

/** After a successful login. What was cached belonged to a visitor or to somebody else. */
export function signIn(user: User): void {
  clearPendingLogout('buyer')
  queryClient.clear()
  session.set({ ...session.get(), user, ended: null })
  remember(user)
}

/** Ends the session here at once, even when the server can't be told. The caller goes to /login. */
export async function signOut(): Promise<void> {
  const told = logOut('buyer')
  session.set({ ...session.get(), user: null })
  await told
  // Now only: this has other tabs ask the server, and throws away what came meanwhile by the old cookie.
  if (!session.get().user) forgetUser(null)
}

/**
 * After a successful login, which does not tell all that the panel needs.
 * @throws ApiError when the server can't be asked
 */
export async function adminSignIn(): Promise<void> {
  clearPendingLogout('admin')
  const check = await client.sessions.adminCheck({})
  queryClient.clear()
  keepAdmin(check)
}

/** Asks anew what the admin may do, after something has changed it. A passing fault leaves it as it was. */
export async function refreshAdmin(): Promise<void> {
  adminConfirmedAt = 0
  await checkAdmin().catch(() => undefined)
}

function keepAdmin(check: AdminCheck): void {
  adminConfirmedAt = Date.now()
  const { admin, ...rest } = session.get()
  // Mostly nothing has changed, and then nothing needs drawing.
  session.set({ ...rest, admin: replaceEqualDeep(admin, adminOf(check)) })
}

function adminOf({ admin, secondFactorRequired }: AdminCheck): Admin {
  const { id, username, role, hasSecondFactor, hasGivenPassword } = admin
  return { id, username, role, hasSecondFactor, hasGivenPassword, mustEnrol: secondFactorRequired && !hasSecondFactor }
}

export async function adminSignOut(): Promise<void> {
  const told = logOut('admin')
  session.set({ ...session.get(), admin: null })
  await told
  queryClient.clear()
}

/**
 * True when the server confirms the admin session, now or within the last minute.
 * @throws ApiError when it can't be asked.
 */
export async function checkAdmin(): Promise<boolean> {
  if (isAdminFresh()) return true
  // The old cookie would open the panel again.
  if (isLogoutPending('admin')) {
    session.set({ ...session.get(), admin: null })
    return false
  }
  try {
    keepAdmin(await client.sessions.adminCheck({}))
    return true
  } catch (error) {
    const { status } = error as ApiError
    if (status !== 401 && status !== 403) throw error
    session.set({ ...session.get(), admin: null })
    return false
  }
}

let refreshing: Promise<unknown> | undefined
let refreshingNext: Promise<unknown> | undefined

/**
 * Fetches the signed-in user anew: balance, prices, hidden products. Who asks during a call shares the next one: the
 * answer to this may be older than what they have heard of.
 * @returns what went wrong, if anything did
 */
export function refreshSession(): Promise<unknown> {
  if (!session.get().user) return Promise.resolve()
  if (refreshing) return (refreshingNext ??= refreshing.then(beginRefresh))
  return beginRefresh()
}

function beginRefresh(): Promise<unknown> {
  refreshingNext = undefined
  refreshing = fetchUser().finally(() => {
    refreshing = undefined
  })
  return refreshing
}

async function fetchUser(): Promise<unknown> {
  try {
    const user = await client.sessions.me({})
    const current = session.get()
    // Somebody may have signed out while the answer was on its way; an admin's own answer is no buyer.
    if (current.user?.id !== user.id) return undefined
    // Mostly nothing has changed, and then nothing needs drawing.
    const next = replaceEqualDeep(current.user, user)
    if (next !== current.user) session.set({ ...current, user: next })
    return undefined
  } catch (error) {
    // A refusal is the listener's below; of a passing fault the connection line tells.
    if (error instanceof ApiError && error.isPassing) askWhenReached(refreshSession)
    return error
  }
}

/** The server has ended the session already, as this person has asked it to. The caller goes elsewhere. */
export function leaveSession(): void {
  forgetUser(null)
}

/** Called once the reason has been shown. */
export function acknowledgeEnd(): void {
  session.set({ ...session.get(), ended: null })
}

export function forgetUser(ended: Session['ended']): void {
  session.set({ ...session.get(), user: null, ended })
  remember(null)
  queryClient.clear()
}

/** The specification keeps the user in browser storage; no more than what can't hurt is kept there. */
function remember(user: User | null): void {
  try {
    if (!user) localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, JSON.stringify({ id: user.id, username: user.username, theme: getTheme() }))
  } catch {
    // Storage can be off or full; nothing depends on it.
  }
}

const NOT_OF_BUYERS = /^\/(?:admin|reset-password|signup|terms-policy)/

function isRemembered(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== null
  } catch {
    return false
  }
}

/** Tells the person that another device has the session. */
export const elsewhereText = () => t('Login detected on another device. Please login again.')
